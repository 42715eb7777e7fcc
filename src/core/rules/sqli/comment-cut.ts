import type { Break } from '../../grammars/sql/break-list.ts';
import { type Breaks, context } from '../../grammars/sql/breaks.ts';
import { connective } from '../../grammars/sql/connectives.ts';
import { isWordOf, type SqlTokens, sqlToken } from '../../grammars/sql/sql-token.ts';
import { sqlWord } from '../../grammars/sql/sql-words.ts';
import { signTrigger } from '../../grammars/sql/triggers.ts';
import { confidence } from '../../placement/confidence.ts';
import { findBreaks, isEarlyQuote, strongestBreak } from '../../placement/sql-evidence.ts';
import type { Subject } from '../../placement/subject.ts';
import type { Match, ValueRule } from '../rule.ts';

/** `admin'--`, `admin' #`, `root")/*`. */
export const commentCut: ValueRule = {
  id: 'sqli.comment-cut',
  cwe: 'CWE-89',
  severity: 'high',
  score: confidence.strong,
  message: 'ends a literal and cuts the rest of the statement off with a comment',
  trigger: signTrigger,
  judge: judgeCut,
  examples: [
    "'/*`",
    "'/*x",
    "lamp'--[",
    "admin'--",
    "root' -- -",
    "guest')/*",
    "admin'#",
    "4'--sp_password",
    'root"; #',
    "' -- ",
    "lamp'-- kfQe-- -",
    "lamp%')-- kf",
    "admin'--'",
    "'--/*",
    "guest'/*e",
    "guest')/* e",
    "a'#=",
  ],
  lookalikes: [
    "The boys' -- and girls' -- teams won",
    "Jones' #1 fan",
    "the twins'-- both",
    "6'-- tall",
    "Thanks, James' -- bye",
    "Boys'-- and girls",
    'Her "nickname" -- long story',
    "'#hashtag'",
    '--help',
    "'#1",
    "print 'done'; # the end",
    '"--"',
    "rock '--' roll",
    "'--help'",
    "the pages' /* notes",
    "the 'src'/*e",
    "6'/*e",
    "James'#)",
    "`the boys'--`",
    "'/* x */",
    "the boys'--\u201d",
  ],
};

/** Short text that was a number or a key before it was decoded may be anything. */
const looseDecodings: ReadonlySet<string> = new Set(['base64', 'base64url', 'hex']);

function judgeCut(subject: Subject): Match | undefined {
  const isLoose = subject.decoded.some((name) => looseDecodings.has(name));
  return strongestBreak(findBreaks(subject), isLoose ? scoreOf : scoreWhole);
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
  if (tokens.count === at + 1) return true;
  const isBlock = tokens.kind[at] === sqlToken.blockComment && !tokens.text.endsWith('*/');
  const isTail = isBlock || isLoneSign(tokens, at + 1);
  return isTail && tokens.kind[at + 1] !== quote && tokens.count === at + 2;
}

/** What stands behind the mark for nothing, as `-- -`, `#=` and ``--` `` have it; a mark of code is closed there. */
function isLoneSign({ kind }: SqlTokens, at: number): boolean {
  const type = kind[at] as number;
  if (type === sqlToken.backtick) return kind.indexOf(type) === at;
  return loneSigns.has(type);
}

const loneSigns: ReadonlySet<number> = new Set([
  ...[sqlToken.operator, sqlToken.comparison, sqlToken.blockComment, sqlToken.bracket],
  sqlToken.semicolon,
]);

function scoreOf(one: Break, all: Breaks): number {
  if (one.connective !== connective.comment || one.context !== context.quote) return 0;
  const { tokens } = all;
  if (isMarked(one, tokens) && isEarlyQuote(one, all)) return confidence.likely;
  const isLast = tokens.count - one.at <= restTokensMax;
  if (!isLast) return one.isBalanced ? 0 : confidence.trace;
  if (isReopened(one, tokens)) return confidence.strong;
  if (one.isBalanced || (one.before === 0 && one.closers === 0)) return confidence.hint;
  const rest = tokens.count - one.at - 1;
  // The word that keeps a statement out of the log of SQL Server.
  if (isWordOf(tokens, one.at + 1, sqlWord.serverProcedure)) return confidence.strong;
  if (rest > 0 && !isLoneSign(tokens, one.at + 1)) return confidence.hint;
  const isHash = tokens.text.charCodeAt(tokens.start[one.at] as number) === 35;
  const isName = one.before <= (isHash ? 1 : nameTokensMax);
  return isEarlyQuote(one, all) && isName ? confidence.strong : confidence.hint;
}

/**
 * `admin'-- kf`, `admin')-- kf-- -`, `admin'/*kf`: one name, and one word behind a mark that hugs the
 * quote, as tools mark what they sent. People leave a space before a dash, and say more.
 */
function isMarked({ at, before, isBalanced }: Break, { kind, gap, text, start, count }: SqlTokens) {
  if (isBalanced || before < 1 || before > markedTokensMax || gap[at] !== 0) return false;
  const mark = text.charCodeAt(start[at] as number);
  // A block comment that is closed cuts nothing off.
  if (mark === 35 || (mark === 47 && text.endsWith('*/'))) return false;
  // `6'-- tall`: feet.
  if (before === 1 && kind[0] !== sqlToken.word) return false;
  for (let i = 1; i <= before; i++) if (gap[i] !== 0) return false;
  if (kind[at + 1] !== sqlToken.word) return false;
  return at + 2 === count || (kind[at + 2] === sqlToken.lineComment && at + 5 >= count);
}

/** `admin'--'`: one word, and nothing but the mark in quotes right behind it. */
function isReopened({ at, before }: Break, { kind, gap, count }: SqlTokens): boolean {
  if (before !== 1 || at !== 2 || count !== 4 || kind[0] !== sqlToken.word) return false;
  return kind[3] === kind[1] && gap[1] === 0 && gap[2] === 0 && gap[3] === 0;
}

/** `lamp%\u00bf`: a name with signs at its end. */
const markedTokensMax = 3;

/** The comment's mark itself, and one sign after it as some tools send: `--+`, `-- -`. */
const restTokensMax = 2;

/** What is looked up is short: a name, perhaps with a label before it. */
const nameTokensMax = 4;
