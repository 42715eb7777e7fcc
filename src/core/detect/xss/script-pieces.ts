import type { Grammar } from '../../tokenise/grammar.ts';
import {
  isAdjacent,
  kindAt,
  type ScriptTokens,
  script,
  tokenIndexAt,
  wordAt,
} from '../../tokenise/script.ts';
import { isWordAt, nothing, type ScriptEvidence } from './script-evidence.ts';
import { scriptAt } from './script-judge.ts';
import { keywords } from './vocabulary.ts';

/** All pieces of script in a text, in its order. */
export interface ScriptPieces {
  readonly tokens: ScriptTokens;
  /** Indexes of the tokens at which a piece was seen. */
  readonly places: readonly number[];
  readonly pieces: readonly ScriptEvidence[];
  /**
   * True when the words of the text stand beside one another without punctuation, as prose has it.
   */
  readonly isProse: boolean;
}

/** Reads a text as script once for all rules. */
export const scriptPieces: Grammar<ScriptPieces> = { name: 'script-pieces', read: readPieces };

function readPieces(text: string): ScriptPieces {
  const tokens = script.read(text);
  const places: number[] = [];
  const pieces: ScriptEvidence[] = [];
  for (let i = 0; i < tokens.count; i++) {
    const found = scriptAt(tokens, i);
    if (found.strength === 0) continue;
    places.push(i);
    pieces.push(found);
  }
  return { tokens, places, pieces, isProse: isProse(tokens) };
}

/** The strongest piece of script between two offsets; strength 0 when there is none. */
export function strongestScript(script: ScriptPieces, from: number, to: number): ScriptEvidence {
  const { tokens, places, pieces } = script;
  const end = tokenIndexAt(tokens, to);
  let best = nothing;
  for (let i = firstPlace(places, tokenIndexAt(tokens, from)); i < places.length; i++) {
    if ((places[i] as number) >= end) break;
    const piece = pieces[i] as ScriptEvidence;
    if (piece.strength > best.strength) best = piece;
    if (best.strength === 4) break;
  }
  return best;
}

/** Index of the first place at or after a token. */
function firstPlace(places: readonly number[], token: number): number {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((places[middle] as number) < token) low = middle + 1;
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
    if (keywords.has(wordAt(tokens, i)) || keywords.has(wordAt(tokens, i - 1))) continue;
    pairs++;
  }
  return pairs >= 2 && pairs * 5 > words;
}
