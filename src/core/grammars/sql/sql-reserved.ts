import { sqlWord } from './sql-words.ts';

/** Verbs that begin a statement and never an operand. */
export const verbs: readonly number[] = [
  sqlWord.select,
  sqlWord.insert,
  sqlWord.update,
  sqlWord.delete,
  sqlWord.drop,
  sqlWord.create,
  sqlWord.alter,
  sqlWord.exec,
  sqlWord.declare,
];

/**
 * Words that can neither begin nor end an operand, so that no sign of theirs can stand beside
 * them.
 */
export function isReserved(word: number): boolean {
  return reserved[word] === 1;
}

const reserved: Uint8Array = buildReserved();

function buildReserved(): Uint8Array {
  const table = new Uint8Array(256);
  const words = [
    ...verbs,
    sqlWord.or,
    sqlWord.and,
    sqlWord.xor,
    sqlWord.like,
    sqlWord.in,
    sqlWord.is,
    sqlWord.between,
    sqlWord.union,
    sqlWord.quantifier,
    sqlWord.from,
    sqlWord.where,
    sqlWord.group,
    sqlWord.order,
    sqlWord.by,
    sqlWord.having,
    sqlWord.limit,
    sqlWord.procedure,
    sqlWord.into,
    sqlWord.outfile,
    sqlWord.set,
    sqlWord.waitfor,
    sqlWord.delay,
    sqlWord.as,
  ];
  for (const word of words) table[word] = 1;
  return table;
}
