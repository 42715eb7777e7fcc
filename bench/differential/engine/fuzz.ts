import type { Screener } from '../../../src/clients/outcome.ts';
import { Random } from '../../lib/random.ts';
import { generate } from '../generator/generate.ts';
import { mutate } from '../generator/mutate.ts';
import { check, type Disagreement } from './check.ts';
import { isRefused, type Observation, type RunningReader } from './reader.ts';
import { shrink } from './shrink.ts';
import { classOf } from './traits.ts';
import { bytesOf, escaped, type WireRequest } from './wire-request.ts';

export interface FuzzOptions {
  readonly seed: number;
  readonly requests: number;
  /** What tells whether an attack that was seen is blocked. */
  readonly screener: Screener;
}

/** Disagreements of one class. */
export interface Found {
  readonly class: string;
  count: number;
  /** The smallest request that shows it, on one line. */
  readonly request: string;
  /** What was seen and not screened. */
  readonly text: string;
}

/** What came of a run. */
export interface FuzzReport {
  readonly requests: number;
  /** How many came as far as the handler. */
  readonly reached: number;
  /** How many Sallyport refused. */
  readonly refused: number;
  readonly unanswered: number;
  readonly disagreeing: number;
  readonly found: readonly Found[];
}

/** Classes beyond this many are counted, not shrunk. */
const shrunkMax = 40;
const poolMax = 256;

/** Sends requests of a seed to a reader, and finds what it saw and Sallyport did not. */
export async function fuzz(reader: RunningReader, options: FuzzOptions): Promise<FuzzReport> {
  const random = new Random(options.seed);
  const pool = new Pool();
  const classes = new Classes(reader, options.screener);
  const counts = { reached: 0, refused: 0, unanswered: 0, disagreeing: 0 };
  for (let index = 0; index < options.requests; index += 1) {
    const parent = random.chance(30) ? pool.pick(random) : undefined;
    const request = parent === undefined ? generate(random) : mutate(parent, random);
    const observation = await reader.send(request);
    const disagreements = await classes.repeated(
      await check(request, observation, options.screener),
      request,
    );
    if (observation.seen.length > 0) counts.reached += 1;
    else if (isRefused(observation)) counts.refused += 1;
    if (observation.status === undefined) counts.unanswered += 1;
    if (disagreements.length > 0) counts.disagreeing += 1;
    pool.offer(request, observation, disagreements, random);
    for (const one of disagreements) await classes.add(one, request);
  }
  return { requests: options.requests, ...counts, found: classes.all() };
}

/** Requests with an outcome that none had before: their children may have further ones. */
class Pool {
  readonly #requests: WireRequest[] = [];
  readonly #signatures = new Set<string>();

  pick(random: Random): WireRequest | undefined {
    return this.#requests.length === 0 ? undefined : random.pick(this.#requests);
  }

  offer(
    request: WireRequest,
    observation: Observation,
    disagreements: readonly Disagreement[],
    random: Random,
  ): void {
    // Children of a body that unpacks to megabytes would take most of the time.
    const screenedChars = observation.texts.reduce((sum, { length }) => sum + length, 0);
    if (request.body.length > 20_000 || screenedChars > 200_000) return;
    const places = new Set(observation.seen.map(({ where }) => where.split(' ', 1)[0]));
    const signature = [
      observation.status,
      observation.texts.length,
      Math.min(12, observation.seen.length),
      ...[...places].sort(),
      ...disagreements.map(({ where }) => where),
    ].join();
    if (this.#signatures.has(signature)) return;
    this.#signatures.add(signature);
    if (this.#requests.length < poolMax) this.#requests.push(request);
    else this.#requests[random.below(poolMax)] = request;
  }
}

/** Disagreements by their class; one of each kind is made small first. */
class Classes {
  readonly #reader: RunningReader;
  readonly #screener: Screener;
  readonly #found = new Map<string, Found>();
  /** From the class of a request as it was found to that of the small one. */
  readonly #known = new Map<string, string>();

  constructor(reader: RunningReader, screener: Screener) {
    this.#reader = reader;
    this.#screener = screener;
  }

  all(): readonly Found[] {
    return [...this.#found.values()].sort((one, other) => other.count - one.count);
  }

  /** Those that the same request shows again: an answer that came late belongs to another. */
  async repeated(first: readonly Disagreement[], request: WireRequest): Promise<Disagreement[]> {
    const again: Disagreement[] = [];
    for (const one of first) {
      const same = await this.#same(one, request);
      if (same !== undefined) again.push(same);
    }
    return again;
  }

  async add(disagreement: Disagreement, request: WireRequest): Promise<void> {
    const isFull = this.#known.size >= shrunkMax;
    const wide = classOf(disagreement, request);
    const rest = `${disagreement.kind} | in ${disagreement.where.split(' ', 1)[0]} | others`;
    const known = this.#known.get(wide) ?? (isFull ? rest : undefined);
    const found = known === undefined ? undefined : this.#found.get(known);
    if (found !== undefined) {
      found.count += 1;
      return;
    }
    const small = isFull ? request : await this.#shrunk(disagreement, request);
    const text = (await this.#same(disagreement, small))?.text ?? disagreement.text;
    const narrow = isFull ? rest : classOf(disagreement, small);
    if (!isFull) this.#known.set(wide, narrow);
    const other = this.#found.get(narrow);
    if (other !== undefined) other.count += 1;
    else {
      const shown = escaped(bytesOf(small));
      this.#found.set(narrow, { class: narrow, count: 1, request: shown, text });
    }
  }

  #shrunk(disagreement: Disagreement, request: WireRequest): Promise<WireRequest> {
    return shrink(request, async (smaller) => {
      return (await this.#same(disagreement, smaller)) !== undefined;
    });
  }

  async #same(one: Disagreement, request: WireRequest): Promise<Disagreement | undefined> {
    const observation = await this.#reader.send(request);
    const found = await check(request, observation, this.#screener);
    return found.find(({ kind, where }) => kind === one.kind && where === one.where);
  }
}
