/** A fixed set of ASCII words that finds one in a text without cutting it out. */
export interface WordTable {
  /** The word of the set that stands between two offsets, in any case; `''` for any other text. */
  wordBetween(text: string, start: number, end: number): string;
}

/** Builds a table; the words are in lower case. */
export function createWordTable(words: Iterable<string>): WordTable {
  const list = [...new Set(words)];
  const lengthMax = Math.max(0, ...list.map((word) => word.length));
  const lengths = lengthsByInitial(list);
  let size = 16;
  while (size < list.length * 4) size *= 2;
  const slots: string[] = new Array<string>(size).fill('');
  for (const word of list) {
    let slot = hashOf(word, 0, word.length) & (size - 1);
    while (slots[slot] !== '') slot = (slot + 1) & (size - 1);
    slots[slot] = word;
  }
  const wordBetween = (text: string, start: number, end: number): string => {
    const length = end - start;
    if (length > lengthMax || length <= 0) return '';
    // Most words of a text have a length that no word of the set with this initial has.
    if (((lengths[text.charCodeAt(start) & 31] as number) & (1 << length)) === 0) return '';
    let slot = hashOf(text, start, end) & (size - 1);
    for (;;) {
      const word = slots[slot] as string;
      if (word === '' || isSame(text, start, end, word)) return word;
      slot = (slot + 1) & (size - 1);
    }
  };
  return { wordBetween };
}

/** Lengths, modulo 32, as bits, by the low bits of the first character, which letters of both cases share. */
function lengthsByInitial(words: readonly string[]): Int32Array {
  const table = new Int32Array(32);
  for (const word of words) {
    const initial = word.charCodeAt(0) & 31;
    table[initial] = (table[initial] as number) | (1 << word.length);
  }
  return table;
}

function hashOf(text: string, start: number, end: number): number {
  let hash = end - start;
  for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + lower(text, at)) | 0;
  return hash ^ (hash >>> 15);
}

function isSame(text: string, start: number, end: number, word: string): boolean {
  if (word.length !== end - start) return false;
  for (let i = 0; i < word.length; i++) {
    if (lower(text, start + i) !== word.charCodeAt(i)) return false;
  }
  return true;
}

function lower(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 65 && code <= 90 ? code + 32 : code;
}

/** Number of two letters, in any case. */
export function pairOf(first: number, second: number): number {
  return ((first & 31) << 5) | (second & 31);
}

/** 1 for the pairs that the words begin with. */
export function openingPairs(words: Iterable<string>): Uint8Array {
  const pairs = new Uint8Array(1 << 10);
  for (const word of words) pairs[pairOf(word.charCodeAt(0), word.charCodeAt(1))] = 1;
  return pairs;
}
