import { readFileSync } from 'node:fs';
import { request as requestHttp } from 'node:http';
import { type RequestOptions, request as requestHttps } from 'node:https';
import { secretOf } from '../config/secrets.ts';
import type { Config } from '../config/settings.ts';
import { reachableOrigin } from './dashboard-link.ts';

const answerMsMax = 5_000;
const answerBytesMax = 4_194_304;

/** Where a server listens, as a client reaches it. */
export interface ServerTarget {
  /** For people. */
  readonly address: string;
  readonly origin: string;
  readonly options: RequestOptions;
}

/** What a server says of itself. */
export interface ServerState {
  readonly isReady: boolean;
  readonly notReady: readonly string[];
  /** Parts that work from memory because a database cannot be reached. */
  readonly degraded: readonly string[];
  /** Whether keys or policies come from the last good snapshot on its disk, and how old that is. */
  readonly snapshot: { readonly ageSeconds: number; readonly inForce: boolean } | undefined;
  readonly version: string | undefined;
  /** Undefined where the metrics are not for us. */
  readonly threads: number | undefined;
  readonly startedAt: number | undefined;
  readonly eventsDropped: number | undefined;
}

/** The outcome of asking. */
export type Probe =
  | { readonly kind: 'answers'; readonly state: ServerState }
  /** Something listens that is no Sallyport. */
  | { readonly kind: 'stranger' }
  | { readonly kind: 'silent'; readonly reason: string };

/** The server of these settings, or the one that `url` names. */
export function targetOf(config: Config, url: string | undefined): ServerTarget {
  if (url !== undefined) {
    const { origin } = new URL(url);
    return { address: origin, origin, options: {} };
  }
  const { host, port, socket, tlsCert } = config;
  const scheme = tlsCert === undefined ? 'http' : 'https';
  const options = tlsCert === undefined ? {} : trusting(tlsCert);
  if (socket !== undefined) {
    const origin = `${scheme}://localhost`;
    return { address: `unix:${socket}`, origin, options: { ...options, socketPath: socket } };
  }
  const name = host.includes(':') ? `[${host}]` : host;
  const origin = reachableOrigin(`${scheme}://${name}:${port}`);
  return { address: origin, origin, options };
}

/** Takes the certificate of the settings, and no other, whatever name it is for. */
function trusting(tlsCert: string): RequestOptions {
  try {
    const ca = readFileSync(tlsCert);
    return { ca, allowPartialTrustChain: true, checkServerIdentity: () => undefined };
  } catch {
    // The request says what is wrong.
    return {};
  }
}

/** Asks a server how it is. */
export async function probeServer(target: ServerTarget, config: Config): Promise<Probe> {
  try {
    const { status, text } = await get(target, '/readyz');
    const ready = readyOf(text);
    if (ready === undefined) return { kind: 'stranger' };
    const [version, figures] = await Promise.all([versionOf(target), figuresOf(target, config)]);
    const number = (name: string) => figureIn(figures, name);
    const started = number('process_start_time_seconds');
    const state = {
      isReady: status === 200,
      ...ready,
      version,
      threads: number('sallyport_threads'),
      startedAt: started === undefined ? undefined : started * 1_000,
      eventsDropped: number('sallyport_events_dropped_total'),
    };
    return { kind: 'answers', state };
  } catch (error) {
    return { kind: 'silent', reason: reasonOf(error) };
  }
}

function readyOf(
  text: string,
): Pick<ServerState, 'notReady' | 'degraded' | 'snapshot'> | undefined {
  const { status, notReady, degraded, snapshot } = parsed(text);
  const isOurs = typeof status === 'string' && Array.isArray(notReady) && Array.isArray(degraded);
  if (!isOurs) return undefined;
  const lists = { notReady: notReady.map(String), degraded: degraded.map(String) };
  return { ...lists, snapshot: snapshot as ServerState['snapshot'] };
}

async function versionOf(target: ServerTarget): Promise<string | undefined> {
  const { info } = parsed((await get(target, '/openapi.json')).text);
  const { version } = (info ?? {}) as Readonly<Record<string, unknown>>;
  return typeof version === 'string' ? version : undefined;
}

/** The metrics, where they are for us: for this machine, or with the token of the settings. */
async function figuresOf(target: ServerTarget, config: Config): Promise<string> {
  const { metricsHost, metricsPort } = config;
  const token = secretOf(config, 'metricsToken');
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const isElsewhere = metricsPort !== undefined && metricsPort !== 0;
  const place = isElsewhere
    ? { ...target, origin: reachableOrigin(`http://${metricsHost}:${metricsPort}`), options: {} }
    : target;
  try {
    const { status, text } = await get(place, '/metrics', headers);
    return status === 200 ? text : '';
  } catch {
    return '';
  }
}

function figureIn(metrics: string, name: string): number | undefined {
  const [, value] = new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)`, 'm').exec(metrics) ?? [];
  return value === undefined ? undefined : Number(value);
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function get(
  { origin, options }: ServerTarget,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly text: string }> {
  const request = origin.startsWith('https:') ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(answerMsMax);
    const sent = request(`${origin}${path}`, { ...options, headers, signal, agent: false });
    sent.on('error', reject);
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes > answerBytesMax) response.destroy(new Error('the answer is too long'));
      });
      response.on('error', reject);
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
      });
    });
    sent.end();
  });
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'no answer in time';
  return 'code' in error ? String(error.code) : error.message;
}
