import { isWord } from '../../text/char-class.ts';
import { nextClosingQuote, startQuotes } from '../../text/closing-quote.ts';
import { skipAny } from '../../text/runs.ts';
import type { Match, ValueRule } from '../rule.ts';

const statementWords: ReadonlySet<string> = new Set(
  'Object return this doc sleep db while for var let function if do throw emit print'.split(' '),
);

/** What follows a closed string of a `$where` script: an operator or `;`, then script. */
export const script: ValueRule = {
  id: 'nosqli.script',
  category: 'nosqli',
  cwe: 'CWE-943',
  severity: 'high',
  score: 80,
  message: 'closes a string of a server-side query script and goes on with script of its own',
  trigger: {
    literals: [
      ["'", '"'],
      [';', '||', '&&'],
    ],
  },
  examples: [
    "'; return true; var x='",
    '"; return(true); var x="',
    "a' && this.pin.length > 3 // ",
    "' || 'b'=='b",
    '"; sleep(2000);',
    "0'; while(true){} //",
    "' || true //",
    "' && Object.keys(this)[0].match('^a') || '",
    'a" || true RETURN doc //',
    `' || doc.pin > "" RETURN doc //`,
    "'; db.orders.drop(); //",
  ],
  lookalikes: [
    "Rock 'n' roll; return of the king",
    "It was the '80s; return home.",
    "the '80s && this one",
    "It's late; if you can, call",
    'She said "yes"; for once',
    "the parents' || children's room",
    "if (typeof value !== 'object' || value == null) return false;",
    '"use strict";var a = 1;',
  ],
  judge(subject): Match | undefined {
    const text = subject.text;
    const limit = Math.min(text.length, windowChars);
    const quotes = startQuotes();
    for (let quote = nextClosingQuote(text, limit, quotes); quote >= 0; ) {
      const match = judgeAfterQuote(text, quote);
      if (match !== undefined) return match;
      quote = nextClosingQuote(text, limit, quotes);
    }
    return undefined;
  },
};

const windowChars = 400;

function judgeAfterQuote(text: string, quote: number): Match | undefined {
  let at = skipAny(text, quote + 1, ' )}', 40);
  const operator = text.slice(at, at + 2);
  const isStatement = operator[0] === ';';
  if (!isStatement && operator !== '||' && operator !== '&&') return undefined;
  at = skipAny(text, at + (isStatement ? 1 : 2), ' ', 40);
  const end = scriptEnd(text, at, isStatement, text[quote] as string);
  return end < 0 ? undefined : { start: quote, end };
}

/** Offset after what proves script at `at`, -1 when nothing does. */
function scriptEnd(text: string, at: number, isStatement: boolean, quote: string): number {
  let end = at;
  while (end < text.length && end - at < 24 && isWord(text.charCodeAt(end))) end++;
  if (end > at && statementWords.has(text.slice(at, end))) return statementEnd(text, at, end);
  if (isStatement) return -1;
  if (text.slice(at, end) === 'true') return trueEnd(text, end);
  // `'a'=='a` or `1==1`
  const operand = skipAny(text, at, `${quote}0123456789abcdefghijklmnopqrstuvwxyz`, 40);
  const comparison = skipAny(text, operand, ' ', 40);
  return operand > at && text.startsWith('==', comparison) ? comparison + 2 : -1;
}

/** `doc.pin > ""` of AQL. */
const documentField = /^\.\w{1,30} {0,2}[=!<>]/;
const returned =
  /^[ (]{1,3}(?:(?:true|false|[01]) ?\)? ?(?:[;}/|&]|$)|[\w'"!]{1,24}(?:\.\w{1,24}){0,4} ?[=!<>;(])/;
const declared = /^ {1,3}\w{1,20} ?=/;

/** `|| true` counts when the script ends there, or goes on with a comment or another operator. */
function trueEnd(text: string, end: number): number {
  const next = skipAny(text, end, ' ', 40);
  if (next >= text.length || text.charCodeAt(next) === 0) return end;
  const after = text.slice(next, next + 7);
  if (after === 'RETURN ') return next + 6;
  return ['//', '||', '&&', '/*'].includes(after.slice(0, 2)) ? next + 2 : -1;
}

/**
 * The word needs the shape of script behind it: a call, a member, a block or an expression with
 * `=`.
 */
function statementEnd(text: string, start: number, end: number): number {
  const word = text.slice(start, end);
  const next = text[end] ?? '';
  if (word === 'doc') return documentField.test(text.slice(end, end + 48)) ? end + 1 : -1;
  if (word === 'this' || word === 'db' || word === 'Object')
    return next === '.' || next === '[' ? end + 1 : -1;
  if (word === 'return') return returned.test(text.slice(end, end + 40)) ? end : -1;
  if (word === 'var' || word === 'let') return declared.test(text.slice(end, end + 30)) ? end : -1;
  if (word === 'do') return next === '{' ? end + 1 : -1;
  return next === '(' ? end + 1 : -1;
}
