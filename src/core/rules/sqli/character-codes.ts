import { type SqlTokens, skipComments, sqlToken } from '../../grammars/sql/sql-token.ts';
import { sqlWord } from '../../grammars/sql/sql-words.ts';
import { isOneOf } from '../../grammars/sql/statement-parts.ts';
import { characterTrigger } from '../../grammars/sql/triggers.ts';
import { confidence } from '../../placement/confidence.ts';
import { readBreaks, spanOfTokens } from '../../placement/sql-evidence.ts';
import type { Subject } from '../../placement/subject.ts';
import type { Match, ValueRule } from '../rule.ts';

/** `CHAR(73)+CHAR(78)`, `chr(113)||chr(98)`, `concat(char(58),char(59))`: text without quotes. */
export const characterCodes: ValueRule = {
  id: 'sqli.character-codes',
  score: confidence.strong,
  message: 'spells a text in character codes, so that it needs no quotes',
  trigger: characterTrigger,
  judge,
  examples: [
    ...['concat(char(58),char(59),char(60))', 'CHAR(73)+CHAR(78)+CHAR(74)', 'char(47,101,116,99)'],
    'chr(113)||chr(98)||chr(99)',
  ],
  lookalikes: [
    ...['name char(10), code char(5), flag char(1)', 'CHAR(13)+CHAR(10) is a line break'],
    'chr(65) gives A',
  ],
};

function judge(subject: Subject): Match | undefined {
  const all = readBreaks(subject);
  const { tokens } = all;
  let best: Match | undefined;
  let characters = 0;
  let from = 0;
  let expected = -1;
  for (const at of all.calls) {
    if (tokens.word[at] !== sqlWord.textCall || !isOneOf(tokens, at, characterCalls)) continue;
    const call = readCall(tokens, at);
    if (call === undefined) continue;
    if (at !== expected) {
      characters = 0;
      from = at;
    }
    characters += call.characters;
    expected = afterJoin(tokens, call.end);
    const score =
      characters >= charactersMin ? confidence.strong : characters > 1 ? confidence.hint : 0;
    if (score > (best?.score ?? 0)) best = { ...spanOfTokens(all, from, call.end), score };
    if (score === confidence.strong) break;
  }
  return best;
}

/** Two are a line break; three spell a text. */
const charactersMin = 3;

const numbersMax = 64;

const characterCalls = ['char', 'chr', 'nchar'];

/** `char(65)` or `char(65,66,67)`: how many characters it makes, and the first token after it. */
function readCall(
  tokens: SqlTokens,
  at: number,
): { readonly characters: number; readonly end: number } | undefined {
  let next = skipComments(tokens, at + 1);
  if (tokens.kind[next] !== sqlToken.open) return undefined;
  for (let characters = 1; characters <= numbersMax; characters++) {
    next = skipComments(tokens, next + 1);
    if (tokens.kind[next] !== sqlToken.number) return undefined;
    next = skipComments(tokens, next + 1);
    if (tokens.kind[next] === sqlToken.close) return { characters, end: next + 1 };
    if (tokens.kind[next] !== sqlToken.comma) return undefined;
  }
  return undefined;
}

/** The operand after `+`, `||` or a comma; -1 when none of them follows. */
function afterJoin(tokens: SqlTokens, end: number): number {
  const at = skipComments(tokens, end);
  const kind = tokens.kind[at];
  const isPlus = kind === sqlToken.operator && tokens.word[at] === 43;
  const isJoin = isPlus || kind === sqlToken.pipes || kind === sqlToken.comma;
  return isJoin ? skipComments(tokens, at + 1) : -1;
}
