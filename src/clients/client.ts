import { type Dispatcher, Pool } from 'undici';
import { Breaker } from './breaker.ts';
import { type Data, type FailureCode, failed, type Outcome, type Screener } from './outcome.ts';
import { readAnswer } from './read-answer.ts';

export type { Answer, Data, Failure, FailureCode, Outcome, Screener } from './outcome.ts';

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
  /** Failures in a row after which Sallyport is left in peace for a while. Default 5. */
  readonly failuresMax?: number;
  /** How long, before one request probes whether it answers again. Default 1,000. */
  readonly pauseMs?: number;
}

/** Longest answer that is read: a block with all its findings is far below. */
const answerBytesMax = 1_048_576;

/**
 * A client for one Sallyport. It keeps connections open, holds to its time limit, never throws.
 *
 *     const sallyport = createClient({ url: 'http://127.0.0.1:8080', key });
 *     const outcome = await sallyport.screen({ username, password });
 *     if (outcome.kind === 'blocked') return refuse(outcome.answer.id);
 */
export function createClient(options: ClientOptions): Screener {
  const { origin, path, socketPath } = targetOf(options.url);
  const timeoutMs = positive('timeoutMs', options.timeoutMs ?? 150);
  const headers = {
    'content-type': 'application/json',
    'x-api-key': checkedKey(options.key),
    'x-deadline-ms': String(Math.ceil(timeoutMs)),
  };
  const pool = new Pool(origin, {
    connections: positive('connections', options.connections ?? 64),
    ...(socketPath === undefined ? {} : { socketPath }),
  });
  const breaker = new Breaker({
    failuresMax: positive('failuresMax', options.failuresMax ?? 5),
    pauseMs: positive('pauseMs', options.pauseMs ?? 1_000),
  });

  async function screen(data: Data): Promise<Outcome> {
    const body = textOf(data);
    if (body === undefined) {
      return failed('not-acceptable', 'The data cannot be written as JSON: hand over plain data.');
    }
    const pass = breaker.admit(performance.now());
    if (pass === undefined) return circuitOpen;
    const outcome = await ask(pool, { path, method: 'POST', headers, body }, timeoutMs);
    const isOutage = outcome.kind === 'failed' && !isAnswer.has(outcome.failure.code);
    if (isOutage) breaker.failed(pass, performance.now());
    else breaker.succeeded(pass);
    return outcome;
  }

  return { screen, close: () => pool.destroy() };
}

/**
 * Failures with which the service says that it is there. Above all a rate limit: were it not asked
 * for a while, whoever sends too much would get the rest past it unseen.
 */
const isAnswer: ReadonlySet<FailureCode> = new Set(['not-acceptable', 'rate-limited']);

const circuitOpen = failed(
  'circuit-open',
  'Sallyport did not answer the last requests; it is asked again in a moment.',
);

type Question = Dispatcher.RequestOptions;

async function ask(pool: Pool, question: Question, timeoutMs: number): Promise<Outcome> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), timeoutMs);
  try {
    return await answerTo(pool, question, abort.signal);
  } catch (error) {
    if (abort.signal.aborted) {
      return failed('timeout', `No answer within ${timeoutMs} ms: see timeoutMs, or add workers.`);
    }
    return failed('unreachable', unreachable(reasonOf(error)));
  } finally {
    clearTimeout(timer);
  }
}

async function answerTo(pool: Pool, asked: Question, signal: AbortSignal): Promise<Outcome> {
  const question = { ...asked, signal };
  const response = await pool.request(question).catch((error: unknown) => {
    // A connection that was kept open may be closed by the service at the very moment of its use.
    if (signal.aborted || !isBrokenConnection(error)) throw error;
    return pool.request(question);
  });
  let bytes = 0;
  const chunks: Buffer[] = [];
  for await (const chunk of response.body) {
    bytes += chunk.length;
    // To leave the loop closes the connection.
    if (bytes > answerBytesMax) return failed('not-understood', 'The answer is endless.');
    chunks.push(chunk);
  }
  return readAnswer(response.statusCode, Buffer.concat(chunks, bytes).toString('utf8'));
}

const brokenConnection: ReadonlySet<unknown> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

function isBrokenConnection(error: unknown): boolean {
  return error instanceof Error && 'code' in error && brokenConnection.has(error.code);
}

/** Code or message; the text of an error of undici names the peer, never the key. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'No connection';
  return 'code' in error ? String(error.code) : error.message;
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

interface Target {
  readonly origin: string;
  readonly path: string;
  readonly socketPath?: string;
}

function targetOf(url: string | undefined): Target {
  if (typeof url === 'string' && url.startsWith('unix:')) {
    const socketPath = url.slice('unix:'.length).replace(/^\/\/(?=\/)/, '');
    return { origin: 'http://localhost', path: '/control', socketPath };
  }
  const parsed = typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:') {
    throw new TypeError('url must be like http://127.0.0.1:8080 or unix:/run/sallyport.sock');
  }
  return { origin: parsed.origin, path: `${parsed.pathname.replace(/\/+$/, '')}/control` };
}

function checkedKey(key: string | undefined): string {
  if (typeof key === 'string' && /^[\x21-\x7e]{1,256}$/.test(key)) return key;
  throw new TypeError('key must be an API key; `sallyport keys create --name app` prints one.');
}

function positive(name: string, value: number): number {
  if (Number.isFinite(value) && value > 0) return value;
  throw new RangeError(`${name} must be a number above 0.`);
}
