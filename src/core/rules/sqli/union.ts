import { type Break, type Breaks, context } from '../../grammars/sql/breaks.ts';
import { connective } from '../../grammars/sql/connectives.ts';
import { readExpression } from '../../grammars/sql/expression.ts';
import {
  holdsWord,
  isName,
  isWordOf,
  type SqlTokens,
  skipComments,
  sqlToken,
} from '../../grammars/sql/sql-token.ts';
import { sameWord, sqlWord } from '../../grammars/sql/sql-words.ts';
import { isWordAt, strongCalls } from '../../grammars/sql/statement-parts.ts';
import { endsAsSql, hasAny, stop, trait } from '../../grammars/sql/traits.ts';
import { unionTrigger } from '../../grammars/sql/triggers.ts';
import { confidence } from '../../placement/confidence.ts';
import { isAtStart, opensQuotation, strongestBreak } from '../../placement/sql-evidence.ts';
import type { ValueRule } from '../rule.ts';

/**
 * `-1 union select 1,2,3`, `' UNION ALL SELECT null,null#`, `') union distinct(select @@version)`.
 */
export const union: ValueRule = {
  id: 'sqli.union',
  severity: 'critical',
  score: confidence.certain,
  message: 'appends the rows of another query to the result',
  trigger: unionTrigger,
  judge: (subject) => strongestBreak(subject, scoreOf),
  examples: [
    ...['```a` UNION SELECT password, 2 FROM users-- -', '9) union distinct(select @@version)-- -'],
    ...['0/*!50000union*//*!50000select*/user(),2', "7' union all values row(4,'a',null) -- "],
    ...['" except select name from accounts--', '-1 union table staff limit 1 -- '],
    ...["' UNION ALL SELECT null,null#", '9 minus\tselect 4,5 from dual', '-1 union select 1,2,3'],
    ...['0 union all table shop.staff', '9 union\u00a0select 4,5', 'id union select 1 a,2,3'],
    '5fUNION SELECT 2',
  ],
  lookalikes: [
    'https://a.example/search?q=union%20select%20tutorial&sort=-price,name&page=2',
    ...['Our union values (honesty, patience) are on the wall', 'The union selected a new leader.'],
    ...['Please select Union Street, then values', 'See the union values row (second page)'],
    ...['/blog/2024/01/union-select-new-leader/', 'site:example.com "union select" -drop'],
    ...['Room 10, union table lamps and chairs', 'how does union select work in SQL?'],
    ...['European Union select 5 members', 'The+union+select+a+new+leader', '10 Union Select Road'],
    ...['trade union (select group)', '/products/union-select-5'],
    { body: { body: 'en=search&ep.term=union%20select%20tutorial\r\nen=page_view&_ee=1' } },
  ],
};

function scoreOf(one: Break, all: Breaks): number {
  if (one.connective !== connective.union) return 0;
  const { tokens } = all;
  const at = skipOpening(tokens, one.at + 1);
  const isBroken = leavesOperand(one, all);
  if (isWordOf(tokens, at, sqlWord.select)) return scoreSelect(one, tokens, at, isBroken);
  if (isWordOf(tokens, at, sqlWord.exec))
    return isBroken && at === one.at + 1 ? confidence.strong : 0;
  if (isWordOf(tokens, at, sqlWord.values)) {
    return scoreValues(tokens, at + 1, isBroken);
  }
  if (isWordOf(tokens, at, sqlWord.table)) return isBroken ? scoreTable(one, all, at + 1) : 0;
  return isGluedSelect(tokens, at) ? confidence.strong : 0;
}

/**
 * `union values (1,2)`, `union values row(1,2)`; a sentence about the values of a union has names
 * in parentheses.
 */
function scoreValues(tokens: SqlTokens, from: number, isBroken: boolean): number {
  const { kind } = tokens;
  let at = skipComments(tokens, from);
  const isRow = isWordAt(tokens, at, 'row');
  if (isRow) at = skipComments(tokens, at + 1);
  if (kind[at] !== sqlToken.open) return 0;
  if (isBroken) return confidence.strong;
  const first = skipComments(tokens, at + 1);
  return isName(tokens, first) || (isRow && kind[first] !== sqlToken.number)
    ? confidence.trace
    : confidence.strong;
}

/**
 * `union table users --`: with a clause or comment behind the name, as no sentence has it, or with
 * a number in front and nothing else in the value.
 */
function scoreTable(one: Break, all: Breaks, name: number): number {
  const expression = readExpression(all.tokens, name, tableMax);
  if (!endsAsSql(expression)) return confidence.trace;
  const isWhole = one.context === context.number && isAtStart(one, all);
  return isWhole || expression.stop !== stop.end ? confidence.strong : confidence.trace;
}

const tableMax = 40;

/** True when the UNION stands where an operand of a statement ends, and not in a sentence. */
function leavesOperand(one: Break, all: Breaks): boolean {
  const { tokens } = all;
  switch (one.context) {
    case context.quote:
      return !isQuotedPhrase(one, all);
    case context.close:
    case context.variable:
      return true;
    case context.number:
      return (
        isAtStart(one, all) || one.closers > 0 || tokens.kind[one.before - 1] !== sqlToken.word
      );
    default:
      return false;
  }
}

/** `"union select" -drop`: the words alone, with quotation marks around them. */
function isQuotedPhrase(one: Break, all: Breaks): boolean {
  const partner = all.tokens.jump[one.before] as number;
  return partner > 0 && partner <= one.at + 3 && opensQuotation(one, all);
}

/** Past ALL, DISTINCT, opening parentheses and stray signs. */
function skipOpening(tokens: SqlTokens, from: number): number {
  let at = skipComments(tokens, from);
  for (let i = 0; i < openingMax; i++) {
    const kind = tokens.kind[at];
    const isWord = isWordOf(tokens, at, sqlWord.quantifier);
    if (!isWord && kind !== sqlToken.open && kind !== sqlToken.operator) break;
    if (isHyphen(tokens, at)) break;
    at = skipComments(tokens, at + 1);
  }
  return at;
}

const openingMax = 40;

/** `/blog/union-select-new-leader`: no statement has a sign between the words. */
function isHyphen({ kind, word, gap }: SqlTokens, at: number): boolean {
  const isTight = gap[at] === 0 && gap[at + 1] === 0;
  return isTight && kind[at] === sqlToken.operator && word[at] === 45;
}

/** `unionselect1,2,3` and `SELECTCHAR(73)`: spaces were filtered out, here or at the receiver. */
function isGluedSelect(tokens: SqlTokens, at: number): boolean {
  if (!isWordOf(tokens, at, sqlWord.name)) return false;
  const start = tokens.start[at] as number;
  const isSelect = sameWord(tokens.text, start, start + 6, 'select');
  return isSelect && tokens.kind[at + 1] === sqlToken.open;
}

function scoreSelect(one: Break, tokens: SqlTokens, select: number, isBroken: boolean): number {
  const { expression } = one;
  const first = skipComments(tokens, select + 1);
  const isCode = beginsAsCode(tokens, first);
  if (isCode && (isBroken || one.context === context.start)) return confidence.certain;
  if (hasAny(expression, sqlOnly) && expression.operands > 0) return confidence.certain;
  if (isWordOf(tokens, first, sqlWord.constant)) return confidence.certain;
  if (!isCode) return scoreNames(one, tokens, select, isBroken);
  // `union select 5 members`: a number and a name.
  const isPhrase =
    tokens.kind[first] === sqlToken.number &&
    isWordOf(tokens, first + 1, sqlWord.name) &&
    tokens.kind[first + 2] !== sqlToken.comma;
  return isPhrase ? confidence.trace : confidence.strong;
}

/** A number, a variable, a parenthesis or an operator that can begin a list of columns. */
function beginsAsCode({ kind, word }: SqlTokens, at: number): boolean {
  if (kind[at] === sqlToken.operator) return prefixes.has(word[at] as number);
  return codeKinds.has(kind[at] as number);
}

const prefixes: ReadonlySet<number> = new Set([...'*+-~!'].map((one) => one.charCodeAt(0)));
const codeKinds: ReadonlySet<number> = new Set([sqlToken.number, sqlToken.variable, sqlToken.open]);

/** Columns by their names, as a sentence has words. */
function scoreNames(one: Break, tokens: SqlTokens, select: number, isBroken: boolean): number {
  const { expression } = one;
  if (expression.operands === 0) return isBroken ? confidence.strong : confidence.hint;
  if (isPhraseOfNames(one, tokens, select)) return confidence.hint;
  const isEnd = endsAsSql(expression);
  if (isBroken) return isEnd || expression.operands > 2 ? confidence.certain : confidence.likely;
  if (expression.operands > 1 && isEnd) return confidence.likely;
  return expression.stop === stop.other ? confidence.trace : confidence.hint;
}

/** `10 Union Select Road`: a few names and the end, with no table that they could be columns of. */
function isPhraseOfNames(one: Break, tokens: SqlTokens, select: number): boolean {
  const { expression } = one;
  // `q=union select me`: no statement has a UNION where an operand is missing.
  const isAssigned = tokens.kind[one.before] === sqlToken.comparison;
  const isNumber = one.context === context.number;
  const isBare = isNumber || one.context === context.word || one.context === context.start;
  if (!(isBare || isAssigned) || one.closers > 0) return false;
  if (expression.stop !== stop.end && expression.stop !== stop.other) return false;
  if (tokens.kind[expression.end] === sqlToken.number) return false;
  const isListed = tokens.kind[select + 2] === sqlToken.comma;
  const isWord = !isNumber && isName(tokens, select + 1) && !isListed;
  if (isListed && one.context === context.start) return false;
  if (hasAny(expression, ~(isWord ? wordy | compared : wordy))) return false;
  return !holdsWord(tokens, select + 1, expression.end, sqlWord.from);
}

/** `union select tutorial&page=2`: the next parameters of an address. */
const compared = trait.number | trait.compare;
const wordy = trait.name | trait.alias | trait.statement | trait.arithmetic | trait.logical;

/** What no sentence about unions that select somebody holds. */
const sqlOnly =
  strongCalls | trait.system | trait.textCall | trait.infoCall | trait.hex | trait.catalogue;
