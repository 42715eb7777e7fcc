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
  readShow,
  readShutdown,
  readValues,
  readWaitfor,
  readWith,
} from './statement-server.ts';

/** The statement that begins at a token, as far as its shape tells. */
export function readStatement(tokens: SqlTokens, from: number): Statement {
  const at = skipComments(tokens, from);
  const kind = tokens.kind[at];
  if (kind === sqlToken.open) return readOperand(tokens, at);
  if (kind !== sqlToken.word) return noStatement;
  const next = skipComments(tokens, at + 1);
  const word = tokens.word[at] as number;
  switch (word) {
    case sqlWord.select:
      return readSelect(tokens, at);
    case sqlWord.insert:
    case sqlWord.replace:
      return readInsert(tokens, next);
    case sqlWord.update:
      return readUpdate(tokens, next);
    case sqlWord.delete:
      return readDelete(tokens, next);
    case sqlWord.drop:
    case sqlWord.create:
    case sqlWord.alter:
    case sqlWord.truncate:
      return readDefinition(tokens, next, word);
    case sqlWord.exec:
      return readExec(tokens, next);
    case sqlWord.declare:
    case sqlWord.set:
      return readDeclare(tokens, next, word);
    case sqlWord.begin:
      return readBegin(tokens, next);
    case sqlWord.waitfor:
      return readWaitfor(tokens, next);
    case sqlWord.shutdown:
      return readShutdown(tokens, next);
    case sqlWord.flow:
      return readIf(tokens, at);
    case sqlWord.grant:
      return readGrant(tokens, next);
    case sqlWord.call:
      return readCall(tokens, next);
    case sqlWord.values:
      return readValues(tokens, next);
    case sqlWord.table:
      return readNamed(tokens, next);
    case sqlWord.show:
      return readShow(tokens, next);
    case sqlWord.with:
      return readWith(tokens, next);
    case sqlWord.statement:
      return readOther(tokens, at, next);
    default:
      return readOperand(tokens, at);
  }
}

function readBegin(tokens: SqlTokens, next: number): Statement {
  if (isWordOf(tokens, next, sqlWord.package)) return make(strength.certain, next + 1);
  if (isWordOf(tokens, next, sqlWord.begin)) return noStatement;
  if (isWordOf(tokens, next, sqlWord.not) && isWordAt(tokens, next + 1, 'atomic')) {
    return make(strength.certain, next + 2);
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

/** The statement inside a block; blocks in blocks are not followed. */
function readInner(tokens: SqlTokens, at: number): Statement {
  if (isWordOf(tokens, at, sqlWord.begin)) return noStatement;
  return readStatement(tokens, at);
}
