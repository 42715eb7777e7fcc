import { skipComments, sqlToken } from '../../tokenise/sql.ts';
import { sqlWord } from '../../tokenise/sql-words.ts';
import type { Match, ValueRule } from '../rule.ts';
import type { Subject } from '../subject.ts';
import type { Breaks } from './breaks.ts';
import { readBreaks, spanOfTokens } from './evidence.ts';
import { readStatement, strength } from './statement-shape.ts';
import { sqlTrigger } from './trigger.ts';

/** A value that is a statement from its first word on: `select name from sysobjects`, `exec xp_cmdshell`. */
export const statement: ValueRule = {
  id: 'sqli.statement',
  category: 'sqli',
  cwe: 'CWE-89',
  severity: 'high',
  score: 85,
  message: 'is an SQL statement of its own',
  trigger: sqlTrigger,
  judge,
  examples: [],
  lookalikes: [],
};

const scores: readonly number[] = [0, 45, 65, 88];

function judge(subject: Subject): Match | undefined {
  const all = readBreaks(subject);
  const { tokens } = all;
  let at = skipComments(tokens, 0);
  // A quote or parenthesis before the first word ends what the value is put into.
  for (let i = 0; i < 6; i++) {
    const kind = tokens.kind[at] as number;
    const isOpening =
      (kind >= sqlToken.single && kind <= sqlToken.backtick) || kind === sqlToken.close;
    if (!isOpening) break;
    at = skipComments(tokens, at + 1);
  }
  if (tokens.kind[at] !== sqlToken.word || tokens.word[at] === sqlWord.name) return undefined;
  const found = readStatement(tokens, at);
  if (found.strength === strength.none) return undefined;
  const isShaped = found.strength === strength.shaped && isCutOff(all, found.end);
  const score = isShaped ? 75 : (scores[found.strength] as number);
  return { ...spanOfTokens(all, at, found.end), score };
}

/** True when the statement is ended by its own sign and by nothing else. */
function isCutOff(all: Breaks, end: number): boolean {
  const kind = all.tokens.kind[end];
  return (
    kind === sqlToken.semicolon || kind === sqlToken.lineComment || kind === sqlToken.blockComment
  );
}
