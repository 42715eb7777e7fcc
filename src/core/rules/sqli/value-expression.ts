import type { Breaks } from '../../grammars/sql/breaks.ts';
import { readExpression } from '../../grammars/sql/expression.ts';
import { type SqlTokens, skipComments, sqlToken } from '../../grammars/sql/sql-token.ts';
import { isOneOf } from '../../grammars/sql/statement-parts.ts';
import {
  type Expression,
  endsAsSql,
  has,
  hasAny,
  trait,
  traitsOf,
} from '../../grammars/sql/traits.ts';
import { expressionTrigger } from '../../grammars/sql/triggers.ts';
import { confidence } from '../../placement/confidence.ts';
import { takesText } from '../../placement/field-role.ts';
import {
  isDescription,
  isMention,
  readBreaks,
  spanOfTokens,
} from '../../placement/sql-evidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { wordList } from '../../text/words.ts';
import { inMember, type Match, type ValueRule } from '../rule.ts';

/**
 * A value that is an expression: `(select 1 from dual)`, `(case when 1=1 then 1 else 0 end)`,
 * `if(1=1,1,0)`.
 */
export const valueExpression: ValueRule = {
  id: 'sqli.value-expression',
  score: confidence.strong,
  message: 'is an SQL expression that a database would compute',
  trigger: expressionTrigger,
  judge,
  examples: [
    ...['CASE 3 WHEN 3 THEN 3 ELSE 6 END or not sold', '9 + (1 / ascii(substring(pin,1,1))-4)'],
    ...['(--\nselect\n1,pin--\nfrom\nstaff--\n)--\nf', '(select password from staff limit 1)'],
    ...['(SELECT `p`./**/`Id`,pin FROM staff)', 'case\f1\fdiv\f1 when 1 then id end', 'elt(3=3,7)'],
    ...['(case when 1=1 then 1 else 0 end)', 'if(now()=sysdate(),sleep(5),0)', 'pi() or not sold'],
    ...['-coalesce(1,0) or sold is null', "length('')\nor\nsold is true", 'mod(7,5) or not sold'],
    ...['nullif(2,5) or not sold', 'uuid() is not null', '1/user_name()', 'pi() or 1', 'pi()=pi()'],
    ...['(4=4)*9', '3=3--', 'abs(-3)=0'],
    ...inMember('query.q', 'abs(3)=0', 'abs(3)<2'),
  ],
  lookalikes: [
    ...["SUM(CASE WHEN status = 'paid' THEN total ELSE 0 END)", '(see above) or (see below)'],
    ...["CASE WHEN score > 90 THEN 'A' ELSE 'B' END", 'now() is not deterministic', 'HPa/nFJ&@@YH'],
    ...['(35 + 63) * 2 / 3 = 65.33', '1=1 -- as everybody knows', 'if (1) or if (2), which?'],
    ...['max(1, b) or min(1, b)', 'count(1) or count(*)', 'choice (select one)', '=IF(A1="x",1,0)'],
    ...['Exists (table 5)', 'round(3.5) or so', '2=2# and so on', 'mod(10,5) is 0', 'abs(-1) is 1'],
    ...['pi() or 3.14', 'f(x) = x^2'],
    ...inMember('query.q', 'mod(10,3)=1', 'sqrt(16) = 4', 'max(1,2)=2'),
  ],
};

function judge(subject: Subject): Match | undefined {
  const all = readBreaks(subject);
  const from = skipComments(all.tokens, 0);
  if (!beginnings.has(all.tokens.kind[from] as number)) return undefined;
  const expression = readExpression(all.tokens, from, 400);
  const score = Math.max(
    scoreOf(expression, subject.text),
    readsCharacter(all, expression.end) ? confidence.strong : 0,
    isCutOff(all, expression) || goesOnFrom(all, expression) ? confidence.likely : 0,
  );
  if (score === 0 || isDescription(all.tokens, all.lead.end, expression.end)) return undefined;
  if (takesText(subject.member) && isSum(all.tokens, expression))
    return { ...spanOfTokens(all, from, expression.end), score: confidence.hint };
  return { ...spanOfTokens(all, from, expression.end), score };
}

/** `mod(10,3)=1`, `sqrt(16) = 4`: a function of numbers, and what it comes to; `a=abs(3)=0` has all rows but one. */
function isSum(tokens: SqlTokens, { end, traits }: Expression): boolean {
  const { text, kind, count } = tokens;
  if (!result.test(text)) return false;
  if (end < count || (traits & ~numeric) !== 0 || !isOneOf(tokens, 0, sums)) return false;
  for (let at = 1; at < count; at++) if (kind[at] === sqlToken.word) return false;
  return true;
}

const result = /^[^=<>!~]{1,200}\)\s{0,8}=\s{0,8}[1-9]\d{0,20}$/;
const numeric = traitsOf('number call textCall arithmetic compare constantCompare');
const sums = wordList('abs ceil cos exp floor log max min mod pow round sin sqrt tan');

const beginnings: ReadonlySet<number> = new Set([
  ...[sqlToken.open, sqlToken.word, sqlToken.operator, sqlToken.number],
]);

function scoreOf(expression: Expression, text: string): number {
  if (has(expression, trait.query) && expression.operands > 0) return scoreQuery(expression);
  if (!endsAsSql(expression)) return 0;
  if (has(expression, trait.timeCall))
    return has(expression, trait.name) ? confidence.hint : confidence.likely;
  if (has(expression, trait.case))
    return isPlainCase(expression, text) ? confidence.hint : confidence.strong;
  if (isComputedCompare(expression)) return confidence.strong;
  if (has(expression, trait.infoCall) && expression.calls > 1) return confidence.likely;
  return has(expression, trait.constantCompare)
    ? scoreConstants(expression)
    : scoreInfo(expression);
}

function scoreQuery(expression: Expression): number {
  if (hasAny(expression, called | trait.constantCompare | trait.timeCall)) return confidence.strong;
  return endsAsSql(expression) && expression.operands > 1 ? confidence.strong : confidence.hint;
}

/** `if(ascii(…)=97,1,2)`: what a function of the server gives is compared. */
function isComputedCompare(expression: Expression): boolean {
  if (has(expression, trait.flowCall | trait.compare | trait.hex)) return true;
  return has(expression, trait.constantCompare) && hasAny(expression, called | trait.flowCall);
}

function scoreConstants(expression: Expression): number {
  if (has(expression, trait.truthValue)) return confidence.likely;
  return has(expression, trait.nullTest) ? 0 : confidence.hint;
}

/** `@@version`, `user_name()`: what the server tells of itself. */
function scoreInfo(expression: Expression): number {
  const isNamed = has(expression, trait.name);
  if (has(expression, trait.system))
    return isNamed && !has(expression, trait.call) ? confidence.hint : confidence.likely;
  if (!has(expression, trait.infoCall)) return 0;
  // `1/user_name()`: the error of the conversion tells the name.
  const isComputed = has(expression, trait.number | trait.arithmetic);
  return isComputed && !isNamed ? confidence.likely : confidence.hint;
}

/** `nullif(0,5) or sold`: a constant that a function computes, and a condition behind it. */
function goesOnFrom({ lead, tokens }: Breaks, expression: Expression): boolean {
  if (!lead.isComputed || expression.end <= lead.end || !endsAsSql(expression)) return false;
  // `pi() or 3.14` mentions one function, `pi()-pi() or 1` computes.
  const isMentioned = isMention(lead.end, tokens) && expression.calls < 2;
  if (isMentioned)
    return hasAny(expression, trait.name | trait.constant) || endsWhole(tokens, expression.end);
  if (has(expression, trait.compare)) return true;
  return has(expression, trait.logical) && !isSingle(tokens, lead.end + 1, expression.end);
}

/** `pi() or 1`: what is no whole number is what the function gives. */
function endsWhole({ text, kind, start, end }: SqlTokens, to: number): boolean {
  const isNumber = kind[to - 1] === sqlToken.number;
  return isNumber && !text.slice(start[to - 1], end[to - 1]).includes('.');
}

/** A word or a call: `count(1) or count(*)` is a question about both. */
function isSingle({ kind }: SqlTokens, from: number, to: number): boolean {
  if (kind[from] !== sqlToken.word) return false;
  return to === from + 1 || (kind[from + 1] === sqlToken.open && kind[to - 1] === sqlToken.close);
}

/** `1=1--`: a comparison of constants, and the rest of the statement commented out. */
function isCutOff({ tokens }: Breaks, expression: Expression): boolean {
  const at = expression.end;
  const rest = tokens.text.length - (tokens.start[at] as number);
  const isCut = tokens.kind[at] === sqlToken.lineComment && rest <= commentMax;
  return isCut && has(expression, trait.constantCompare) && endsAsSql(expression);
}

/** `--`, `-- -`, `#` */
const commentMax = 4;

/** `ascii(substr(…`: one character of a secret, as a number. */
function readsCharacter({ tokens, calls }: Breaks, to: number): boolean {
  for (let i = 0; i < calls.length && i < callsMax; i++) {
    const at = calls[i] as number;
    if (at >= to) return false;
    if (isOneOf(tokens, at, codes) && isOneOf(tokens, calls[i + 1] ?? at, parts)) {
      return (calls[i + 1] as number) === at + 2;
    }
  }
  return false;
}

const codes = ['ascii', 'ord', 'unicode'];
const parts = ['substr', 'substring', 'mid', 'left', 'right'];

const callsMax = 8;

/** `CASE WHEN score > 90 THEN 'A' END`: a lesson or a report has such, with columns compared. */
function isPlainCase(expression: Expression, text: string): boolean {
  const isNamed = has(expression, trait.name) && !has(expression, trait.constantCompare);
  if (!isNamed || hasAny(expression, telling)) return false;
  return !hasAny(expression, trait.textCall | trait.call) || !otherCall.test(text);
}

const telling = trait.infoCall | trait.errorCall | trait.query | trait.hex;
/** `SUM(CASE …)` counts rows as the case alone tells them apart. */
const otherCall = /(?<!\b(?:sum|avg|count|min|max))\s{0,4}\(/i;

const called = trait.textCall | trait.infoCall | trait.errorCall;
