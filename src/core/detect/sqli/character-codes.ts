import { type SqlTokens, skipComments, sqlToken } from '../../tokenise/sql.ts';
import { sameWord, sqlWord } from '../../tokenise/sql-words.ts';
import type { Match, ValueRule } from '../rule.ts';
import type { Subject } from '../subject.ts';
import { readBreaks, spanOfTokens } from './evidence.ts';
import { sqlTrigger } from './trigger.ts';

/** `CHAR(73)+CHAR(78)`, `chr(113)||chr(98)`, `concat(char(58),char(59))`: text without quotes. */
export const characterCodes: ValueRule = {
  id: 'sqli.character-codes',
  category: 'sqli',
  cwe: 'CWE-89',
  severity: 'high',
  score: 80,
  message: 'spells a text in character codes, so that it needs no quotes',
  trigger: sqlTrigger,
  judge,
  examples: [],
  lookalikes: [],
};

function judge(subject: Subject): Match | undefined {
  const all = readBreaks(subject);
  const { tokens } = all;
  let links = 0;
  let from = 0;
  let expected = -1;
  for (const at of all.calls) {
    if (tokens.word[at] !== sqlWord.textCall || !isCharacter(tokens, at)) continue;
    const end = endOfCall(tokens, at);
    if (end < 0) continue;
    if (at === expected) links++;
    else {
      links = 0;
      from = at;
    }
    if (links >= linksMin) return { ...spanOfTokens(all, from, end), score: 80 };
    expected = afterJoin(tokens, end);
  }
  return undefined;
}

/** Two calls side by side are already no accident; one may be an example of the function. */
const linksMin = 1;

function isCharacter(tokens: SqlTokens, at: number): boolean {
  const start = tokens.start[at] as number;
  const end = tokens.end[at] as number;
  return ['char', 'chr', 'nchar'].some((word) => sameWord(tokens.text, start, end, word));
}

/** First token after `char(65)`; -1 when it is not called with one number. */
function endOfCall(tokens: SqlTokens, at: number): number {
  const open = skipComments(tokens, at + 1);
  const number = skipComments(tokens, open + 1);
  const close = skipComments(tokens, number + 1);
  const isCall =
    tokens.kind[open] === sqlToken.open &&
    tokens.kind[number] === sqlToken.number &&
    tokens.kind[close] === sqlToken.close;
  return isCall ? close + 1 : -1;
}

/** The operand after `+` or `||`; -1 when none of them follows. */
function afterJoin(tokens: SqlTokens, end: number): number {
  const at = skipComments(tokens, end);
  const isPlus = tokens.kind[at] === sqlToken.operator && tokens.word[at] === 43;
  return isPlus || tokens.kind[at] === sqlToken.pipes ? skipComments(tokens, at + 1) : -1;
}
