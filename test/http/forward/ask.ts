import type { TestContext } from 'node:test';
import type { HttpServerOptions } from '../../../src/http/uws-server.ts';
import { createRequestMapper } from '../../../src/pool/request-mapper.ts';
import type { RawAnswer } from '../raw-client.ts';
import { FakeLog, serve, type TestServer } from '../test-server.ts';

/** A question of a proxy. */
export interface Question {
  readonly method?: string;
  /** Of the question itself. */
  readonly target?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** A server with `/forward`; its scanner is a fake unless the test brings another. */
export async function serveForward(
  t: TestContext,
  options: Partial<HttpServerOptions> = {},
): Promise<TestServer> {
  // Threads start slowly where other tests run beside this one.
  const mapper = createRequestMapper({ threads: 2, log: new FakeLog(), msMax: 30_000 });
  t.after(() => mapper.close());
  return serve(t, { mapper, ...options });
}

/** What a client's `GET /` looks like where the proxy tells of it in headers. */
export const told = { 'x-forwarded-method': 'GET', 'x-forwarded-uri': '/' };

export function question(asked: Question): Buffer {
  const { method = 'GET', target = '/forward', headers = told, body } = asked;
  const all: Record<string, string> = {
    host: 'app.test',
    'x-api-key': 'good-key',
    ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1');
  return Buffer.concat([head, Buffer.from(body ?? '')]);
}

/** Asks on a connection of its own. */
export async function ask(server: TestServer, asked: Question = {}): Promise<RawAnswer> {
  const client = await server.open();
  client.send(question(asked));
  return client.answer({ headOnly: asked.method === 'HEAD' });
}

/** What the fake scanner was given, parsed. */
export function scanned(server: TestServer): Record<string, unknown>[] {
  return server.scanner.inputs.map(({ body }) => JSON.parse(Buffer.from(body).toString()));
}
