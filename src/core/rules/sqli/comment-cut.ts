import { type Break, type Breaks, context } from '../../grammars/sql/breaks.ts';
import { connective } from '../../grammars/sql/connectives.ts';
import { isQuote, isWordOf, type SqlTokens, sqlToken } from '../../grammars/sql/sql-token.ts';
import { sqlWord } from '../../grammars/sql/sql-words.ts';
import { isOption } from '../../grammars/sql/statement-parts.ts';
import { signTrigger } from '../../grammars/sql/triggers.ts';
import { confidence } from '../../placement/confidence.ts';
import { isSignInMember } from '../../placement/member.ts';
import {
  isEarlyQuote,
  isFirstQuote,
  opensQuotation,
  strongestBreak,
  wordsBehind,
} from '../../placement/sql-evidence.ts';
import type { Subject } from '../../placement/subject.ts';
import type { Match, ValueRule } from '../rule.ts';

/** `admin'--`, `admin' #`, `root")/*`. */
export const commentCut: ValueRule = {
  id: 'sqli.comment-cut',
  score: confidence.strong,
  message: 'ends a literal and cuts the rest of the statement off with a comment',
  trigger: signTrigger,
  judge: judgeCut,
  examples: [
    ...["all of the tea that we like'--", "lamp'-- kfQe-- -", "4'--sp_password", "lamp%')-- kf"],
    ...["home')/*r s", "home') /* e", "guest')/* e", "root' -- -", "lamp')--'", "guest')/*"],
    ...["admin'--'", "guest'/*e", "ann'--*/", "ann')/*)", "of t'--x", "lamp')\0", "lamp'--["],
    ...["admin'--", 'root"; #', "admin'#", "f '--x", "'/*－t", "' -- ", "'--/*", "'--x", "'/*`"],
    ...["'/*x", "a'#="],
  ],
  lookalikes: [
    ...["The boys' -- and girls' -- teams won", 'Her "nickname" -- long story', "J'ai dit 'non'--"],
    ...["home'/* see below, please", "print 'done'; # the end", "Thanks, James' -- bye", "'/*.js"],
    ...["the pages' /* notes", "the twins'-- both", "Boys'-- and girls", "the boys'--\u201d"],
    ...["it's 'a'/* note", "rock '--' roll", "Jones' #1 fan", "`the boys'--`", "the 'src'/*e"],
    ...["'#hashtag'", "6'-- tall", "'--help'", "@}-;-'--", "James'#)", "'/* x */", '--help', "'#1"],
    ...["6'/*e", '"--"'],
  ],
};

/** Short text that was a number or a key before it was decoded may be anything. */
const looseDecodings: ReadonlySet<string> = new Set(['base64', 'base64url', 'hex']);

function judgeCut(subject: Subject): Match | undefined {
  const isLoose = subject.decoded.some((name) => looseDecodings.has(name));
  const isName = isSignInMember(subject.member);
  return strongestBreak(subject, (one, all) =>
    isName && cutsName(one, all) ? confidence.likely : (isLoose ? scoreOf : scoreWhole)(one, all),
  );
}

/** `ann' --b`, `ann'-->t`: where a name should stand, and no sentence. */
function cutsName(one: Break, { tokens }: Breaks): boolean {
  const { before, at } = one;
  if (one.connective !== connective.comment || before !== 1 || one.isBalanced) return false;
  const isName = tokens.kind[0] === sqlToken.word && isQuote(tokens.kind[before] as number);
  const isDash = tokens.text.charCodeAt(tokens.start[at] as number) === 45;
  return isName && isDash && tokens.count - at <= 3 && wordsBehind(tokens, at) < 2;
}

function scoreWhole(one: Break, all: Breaks): number {
  return isNothingElse(one, all) ? confidence.likely : scoreOf(one, all);
}

/** `' --`: the value is a quote and a comment without a text, which nobody writes. */
function isNothingElse(one: Break, { tokens }: Breaks): boolean {
  const { at, before, closers } = one;
  if (one.connective !== connective.comment || before !== 0 || closers > 0) return false;
  const quote = tokens.kind[0];
  if (quote !== sqlToken.single && quote !== sqlToken.double) return false;
  if (isLoneTail(tokens, at)) return true;
  // `'/*x`, `'--x`
  const isBlock = tokens.kind[at] === sqlToken.blockComment && !tokens.text.endsWith('*/');
  // `'/*.js'`, `'/*/x`: files
  if (isBlock && !pathSigns.has(tokens.kind[at + 1] as number)) {
    return tokens.count <= at + openTokensMax;
  }
  const isOpen = isBlock || isDashed(tokens, at);
  return isOpen && tokens.kind[at + 1] !== quote && tokens.count === at + 2;
}

const pathSigns: ReadonlySet<number> = new Set([
  ...[sqlToken.dot, sqlToken.operator, sqlToken.single, sqlToken.double, sqlToken.bracket],
]);
/** The mark of a block comment that does not end, and a remark: people end theirs. */
const openTokensMax = 4;

function isDashed({ kind, gap, text, start }: SqlTokens, mark: number): boolean {
  const isDash = text.charCodeAt(start[mark] as number) === 45;
  const isGlued = gap[mark] === 0 || gap[mark + 1] === 0;
  return isDash && isGlued && kind[mark + 1] === sqlToken.word;
}

/**
 * What stands behind the mark for nothing, as `-- -`, `#=`, `--)` and ``--` `` have it; a mark of code is
 * closed there, and `#)` is a face.
 */
function isLoneTail({ kind, start, text, count }: SqlTokens, mark: number): boolean {
  const isHash = text.charCodeAt(start[mark] as number) === 35;
  for (let at = mark + 1; at < count; at++) {
    const type = kind[at] as number;
    const isLone = type === sqlToken.backtick ? kind.indexOf(type) === at : loneSigns.has(type);
    if (!isLone && (type !== sqlToken.close || isHash)) return false;
  }
  return count - mark <= tailTokensMax;
}

const loneSigns: ReadonlySet<number> = new Set([
  ...[sqlToken.operator, sqlToken.comparison, sqlToken.blockComment, sqlToken.bracket],
  sqlToken.semicolon,
]);

function scoreOf(one: Break, all: Breaks): number {
  if (one.connective !== connective.comment || one.context !== context.quote) return 0;
  const { tokens } = all;
  if (isMarked(one, tokens) && isEarlyQuote(one, all)) return confidence.likely;
  const isLone = isLoneTail(tokens, one.at);
  const isLast = isLone || tokens.count - one.at <= restTokensMax;
  if (!isLast) return one.isBalanced ? 0 : confidence.trace;
  if (isReopened(one, tokens)) return confidence.strong;
  if (one.isBalanced || (one.before === 0 && one.closers === 0)) return confidence.hint;
  // The word that keeps a statement out of the log of SQL Server.
  if (isWordOf(tokens, one.at + 1, sqlWord.serverProcedure)) return confidence.strong;
  return isLone ? scoreEnd(one, all) : confidence.hint;
}

/** Nothing is said behind the mark: the data must be what is looked up. */
function scoreEnd(one: Break, all: Breaks): number {
  const { before, at } = one;
  const { text, start, gap } = all.tokens;
  if (text.charCodeAt(start[at] as number) === 35) {
    const isShort = before <= (gap[at] === 0 ? hashTokensMax : 1);
    return isShort && isEarlyQuote(one, all) ? confidence.strong : confidence.hint;
  }
  if (before > nameTokensMax && !isBehindWord(one, all)) return confidence.hint;
  if (isEarlyQuote(one, all)) return confidence.strong;
  return isBareEnd(one, all) ? confidence.likely : confidence.hint;
}

/** `@}-;-'--` is a rose. */
function isBehindWord(one: Break, all: Breaks): boolean {
  return all.tokens.kind[one.before - 1] === sqlToken.word && isFirstQuote(one, all);
}

/**
 * `admin'-- kf`, `admin')-- kf-- -`, `admin'/*kf`: one name, and one word behind a mark that hugs the
 * quote, as tools mark what they sent. People leave a space before a dash, and say more.
 */
function isMarked(one: Break, tokens: SqlTokens): boolean {
  const { at, before, closers, isBalanced } = one;
  const { kind, gap, text, start, count } = tokens;
  if (isBalanced || before < 1 || before > markedTokensMax) return false;
  if (isApart(tokens, at, closers)) return false;
  const mark = text.charCodeAt(start[at] as number);
  // A block comment that is closed cuts nothing off.
  if (mark === 35 || (mark === 47 && text.endsWith('*/'))) return false;
  // `6'-- tall`: feet.
  if (before === 1 && kind[0] !== sqlToken.word) return false;
  if (!mayBeWords(one, tokens) && gap.subarray(1, before + 1).includes(1)) return false;
  if (kind[at + 1] !== sqlToken.word) return false;
  if (mark === 47) return count <= at + openTokensMax;
  return at + 2 === count || (kind[at + 2] === sqlToken.lineComment && at + 5 >= count);
}

/** `f '--x`: one word may stand apart, and others where nothing but a letter is behind: `of t'--x` */
function mayBeWords({ at, before, closers }: Break, tokens: SqlTokens): boolean {
  const { kind, gap, text, start } = tokens;
  const isLetter = text.length - (start[at + 1] as number) === 1 && closers === 0;
  const isWord = before === 1 || (isLetter && kind[before - 1] === sqlToken.word);
  return isWord && gap[at + 1] === 0;
}

/** Not glued to the quote, and no `home') --h` nor `home') /* h` */
function isApart(tokens: SqlTokens, at: number, closers: number): boolean {
  const { kind, gap } = tokens;
  const isOpen = kind[at] === sqlToken.blockComment || gap[at + 1] === 0;
  const isRemark = closers > 0 && isOpen && !isOption(tokens, at);
  return gap[at] !== 0 && !isRemark;
}

/** `admin'--'`: one word, and nothing but the mark in quotes right behind it. */
function isReopened({ at, before, closers }: Break, { kind, gap, count }: SqlTokens): boolean {
  if (before !== 1 || at !== 2 + closers || count !== at + 2) return false;
  const isWhole = !gap.subarray(1, count).includes(1);
  return isWhole && kind[0] === sqlToken.word && kind[at + 1] === kind[1];
}

/** `lamp%\u00bf`: a name with signs at its end. */
const markedTokensMax = 3;

/** The comment's mark itself, and what tools send after it: `--+`, `-- -`. */
const tailTokensMax = 6;
const restTokensMax = 2;

/** What is looked up is short: a name, perhaps with a label before it. */
const nameTokensMax = 4;

/** `all of the tea that we like'--`: the mark hugs the quote, and is the last. */
function isBareEnd(one: Break, all: Breaks): boolean {
  const { at, before } = one;
  const isLast = all.tokens.count === at + 1 && all.tokens.gap[at] === 0;
  return isLast && before <= bareTokensMax && !opensQuotation(one, all);
}

const bareTokensMax = 12;

/** Data in front of a hash that hugs the quote. */
const hashTokensMax = 3;
