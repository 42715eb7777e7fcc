import { charClass, quoteClasses } from '../../text/char-class.ts';
import { type CharFinder, createFinder } from '../../text/char-finder.ts';
import { characterSet } from '../../text/runs.ts';
import { openingPairs, pairOf } from '../../text/word-table.ts';
import { wordList } from '../../text/words.ts';
import { readExpression } from './expression.ts';
import {
  isQuote,
  isStar,
  isWordOf,
  type SqlTokens,
  skipComments,
  skipOpening,
  sqlToken,
} from './sql-token.ts';
import { sqlWord } from './sql-words.ts';
import { isOneOf } from './statement-parts.ts';
import { type Expression, trait } from './traits.ts';
import { classesOf } from './word-classes.ts';

/** What a value leaves to go on in the words of its statement. */
export const exitKind = {
  quote: 0,
  number: 1,
  /** A column, table or other name, or nothing. */
  name: 2,
  /** ASC or DESC. */
  direction: 3,
  /** A block comment. */
  comment: 4,
  /** A line comment, by the end of its line. */
  line: 5,
} as const;

/** A way out: its token, and the first token behind it. */
export interface Exit {
  readonly kind: number;
  readonly at: number;
  readonly next: number;
  /** The operand that the value begins with, where it stands in no quotes. */
  readonly data: Expression | undefined;
}

/**
 * The cheap look: false when a text has no place among its first words that a value could leave and
 * go on from. Behind a quote a clause, a list or a parenthesis must follow; a value without quotes
 * begins with an operand, and a sign or a clause follows it.
 */
export function mayExit(text: string, classes: number): boolean {
  if ((classes & quoteClasses) !== 0 && leaves(text, nextQuote, afterQuote, opensRest)) return true;
  if ((classes & charClass.star) !== 0 && endsComment(text)) return true;
  if ((classes & charClass.lineBreak) !== 0 && leaves(text, nextBreak, afterLine, opensQuery))
    return true;
  if (afterOperand.test(text)) return true;
  if ((classes & charClass.paren) !== 0 && afterTable.test(text.slice(0, tableMax))) return true;
  if ((classes & itemClasses) !== 0 && afterItem.test(text.slice(0, tableMax))) return true;
  return (classes & cutClasses) !== 0 && cut.test(text.slice(-cutMax)) && afterName.test(text);
}

const itemClasses = charClass.paren | charClass.at;
const cutClasses =
  charClass.dash | charClass.hash | charClass.star | charClass.control | charClass.semicolon;

/** Among the first words is a way out with what goes on in the statement behind it. */
function leaves(text: string, next: CharFinder, form: RegExp, pairs: Uint8Array): boolean {
  let end = text.length;
  for (let at = next(text, 0); at < end; at = next(text, at + 1)) {
    // To count words costs more than to look behind some quotes.
    if (at > usualMax && end === text.length) end = Math.min(end - 1, headEnd(text));
    if (!mayBeginRest(text, at + 1, pairs)) continue;
    form.lastIndex = at;
    if (form.test(text)) return at <= followingMax || at < headEnd(text);
  }
  return false;
}

/** What a form begins with, behind blanks and parentheses; cheaper than the form is. */
function mayBeginRest(text: string, from: number, pairs: Readonly<Uint8Array>): boolean {
  let at = from;
  let code = text.charCodeAt(at);
  while ((code <= 32 || code === 40 || code === 41) && at - from <= blanksMax)
    code = text.charCodeAt(++at);
  if (code >= 128 || restSigns[code] === 1) return true;
  return pairs[pairOf(code, text.charCodeAt(at + 1))] === 1;
}

const blanksMax = 40;
const restSigns = characterSet(';/-#,');
/** Each word that `afterQuote` begins with; for `afterLine` below. */
const opensRest = openingPairs(
  wordList(
    'from then where having join as order group is like union connect start for fetch option output',
    'log model window lock limit offset into',
  ),
);
const opensQuery = openingPairs(wordList('select with'));

const nextQuote = createFinder(/['"`]/g);
const nextBreak = createFinder(/[\r\n]/g);

function endsComment(text: string): boolean {
  const at = text.indexOf('*/');
  return at >= 0 && at < headEnd(text);
}

/** Behind as many words as data has, and what may follow the last of them. */
function headEnd(text: string): number {
  let at = 0;
  for (let words = 0; words < dataWordsMax && at < text.length; words++) {
    while (at < text.length && text.charCodeAt(at) > 32) at++;
    while (at < text.length && text.charCodeAt(at) <= 32) at++;
  }
  return at + followingMax;
}

const followingMax = 160;
/** Data has no more characters. */
const usualMax = 1_024;

/**
 * A list, a clause or a comment, each with what must follow where prose has the word, too: an item
 * of a list is no word with another word behind it.
 */
const afterQuote =
  /['"`][\s)]{0,40}(?:;|\/\*|--|#|,[\s(]{0,40}(?:['"`(\d@:.+~*[-]|(?:case|not|null|binary|cast|distinct|interval|select)\b|\w{1,64}\s{0,40}(?:[^\w\s]|$|(?:from|as|is|like|in|then|where|asc|desc|between|union|and|or)\b))|(?:(?:from|then|where|having|join|as)\b|(?:order|group)\s{0,40}(?:by\b|[^\w\s])|is\s{0,40}(?:not|null|true|false|unknown|distinct|[^\w\s])|like\s{0,40}(?:[^\w\s]|\d)|union\s{0,40}(?:all\b|distinct\b|select\b|values\b|table\b|[^\w\s]|$))|(?:connect|start|for|fetch|option|output|log|model|order|window|lock|limit|offset|into)(?:\s|\/\*|\(|@))/iy;
const afterLine = /[\r\n][\s(]{0,40}(?:select|with)\b/iy;

const afterOperand =
  /^[\s(+~-]{0,40}(?:,|(?:[\d.]{1,20}(?:e[+-]?\d{1,4})?|0x[\da-f]{1,40}|null|true|false|asc|desc|'[^']{0,200}')[\s)]{0,40}(?:[^\w\s.?!"'`:]|(?:(?:from|then|where|having|join|as)\b|(?:order|group)\s{0,40}(?:by\b|[^\w\s])|is\s{0,40}(?:not|null|true|false|unknown|distinct|[^\w\s])|like\s{0,40}(?:[^\w\s]|\d)|union\s{0,40}(?:all\b|distinct\b|select\b|values\b|table\b|[^\w\s]|$))|(?:connect|start|for|fetch|option|output|log|model|order)(?:\s|\/\*|\()|(?:in|glob|regexp|rlike|limit|offset|or|and|xor|between|not|div|mod)\b)|[["`]?\w{1,30}[\]"`]?\s{0,8}\(|(?:case|select)\s)/i;
const afterName =
  /^[\s("`[]{0,8}\w{1,64}[\s)"`\]]{0,40}(?:[^\w\s.?!"'`:]|(?:(?:from|then|where|having|join|as)\b|(?:order|group)\s{0,40}(?:by\b|[^\w\s])|is\s{0,40}(?:not|null|true|false|unknown|distinct|[^\w\s])|like\s{0,40}(?:[^\w\s]|\d)|union\s{0,40}(?:all\b|distinct\b|select\b|values\b|table\b|[^\w\s]|$))|(?:connect|start|for|fetch|option|output|log|model|order)(?:\s|\/\*|\()|(?:in|glob|regexp|rlike|limit|offset|or|and|xor|between|not|div|mod)\b|\.)/i;
/** A table, perhaps its alias, and a query that is joined to it. */
const afterTable =
  /^[\s("`[]{0,8}\w{1,64}(?:[\s)"`\]]{1,40}\w{1,64})?[\s)"`\]]{0,40}(?:,\s{0,40}\(\s{0,40}select\b[^)]{1,200}\bfrom\b|\bjoin\s{0,40}\(\s{0,40}select\b)/i;
/** A column, and behind a comma what tells of the server, a query with its table, or a choice. */
const afterItem =
  /^[\s("`[]{0,8}\w{1,64}[\s)"`\]]{0,40},[^,'"]{0,100}?(?:@@|\(\s{0,40}(?:select|with|values)\b.{1,200}\b(?:from|where)\b|\(\s{0,40}case\b)/i;
const tableMax = 400;
const cut = /--|#|\/\*|\0|;\s{0,8}$/;

/** A comment that cuts the rest off has a remark behind it at most. */
const cutMax = 80;

/** The exits of a value. Those in its data come first; few are looked at. */
export function exitsOf(tokens: SqlTokens): readonly Exit[] {
  const exits: Exit[] = [];
  const first = dataExit(tokens);
  if (first !== undefined) exits.push(first);
  const { kind, count } = tokens;
  const quotes = [0, 0, 0];
  const taken = [0, 0, 0, 0, 0];
  const take = (index: number, exit: Exit) => {
    const before = taken[index] as number;
    taken[index] = before + 1;
    if (before < exitsMax) exits.push(exit);
  };
  for (let at = 0; at < count && at < dataTokensMax; at++) {
    const type = kind[at] as number;
    if (isQuote(type)) {
      const index = type - sqlToken.single;
      if (isApostrophe(tokens, at)) continue;
      const isFirst = ((quotes[index] as number) & 1) === 0;
      quotes[index] = (quotes[index] as number) + 1;
      if (isFirst && !isOpening(tokens, at) && maySucceed(tokens, at + 1, type))
        take(index, exitOf(exitKind.quote, at, at + 1));
    } else if (taken[3] === 0 && isCommentEnd(tokens, at)) {
      take(3, exitOf(exitKind.comment, at, at + 2));
    } else if (beginsQuery(tokens, at) && isAfterBreak(tokens, at)) {
      take(4, exitOf(exitKind.line, at, at));
    }
  }
  return exits;
}

/** No rest of a statement begins with a name, a number or the same quote again: of `''''''` the last one is the way out. */
function maySucceed(tokens: SqlTokens, from: number, quote: number): boolean {
  if (tokens.kind[from] === quote) return false;
  const at = skipComments(tokens, from);
  const type = tokens.kind[at] as number;
  if (type === sqlToken.word)
    return tokens.word[at] !== sqlWord.name || isOneOf(tokens, at, namedClauses);
  return type > sqlToken.backtick || type === sqlToken.end;
}

/** Words that begin a clause and are names elsewhere. */
const namedClauses = wordList(
  'returning window connect start fetch option output log model nulls indexed tablesample left right full inner outer cross natural',
);

/** Data: a search, a message or a name. */
const dataWordsMax = 80;
/** A word may be of many signs. */
const dataTokensMax = 800;
/** Of each kind of quotes, and of all others together. */
const exitsMax = 8;

/** An asterisk and a slash of a comment that nothing opened. */
function isCommentEnd(tokens: SqlTokens, at: number): boolean {
  const { kind, word, gap } = tokens;
  if (!isStar(tokens, at)) return false;
  return kind[at + 1] === sqlToken.operator && word[at + 1] === 47 && gap[at + 1] === 0;
}

/** `it's`, and not `pen'from` */
function isApostrophe({ kind, gap, count, word }: SqlTokens, at: number): boolean {
  if (kind[at] !== sqlToken.single || at === 0 || at + 1 >= count) return false;
  const isInside = gap[at] === 0 && gap[at + 1] === 0;
  if (!isInside || kind[at - 1] !== sqlToken.word || kind[at + 1] !== sqlToken.word) return false;
  return !unelided.has(word[at + 1] as number);
}

/** French and Italian have an apostrophe before `or`, `union` and `on`, and none before these. */
const unelided: ReadonlySet<number> = new Set(
  classesOf('from where having branch order group limit offset select like suffix for'),
);

/** A quote that opens a literal: behind a sign, or before a word with white space in front. */
function isOpening({ kind, gap, word }: SqlTokens, at: number): boolean {
  if (at === 0) return false;
  switch (kind[at - 1]) {
    case sqlToken.comparison:
      // `why?' THEN …`, and `>'),(…`: data that is a sign.
      if (word[at - 1] === questionMark) return false;
      return at > 1 || kind[at + 1] !== sqlToken.close;
    case sqlToken.open:
    case sqlToken.comma:
    case sqlToken.bracket:
    case sqlToken.brace:
      return true;
    case sqlToken.other:
      // `$',5),(…`: data that is a sign.
      return word[at - 1] !== questionMark && (at > 1 || kind[at + 1] !== sqlToken.comma);
    default:
      return gap[at] === 1 && gap[at + 1] === 0 && kind[at + 1] === sqlToken.word;
  }
}

const questionMark = 63;

/** `SELECT`, `WITH`, `(SELECT` */
function beginsQuery(tokens: SqlTokens, at: number): boolean {
  const isSelect = isWordOf(tokens, skipOpening(tokens, at), sqlWord.select);
  return isSelect || isWordOf(tokens, at, sqlWord.with);
}

function isAfterBreak({ text, start, end }: SqlTokens, at: number): boolean {
  for (let i = end[at - 1] ?? 0; i < (start[at] as number); i++) {
    const code = text.charCodeAt(i);
    if (code === 10 || code === 13) return true;
  }
  return false;
}

/** The end of a value that needs no quote: an operand, a direction, or nothing. */
function dataExit(tokens: SqlTokens): Exit | undefined {
  const { kind, word } = tokens;
  const at = skipComments(tokens, 0);
  if (kind[at] === sqlToken.comma) return exitOf(exitKind.direction, at, at);
  const isDirection = isWordOf(tokens, at, sqlWord.asc) || isWordOf(tokens, at, sqlWord.show);
  if (isDirection) return exitOf(exitKind.direction, at, at + 1);
  if (isQuote(kind[at] as number) && (tokens.jump[at] as number) < 0) return undefined;
  const isWord = kind[at] === sqlToken.word && !valueWords.has(word[at] as number);
  if (isWord && word[at] !== sqlWord.name && (word[at] as number) < sqlWord.timeCall) {
    return undefined;
  }
  const data = readExpression(tokens, at, dataStepsMax);
  if (data.operands === 0 || !data.whole || data.openAt >= 0) return undefined;
  // `"a" FROM b --`: a name, where what follows is a clause and no connective.
  const isQuoted = kind[at] === sqlToken.double && tokens.jump[at] === data.end - 1;
  const isName =
    (data.traits & (trait.name | trait.catalogue)) !== 0 ||
    (isQuoted && isWordOf(tokens, data.end, sqlWord.from));
  return { ...exitOf(isName ? exitKind.name : exitKind.number, at, data.end), data };
}

const dataStepsMax = 2_000;
/** NULL, NULLIF(1,2), CASE … END */
const valueWords: ReadonlySet<number> = new Set([sqlWord.constant, sqlWord.flow, sqlWord.case]);

function exitOf(kind: number, at: number, next: number): Exit {
  return { kind, at, next, data: undefined };
}

/** `a 5" from wall`, `5"from wall`, `tea"from China` */
export function isOrigin({ at, next }: Exit, tokens: SqlTokens, to: number): boolean {
  const { kind, gap, text, start } = tokens;
  if (holdsGluedSign(tokens, next + 1, to)) return false;
  if (gap[next] !== 0 || kind[at - 1] === sqlToken.number) return true;
  return at > 0 && origin.test(text.slice(start[next], (start[next] as number) + originMax));
}

/** `from(a)`, `from a'b'`, `from a[b]`: no sentence has these signs right behind a word. */
export function holdsGluedSign({ kind, gap }: SqlTokens, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const type = kind[at] as number;
    const isSign = type === sqlToken.open || type === sqlToken.bracket || isQuote(type);
    if (gap[at] === 0 && isSign) return true;
  }
  return false;
}

const originMax = 40;
const origin = /^from\s\p{Lu}\p{Ll}/u;

/** `it's fine')`: an apostrophe would have ended the literal before. */
export function isSecondQuote({ at }: Exit, { text, start }: SqlTokens): boolean {
  const from = start[at] as number;
  return text.slice(0, from).split(text.charAt(from)).length % 2 === 0;
}
