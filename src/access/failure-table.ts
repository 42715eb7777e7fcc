const periodMs = 15 * 60_000;
/** More than can fail in a period: a password takes 0.1 s to check, two at a time. */
const entriesMax = 20_000;

interface Entry {
  count: number;
  readonly endsAt: number;
}

/** Failures by name of whatever fails, for a period from the first one on. Bounded. */
export class FailureTable {
  readonly #clock: () => number;
  /** Least recently failed first. */
  readonly #entries = new Map<string, Entry>();

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  of(name: string): number {
    return this.#live(name)?.count ?? 0;
  }

  /** Until the failures of a name are forgotten; at least one. */
  secondsLeft(name: string): number {
    const entry = this.#live(name);
    return entry === undefined ? 1 : Math.ceil((entry.endsAt - this.#clock()) / 1_000);
  }

  /** Adds failures, or takes some back. */
  add(name: string, count: number): void {
    const entry = this.#live(name) ?? { count: 0, endsAt: this.#clock() + periodMs };
    this.#entries.delete(name);
    entry.count += count;
    if (entry.count <= 0) return;
    this.#entries.set(name, entry);
    if (this.#entries.size <= entriesMax) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }

  #live(name: string): Entry | undefined {
    const entry = this.#entries.get(name);
    return entry !== undefined && entry.endsAt > this.#clock() ? entry : undefined;
  }
}
