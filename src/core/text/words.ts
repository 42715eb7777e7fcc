/** The words of a table that is written in rows, with one blank between two words. */
export function wordList(...rows: readonly string[]): readonly string[] {
  return rows.join(' ').split(' ');
}

/** The same as a set. */
export function wordSet(...rows: readonly string[]): ReadonlySet<string> {
  return new Set(wordList(...rows));
}
