import { nextClosingQuote, startQuotes } from '../../text/closing-quote.ts';
import { characterSet, skipAny } from '../../text/runs.ts';
import { firstMatch, type Shape } from '../../text/shape.ts';
import { pathProofEnd } from '../../tokenise/xpath.ts';
import type { Match, ValueRule } from '../rule.ts';
import { xpathAxes, xpathFunctions } from './functions.ts';

const words = { functions: xpathFunctions, axes: xpathAxes };
const windowChars = 400;

/** A closed string, `or`, `and` or `|`, and then a path or a function of XPath. */
export const breakOut: ValueRule = {
  id: 'xpathi.break-out',
  category: 'xpathi',
  cwe: 'CWE-643',
  severity: 'high',
  score: 85,
  message: 'closes a string of an XPath expression and goes on with a path or function of its own',
  trigger: {
    literals: [
      ["'", '"', ']', '//'],
      ['or', 'and', '|', ']/', 'return ', ' let $'],
    ],
  },
  examples: [
    "' or count(//user)>0 or '",
    '" or //secret or "a"="a',
    "'] | //account[contains(pin,'1",
    "x') and starts-with(../pin,'9",
    "' or /a/b[1]/c/text()='x' or '",
    "' and position()=2 and 'a'='a",
    "') or child::node() or ('a'='a",
    "' or true() or '",
    "' | /*[2] | '",
    '1] | //a/b',
    "x']/following-sibling::a[1]/b",
    "'] , for $a in //b return $a , ('",
    "' or 1]\u0000",
    '1|//user',
    '3]\t|\r\n//*[2',
    "'\tor\n//secret or\r'",
    "' | //user/*[1] | '",
    '  7]  |  //user  |  //a[7',
    '-1 or //user',
    '1] and //user[2]/pin[1',
    '"]/..|//account["a"="a',
    "' or max(//price)>1 or '",
    "' or (some $x in //user satisfies $x/pin='1') or '",
    "' or (if (//a) then 1 else 0) or '",
  ],
  lookalikes: [
    'He said "yes" or no (not sure)',
    "the dogs' and cats' (count them)",
    "select 'a' or /b/ in the menu",
    "It's 5' or 6' (count: 2)",
    "use 'left' or 'right' | //comment",
    "the 'name' and text (see below)",
    '/users/[id]/posts/[slug]',
    "It's 5'\nor 6'\n(count: 2)\n// both sides",
    "Use only modes 'rb' or 'wb' or /wb[1-9]/.",
  ],
  judge(subject): Match | undefined {
    const text = withBlanks(subject.text);
    const limit = Math.min(text.length, windowChars);
    const predicate = firstMatch(text, predicates);
    if (predicate !== null) return { start: 0, end: predicate[0].length };
    const quotes = startQuotes();
    for (let at = nextClosingQuote(text, limit, quotes); at >= 0; ) {
      const end = judgeAfter(text, at + 1);
      if (end > 0) return { start: at, end };
      at = nextClosingQuote(text, limit, quotes);
    }
    return undefined;
  },
};

/** White space is the same to XPath, whichever it is (XPath 1.0, 3.7); offsets stay. */
function withBlanks(text: string): string {
  return otherSpace.test(text) ? text.replace(otherSpaces, ' ') : text;
}

const otherSpace = /[\t\r\n]/;
const otherSpaces = /[\t\r\n]/g;

/** `at` is behind the quote that closes; returns the offset after the proof, else -1. */
function judgeAfter(text: string, start: number): number {
  let at = skipAny(text, start, ' )]\'"', 12);
  if (at >= text.length || !mayGoOn(text.charCodeAt(at))) return -1;
  const connective = connectiveLength(text, at);
  const clause = mayBeClause(text, at, connective)
    ? xqueryClause.exec(text.slice(start, start + 80))
    : null;
  if (clause !== null) return start + clause[0].length;
  if (text[at] === '/' && text[at - 1] === ']') return axisStepEnd(text, at);
  if (connective > 0) at += connective;
  else if (text[at] === '|' && endsPath(text, start, at)) at += 1;
  else return -1;
  at = skipAny(text, at, ' ', 12);
  const end = pathProofEnd(text, at, words);
  return end > 0 && goesOn(text, end) ? end : -1;
}

/** `/`, `|`, the comma and the letters that a connective or a clause of XQuery begins with. */
function mayGoOn(code: number): boolean {
  return code < 128 && goesOnWith[code] === 1;
}

const goesOnWith = characterSet('/|,oOaAflr');

/** Of `or` and `and` with a blank or a parenthesis behind them; 0 for all else. */
function connectiveLength(text: string, at: number): number {
  const length = (text.charCodeAt(at) | 32) === 111 ? 2 : 3;
  if (at + length >= text.length) return 0;
  const next = text.charCodeAt(at + length);
  if (next !== 32 && next !== 40) return 0;
  const word = text.slice(at, at + length).toLowerCase();
  return word === 'or' || word === 'and' ? length : 0;
}

/** Behind a connective a clause begins with `for`, `some`, `every` or `if`. */
function mayBeClause(text: string, at: number, connective: number): boolean {
  if (connective === 0) return true;
  const from = at + connective + 1;
  const isOpen = text.charCodeAt(from) === 40;
  return 'fsei'.includes(text.charAt(isOpen ? from + 1 : from));
}

/** `] | /a`, `| /*`: another path behind a pipe. */
function endsPath(text: string, start: number, at: number): boolean {
  return brackets.test(text.slice(start - 1, at)) || wildcardStep.test(text.slice(at, at + 24));
}

/** `']/following-sibling::a`: the path goes on behind the predicate that the value closed. */
function axisStepEnd(text: string, slash: number): number {
  const end = pathProofEnd(text, slash, words);
  return end > 0 && (text[end - 1] === ':' || text[end] === '[') ? end : -1;
}

/** A clause of XQuery behind the closed string: FLWOR, or a call of `doc`. */
const xqueryClause =
  /^[ )\]]{0,6},? {0,3}(?:(?:(?:or|and) \(?)?(?:for|some|every) \$\w{1,20} in \/|(?:or|and) \(?if ?\(\/|let \$\w{1,20} ?:=|return (?:doc|collection|unparsed-text)\()/;

/** A call must close its parenthesis or go on with an argument, not with prose. */
function goesOn(text: string, end: number): boolean {
  if (text[end - 1] !== '(') return text[end] !== ' ' || comparison.test(text.slice(end, end + 16));
  return argument.test(text.slice(end, end + 24));
}

/** `| /*[`, `| //*`: any node, which nobody writes in prose. */
const wildcardStep = /^\| {0,3}\/{1,2}(?:\*|\w{1,16}\/\*)/;
/** `' or 1]` and a null byte: what the program appends is cut off. */
const cutPredicate = /^[^\n]{0,60}['"] ?(?:or|and) ?[^\n]{1,60}\]{1,2}\u0000/i;
/** `1] | //a`: a number's predicate closed, and another path. */
const closedPredicate = /^\s{0,8}\w{1,20} {0,3}\] {0,3}(?:\||or |and ) {0,3}\/{1,2}[\w*]/;
/** `1|//a`, `-1 or //a`: a number, and another path. */
const numberThenPath = /^-?\d{1,9} ?(?:\| ?|or |and )\/\/[\w*@][\w*@/[\]='":()-]{0,120}$/;
/** `"]/..|//a`: up again behind the predicate, and another path. */
const parentThenPath = /^[^\n]{0,60}['"]\]\/\.\. ?(?:\||\/)/;
const predicates: readonly Shape[] = [
  { pattern: closedPredicate, needs: [']'] },
  { pattern: cutPredicate, needs: [']\u0000'] },
  { pattern: numberThenPath, needs: ['//'] },
  { pattern: parentThenPath, needs: [']/..'] },
];
const brackets = /[\])]/;
const argument = /^ ?(?:[)/.*@'"]|\d|[a-z-]{1,20}[(),/[:])/i;
const comparison = /^ (?:[=<>!|]|or |and |mod |div )/i;
