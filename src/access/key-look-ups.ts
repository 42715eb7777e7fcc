import { limits } from '../contract/limits.ts';
import { inTime } from '../storage/in-time.ts';

const windowMs = 1_000;

/**
 * Reads the store for keys that memory does not know. Anyone can send keys without end, so that a
 * second has a bounded number of reads, and a key has one of them.
 */
export class KeyLookUps {
  readonly #read: () => Promise<void>;
  /** The keys of this second; with a promise while their read is under way. */
  readonly #asked = new Map<string, Promise<void> | undefined>();
  #since = Number.NEGATIVE_INFINITY;
  #underWay = 0;

  /** `read` resolves when all that was stored before its call is known. It never rejects. */
  constructor(read: () => Promise<void>) {
    this.#read = read;
  }

  /**
   * Resolves when the store was asked for a key; undefined when it is not asked again now. `mark` tells
   * keys apart; it is no secret.
   */
  ask(mark: string): Promise<void> | undefined {
    const now = performance.now();
    if (now - this.#since >= windowMs && this.#underWay === 0) {
      this.#asked.clear();
      this.#since = now;
    }
    const asked = this.#asked.get(mark);
    if (this.#asked.has(mark) || this.#asked.size >= limits.keyLookUpsPerSecondMax) return asked;
    this.#underWay += 1;
    // A database that hangs must not keep requests waiting.
    const reading = inTime(this.#read(), limits.keyLookUpMsMax).finally(() => {
      this.#underWay -= 1;
      this.#asked.set(mark, undefined);
    });
    this.#asked.set(mark, reading);
    return reading;
  }
}
