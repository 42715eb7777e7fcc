/** One thing to be timed on one text. */
export interface MicroCase {
  /** `decoder percent`, `tokeniser sql` … */
  readonly name: string;
  readonly input: 'benign' | 'attack' | 'adversarial';
  /** Bytes that one call reads; 0 where that says nothing. */
  readonly bytes: number;
  /** Does the work once. The result must be the same at each call. */
  run(): number;
  /** Whether the result is right; asked before and after the timing. */
  isRight(result: number): boolean;
  readonly note?: string;
}

/** Texts of a kind that all readers are given. */
export interface MicroTexts {
  readonly benign: string;
  readonly attack: string;
  /** Hard patterns, each as long as `benign`, by name. */
  readonly adversarial: ReadonlyMap<string, string>;
}

/** The name of the pattern that a reader is slowest on. */
export function hardestFor(texts: MicroTexts, read: (text: string) => unknown): string {
  let hardest = '';
  let longest = -1;
  for (const [name, text] of texts.adversarial) {
    const took = shortestOf(3, () => read(text));
    if (took > longest) [hardest, longest] = [name, took];
  }
  return hardest;
}

function shortestOf(tries: number, work: () => unknown): number {
  let shortest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < tries; i += 1) {
    const startedAt = performance.now();
    work();
    shortest = Math.min(shortest, performance.now() - startedAt);
  }
  return shortest;
}

/**
 * How much a reading holds: the same for the same text, more for more tokens. Stands in for a
 * comparison, as each grammar has a shape of its own.
 */
export function weightOf(reading: unknown): number {
  if (typeof reading === 'number') return Math.abs(reading);
  if (typeof reading === 'boolean') return reading ? 1 : 0;
  if (typeof reading !== 'object' || reading === null) return 0;
  if (Array.isArray(reading)) return reading.length;
  if (ArrayBuffer.isView(reading)) return 0;
  let weight = 0;
  for (const value of Object.values(reading)) weight += weightOf(value);
  return weight;
}
