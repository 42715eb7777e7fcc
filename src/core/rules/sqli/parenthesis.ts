import { type Break, type Breaks, context } from '../../grammars/sql/breaks.ts';
import { connective } from '../../grammars/sql/connectives.ts';
import { readExpression } from '../../grammars/sql/expression.ts';
import { isWordOf, type SqlTokens, skipComments, sqlToken } from '../../grammars/sql/sql-token.ts';
import { sqlWord } from '../../grammars/sql/sql-words.ts';
import { type Expression, endsAsSql, hasAny, stop, trait } from '../../grammars/sql/traits.ts';
import { parenthesisTrigger } from '../../grammars/sql/triggers.ts';
import { classesOf } from '../../grammars/sql/word-classes.ts';
import { confidence } from '../../placement/confidence.ts';
import { isKeyMember } from '../../placement/member.ts';
import {
  endsStatement,
  isAtStart,
  isDescription,
  strongestBreak,
  wordsBehind,
} from '../../placement/sql-evidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { createFinder } from '../../text/char-finder.ts';
import { inMember, type Match, type ValueRule } from '../rule.ts';

/** `4) or id and (true`, `1,2) is not null or id--`: no quote, and no comparison of constants. */
export const parenthesis: ValueRule = {
  id: 'sqli.parenthesis',
  score: confidence.likely,
  message:
    'closes a parenthesis of the statement, adds a condition and takes the rest into account',
  trigger: parenthesisTrigger,
  judge,
  examples: [
    ...['1,2,5) is true or ~id and (true', '0)\tor\tnullif(id,77) and (true', '1) or id having (1'],
    ...['9)+case 1 when 1 then 1 end/*a', '(SELECT 0)) or(true) and (true', '4)||goods.id and (id'],
    ...['1) or id group by id having (1', 'null)between 0 and 9 or 1--a', '1) or id having true--'],
    ...['0) or(not false) and (true', '0) is true or price-- -', "''||'') or id and (true"],
    ...['4) or user_id or (name', '1) \n or id and (true', '@a+1) or id and (true', '4)\tor\t~id#'],
    ...['1+1) or id and (true', '1) or id order by (1', "'') or id and (true", ")glob''OR~[name];"],
    ...['@a) or id and (true', '1) or id and (name', '4) like id or (1', '-1) != id%77--'],
    ') or not 0;--',
    ...inMember('query.id', '1.5)-0x1&length(1)-- a', '4) or id or (name', '0)<f()--)', '9)+TRUE;'),
    ...inMember('query.id', '4) or (id', '4) or id;', '1)-id--'),
    `${'0'.repeat(200)}1) or id and (true`,
  ],
  lookalikes: [
    ...['1) whichever you like, or 2) -- and so on', '1) tea or (if there is none) coffee'],
    ...['see 1-2) or dogs and (true or not)', '1) or dogs having (say) a walk', '2) and (maybe) 3'],
    ...['a) true or false; b) or (c)', '3) is it a cat or (a dog', '@ann) or bob and (carol'],
    ...['2) or milk or (sugar', '5) is null - see (3', '3) is not mine;', '7) in (draft);'],
    ...['2) in stock (3', '4) and so on #', '3) - Ann(5);', 'see 3) - 4;', '8) is cool;'],
    ...['1) - done;', ':-) or (-:', '5) or six;', '9) + 5/*a', '3) + 4--x', ':-) - (-:'],
    '1) or (2',
  ],
};

function judge(subject: Subject): Match | undefined {
  const { text, member } = subject;
  if (!leavesParenthesis(text)) return undefined;
  const isKey = isKeyMember(member);
  return strongestBreak(subject, (one, all) =>
    addsCondition(one, all, isKey) && endsRest(one, all, isKey) ? confidence.likely : 0,
  );
}

/** A parenthesis closes soon that the text has not opened, and nothing before it is a sentence. */
function leavesParenthesis(text: string): boolean {
  let depth = 0;
  // A number may have any count of zeros and blanks in front.
  const start = Math.max(0, text.search(notNumber));
  const end = Math.min(text.length, start + headMax);
  for (let at = nextBracket(text, start); at < end; at = nextBracket(text, at + 1)) {
    if (text.charCodeAt(at) === 40) depth++;
    else if (--depth < 0) return true;
  }
  return false;
}

const nextBracket = createFinder(/[()]/g);

const headMax = 120;
const notNumber = /[^\s\d.,+~!-]/;

/** The value closes a parenthesis of the statement and adds a condition of its own. */
function addsCondition(one: Break, all: Breaks, isKey: boolean): boolean {
  if (!one.leavesParenthesis || !isAtStart(one, all)) return false;
  if (one.context !== context.number && one.context !== context.close) return false;
  const { expression } = one;
  if (!endsAsSql(expression) || isDescription(all.tokens, one.at, expression.end)) return false;
  // `7) in (draft);`
  const isNamed = isWordOf(all.tokens, one.at, sqlWord.in) && (expression.traits & ~named) === 0;
  if (one.connective <= connective.comparison) return isKey || !isNamed;
  // `5)-id--`: the number of a row has no parenthesis to close.
  const isSql = hasAny(expression, condition) || expression.calls > 0;
  return one.connective === connective.operator && (isKey || isSql);
}

/** What the statement has left is cut off, or its parenthesis opened again. */
function endsRest(one: Break, all: Breaks, isKey: boolean): boolean {
  const { expression } = one;
  if (endsStatement(one, all)) return isKey || !isListItem(one, all);
  if (isKey && expression.stop === stop.comment) return wordsBehind(all.tokens, expression.end) < 2;
  const last = lastExpression(expression, all.tokens);
  const isReopened = last.stop === stop.end && last.depth > 0;
  // `1) or id having (1`: another clause, and a constant in it.
  if (last !== expression) {
    const isCut = last.stop === stop.comment && last.end >= all.tokens.count - 2;
    return (isCut || isReopened) && hasAny(last, constants);
  }
  if (!isReopened || isKey) return isReopened;
  const isJoined = hasAny(expression, trait.logical) && expression.operands > 1;
  return isJoined && !isOfWords(all.tokens, one.at, expression.end);
}

/** The expression of the last clause that follows. */
function lastExpression(first: Expression, tokens: SqlTokens): Expression {
  let last = first;
  for (let clauses = 0; clauses < clausesMax && last.stop === stop.clause; clauses++) {
    const next = skipComments(tokens, last.end + 1);
    const isSorted = isWordOf(tokens, next, sqlWord.by);
    if (!isSorted && !oneWordClauses.has(tokens.word[last.end] as number)) break;
    last = readExpression(tokens, isSorted ? next + 1 : next, clauseStepsMax);
  }
  return last;
}

const clausesMax = 4;
const clauseStepsMax = 60;
const oneWordClauses: ReadonlySet<number> = new Set(classesOf('having limit offset'));
const constants = trait.number | trait.constant | trait.text;

/**
 * `2) or milk or (sugar`: names, OR and AND, and parentheses, as a list of things has them; `id`,
 * `user_id` and `t1` are names of columns.
 */
function isOfWords({ text, kind, word, start, end }: SqlTokens, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    if (kind[at] === sqlToken.open) continue;
    if (kind[at] !== sqlToken.word || (word[at] as number) > sqlWord.and) return false;
    if (columnName.test(text.slice(start[at], end[at]))) return false;
  }
  return true;
}

const columnName = /^(?:id|rowid|oid|ctid|uid|pin|\w{0,63}[\d_]\w{0,63})$/i;

/** `5) or six;`: a word, and the semicolon that ends an item of a list. */
function isListItem({ at, expression }: Break, { tokens }: Breaks): boolean {
  const { kind, word, count } = tokens;
  const isLast = expression.stop === stop.semicolon && expression.end === count - 1;
  const isWord = kind[at + 1] === sqlToken.word && word[at + 1] === sqlWord.name;
  return isLast && isWord && expression.end === at + 2;
}

const named = trait.name | trait.cut | trait.openText;
const condition = trait.logical | trait.compare | trait.case | trait.hex;
