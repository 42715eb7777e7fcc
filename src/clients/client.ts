import { type Dispatcher, Pool } from 'undici';
import { Breaker } from './breaker.ts';
import { checkOptionNames } from './option-names.ts';
import { type Data, type Failed, failed, type Outcome, type ScreenOptions } from './outcome.ts';
import { readAnswer, readReceipt, readStatus } from './read-answer.ts';
import type { Client } from './service-status.ts';

export type {
  Answer,
  Data,
  Failure,
  FailureCode,
  Outcome,
  Screener,
  ScreenOptions,
} from './outcome.ts';
export type { Client, ServiceStatus, StatusOutcome } from './service-status.ts';

export interface ClientOptions {
  /**
   * Where Sallyport is: `http://127.0.0.1:8080`, or `unix:/run/sallyport.sock`. Undefined is there
   * for variables of the environment, and refused at the start.
   */
  readonly url: string | undefined;
  /** An API key; `sallyport keys create` makes one. Undefined as with `url`. */
  readonly key: string | undefined;
  /** Time for one call, all in all: waiting for a connection, sending, answer. Default 150. */
  readonly timeoutMs?: number;
  /** Connections that are kept open, at most. Default 64. */
  readonly connections?: number;
  /** Failures to reach Sallyport in a row, after which it is not asked for a while. Default 5. */
  readonly failuresMax?: number;
  /** How long, before one request probes whether it answers again. Default 1,000. */
  readonly pauseMs?: number;
}

const optionNames: Readonly<Record<keyof ClientOptions, true>> = {
  url: true,
  key: true,
  timeoutMs: true,
  connections: true,
  failuresMax: true,
  pauseMs: true,
};

/** The names of all options of a client. */
export const clientOptionNames: readonly string[] = Object.keys(optionNames);

/** Longest answer that is read: a block with all its findings is far below. */
const answerBytesMax = 1_048_576;

/**
 * A client for one Sallyport. It keeps connections open, holds to its time limit, never throws.
 *
 *     const sallyport = createClient({ url: 'http://127.0.0.1:8080', key });
 *     const outcome = await sallyport.screen({ username, password });
 *     if (outcome.kind === 'blocked') return refuse(outcome.answer.id);
 */
export function createClient(options: ClientOptions): Client {
  checkOptionNames('createClient', options, clientOptionNames);
  return connectClient(options);
}

/** The same for options among which are those of others. */
export function connectClient(options: ClientOptions): Client {
  const { origin, path, socketPath, target } = targetOf(options.url);
  const timeoutMs = positive('timeoutMs', options.timeoutMs ?? 150);
  const fixedHeaders = {
    'content-type': 'application/json',
    'x-api-key': checkedKey(options.key),
  };
  // The service takes an address in the body for an allowed client's only where this is said.
  const requestHeaders = { ...fixedHeaders, 'x-context-in': 'body' };
  const pool = new Pool(origin, {
    connections: positive('connections', options.connections ?? 64),
    ...(socketPath === undefined ? {} : { socketPath }),
  });
  const breaker = breakerOf(options);

  let isWarmingUp = false;
  const limitMs = () => (isWarmingUp ? Math.max(timeoutMs, firstCallsMs) : timeoutMs);

  async function screen(data: Data, limit: ScreenOptions = {}): Promise<Outcome> {
    const waitMs = Math.min(limitMs(), limit.timeoutMs ?? limitMs());
    if (!(waitMs > 0)) return late(limitMs());
    const body = textOf(data);
    if (body === undefined) {
      return failed('not-acceptable', 'The data cannot be written as JSON: hand over plain data.');
    }
    const pass = breaker.admit(performance.now());
    if (pass === undefined) return circuitOpen;
    const fixed = limit.describesRequest === true ? requestHeaders : fixedHeaders;
    const headers = { ...fixed, 'x-deadline-ms': String(Math.ceil(waitMs)) };
    const outcome = await ask(pool, { path, method: 'POST', headers, body }, waitMs, readAnswer);
    if (isOutage(outcome)) breaker.failed(pass, performance.now());
    else breaker.succeeded(pass);
    return outcome;
  }

  const status = () =>
    ask(pool, { path, method: 'GET', headers: fixedHeaders }, statusMs, readStatus);

  async function warmUp(sample: Promise<Data>) {
    isWarmingUp = true;
    try {
      const [outcome] = await Promise.all([status(), sample.then((data) => screen(data))]);
      return outcome;
    } finally {
      isWarmingUp = false;
    }
  }

  const report: Client['report'] = async (counts) => {
    const question = {
      path: `${path}/report`,
      headers: fixedHeaders,
      body: JSON.stringify(counts),
    };
    const outcome = await ask(pool, { ...question, method: 'POST' }, statusMs, readReceipt);
    return outcome.kind === 'received';
  };

  return {
    get timeoutMs() {
      return limitMs();
    },
    target,
    screen,
    status,
    warmUp,
    report,
    close: () => pool.destroy(),
  };
}

function breakerOf({ failuresMax = 5, pauseMs = 1_000 }: ClientOptions): Breaker {
  return new Breaker({
    failuresMax: positive('failuresMax', failuresMax),
    pauseMs: positive('pauseMs', pauseMs),
  });
}

/** What is asked when an application starts, and after an outage. */
const statusMs = 3_000;
/** Time for each of the first calls, while connections are opened and code is compiled. */
const firstCallsMs = 1_000;

/**
 * Only an unreachable service opens the circuit. One that is late, overloaded or refuses is up: if it
 * were not asked for a while, a client over its rate limit could have the rest go unscreened.
 */
function isOutage(outcome: Outcome): boolean {
  return outcome.kind === 'failed' && outcome.failure.code === 'unreachable';
}

function late(timeoutMs: number): Failed {
  const message = `No answer within ${Math.ceil(timeoutMs)} ms: see timeoutMs, or add workers.`;
  return failed('timeout', message);
}

const circuitOpen = failed(
  'circuit-open',
  'Sallyport did not answer the last requests; it is asked again in a moment.',
);

type Question = Dispatcher.DispatchOptions;

function ask<T>(
  pool: Pool,
  question: Question,
  timeoutMs: number,
  read: Read<T>,
): Promise<T | Failed> {
  return new Promise((resolve) => new Call(pool, question, { timeoutMs, read, resolve }).send());
}

/** What an answer means. */
type Read<T> = (status: number, text: string) => T;

interface Asking<T> {
  readonly timeoutMs: number;
  readonly read: Read<T>;
  readonly resolve: (outcome: T | Failed) => void;
}

/**
 * One question, by undici's `dispatch`: its `request` makes a stream of each answer, which costs
 * more than all else that the client does.
 */
class Call<T> implements Dispatcher.DispatchHandler {
  readonly #pool: Pool;
  readonly #question: Question;
  readonly #asking: Asking<T>;
  readonly #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | undefined;
  #isSettled = false;
  #isRepeated = false;
  #status = 0;
  #bytes = 0;
  #chunks: Buffer[] = [];

  constructor(pool: Pool, question: Question, asking: Asking<T>) {
    this.#pool = pool;
    this.#question = question;
    this.#asking = asking;
    // A connection or an answer may be there that a busy event loop has not come to see yet.
    this.#timer = setTimeout(() => setImmediate(() => this.#giveUp()), asking.timeoutMs);
  }

  send(): void {
    this.#pool.dispatch(this.#question, this);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // Its time was up before there was a connection.
    if (this.#isSettled) controller.abort(noLongerWanted);
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    this.#status = status;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes <= answerBytesMax) {
      this.#chunks.push(chunk);
      return;
    }
    this.#end(failed('not-understood', 'The answer is endless.'));
    controller.abort(noLongerWanted);
  }

  onResponseEnd(): void {
    const [first] = this.#chunks;
    const whole =
      this.#chunks.length === 1 && first !== undefined
        ? first
        : Buffer.concat(this.#chunks, this.#bytes);
    this.#end(this.#asking.read(this.#status, whole.toString('utf8')));
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#isSettled) return;
    // A connection that was kept open may be closed by the service at the very moment of its use.
    if (!this.#isRepeated && this.#status === 0 && isBrokenConnection(error)) {
      this.#isRepeated = true;
      this.send();
      return;
    }
    this.#end(failed('unreachable', unreachable(reasonOf(error))));
  }

  #giveUp(): void {
    if (this.#isSettled) return;
    const isConnected = this.#pool.stats.connected > 0;
    const { timeoutMs } = this.#asking;
    const reason = `No connection within ${Math.ceil(timeoutMs)} ms`;
    this.#end(isConnected ? late(timeoutMs) : failed('unreachable', unreachable(reason)));
    this.#controller?.abort(noLongerWanted);
  }

  #end(outcome: T | Failed): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    clearTimeout(this.#timer);
    this.#asking.resolve(outcome);
  }
}

const noLongerWanted = new Error('Sallyport: the answer is no longer waited for.');

const brokenConnection: ReadonlySet<unknown> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

function isBrokenConnection(error: unknown): boolean {
  return error instanceof Error && 'code' in error && brokenConnection.has(error.code);
}

/** Code or message; the text of an error of undici names the peer, never the key. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'No connection';
  return 'code' in error && error.code !== undefined ? String(error.code) : error.message;
}

/** The codes of OpenSSL for a certificate that is not trusted. */
const untrusted = /CERT|UNABLE_TO_(?:GET|VERIFY)/;

function unreachable(reason: string): string {
  return untrusted.test(reason)
    ? `${reason}: the certificate at url is not trusted; NODE_EXTRA_CA_CERTS names a CA of your own.`
    : `${reason}: check that Sallyport runs at url, and whether that is http or https.`;
}

function textOf(data: Data): string | undefined {
  if (typeof data === 'string') return data;
  try {
    return JSON.stringify(data);
  } catch {
    return undefined;
  }
}

const controlPath = '/control';

interface Target {
  readonly origin: string;
  readonly path: string;
  readonly socketPath?: string;
  /** To be printed: without credentials. */
  readonly target: string;
}

function targetOf(url: string | undefined): Target {
  if (typeof url === 'string' && url.startsWith('unix:')) {
    const socketPath = url.slice('unix:'.length).replace(/^\/\/(?=\/)/, '');
    return { origin: 'http://localhost', path: controlPath, socketPath, target: url };
  }
  const parsed = typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:') {
    throw new TypeError('url must be like http://127.0.0.1:8080 or unix:/run/sallyport.sock');
  }
  const base = parsed.pathname.replace(/\/+$/, '');
  return { origin: parsed.origin, path: base + controlPath, target: parsed.origin + base };
}

function checkedKey(key: string | undefined): string {
  if (typeof key === 'string' && /^[\x21-\x7e]{1,256}$/.test(key)) return key;
  throw new TypeError('key must be an API key; `sallyport keys create --name app` prints one.');
}

function positive(name: string, value: number): number {
  if (Number.isFinite(value) && value > 0) return value;
  throw new RangeError(`${name} must be a number above 0.`);
}
