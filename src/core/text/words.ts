const word = /\S+/g;

/** The words of a table that is written in rows, with blanks or line breaks between them. */
export function wordList(...rows: readonly string[]): readonly string[] {
  return rows.join(' ').match(word) ?? [];
}

/** The same as a set. */
export function wordSet(...rows: readonly string[]): ReadonlySet<string> {
  return new Set(wordList(...rows));
}

/** What each row says of its words. */
export function wordMap<Value>(
  ...rows: readonly (readonly [value: Value, words: string])[]
): ReadonlyMap<string, Value> {
  return new Map(rows.flatMap(([value, row]) => wordList(row).map((one) => [one, value] as const)));
}
