import { sqlWord } from './sql-words.ts';
import { classesOf, classSet } from './word-classes.ts';

/** Verbs that begin a statement and never an operand. */
export const verbs: readonly number[] = classesOf(
  'select insert update delete drop create alter exec declare',
);

/**
 * Words that can neither begin nor end an operand, so that no sign of theirs can stand beside
 * them.
 */
export function isReserved(word: number): boolean {
  return reserved[word] === 1;
}

const reserved: Uint8Array = classSet([
  ...verbs,
  ...classesOf(
    'or and xor like in is between union quantifier from where group order by having',
    'limit procedure into outfile set waitfor delay as',
  ),
]);

/** True for a word of this length that a sign can stand behind: `a ISNULL + 1`, and all names. */
export function endsOperand(word: number, length: number): boolean {
  return !isReserved(word) || (word === sqlWord.is && length > 2);
}
