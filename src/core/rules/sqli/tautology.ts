import { type Break, type Breaks, context } from '../../grammars/sql/breaks.ts';
import { connective } from '../../grammars/sql/connectives.ts';
import {
  holdsKind,
  isName,
  isQuote,
  isWordOf,
  type SqlTokens,
  sqlToken,
} from '../../grammars/sql/sql-token.ts';
import { sqlWord } from '../../grammars/sql/sql-words.ts';
import { isComment } from '../../grammars/sql/statement-parts.ts';
import { type Expression, endsAsSql, has, hasAny, stop, trait } from '../../grammars/sql/traits.ts';
import { signTrigger } from '../../grammars/sql/triggers.ts';
import { isFalse } from '../../grammars/sql/truth.ts';
import { confidence } from '../../placement/confidence.ts';
import { isOfProgram } from '../../placement/shown-statement.ts';
import {
  endsStatement,
  isAtStart,
  isEarlyQuote,
  isFirstQuote,
  isInSentence,
  lastComment,
  leavesOpen,
  opensQuotation,
  strongestBreak,
  takesRestIntoAccount,
  wordsBehind,
} from '../../placement/sql-evidence.ts';
import type { ValueRule } from '../rule.ts';

/** `' or 1=1 --`, `') or ('a'='a`, `1 or 1=1`, `" or ""="`. */
export const tautology: ValueRule = {
  id: 'sqli.tautology',
  severity: 'critical',
  score: confidence.certain,
  message: 'ends a literal or operand and adds a condition that is always true or false',
  trigger: signTrigger,
  judge: (subject) => strongestBreak(subject, scoreOf),
  examples: [
    ...["here is the tea that we like so very much' or 6993 --", "x*/ or '4691'::int<>int'4692'--"],
    ...["the tea is good and we like it so very much'||true#", "' OR '[1]'::jsonb @@ '$[0]==1' --"],
    ...["home'))/**/OR/**/('it') IS ('it');---- sp_password", '3) and 77 like 77 and (8 like 8'],
    ...["' OR (WITH t(x) AS (VALUES(1)) SELECT x FROM t) --", "1 or q'[don't x]'<>'a' or 1=1--"],
    ...["x' is not null=any(array[[false or 'a'='a']])--", "' OR id BETWEEN SYMMETRIC 9 AND 0 --"],
    ...["' or 'a'='a'returning\"id\"--", "' or 'a'='a'window\"w\"as()--", "' OR name NOT NULL --"],
    ...["1 or [don't x]='a' or 'a'='a'", "'),''),'')collate a or-1-- b", '1 collate nocase or 1--'],
    ...["' OR ARRAY[1] && ARRAY[1] --", `" or "{"="{"returning":"-- `, "'OR@ length('a')is null--"],
    ...["x' or email like '%@%' -- ", "1 or ('{1}'::int[])[1]=1", "0)or!'a\\'b'like 0x25-- "],
    ...["' or 5 between 1 and 9#", "' OR tags[1]=tags[1] --", '1 or user=0x726f6f74', '" or ""="'],
    ...['4\rand\f31\tlike\r31', "' or 1 returning 1#x", `lamp"''or 5||0 and"`, "x' or ? is null--"],
    ...["x'||?1 in() or 2--", "admin') or ('a'='a", "' OR @`a` IS NULL#", "' or .a.b is null#"],
    ...["x' or 'a\\'b' <> '", "' OR name !~~* 'q", "'/**/oR/**/2>1/*", '6 and 2=2--\nkf', "'OR'1"],
    ...['6 and 2 glob 2', "' NOTNULL OR '", "'OR x'31'-- a", "'or@@version#", "' or 1=1 or `"],
    ...["x' or pin^@'a", '1 or 5 != 6', "' OR 1=1 --", "' OR 0b1#", "'or n'1'#", "'or{x 1}#"],
    ...['7 or 7=7', "'=''or'", "'or 1#'", `'or"1`, "'or not'S", "'or _utf8'3"],
    ...["'or time without time zone'now'is not null--", "'or varchar(9)'a'>''--", "''' or(1)-'"],
    ...["'or point(1,1)<@box(a,b)--", "'or@@'(1,1,2,2)'::box is not null--", "red') or _rowid_;"],
    ...["x' or '\\1", "x'or'\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t1", "'or _filename'1"],
    ...["'or pg_catalog.int4'1'in(1)--", "'or _utf8mb4 x'31'#a", "')or public.bool'1')-- "],
  ],
  lookalikes: [
    'int main(int argc, char *argv[])\n{\n    if (argc != 2 || strcmp(argv[1], "--help") == 0) {',
    ...['{"and":[{">":[{"var":"age"},18]},{"in":[{"var":"land"},["DE","AT"]]}]}', 'or 1=1 meaning'],
    ...["Invalid dates like `2005-02-29' or times like `24:00' are rejected.", 'Is it 4 or 4 = 4?'],
    ...["My query select id from staff where name = 'x' or 1=1 is slow, why?", "'or' 1 of the two"],
    ...["Don't select one or the other -- it's 'or' not 'and'.", 'What does "or 1=1" mean in SQL?'],
    ...[`if (path.startsWith(")") || path[0] == '"') return;`, "the girls' in (the team) or 2 --"],
    ...['else if (argc == 2 && strcmp(argv[1], "-d") == 0) {', 'The answer is 42 and 42 = 6*7'],
    ...["He'd said 'no' or 'maybe' -- I can't recall which", 'project = "WEB" AND status = "Done"'],
    ...['What is it like\n7 years on, and 2 matches later?', "Is it 'this' or ? -- unsure"],
    ...['If "a" or "*a" is NULL, a new list will be made.', "Rock 'n' roll or 'hip hop'?"],
    ...['if [[ "$all" = "yes" || "$vars" = "yes" ]]; then', '注入“and 1=1，and 1=2”测试法可以吗？'],
    ...['My boss uses \'quotes\' and "double quotes" <3', "Grade 'A' = 90 or above, and 'B' = 80"],
    ...['if (a < b && c == d) or (e > f) then stop', 'Take x < 3 and x > 0. In 1984 few did.'],
    ...['Q: is 2 * 3 = 6? A: yes; and 7 * 7 = 49', "the 'a' or 1 returning guest, or both"],
    ...[`She's 5'10" and he's 6'2"`, `s = ' or path[0] == '"' `, '2 + 2 = 4 and 3 + 3 = 6'],
    ...["It's 'and', not 'or' --", 'n > 1 and n mod 2 = 0', "the girls' or @ home", '1 or 2 = 3?'],
    ...["'or maybe x'7' -- a", '4 or better #gaming', '>=16 || 14 >=14.17', "Don' or Doff it --"],
    ...['3) or more #tips', "'or' and 'and'", "' or maybe not", `6''5" or 6'2"`, '=AND(1=1,2=2)'],
    ...["A'or'B", "'or _private'1", '1 or two) -- see'],
    ...["')' or '('", "5'x6'x7'", "'or not' S", "'and report.text' they said"],
  ],
};

function scoreOf(one: Break, all: Breaks): number {
  if (one.connective !== connective.logical) return 0;
  if (isOfProgram(one, all.tokens)) return confidence.hint;
  if (one.context !== context.quote) return scoreBare(one, all);
  return one.isBalanced ? scoreBalanced(one) : scoreAfterQuote(one, all);
}

/** The value's own literal ends here, or an apostrophe stands there. */
function scoreAfterQuote(one: Break, all: Breaks): number {
  const { expression } = one;
  if (hasAny(expression, trait.constantCompare | trait.sameCompare)) {
    const isSpoken = isSaid(expression) && !isClosedAndCut(one, all);
    const isTalk = isSpoken || isQuotedPhrase(one, all) || !isGrammatical(one, all);
    return isTalk ? confidence.hint : confidence.certain;
  }
  if (!endsAsSql(expression)) return isCutFrame(one, all) ? confidence.likely : 0;
  if (isBareFrame(all)) return confidence.strong;
  if (isFalse(one, all.tokens)) return confidence.hint;
  if (!has(expression, trait.compare)) return scoreOperand(one, all);
  if (takesRestIntoAccount(expression)) return confidence.certain;
  const isCondition = isEarlyQuote(one, all) || expression.stop === stop.semicolon;
  return isCondition ? confidence.strong : confidence.hint;
}

/** `' or id;`, `' or 5 --`: an operand that counts as true or false. */
function scoreOperand(one: Break, all: Breaks): number {
  const { expression } = one;
  if (!isEarlyQuote(one, all)) {
    if (isCutAtEnd(one, all)) return confidence.strong;
    return takesRestIntoAccount(expression) ? confidence.hint : confidence.trace;
  }
  if (expression.stop === stop.comment)
    return isDash(one, all) ? confidence.hint : confidence.strong;
  if (expression.stop === stop.semicolon) {
    if (!has(expression, trait.name)) return confidence.strong;
    return isClosedOff(one, all) ? confidence.likely : confidence.hint;
  }
  if (isGlued(one, all)) return confidence.likely;
  if (isConstantBeforeClause(expression, all.tokens)) return confidence.strong;
  const isClean = isFirstQuote(one, all) || isNumberLast(one, all);
  return leavesOpen(one, all) && isClean ? confidence.likely : confidence.hint;
}

/** `' or 1 returning 1#`: no sentence has a number before such a word. */
function isConstantBeforeClause({ stop: why, end, traits }: Expression, { word }: SqlTokens) {
  return why === stop.clause && lastClauses.has(word[end] as number) && (traits & trait.name) === 0;
}

const lastClauses: ReadonlySet<number> = new Set([sqlWord.into, sqlWord.limit, sqlWord.procedure]);

/** `' or id;`, `x' or id;--`, `x' or -id;`; `the boys' or girls;` is a list of words. */
function isClosedOff(one: Break, all: Breaks): boolean {
  if (!endsStatement(one, all)) return false;
  const { end } = one.expression;
  const { text, start, count } = all.tokens;
  // `x' or user_id;`
  const isColumn = text.slice(start[one.at], start[end]).includes('_');
  return end + 1 < count || one.before === 0 || end - one.at > 2 || isColumn;
}

/** Behind many words, but with nothing behind the comment: no sentence ends so. */
function isCutAtEnd(one: Break, all: Breaks): boolean {
  const { stop: why, traits } = one.expression;
  // `or not false and 7;`, and no list of words
  const isClosed = why === stop.semicolon && (traits & trait.name) === 0;
  const isCut = (why === stop.comment || isClosed) && endsStatement(one, all);
  return isCut && !opensQuotation(one, all);
}

/** `'=''or'`: quotes, comparisons and a connective, with nothing to say. */
function isBareFrame({ tokens }: Breaks): boolean {
  const { kind, word, count } = tokens;
  if (count < 4 || count > frameTokensMax) return false;
  let isCompared = false;
  for (let at = 0; at < count; at++) {
    const isConnective = kind[at] === sqlToken.word && word[at] === sqlWord.or;
    if (kind[at] === sqlToken.comparison) isCompared = true;
    else if (!isConnective && !isQuote(kind[at] as number)) return false;
  }
  return isCompared;
}

const frameTokensMax = 12;

/** `'or'1`, `'or"1`, `'or not'1`: a literal that ends, a connective, and one that begins. */
function isGlued({ before, at }: Break, { tokens }: Breaks): boolean {
  const quote = isWordOf(tokens, at + 1, sqlWord.not) ? at + 2 : at + 1;
  return tokens.count === quote + 2 && before === 0 && isQuote(tokens.kind[quote] as number);
}

/**
 * `' OR '[1]'::jsonb @@ '$[0]==1' --`: the end of a literal and a connective first, the bare mark of a
 * comment last. Between may be what the reading does not know; no sentence begins and ends so.
 */
function isCutFrame(one: Break, all: Breaks): boolean {
  const last = lastComment(all.tokens);
  if (last <= one.at + 1 || one.before > frameDataMax) return false;
  if (!isFirstQuote(one, all) || opensQuotation(one, all)) return false;
  return one.before === 0 || holdsSign(all, one.at + 1, last);
}

/** A token that is no word and no number: `Don' or Doff --` has none. */
function holdsSign({ tokens }: Breaks, from: number, to: number): boolean {
  return holdsKind(tokens, from, to, isSign);
}

function isSign(kind: number): boolean {
  return kind > sqlToken.variable && kind !== sqlToken.comma;
}

/** Words of the literal that such a value ends. */
const frameDataMax = 1;

/** `'no' or 'maybe' -- I can't say`: a sentence that quotes words goes on behind its dash. */
function isDash(one: Break, all: Breaks): boolean {
  const { text, start } = all.tokens;
  if (isFirstQuote(one, all)) return false;
  const at = start[one.expression.end] as number;
  return sentence.test(text.slice(at, at + 60));
}

const sentence = /^-{2,3} {1,3}[\p{L}'’]{1,20}(?:,? [\p{L}'’]{1,20}){2}/u;

/** `… or '1` */
function isNumberLast({ expression }: Break, { tokens }: Breaks): boolean {
  const last = expression.openAt + 1;
  return tokens.kind[last] === sqlToken.number && last === tokens.count - 1;
}

/** `what does "or 1=1" mean`: quotation marks around it, and a sentence around these. */
function isQuotedPhrase(one: Break, all: Breaks): boolean {
  const { kind, jump } = all.tokens;
  if (one.before === 0 || one.expression.stop !== stop.quote) return false;
  const isMark = jump[one.before] === one.expression.end && opensQuotation(one, all);
  const before = kind[one.before - 1];
  const after = kind[one.expression.end + 1];
  return isMark && before !== sqlToken.number && after === sqlToken.word;
}

/** A semicolon, and a comment with a mark behind it. */
function isClosedAndCut({ expression }: Break, { tokens }: Breaks): boolean {
  const { text, start } = tokens;
  const at = expression.end + 1;
  const isMarked = isComment(tokens, at) && text.charCodeAt(start[at] as number) !== 0;
  return expression.stop === stop.semicolon && isMarked;
}

/** `If "a" or "b" is null, then …`: a manual says so, and nothing is cut off behind it. */
function isSaid(expression: Expression): boolean {
  return has(expression, trait.nullTest | trait.text) && !takesRestIntoAccount(expression);
}

/** The value opened the literal itself: a quotation, a search or a piece of code is likely. */
function scoreBalanced(one: Break): number {
  const { expression } = one;
  if (has(expression, trait.constantCompare)) {
    if (takesRestIntoAccount(expression)) return confidence.certain;
    if (isSaid(expression)) return confidence.hint;
    // `"double quotes" <3`
    if (has(expression, trait.text))
      return has(expression, trait.number) ? confidence.hint : confidence.certain;
    return confidence.likely;
  }
  if (has(expression, trait.sameCompare)) return confidence.likely;
  if (!endsAsSql(expression) || !takesRestIntoAccount(expression)) return 0;
  return has(expression, trait.compare) ? confidence.hint : confidence.trace;
}

/** Nothing is closed: the value is put into the statement as it is. */
function scoreBare(one: Break, all: Breaks): number {
  const { expression } = one;
  if (isFormula(one, all)) return confidence.trace;
  if (isRange(one, all) || isBehindSemicolon(one, all)) return confidence.hint;
  if (has(expression, trait.constantCompare)) return scoreBareConstants(one, all);
  const isSign = all.tokens.kind[one.at] !== sqlToken.word;
  const isEnd = endsAsSql(expression);
  if (has(expression, trait.sameCompare))
    return isEnd && !isSign ? confidence.strong : confidence.hint;
  if (!isEnd) return 0;
  const isStart = isAtStart(one, all);
  if (has(expression, trait.compare)) return scoreBareCompare(one, all, isSign && !isStart);
  const isCut = expression.stop === stop.comment || isClosedAndCut(one, all);
  if (!isCut || !isStart) return 0;
  const isData = one.context === context.start || one.context === context.number;
  return isData && !isRemark(all.tokens, expression.end) ? confidence.likely : confidence.hint;
}

function scoreBareConstants(one: Break, all: Breaks): number {
  const isEnd = endsAsSql(one.expression);
  const isTalk = isArithmetic(one, all) || isMixed(one) || (isEnd && isInSentence(one, all));
  if (isTalk && !takesRestIntoAccount(one.expression)) return confidence.hint;
  if (isEnd) return confidence.certain;
  const isWhole = isAtStart(one, all) ? !goesOnAsSentence(one, all) : isMemberOfLines(one, all);
  return isWhole ? confidence.likely : confidence.hint;
}

/** `2 or 3 -- regards, Ann`, `4 or better #gaming` */
function isRemark(tokens: SqlTokens, comment: number): boolean {
  return wordsBehind(tokens, comment) > 1 || isHashtag(tokens, comment);
}

/** `4 or better #gaming` */
function isHashtag({ text, start, gap }: SqlTokens, at: number): boolean {
  return gap[at] === 1 && hashtag.test(text.slice(start[at], (start[at] as number) + 3));
}

const hashtag = /^#\p{L}{2}/u;

/** `>=16 || 14 >=14.17`: a comparison that begins the value has nothing before it to compare. */
function isRange({ before }: Break, { tokens }: Breaks): boolean {
  return before === 1 && tokens.kind[0] === sqlToken.comparison;
}

/** `yes; and 7 * 7 = 49`: a semicolon ends the statement, no condition follows it. */
function isBehindSemicolon({ at }: Break, { tokens }: Breaks): boolean {
  return at > 1 && tokens.kind[at - 1] === sqlToken.semicolon;
}

/** `=AND(1=1,2=2)`: no operand ends there. */
function isFormula({ at, before }: Break, { tokens }: Breaks): boolean {
  const isSign = before < at && tokens.kind[before] === sqlToken.comparison;
  return isSign && tokens.kind[at + 1] === sqlToken.open && tokens.gap[at + 1] === 0;
}

/** `2 + 2 = 4 and 3 + 3 = 6`: numbers compared before the connective as after it. */
function isArithmetic(one: Break, all: Breaks): boolean {
  const { kind } = all.tokens;
  return (
    one.context === context.number &&
    kind[one.before - 1] === sqlToken.comparison &&
    kind[one.before - 2] === sqlToken.number
  );
}

/** `id=1 and 1=1` and the end of the line: a value in a body of lines. */
function isMemberOfLines(one: Break, { tokens }: Breaks): boolean {
  const { text, kind, start, end, gap } = tokens;
  const before = kind[one.before - 1];
  const isLabelled = before === sqlToken.other || before === sqlToken.comparison;
  if (!isLabelled || gap[one.before] === 1 || one.context !== context.number) return false;
  const from = end[one.expression.end - 1] as number;
  const next = text.charCodeAt(from);
  return next === 10 || next === 13 || from >= (start[one.expression.end] as number);
}

/**
 * False for `and 1=1，` and `and 1=1, and 1=2`: no statement goes on with a mark of another script,
 * or with a connective behind a comma. A server that reads on this way runs nothing.
 */
function isGrammatical({ expression }: Break, { tokens }: Breaks): boolean {
  const { text, kind, word, start } = tokens;
  const { end } = expression;
  if (kind[end] === sqlToken.other) return text.charCodeAt(start[end] as number) < ideographs;
  if (isMemberName(tokens, end)) return false;
  if (kind[end] !== sqlToken.comma || kind[end + 1] !== sqlToken.word) return true;
  const next = word[end + 1];
  return next !== sqlWord.and && next !== sqlWord.or;
}

/**
 * `{"and":[{">":[{"var":"age"}, 18]}]}`: a name between the brace or comma and the colon of JSON; a
 * clause between two literals, as in `'a'='a'returning"id"` and `="{"returning":"`, has neither.
 */
function isMemberName({ text, kind, word, start, end }: SqlTokens, at: number): boolean {
  if (kind[at] !== sqlToken.word || word[at] !== sqlWord.name) return false;
  const isQuoted = kind[at - 1] === sqlToken.double && kind[at + 1] === sqlToken.double;
  const from = start[at] as number;
  const isFirst = memberStart.test(text.slice(Math.max(0, from - 24), from));
  return isQuoted && isFirst && text.startsWith('":', end[at]);
}

const memberStart = /(?:(?:^|[^"\s])\s{0,6}[{,]|[^=<>!~|&\s]",)\s{0,6}"$/;

/** From here on: marks and letters of Chinese and Japanese. A dash may be the two of a comment. */
const ideographs = 0x2e80;

/** `or 1=1 meaning`, `and 1=1，`: a plain word or a character follows that no statement has there. */
function goesOnAsSentence(one: Break, all: Breaks): boolean {
  const { end, whole } = one.expression;
  const { kind, gap } = all.tokens;
  if (!isGrammatical(one, all) || isQuestion(one, all)) return whole;
  // Nobody puts a comment before the next word of a sentence.
  if (kind[end - 1] === sqlToken.lineComment) return false;
  return whole && isName(all.tokens, end) && gap[end] === 1;
}

/** `1 or 2 = 3?` */
function isQuestion({ expression }: Break, { tokens }: Breaks): boolean {
  const { text, start, count } = tokens;
  return expression.end === count - 1 && text.startsWith('?', start[expression.end]);
}

/**
 * `… and 'B' = 80` after a word: a text and a number are seldom compared in SQL, and often in a
 * list.
 */
function isMixed(one: Break): boolean {
  const isLoose = one.context === context.word || one.context === context.other;
  return isLoose && has(one.expression, trait.text | trait.number);
}

function scoreBareCompare(one: Break, all: Breaks, isCode: boolean): number {
  const { expression } = one;
  if (isCode) return confidence.trace;
  if (one.context !== context.start && !(one.context === context.number && isAtStart(one, all))) {
    return takesRestIntoAccount(expression) ? confidence.hint : confidence.trace;
  }
  if (expression.stop === stop.comment || has(expression, trait.hex)) return confidence.strong;
  return hasAny(expression, trait.wordCompare | trait.nullTest)
    ? confidence.likely
    : confidence.hint;
}
