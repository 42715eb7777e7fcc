import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { defaultConfig } from '../../../src/config/defaults.ts';
import { type Running, startSallyport } from '../../../src/main.ts';
import { keepLog } from '../../access/key-fixture.ts';
import type { MakeDatabase, TestDatabase } from '../../support/databases.ts';
import { tempDir } from '../../support/temp-dir.ts';

/** The parsed body of an answer. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of many shapes
export type Body = any;

/** An answer of the management API. */
export interface ApiReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** How a request is sent, beyond its path. */
export interface ApiRequest {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export const password = 'correct horse battery';

/** A whole Sallyport in this process, and a caller of its management API. */
export class ApiServer {
  readonly running: Running;
  readonly log: ReturnType<typeof keepLog>;
  cookie = '';

  constructor(running: Running, log: ReturnType<typeof keepLog>) {
    this.running = running;
    this.log = log;
  }

  get origin(): string {
    return this.running.address;
  }

  /** Sends a request as a page of this origin would, with the session if there is one. */
  async call(path: string, request: ApiRequest = {}): Promise<ApiReply> {
    const { method = request.body === undefined ? 'GET' : 'POST', body, headers } = request;
    const answer = await fetch(`${this.origin}${path}`, {
      method,
      headers: {
        origin: this.origin,
        connection: 'close',
        ...(this.cookie === '' ? {} : { cookie: this.cookie }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.includes('json') === true;
    return {
      status: answer.status,
      headers: answer.headers,
      body: isJson && !answer.headers.get('content-type')?.includes('ndjson') ? parse(text) : text,
    };
  }

  /** Makes the first administrator and keeps the session. */
  async setUp(name = 'ada'): Promise<void> {
    const token = this.running.setUpToken;
    const reply = await this.call('/api/setup', { body: { token, name, password } });
    assert.equal(reply.status, 201, JSON.stringify(reply.body));
    this.keepCookie(reply);
  }

  /** Takes the session that an answer sets. */
  keepCookie(reply: ApiReply): void {
    this.cookie = (reply.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  }

  /** Sends something to be screened. */
  screen(key: string, body: unknown, headers: Readonly<Record<string, string>> = {}) {
    return this.call('/control', { body, headers: { 'x-api-key': key, cookie: '', ...headers } });
  }

  /** Follows the live feed until it is told to stop. */
  async follow() {
    const abort = new AbortController();
    const live = await fetch(`${this.origin}/api/live`, {
      headers: { cookie: this.cookie },
      signal: abort.signal,
    });
    let heard = '';
    const listening = (async () => {
      const decoder = new TextDecoder();
      for await (const chunk of live.body ?? []) heard += decoder.decode(chunk, { stream: true });
    })().catch(() => undefined);
    const stop = async () => {
      abort.abort();
      await listening;
    };
    return { type: live.headers.get('content-type'), heard: () => heard, stop };
  }

  /** A new key for screening. */
  async newKey(name = 'shop'): Promise<{ readonly id: string; readonly secret: string }> {
    const reply = await this.call('/api/keys', { body: { name } });
    assert.equal(reply.status, 201, JSON.stringify(reply.body));
    return { id: reply.body.key.id, secret: reply.body.secret };
  }
}

function parse(text: string): Body {
  return text === '' ? undefined : JSON.parse(text);
}

/** Starts a Sallyport of real parts on a free port; stopped after the test. */
export async function startApi(
  t: TestContext,
  settings: Partial<ReturnType<typeof defaultConfig>> = {},
): Promise<ApiServer> {
  const log = keepLog();
  const config = { ...defaultConfig(), port: 0, workers: 1, dataDir: tempDir(), ...settings };
  const running = await startSallyport(config, log);
  t.after(() => running.stop());
  return new ApiServer(running, log);
}

/**
 * Starts one on a database of `describeOnEachDatabase`, with a first administrator who is signed
 * in. Undefined without such a database.
 */
export async function startApiOn(
  make: MakeDatabase,
  t: TestContext,
  settings: Parameters<typeof startApi>[1] = {},
): Promise<{ readonly api: ApiServer; readonly fresh: TestDatabase } | undefined> {
  const fresh = await make(t);
  if (fresh === undefined) return undefined;
  const { dataDir, databaseUrl } = fresh.options;
  const api = await startApi(t, { dataDir, databaseUrl, ...settings });
  await api.setUp();
  return { api, fresh };
}
