import { wordList } from '../../text/words.ts';
import { sqlWord } from './sql-words.ts';

/** Classes of words, named in rows as `sqlWord` names them. */
export function classesOf(...rows: readonly string[]): readonly number[] {
  return wordList(...rows).map((name) => {
    const wordClass = (sqlWord as Readonly<Record<string, number>>)[name];
    if (wordClass === undefined) throw new Error(`${name} is no class of the words of SQL`);
    return wordClass;
  });
}

/** A table from rows, each a value and the classes of words that have it. */
export function byClass<Value>(
  ...rows: readonly (readonly [value: Value, classes: string])[]
): Readonly<Record<number, Value>> {
  return Object.fromEntries(
    rows.flatMap(([value, row]) => classesOf(row).map((one) => [one, value])),
  );
}

/** Classes of the verbs that begin a statement. */
export const statementVerbs: readonly number[] = classesOf(
  'select insert replace update delete drop create alter truncate exec declare set begin waitfor',
  'shutdown flow grant call show with statement',
);

/** A set of classes as a table: each sign of a text asks several. */
export function classSet(classes: readonly number[]): Uint8Array {
  const table = new Uint8Array(256);
  for (const one of classes) table[one] = 1;
  return table;
}

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
