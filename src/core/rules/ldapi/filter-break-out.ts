import { confidence } from '../../placement/confidence.ts';
import { charClass, isAlnum } from '../../text/char-class.ts';
import { createFinder } from '../../text/char-finder.ts';
import { skipAny } from '../../text/runs.ts';
import type { Match, ValueRule } from '../rule.ts';

/**
 * A closing parenthesis that nothing in the text opened, and a new filter component right behind it
 * (RFC 4515): the value ends its own component and adds another.
 */
export const filterBreakOut: ValueRule = {
  id: 'ldapi.filter-break-out',
  score: confidence.strong,
  message: 'closes its filter component and opens another',
  trigger: {
    classes: charClass.paren,
    literals: [
      [')(', ')\u0000', ') ', ')\t', ')\n', ')\r'],
      // An assertion, an operator, or what is one without white space.
      ['=', '&', '|', '(!', ')(', ')\u0000'],
    ],
  },
  examples: [
    ...['*)(uid=*', 'x)(|(cn=*)', 'bob))(|(mail=*', '*)(&', 'a*)(!(memberOf=cn=x))', 'j*))\u0000'],
    ...['*)(title:2.5.13.18:=\\61', 'admin*)((|pager=*)', 'anna))((|(', 'x)\n(cn=*'],
    ...['c)) (mail=*)(\t|(uid=a', '*)) (|\t(title=a', 'a)(!  (!\n(&  (|\n(2.5.4.0=*))))'],
    { body: { 'sn)(|(mail': '*' } },
  ],
  lookalikes: [
    ...['f(x)(y=2)', 'great :) (see=below)', 'Anna (Berlin) (2)', 'see note 3) (or 4)'],
    ...['a) first b) second (c=d)', 'hugs *) bye', 'as in 3) (x=5) and 4) (y=6)'],
    ...['either a) (price=low)\nor b) (price=high)', 'sad :)( and :(('],
    '(&(objectClass=person)(uid=anna))',
    'https://example.com/search?q=filter+(%26(objectClass%3Duser)(cn%3D*))',
  ],
  judge(subject): Match | undefined {
    const text = subject.text;
    // `(&(cn=*)(sn=x))` split at its `&`, as if it were a form: the parenthesis was opened there.
    if (subject.decoded.at(-1)?.startsWith('form:(') === true) return undefined;
    let isOpen: boolean | undefined;
    const endsOpen = () => {
      isOpen ??= leavesOpen(text);
      return isOpen;
    };
    let depth = 0;
    for (let at = nextBracket(text, 0); at < text.length; at = nextBracket(text, at + 1)) {
      if (text.charCodeAt(at) === 40) {
        depth++;
        continue;
      }
      depth--;
      if (depth >= 0) continue;
      depth = 0;
      const match = judgeBreak(text, at, subject.where === 'name', endsOpen);
      if (match !== undefined) return match;
    }
    return undefined;
  },
};

const nextBracket = createFinder(/[()]/g);

/** `at` is the closing parenthesis that nothing opened. */
function judgeBreak(
  text: string,
  at: number,
  isName: boolean,
  endsOpen: () => boolean,
): Match | undefined {
  let next = skipAny(text, at, ')', 12);
  const start = text[at - 1] === '*' ? at - 1 : at;
  if (text.charCodeAt(next) === 0 && text[at - 1] === '*') return { start, end: next + 1 };
  const opening = skipAny(text, next, `)${space}`, 12);
  if (text[opening] !== '(') return undefined;
  // Servers skip white space between filters; in prose what stands in brackets is closed again.
  if (opening > next && !endsOpen()) return undefined;
  next = skipAny(text, opening, `(&|!${space}`, 64);
  if (operatorLast.test(text.slice(opening, next)) && isFilterEnd(text, next)) {
    return { start, end: next };
  }
  // `))((|(`: the program's own text completes what is opened last.
  if (next === text.length && openCompound.test(text.slice(at, next))) return { start, end: next };
  const end = assertionEnd(text, next, isName);
  return end < 0 ? undefined : { start, end };
}

const space = ' \t\r\n';

/** Whether a parenthesis that opens in the text is left for the program's own text to close. */
function leavesOpen(text: string): boolean {
  let depth = 0;
  for (let at = nextBracket(text, 0); at < text.length; at = nextBracket(text, at + 1)) {
    depth = text.charCodeAt(at) === 40 ? depth + 1 : Math.max(0, depth - 1);
  }
  return depth > 0;
}

const operatorLast = /(?:[&|]|\(!)\s*$/;
const openCompound = /\(\(?[&|!]\($/;

/** Nothing more, or a component that ends at once: `(&)`. */
function isFilterEnd(text: string, at: number): boolean {
  return at >= text.length || text[at] === ')' || text.charCodeAt(at) === 0;
}

/** Offset after `attribute=`, `~=`, `>=`, `<=`, `:rule:=` (RFC 4515); -1 when there is none. */
function assertionEnd(text: string, start: number, isName: boolean): number {
  let at = start;
  while (at < text.length && at - start < 64 && isAttribute(text.charCodeAt(at))) at++;
  if (at === start) return -1;
  // The name of a member ends where the filter's `=` is put behind it.
  if (isName && at === text.length) return at;
  if ('~<>'.includes(text[at] ?? 'x')) at++;
  return text[at] === '=' ? at + 1 : -1;
}

/** Letters, digits, `-`, `;`, `.` and the `:` of a matching rule. */
function isAttribute(code: number): boolean {
  return isAlnum(code) || code === 45 || code === 46 || code === 58 || code === 59;
}
