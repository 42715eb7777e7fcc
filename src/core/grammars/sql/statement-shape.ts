import { isWordOf, type SqlTokens, skipComments, sqlToken } from './sql-token.ts';
import { sqlWord } from './sql-words.ts';
import {
  readDefinition,
  readDelete,
  readInsert,
  readSelect,
  readUpdate,
} from './statement-data.ts';
import { readOther } from './statement-other.ts';
import {
  blockTokensMax,
  endOfName,
  isEnd,
  isOneOf,
  isWordAt,
  make,
  noStatement,
  type Statement,
  strength,
} from './statement-parts.ts';
import {
  readCall,
  readDeclare,
  readExec,
  readGrant,
  readIf,
  readNamed,
  readOperand,
  readShutdown,
  readValues,
  readWaitfor,
  readWith,
} from './statement-server.ts';
import { readShow } from './statement-show.ts';
import { byClass } from './word-classes.ts';

/** The statement that begins at a token, as far as its shape tells. */
export function readStatement(tokens: SqlTokens, from: number): Statement {
  const at = skipComments(tokens, from);
  let inner = at;
  for (let blocks = 0; blocks < blocksMax; blocks++) {
    const next = startOfBlock(tokens, inner);
    if (next < 0) break;
    inner = next;
  }
  if (inner > at && !isWordOf(tokens, inner, sqlWord.begin)) {
    const first = readVerb(tokens, inner);
    if (first.strength >= strength.shaped) return first;
  }
  return readVerb(tokens, at);
}

/** Blocks in blocks that are followed. */
const blocksMax = 4;

function readVerb(tokens: SqlTokens, at: number): Statement {
  const kind = tokens.kind[at];
  if (kind === sqlToken.open) return readOperand(tokens, at);
  if (kind !== sqlToken.word) return noStatement;
  const next = skipComments(tokens, at + 1);
  const word = tokens.word[at] as number;
  if (word === sqlWord.select) return readSelect(tokens, at);
  if (word === sqlWord.flow) return readIf(tokens, at);
  if (word === sqlWord.statement) return readOther(tokens, at, next);
  const read = readers[word];
  return read === undefined ? readOperand(tokens, at) : read(tokens, next, word);
}

/** Readers of what stands behind a verb. */
const readers = byClass<(tokens: SqlTokens, next: number, verb: number) => Statement>(
  [readInsert, 'insert replace'],
  [readUpdate, 'update'],
  [readDelete, 'delete'],
  [readDefinition, 'drop create alter truncate'],
  [readExec, 'exec'],
  [readDeclare, 'declare set'],
  [readBegin, 'begin'],
  [readWaitfor, 'waitfor'],
  [readShutdown, 'shutdown'],
  [readGrant, 'grant'],
  [readCall, 'call'],
  [readValues, 'values'],
  [readNamed, 'table'],
  [readShow, 'show'],
  [readWith, 'with'],
);

function readBegin(tokens: SqlTokens, next: number): Statement {
  if (isWordOf(tokens, next, sqlWord.package)) return make(strength.certain, next + 1);
  if (isWordOf(tokens, next, sqlWord.begin)) return noStatement;
  const atomic = skipComments(tokens, next + 1);
  if (isWordOf(tokens, next, sqlWord.not) && isWordAt(tokens, atomic, 'atomic')) {
    return make(strength.certain, atomic + 1);
  }
  if (isOneOf(tokens, next, ['transaction', 'tran', 'try'])) {
    if (isEnd(tokens, next + 1)) return make(strength.shaped, next + 1);
    const inner = readInner(tokens, skipComments(tokens, next + 1));
    return make(Math.max(inner.strength, strength.weak), Math.max(inner.end, next + 1));
  }
  if (endsBlock(tokens, next)) return make(strength.shaped, next + 1);
  if (isWordOf(tokens, next, sqlWord.name)) {
    const end = endOfName(tokens, next);
    const call = tokens.kind[end] === sqlToken.open && end > next + 1;
    return call ? make(strength.shaped, end + 1) : noStatement;
  }
  const inner = isWordOf(tokens, next, sqlWord.flow)
    ? readIf(tokens, next)
    : readInner(tokens, next);
  return inner;
}

/** `BEGIN …; END;`: each statement of a block of PL/SQL ends with a semicolon, and so does the block. */
function endsBlock({ kind, word, count }: SqlTokens, from: number): boolean {
  // `Section 1; begin; Section 2; end;`: a block is not empty.
  if (kind[from] === sqlToken.semicolon) return false;
  const end = Math.min(count, from + blockTokensMax);
  for (let at = from + 1; at < end; at++) {
    const isEnded = kind[at] === sqlToken.word && word[at] === sqlWord.end;
    if (!isEnded || kind[at - 1] !== sqlToken.semicolon) continue;
    if (kind[at + 1] === sqlToken.semicolon || kind[at + 2] === sqlToken.semicolon) return true;
  }
  return false;
}

/**
 * `IF a THEN DELETE …`, `FOR a IN 1..2 DO …`, `REPEAT …`: the token of the first statement in it, as
 * ISO 9075-4 and MariaDB have such statements; -1 for all else.
 */
function startOfBlock(tokens: SqlTokens, at: number): number {
  const next = skipComments(tokens, at + 1);
  if (isOneOf(tokens, at, ['repeat', 'loop'])) return next;
  if (!isOneOf(tokens, at, ['if', 'case', 'while', 'for'])) return -1;
  const { kind } = tokens;
  for (let i = next; i < next + blockTokensMax && kind[i] !== sqlToken.end; i++) {
    if (kind[i] === sqlToken.semicolon) return -1;
    if (isOneOf(tokens, i, ['then', 'do'])) return skipComments(tokens, i + 1);
  }
  return -1;
}

/** The statement inside BEGIN; another BEGIN in it is not followed. */
function readInner(tokens: SqlTokens, at: number): Statement {
  if (isWordOf(tokens, at, sqlWord.begin)) return noStatement;
  return readStatement(tokens, at);
}
