/** What is fuzzed, and how long. */
export interface FuzzRun {
  readonly port: number;
  readonly key: string;
  readonly requests: number;
  readonly seed: number;
}

/** What a fuzzer saw. */
export class Report {
  readonly name: string;
  readonly #counts = new Map<string, number>();
  /** The shortest request of each kind of failure, and how many there were. */
  readonly #failures = new Map<string, { count: number; shortest: string }>();

  constructor(name: string) {
    this.name = name;
  }

  count(what: string): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
  }

  fail(what: string, request: string): void {
    const known = this.#failures.get(what) ?? { count: 0, shortest: request };
    const shortest = known.shortest.length <= request.length ? known.shortest : request;
    this.#failures.set(what, { count: known.count + 1, shortest });
  }

  /** Kinds of failure. */
  get failures(): readonly string[] {
    return [...this.#failures.keys()];
  }

  counted(what: string): number {
    return this.#counts.get(what) ?? 0;
  }

  get text(): string {
    const counts = [...this.#counts].sort((a, b) => b[1] - a[1]);
    const failures = [...this.#failures].map(
      ([what, { count, shortest }]) =>
        `  ${count} times: ${what}\n    ${shortest.slice(0, shownMax)}`,
    );
    return [
      `${this.name}: ${counts.map(([what, count]) => `${what} ${count}`).join(', ')}`,
      ...(failures.length === 0 ? ['  nothing wrong'] : failures),
    ].join('\n');
  }
}

/** Characters of a request that are shown. */
const shownMax = 3_000;
