import type { GuardSettings } from '../../../src/clients/guard.ts';
import type { WireRequest } from './wire-request.ts';

/** A string that a handler found in a request. */
export interface Sighting {
  /** Such as `body`, `query name` or `header accept`. */
  readonly where: string;
  readonly text: string;
}

/** What became of one request. */
export interface Observation {
  /** Of the answer; undefined when there was none. */
  readonly status: number | undefined;
  /** The JSON objects that Sallyport was given to screen. */
  readonly texts: readonly string[];
  /** Empty when the request did not come as far as the handler. */
  readonly seen: readonly Sighting[];
}

/** What a reader is started with. */
export interface StartOptions {
  /** As an application would set it; undefined for the default of the product. */
  readonly onIncomplete: GuardSettings['onIncomplete'] | undefined;
}

/** An application that runs: requests in, observations out, one at a time. */
export interface RunningReader {
  send(request: WireRequest): Promise<Observation>;
  close(): Promise<void>;
}

/** A way to read requests: a framework with its parsers, or a language with its library. */
export interface Reader {
  readonly name: string;
  /** Programs that it needs beside Node. */
  readonly tools: readonly string[];
  start(options: StartOptions): Promise<RunningReader>;
}

/** Whether Sallyport refused a request that it saw, for a threat or since it could not be read. */
export function isRefused({ status = 0, texts, seen }: Observation): boolean {
  return seen.length === 0 && texts.length > 0 && refusals.has(status);
}

const refusals: ReadonlySet<number> = new Set([400, 403, 413, 415, 422, 503]);
