/**
 * Offset of the next run of at least `lengthMin` characters of an ASCII set, `table[code] === 1`;
 * -1 when there is none. Looks at every `lengthMin`-th character only while it is outside of the
 * set: no long run can begin before it. `from` must not stand inside of a run.
 */
export function findRun(
  text: string,
  from: number,
  lengthMin: number,
  table: Readonly<Uint8Array>,
): number {
  let at = from;
  while (at + lengthMin <= text.length) {
    const last = at + lengthMin - 1;
    if (!isIn(table, text.charCodeAt(last))) {
      at = last + 1;
      continue;
    }
    let start = last;
    while (start > at && isIn(table, text.charCodeAt(start - 1))) start--;
    const end = runEnd(text, last + 1, table);
    if (end - start >= lengthMin) return start;
    at = end + 1;
  }
  return -1;
}

/** Offset of the first character from `from` on that is not in the set. */
export function runEnd(text: string, from: number, table: Readonly<Uint8Array>): number {
  let at = from;
  while (at < text.length && isIn(table, text.charCodeAt(at))) at++;
  return at;
}

/** Where the blanks and controls in front of a place begin, at most `charsMax` of them. */
export function blanksStart(text: string, at: number, charsMax: number): number {
  const from = Math.max(0, at - charsMax);
  let start = at;
  while (start > from && text.charCodeAt(start - 1) <= 32) start--;
  return start;
}

/** Offset behind the characters from `start` on that are one of some, at most `charsMax` of them. */
export function skipAny(text: string, start: number, characters: string, charsMax: number): number {
  const end = Math.min(text.length, start + charsMax);
  let at = start;
  while (at < end && characters.includes(text.charAt(at))) at++;
  return at;
}

/**
 * Length of the longest run of bytes of a set. Looks for the end of a run from where one that is
 * longer than the longest so far would have its last byte, backwards.
 */
export function longestRunOf(
  bytes: Uint8Array,
  length: number,
  table: Readonly<Uint8Array>,
): number {
  let longest = 0;
  let from = 0;
  while (from + longest < length) {
    let at = from + longest;
    while (at >= from && table[bytes[at] as number] === 1) at--;
    if (at >= from) {
      from = at + 1;
      continue;
    }
    let end = from + longest + 1;
    while (end < length && table[bytes[end] as number] === 1) end++;
    longest = end - from;
    from = end + 1;
  }
  return longest;
}

/** A table for the characters of an ASCII set. */
export function characterSet(characters: string): Uint8Array {
  return characterTable([[1, characters]]);
}

/** A table of numbers for the ASCII characters: of the last row that names it, or 0. */
export function characterTable(rows: readonly (readonly [number, string])[]): Uint8Array {
  const table = new Uint8Array(128);
  for (const [value, characters] of rows) {
    for (const character of characters) table[character.charCodeAt(0)] = value;
  }
  return table;
}

function isIn(table: Readonly<Uint8Array>, code: number): boolean {
  return code < 128 && table[code] === 1;
}
