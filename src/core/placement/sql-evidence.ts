import { type Break, type Breaks, context, sqlBreaks } from '../grammars/sql/breaks.ts';
import {
  connective,
  noConnective,
  signConnectives,
  wordConnectives,
} from '../grammars/sql/connectives.ts';
import {
  holdsKind,
  isName,
  isQuote,
  isWordOf,
  type SqlTokens,
  sqlToken,
} from '../grammars/sql/sql-token.ts';
import { sqlWord } from '../grammars/sql/sql-words.ts';
import { isComment, isOption } from '../grammars/sql/statement-parts.ts';
import { type Expression, has, stop, trait } from '../grammars/sql/traits.ts';
import type { Match } from '../rules/rule.ts';
import { confidence } from './confidence.ts';
import { isOwnLiteral, startCount } from './own-literal.ts';
import { isShown, shownVerb } from './shown-statement.ts';
import type { Subject } from './subject.ts';

/** Reads the subject's breaks, and says so when the text was too long to read to its end. */
export function readBreaks(subject: Subject): Breaks {
  const breaks = subject.tokens(sqlBreaks);
  if (!breaks.tokens.complete) subject.incomplete('tokens');
  return breaks;
}

/** Judges all breaks of a text; the strongest match counts, the first of equals. */
export function strongestBreak(
  subject: Subject,
  score: (one: Break, all: Breaks) => number,
): Match | undefined {
  const all = readBreaks(subject);
  let best: Break | undefined;
  let bestScore = 0;
  let verb = -1;
  const quotes = startCount();
  for (const one of all.breaks) {
    let value = score(one, all);
    if (value <= bestScore) continue;
    if (value > shownScore) {
      if (verb < 0) verb = shownVerb(all);
      if (isShown(one, all, verb) || opensName(one, all) || isOwnLiteral(one, all, quotes))
        value = Math.max(bestScore, shownScore);
    }
    best = one;
    bestScore = value;
    if (bestScore >= certain) break;
  }
  return best === undefined ? undefined : { ...spanOf(best, all), score: bestScore };
}

/** Of a break within a statement that a sentence shows. */
const shownScore = confidence.hint;

/** From this score on no better evidence is looked for. */
export const certain = 90;

/**
 * From the quote or the connective to the end of the expression, with the comment that cuts the
 * rest.
 */
function spanOf(one: Break, all: Breaks): { start: number; end: number } {
  const from = one.context === context.quote ? one.before : one.at;
  const why = one.expression.stop;
  const isCut = why === stop.comment || why === stop.semicolon;
  return spanOfTokens(
    all,
    from,
    Math.max(isCut ? one.expression.end + 1 : one.expression.end, one.at + 1),
  );
}

/** The text from one token up to another that is not part of it. */
export function spanOfTokens(
  all: Breaks,
  from: number,
  to: number,
): { start: number; end: number } {
  const { tokens } = all;
  const start = tokens.start[from] as number;
  const last = Math.min(to, tokens.count) - 1;
  return { start, end: Math.max(tokens.end[last] ?? start, start) };
}

/** True when the rest of the statement is cut off or its open literal is taken into account. */
export function takesRestIntoAccount(expression: Expression): boolean {
  return expression.stop === stop.comment || has(expression, trait.openText);
}

/**
 * True when nothing of the statement is left behind the expression: a comment follows without a
 * remark, or a semicolon with a comment or nothing.
 */
export function endsStatement({ expression }: Break, { tokens }: Breaks): boolean {
  const { kind, count } = tokens;
  let at = expression.end;
  if (expression.stop === stop.semicolon) {
    while (kind[at] === sqlToken.semicolon) at++;
    // `;-`: what SQLite does not read (`sqlite3_prepare`: pzTail)
    if (at >= count || (at + 1 === count && kind[at] === sqlToken.operator)) return true;
  } else if (expression.stop !== stop.comment) return false;
  if (!isComment(tokens, at)) return false;
  if (at + 1 >= count) return true;
  // `#'`: as a tool sends it, with the quote of what it leaves.
  const next = kind[at + 1] as number;
  const isMark = next === sqlToken.operator || next === sqlToken.close || isQuote(next);
  if (at + 2 < count || isMark) return at + 2 >= count;
  // People end a block comment.
  const isDash = tokens.text.charCodeAt(tokens.start[at] as number) === 45;
  const isBlock = kind[at] === sqlToken.blockComment;
  return next === sqlToken.word && (isBlock || (isDash && gluedWords(tokens, at) > 0));
}

/** `--x`: one word right behind the mark is the rest of a word, not a remark. */
export function gluedWords(tokens: SqlTokens, comment: number): number {
  const { kind, gap } = tokens;
  const isGlued = gap[comment] === 0 && gap[comment + 1] === 0 && !isOption(tokens, comment);
  return kind[comment] === sqlToken.lineComment && isGlued ? 1 : 0;
}

/**
 * `X is cool`, `f(1) is 4`: standard SQL tests for truth values and NULL, so that another word and
 * nothing behind it make a sentence.
 */
export function isDescription(tokens: SqlTokens, at: number, end: number): boolean {
  if (!isWordOf(tokens, at, sqlWord.is)) return false;
  const tested = isWordOf(tokens, at + 1, sqlWord.not) ? at + 2 : at + 1;
  if (end !== tested + 1) return false;
  return tokens.kind[tested] === sqlToken.number || isName(tokens, tested);
}

/** True when the break stands at the beginning of the value, after one operand at most. */
export function isAtStart(one: Break, { lead }: Breaks): boolean {
  return one.context === context.start || one.before <= 1 || one.before < lead.end;
}

/**
 * True when the value breaks out of a literal soon after it begins, `admin' or …`, and
 * does not open a quotation there.
 */
export function isEarlyQuote(one: Break, all: Breaks): boolean {
  if (one.context !== context.quote || one.isBalanced) return false;
  if (one.before - all.lead.end > earlyTokens && !endsCalls(one, all)) return false;
  return !opensQuotation(one, all);
}

/** `'),''),'a')or 1--`: nothing but the ends of calls in front. */
function endsCalls({ before }: Break, { tokens }: Breaks): boolean {
  if (before >= callTokensMax || !isQuote(tokens.kind[0] as number)) return false;
  // Behind the end of a call, a literal of the value's own may stand.
  const mayHold = tokens.kind[1] === sqlToken.close;
  return !holdsKind(tokens, 0, before, (kind) =>
    kind === sqlToken.word
      ? !mayHold
      : !isQuote(kind) && kind !== sqlToken.comma && kind !== sqlToken.close,
  );
}

const callTokensMax = 24;

/**
 * ``like `2005' or `24:00' are``: a back-tick that nothing closes, and behind another quote. The
 * name in it takes the rest of the statement, which is then none.
 */
function opensName({ before, expression }: Break, { tokens }: Breaks): boolean {
  const { text, kind, start } = tokens;
  const isOpen = expression.openAt >= 0 && kind[expression.openAt] === sqlToken.backtick;
  if (!isOpen || kind[before] !== sqlToken.single) return false;
  // Another field may close the name: both back-ticks must be quotes as ' closes them.
  const quote = start[before] as number;
  const name = start[expression.openAt] as number;
  const isPaired = text.slice(Math.max(0, quote - pairedMax), quote).includes('`');
  return isPaired && text.slice(name, name + pairedMax).includes("'");
}

const pairedMax = 80;

/** A value that is broken out of is short: a name, a number, some words. */
const earlyTokens = 6;

/**
 * True when the quote and its partner hug what is between them, as quotation marks and code marks
 * do.
 */
export function opensQuotation(one: Break, all: Breaks): boolean {
  const { kind, gap, jump } = all.tokens;
  const at = one.before;
  const partner = jump[at] as number;
  if (partner < 0) return false;
  if (kind[at] === sqlToken.backtick) return true;
  if (isCutBehind(one, all) || isConnectiveAlone(all, at, partner)) return false;
  if (isApart(all, at, partner) || (at > 0 && isTag(all, at + 1))) return true;
  if (computes(one, all, partner)) return false;
  if (isOpener(all, at - 1)) return true;
  const isFirst = at === 0 || gap[at] === 1;
  return isFirst && gap[at + 1] === 0 && gap[partner] === 0;
}

/**
 * An expression that begins or ends with an operator stands between the quote and its partner, or the partner
 * begins a literal: `'or x'31'-- a`.
 */
function computes({ before, expression }: Break, all: Breaks, partner: number): boolean {
  if (beginsTyped(all.tokens, partner)) return true;
  // A literal that the value leaves open at its very end is for the statement's own quote.
  const behind = expression.openAt === partner ? all.tokens.count - partner : 0;
  if (behind === 1) return true;
  const isLast =
    behind === 2 || (behind === 3 && all.tokens.kind[partner + 2] === sqlToken.semicolon);
  const isLong = partner > before + 2;
  if ((isLong || isLast) && beginsWithOperator(all, before + 1)) return true;
  if (isLong && beginsWithGroup(all.tokens, before + 1)) return true;
  return isLast && isLong && endsWithOperator(all, partner - 1);
}

/** `x'31'`, `timestamp'1-1-1'`, `{d'2'}`: a name or brace, and digits in quotes, in one piece. */
function beginsTyped({ kind, gap, jump, text, start, end }: SqlTokens, at: number): boolean {
  const close = jump[at] as number;
  if (gap[at] === 1 || kind[at - 1] !== sqlToken.word || close <= at + 1 || close > at + 8)
    return false;
  return typed.test(text.slice(start[at - 1], end[close]));
}

const typed = /^(?:[xbn]|date|time(?:stamp)?|[dst])'[\da-f][\da-f:. -]{0,30}'$/i;

/** `'||'6`: operators in quotes that are the whole value are no quotation; `'<anonymous>'` is one. */
function beginsWithOperator(all: Breaks, at: number): boolean {
  return isJoin(all, at) && !isTag(all, at);
}

/** `'like date'0-1-1'#`, `'or 1#'`, `'like'.';--`: the value begins with the quote, and a comment cuts the rest off. */
function isCutBehind(one: Break, all: Breaks): boolean {
  const { stop: why, end } = one.expression;
  const isCut = why === stop.comment || (why === stop.semicolon && isComment(all.tokens, end + 1));
  return one.before === 0 && isCut && endsStatement(one, all);
}

/** `'like 1 or'1`: nothing in quotation marks ends with an operator, and no word hugs them. */
function endsWithOperator({ tokens }: Breaks, at: number): boolean {
  const { text, kind, word, start, gap, count } = tokens;
  if (gap[count - 1] === 1) return false;
  if (kind[at] !== sqlToken.word) return signConnectives[kind[at] as number] !== noConnective;
  // `'or _utf8'1`
  if (text.charCodeAt(start[at] as number) === underscore) return true;
  // `'like it or not'1`: a saying and its footnote.
  return wordConnectives[word[at] as number] === connective.logical;
}

/**
 * `||`, `&&`, a comparison or arithmetic: no quotation begins with one. A path may begin with a
 * slash.
 */
function isJoin({ tokens: { kind, word } }: Breaks, at: number): boolean {
  if (kind[at] === sqlToken.operator) return word[at] !== 47 && word[at] !== 45;
  return joins.has(kind[at] as number);
}

const joins: ReadonlySet<number> = new Set([
  ...[sqlToken.pipes, sqlToken.ampersands, sqlToken.comparison],
]);

/** `')like …`, `'in()…`: a parenthesis of the statement and a connective, or of the operator, in one piece. */
function beginsWithGroup({ kind, word, gap }: SqlTokens, from: number): boolean {
  let at = from;
  while (kind[at] === sqlToken.close) at++;
  if (kind[at] !== sqlToken.word)
    return at > from && signConnectives[kind[at] as number] !== noConnective;
  const isGlued = gap[at] === 0 && wordConnectives[word[at] as number] !== noConnective;
  return isGlued && (at > from || (kind[at + 1] === sqlToken.open && gap[at + 1] === 0));
}

/** `'<anonymous>'` */
function isTag({ tokens }: Breaks, at: number): boolean {
  const { kind, jump, word } = tokens;
  const isName = kind[at] === sqlToken.comparison && kind[at + 1] === sqlToken.word;
  let end = at + 2;
  while (isName && word[end] === pipe && kind[end + 1] === sqlToken.word && end < at + 12) end += 2;
  return isName && kind[end] === sqlToken.comparison && jump[at - 1] === end + 1;
}

/**
 * `'or'1`: nothing but a connective between the quotes of a whole value, and an operand right behind
 * them.
 */
function isConnectiveAlone({ tokens }: Breaks, at: number, partner: number): boolean {
  const { kind, word, gap, count } = tokens;
  // `'or not'1`
  const last = isWordOf(tokens, 2, sqlWord.not) ? 3 : 2;
  if (at !== 0 || partner !== last || count !== last + 2) return false;
  if (kind[1] !== sqlToken.word || gap[1] === 1 || gap[last] === 1 || gap[last + 1] === 1)
    return false;
  const type = word[1] as number;
  return type > sqlWord.name && type <= sqlWord.arithmetic && kind[last + 1] !== sqlToken.other;
}

const underscore = 95;
const pipe = 124;
const ideographs = 0x2e80;

/**
 * `a trailing '/'`, `the flag '-x='`: one word without blanks in quotation marks, apart from what
 * stands before and behind them.
 */
function isApart({ tokens }: Breaks, at: number, partner: number): boolean {
  const { kind, gap, text, start, end } = tokens;
  const from = start[at] as number;
  const to = end[partner] as number;
  // Chinese and Japanese have no blanks.
  const isAmong = text.charCodeAt(from - 1) >= ideographs || text.charCodeAt(to) >= ideographs;
  if (!isAmong && (at === 0 || gap[at] === 0)) return false;
  if (at > 0 && kind[at - 1] === sqlToken.number) return false;
  if (to - from > apartMax || blank.test(text.slice(from, to))) return false;
  return isAmong || to >= text.length || behindWord.test(text.charAt(to));
}

const apartMax = 40;
const blank = /\s/;
const behindWord = /[\s,.:!?)\u0964\u3002]/;

function isOpener({ tokens }: Breaks, at: number): boolean {
  // `A1&"-"&B1` joins text in spreadsheets.
  if (tokens.kind[at] === sqlToken.operator) return tokens.word[at] === ampersand;
  return openers.has(tokens.kind[at] as number);
}

const ampersand = 38;
const openers: ReadonlySet<number> = new Set([
  ...[sqlToken.comparison, sqlToken.open, sqlToken.other, sqlToken.dot],
  ...[sqlToken.bracket, sqlToken.comma, sqlToken.pipes],
]);

/**
 * True when plain words lead up to the break, with nothing but white space between: the value is
 * a sentence.
 */
export function isInSentence(one: Break, all: Breaks): boolean {
  const { kind, gap } = all.tokens;
  let words = 0;
  let at = one.before - 1;
  for (; at >= 0 && words < sentenceWords; at--) {
    if (kind[at] !== sqlToken.word || gap[at + 1] === 0) break;
    words++;
  }
  return words >= sentenceWords;
}

const sentenceWords = 2;

/** True when no quote stands before the one that the value breaks out of, or nothing but quotes: `'''or 1`. */
export function isFirstQuote(one: Break, { tokens }: Breaks): boolean {
  const from = Math.max(0, one.before - earlyTokens);
  if (!holdsKind(tokens, from, one.before, isQuote)) return true;
  return from === 0 && !holdsKind(tokens, 0, one.before, (kind) => !isQuote(kind));
}

/** True when the expression ends in a literal that the statement's own quote would close. */
export function leavesOpen(one: Break, all: Breaks): boolean {
  const { openAt } = one.expression;
  if (openAt < 0) return false;
  const { kind, text, start } = all.tokens;
  return (
    kind[openAt] === kind[one.before] && text.length - (start[openAt] as number) <= openTextMax
  );
}

const openTextMax = 24;

/** The bare mark of a comment that ends the text, with one operator behind it at most; -1 without. */
export function lastComment(tokens: SqlTokens): number {
  const { kind, jump, count } = tokens;
  const last = kind[count - 1] === sqlToken.operator ? count - 2 : count - 1;
  return isComment(tokens, last) && (jump[last] as number) < 0 ? last : -1;
}

const openTokensMax = 3;

/** Words behind the mark of a comment, as far as they matter: two are a remark. */
export function wordsBehind({ kind, word, gap, count }: SqlTokens, comment: number): number {
  // People end the comment that they begin.
  if (kind[comment] === sqlToken.blockComment && count - comment <= openTokensMax) return 0;
  let words = 0;
  for (let at = comment + 1; at < count && words < 2; at++) {
    const isApart = words === 0 || gap[at] === 1;
    // `--sp_password` keeps a statement out of the log of SQL Server: no remark.
    const isSaid = kind[at] === sqlToken.word && word[at] !== sqlWord.serverProcedure;
    if (isSaid && isApart) words++;
  }
  return words;
}

/** `uuid()`, `pi() or 3.14`: up to `end` there is a function by its name, with nothing handed to it. */
export function isMention(end: number, { kind }: SqlTokens): boolean {
  return end === 3 && kind[0] === sqlToken.word && kind[1] === sqlToken.open;
}
