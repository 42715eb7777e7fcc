import { readExpression } from './expression.ts';
import { isName, isQuote, isWordOf, type SqlTokens, skipComments, sqlToken } from './sql-token.ts';
import { sqlWord } from './sql-words.ts';
import {
  endOfName,
  isComment,
  isEnd,
  isOneOf,
  isWordAt,
  lookAhead,
  make,
  noStatement,
  type Statement,
  sqlOnly,
  strength,
} from './statement-parts.ts';
import { endsAsSql, has, hasAny, trait } from './traits.ts';

/** SELECT: what it lists and where it ends tell it from a sentence. */
export function readSelect(tokens: SqlTokens, at: number): Statement {
  const expression = readExpression(tokens, at, lookAhead);
  const { end } = expression;
  if (expression.operands === 0) return noStatement;
  // `select from dual`: a query lists something.
  if (isWordOf(tokens, skipComments(tokens, at + 1), sqlWord.from)) return noStatement;
  const first = tokens.kind[skipComments(tokens, at + 1)] as number;
  const isGlued = isQuote(first) && tokens.gap[at + 1] === 0;
  if (first === sqlToken.comma || isHyphenated(tokens, at)) return noStatement;
  const isQuery = endsAsSql(expression);
  if (hasAny(expression, isQuery ? sqlOnly : sqlOnly & ~trait.constantCompare)) {
    return make(strength.certain, end);
  }
  if (isGlued) return noStatement;
  if (!isQuery) {
    const isList = first === sqlToken.operator || first === sqlToken.number;
    return isList && expression.operands > 1 ? make(strength.shaped, end) : noStatement;
  }
  if (first !== sqlToken.word) return make(strength.shaped, end);
  if (hasAny(expression, trait.compare | trait.variable | trait.call))
    return make(strength.shaped, end);
  if (expression.operands < 2 || isQuote(tokens.kind[end] as number)) return noStatement;
  const isShaped = isCutOrClosed(tokens, end) && !has(expression, trait.alias);
  return make(isShaped ? strength.shaped : strength.weak, end);
}

/** `SELECT-a-size`: a compound word. */
function isHyphenated(tokens: SqlTokens, at: number): boolean {
  const { kind, word, gap } = tokens;
  const isHyphen = kind[at + 1] === sqlToken.operator && word[at + 1] === 45;
  return isHyphen && gap[at + 1] === 0 && gap[at + 2] === 0 && isName(tokens, at + 2);
}

function isCutOrClosed(tokens: SqlTokens, at: number): boolean {
  const kind = tokens.kind[at];
  return kind !== sqlToken.end && isEnd(tokens, at);
}

/** INSERT INTO and REPLACE INTO. */
export function readInsert(tokens: SqlTokens, next: number): Statement {
  const into = isWordOf(tokens, next, sqlWord.into) ? skipComments(tokens, next + 1) : next;
  const name = endOfName(tokens, into);
  if (name === into) return noStatement;
  const after = skipComments(tokens, name);
  const isList = tokens.kind[after] === sqlToken.open;
  const isSource = isOneOf(tokens, after, ['values', 'select', 'set', 'default', 'value', 'exec']);
  if (into === next) return isSource ? make(strength.shaped, after + 1) : noStatement;
  if (isList || isSource) return make(strength.certain, after + 1);
  return isEnd(tokens, after) ? make(strength.weak, after) : noStatement;
}

/** UPDATE … SET. */
export function readUpdate(tokens: SqlTokens, next: number): Statement {
  const name = endOfName(tokens, next);
  const set = skipComments(tokens, name);
  if (name === next || !isWordOf(tokens, set, sqlWord.set)) return noStatement;
  const first = skipComments(tokens, set + 1);
  const column = tokens.kind[first] === sqlToken.number ? first + 1 : endOfName(tokens, first);
  const sign = skipComments(tokens, column);
  if (tokens.kind[sign] !== sqlToken.comparison) return noStatement;
  const value = readExpression(tokens, sign + 1, lookAhead);
  const isData = hasAny(
    value,
    trait.text | trait.number | trait.constant | trait.variable | sqlOnly,
  );
  return make(isData ? strength.certain : strength.shaped, Math.max(value.end, sign + 1));
}

/** DELETE FROM. */
export function readDelete(tokens: SqlTokens, next: number): Statement {
  const verb = isOneOf(tokens, next, ['ignore', 'low_priority', 'quick']) ? next + 1 : next;
  if (!isWordOf(tokens, verb, sqlWord.from)) return noStatement;
  const from = skipComments(tokens, verb + 1);
  const name = endOfName(tokens, from);
  const after = endOfAlias(tokens, skipComments(tokens, name));
  if (name === from) return noStatement;
  if (isWordOf(tokens, after, sqlWord.where)) {
    const expression = readExpression(tokens, after + 1, lookAhead);
    return has(expression, trait.compare)
      ? make(strength.certain, expression.end)
      : make(strength.weak, expression.end);
  }
  return isEnd(tokens, after) ? make(strength.shaped, after) : noStatement;
}

/** `DELETE FROM a AS b` */
function endOfAlias(tokens: SqlTokens, at: number): number {
  if (!isWordOf(tokens, at, sqlWord.as)) return at;
  const name = skipComments(tokens, at + 1);
  return isName(tokens, name) ? skipComments(tokens, name + 1) : at;
}

const definitionModifiers = [
  'or',
  'replace',
  'temporary',
  'temp',
  'unique',
  'if',
  'not',
  'exists',
  'public',
  'global',
  'definer',
  'materialized',
  'clustered',
  'external',
  'virtual',
  'database',
  'java',
  'source',
  'named',
  'and',
  'compile',
];
const definitionFollowers = [
  'identified',
  'returns',
  'as',
  'with',
  'cascade',
  'add',
  'drop',
  'modify',
  'rename',
  'set',
  'column',
  'connect',
  'authorization',
  'for',
  'superuser',
  'password',
  'select',
  'restrict',
  'on',
  'nologin',
  'engine',
  'using',
  'like',
  'alter',
];

/** DROP, CREATE, ALTER and TRUNCATE of something that has a name. */
export function readDefinition(tokens: SqlTokens, next: number, verb: number): Statement {
  let at = next;
  for (let i = 0; i < 6 && isOneOf(tokens, at, definitionModifiers); i++) {
    at = skipComments(tokens, at + 1);
  }
  const object = tokens.word[at] as number;
  const isObject =
    tokens.kind[at] === sqlToken.word &&
    (object === sqlWord.table ||
      object === sqlWord.object ||
      object === sqlWord.procedure ||
      object === sqlWord.infoCall);
  if (!isObject && !(at > next && isWordAt(tokens, at - 1, 'database'))) {
    const isCut = verb === sqlWord.drop && isWordOf(tokens, at, sqlWord.name);
    return isCut && isComment(tokens, at + 1) ? make(strength.weak, at + 1) : noStatement;
  }
  let name = isObject ? skipComments(tokens, at + 1) : at;
  for (let i = 0; i < 3 && isOneOf(tokens, name, ['if', 'not', 'exists']); i++) {
    name = skipComments(tokens, name + 1);
  }
  const end = endOfName(tokens, name);
  const after = skipComments(tokens, end);
  if (end === name) return noStatement;
  const kind = tokens.kind[after];
  if (kind === sqlToken.open)
    return make(verb === sqlWord.create ? strength.certain : strength.weak, after + 1);
  if (isOneOf(tokens, after, definitionFollowers)) {
    if (isOneOf(tokens, after, ['identified', 'returns'])) return make(strength.certain, after + 1);
    const isShaped = !isWordOf(tokens, after, sqlWord.for);
    return make(isShaped ? strength.shaped : strength.weak, after + 1);
  }
  if (kind === sqlToken.comma) return make(strength.weak, after);
  return isEnd(tokens, after) ? make(strength.shaped, after) : noStatement;
}
