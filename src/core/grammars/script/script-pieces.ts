import { keywords } from '../../knowledge/page.ts';
import { enlarge } from '../../text/bytes.ts';
import type { Grammar } from '../grammar.ts';
import { knownWordAt } from './known-word.ts';
import { isAdjacent, kindAt, type ScriptTokens, script, tokenIndexAt } from './script.ts';
import { isWordAt, mark, nothing, type ScriptEvidence, type Strength } from './script-evidence.ts';
import { scriptAt } from './script-judge.ts';

/** All pieces of script in a text, in its order. */
export interface ScriptPieces {
  readonly tokens: ScriptTokens;
  readonly count: number;
  /** False when the text has more tokens, or more pieces, than are looked at. */
  readonly isComplete: boolean;
  /** Four numbers for each piece: the token at which it was seen, and its evidence. */
  readonly records: Readonly<Int32Array>;
  /**
   * True when the words of the text stand beside one another without punctuation, as prose has it.
   */
  readonly isProse: boolean;
}

/** A piece of script and the index of the token at which it was seen. */
interface ScriptPiece extends ScriptEvidence {
  readonly place: number;
}

/** Reads a text as script once for all rules. */
export const scriptPieces: Grammar<ScriptPieces> = { name: 'script-pieces', read: readPieces };

/** Numbers of one record. */
const recordLength = 4;

/**
 * After 64 pieces that only attacks hold, or 4,096 that probes hold, no further one is likely to
 * change what becomes of the text.
 */
const weightMax = 4_096;
const weights: Readonly<Record<Strength, number>> = { 0: 0, 1: 0, 2: 0, 3: 1, 4: 64 };

function readPieces(text: string): ScriptPieces {
  const tokens = script.read(text);
  let records = new Int32Array(recordLength * 16);
  let count = 0;
  let weight = 0;
  for (let i = 0; i < tokens.count && weight < weightMax; i++) {
    const found = scriptAt(tokens, i);
    if (found.strength === 0) continue;
    weight += weights[found.strength];
    const at = recordLength * count;
    if (at === records.length) records = enlarge(records, new Int32Array(4 * at));
    records[at] = i;
    records[at + 1] = found.first;
    records[at + 2] = found.last;
    records[at + 3] = found.strength;
    count++;
  }
  const isComplete = tokens.isComplete && weight < weightMax;
  return { tokens, count, isComplete, records, isProse: isProse(tokens) };
}

/** Piece number `index`. */
export function pieceAt({ records }: ScriptPieces, index: number): ScriptPiece {
  const at = recordLength * index;
  return {
    place: records[at] as number,
    first: records[at + 1] as number,
    last: records[at + 2] as number,
    strength: records[at + 3] as Strength,
  };
}

/** The strongest piece of script between two offsets; strength 0 when there is none. */
export function strongestScript(script: ScriptPieces, from: number, to: number): ScriptEvidence {
  const { tokens, count, records } = script;
  const end = tokenIndexAt(tokens, to);
  let best = -1;
  let strength = 0;
  for (let i = firstPiece(script, tokenIndexAt(tokens, from)); i < count; i++) {
    const at = recordLength * i;
    if ((records[at] as number) >= end) break;
    if ((records[at + 3] as number) <= strength) continue;
    best = i;
    strength = records[at + 3] as number;
    if (strength === 4) break;
  }
  return best < 0 ? nothing : pieceAt(script, best);
}

/** Index of the first piece that was seen at or after a token. */
function firstPiece({ count, records }: ScriptPieces, token: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((records[recordLength * middle] as number) < token) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** True when most of the words stand beside one another without punctuation, as prose has it. */
function isProse(tokens: ScriptTokens): boolean {
  let pairs = 0;
  let words = 0;
  const limit = Math.min(tokens.count, 400);
  for (let i = 0; i < limit; i++) {
    if (!isWordAt(tokens, i)) continue;
    words++;
    if (!isWordAt(tokens, i - 1) || isAdjacent(tokens, i)) continue;
    // A form's `a=b c=d` and a tag's attributes are no sentence.
    if (kindAt(tokens, i + 1) === 61) continue;
    if (isKeywordAt(tokens, i) || isKeywordAt(tokens, i - 1)) continue;
    pairs++;
  }
  return pairs >= 2 && pairs * 5 > words;
}

/** Some keywords are words of English as well; in a script a bracket follows these. */
function isKeywordAt(tokens: ScriptTokens, i: number): boolean {
  const word = knownWordAt(tokens, i);
  if (!keywords.has(word)) return false;
  const isEnglish = word === 'for' || word === 'with' || word === 'while' || word === 'if';
  return !isEnglish || kindAt(tokens, i + 1) === mark.open;
}
