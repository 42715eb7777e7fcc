/**
 * Literals that readers search for anywhere in a text, in any case: bits by their names. The prefilter
 * finds them on its way, so that a text without them, as most are, is not searched again.
 */
export const clue = { cookie: 1 << 0, filtering: 1 << 1, storage: 1 << 2 } as const;

/** The text that is being judged, and the bits of what it holds. */
const judged = { text: '', clues: 0 };

/** Says what the text holds that is being judged; '' lets go of it. */
export function offerClues(text: string, clues: number): void {
  judged.text = text;
  judged.clues = clues;
}

/** False when the text that is being judged does not hold a literal; of other texts nothing is known. */
export function mayHold(text: string, literal: number): boolean {
  return (judged.clues & literal) !== 0 || text !== judged.text;
}
