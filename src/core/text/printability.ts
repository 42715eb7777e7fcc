/**
 * Tells text from bytes by lot, as `wordiness.ts` tells it from base64: the likelihood ratio of a
 * stretch as text of any language of attacks, and as bytes each as likely as the other.
 */

/** Letters of English text by share, per mille; both cases. */
const letterShares = [
  ...[59, 12, 22, 33, 95, 18, 15, 40, 55, 2, 8, 34, 20],
  ...[55, 58, 18, 2, 50, 55, 75, 24, 8, 15, 4, 15, 3],
];
const letterCase = 0.4;
const spaceShare = 0.12;
const digitShare = 0.01;
/** What text has and what code has. */
const marks = '\'"<>()=;/.-_{}[]$&|#*%:,+@!?\\`';
const markShare = 0.006;
const otherShare = 0.001;

/** Bits that each character speaks for text. */
const bitsOf: Float64Array = buildBits();

function buildBits(): Float64Array {
  const bits = new Float64Array(128).fill(Math.log2(otherShare * 256));
  for (const [letter, share] of letterShares.entries()) {
    bits[97 + letter] = Math.log2((share / 1000) * letterCase * 256);
    bits[65 + letter] = Math.log2((share / 1000) * letterCase * 256);
  }
  for (let digit = 48; digit < 58; digit++) bits[digit] = Math.log2(digitShare * 256);
  for (const mark of marks) bits[mark.charCodeAt(0)] = Math.log2(markShare * 256);
  bits[32] = Math.log2(spaceShare * 256);
  // Receivers strip them: they say nothing of what stands around.
  bits.fill(0, 0, 32);
  return bits;
}

/**
 * Where a stretch stands in a text: at its edge less is asked for, as there is one edge and many
 * places.
 */
export interface StretchPlace {
  readonly textLength: number;
  readonly isAtEdge: boolean;
}

/**
 * Bits beyond those for the place. Of stretches by lot that reach it, rules find something in one
 * of a thousand.
 */
const chanceBits = 11;

/** True when a stretch is text by more than chance. */
export function isTextStretch(stretch: string, { textLength, isAtEdge }: StretchPlace): boolean {
  const threshold = chanceBits + (isAtEdge ? 0 : Math.log2(textLength));
  let score = 0;
  for (let at = 0; at < stretch.length; at++) {
    const code = stretch.charCodeAt(at);
    score = Math.max(0, score + (code < 128 ? (bitsOf[code] as number) : otherBits));
    if (score > threshold) return true;
  }
  return false;
}

const otherBits = -4;
