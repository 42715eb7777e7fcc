import { contextInHeader, contextParts } from '../contract/request.ts';
import type { UwsRequest } from './uws.ts';

/** What `/control` and the framing of every request ask for. */
const kept = [
  'content-length',
  'transfer-encoding',
  'content-type',
  'x-api-key',
  'x-request-id',
  'x-deadline-ms',
  'traceparent',
  contextInHeader,
  ...contextParts.map(({ header }) => header),
];
const slotOf: ReadonlyMap<string, number> = new Map(kept.map((name, slot) => [name, slot]));
const lengthSlot = 0;
const codingSlot = 1;
const forwardedForSlot = slotOf.get('x-forwarded-for');

/**
 * The head of the request that is handled, read in one pass over its lines: only so is it seen that
 * a line came twice, and to ask uWebSockets.js for each of these headers would cost as much. One is
 * used for all requests; it is dead when the handler returns, like theirs.
 */
export class Head implements UwsRequest {
  #req: UwsRequest | undefined;
  readonly #values: (string | undefined)[] = new Array(kept.length).fill(undefined);
  #lengths = 0;
  #codings = 0;
  readonly #takeLine = (name: string, value: string): void => {
    const slot = slotOf.get(name);
    if (slot === undefined) return;
    if (slot === lengthSlot) this.#lengths += 1;
    else if (slot === codingSlot) this.#codings += 1;
    const before = this.#values[slot];
    if (before === undefined) this.#values[slot] = value;
    // A proxy may add a line to that of the client: only the last address is its own.
    else if (slot === forwardedForSlot) this.#values[slot] = `${before}, ${value}`;
    // Of others the first counts, as it does for `getHeader` of uWebSockets.js.
  };

  /** How many lines `content-length` has. */
  get lengths(): number {
    return this.#lengths;
  }

  /** How many lines `transfer-encoding` has. */
  get codings(): number {
    return this.#codings;
  }

  read(req: UwsRequest): void {
    this.#req = req;
    this.#values.fill(undefined);
    this.#lengths = 0;
    this.#codings = 0;
    req.forEach(this.#takeLine);
  }

  getHeader(lowerCaseName: string): string {
    const slot = slotOf.get(lowerCaseName);
    if (slot === undefined) return this.#req?.getHeader(lowerCaseName) ?? '';
    return this.#values[slot] ?? '';
  }

  forEach(line: (name: string, value: string) => void): void {
    this.#req?.forEach(line);
  }

  getCaseSensitiveMethod(): string {
    return this.#req?.getCaseSensitiveMethod() ?? '';
  }

  getUrl(): string {
    return this.#req?.getUrl() ?? '';
  }

  getQuery(): string | undefined {
    return this.#req?.getQuery();
  }
}
