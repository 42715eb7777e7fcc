import { wordList } from '../../text/words.ts';
import { endOfGroup } from './clause-tail.ts';
import { isWordOf, type SqlTokens, skipComments, sqlToken } from './sql-token.ts';
import { sqlWord } from './sql-words.ts';
import { readDelete, readInsert, readSelect, readUpdate } from './statement-data.ts';
import {
  endOfName,
  isEnd,
  isOneOf,
  isWordAt,
  make,
  noStatement,
  type Statement,
  skipWords,
  strength,
} from './statement-parts.ts';

const shown = wordList(
  'tables databases schemas columns grants variables processlist privileges index create',
  'plugins status slave master users events triggers',
);

/** SHOW, DESCRIBE and EXPLAIN. */
export function readShow(tokens: SqlTokens, next: number): Statement {
  const explained = readExplained(tokens, next);
  if (explained.strength !== strength.none) return explained;
  const end = endOfName(tokens, next);
  if (end === next) return noStatement;
  const isListed = isOneOf(tokens, next, shown);
  if (isEnd(tokens, end)) return make(isListed ? strength.shaped : strength.weak, end);
  return isListed && isWordOf(tokens, end, sqlWord.from)
    ? make(strength.shaped, end + 1)
    : noStatement;
}

/**
 * `EXPLAIN (ANALYZE, BUFFERS) DELETE …`, `EXPLAIN QUERY PLAN SELECT …`, `ANALYZE FORMAT=JSON UPDATE …`: the
 * statement that is explained, which ANALYZE runs.
 */
export function readExplained(tokens: SqlTokens, from: number): Statement {
  const { kind, word } = tokens;
  let at = skipWords(tokens, skipComments(tokens, endOfGroup(tokens, from, from)), options);
  if (isWordAt(tokens, at, 'format') && kind[at + 1] === sqlToken.comparison) at += 3;
  at = skipComments(tokens, at);
  const next = skipComments(tokens, at + 1);
  switch (kind[at] === sqlToken.word ? word[at] : sqlWord.name) {
    case sqlWord.select:
      return readSelect(tokens, at);
    case sqlWord.delete:
      return readDelete(tokens, next);
    case sqlWord.update:
      return readUpdate(tokens, next);
    case sqlWord.insert:
    case sqlWord.replace:
      return readInsert(tokens, next);
    default:
      return noStatement;
  }
}

const options = ['extended', 'partitions', 'query', 'plan', 'analyze', 'verbose'];
