import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  connect,
  createServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type OutgoingHttpHeaders,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import multipart from '@fastify/multipart';
import fastify from 'fastify';
import { sallyport as forFastify } from '../../src/clients/fastify.ts';
import { sallyport as forNodeHttp } from '../../src/clients/node-http.ts';
import { createScreener } from '../../src/screener.ts';

const screener = createScreener();
const attack = "' OR 1=1 --";
const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'multipart/form-data; boundary=frontier' };
const field = (value: string) =>
  `--frontier\r\ncontent-disposition: form-data; name="q"\r\n\r\n${value}\r\n--frontier--\r\n`;

/** Starts an application over cleartext HTTP/2 that answers with the body as it saw it. */
type StartApp = (t: TestContext) => Promise<string>;

const apps: Readonly<Record<string, StartApp>> = {
  'Fastify, parsed': async (t) => {
    const app = fastify({ http2: true });
    t.after(() => app.close());
    app.register(forFastify, { screener });
    app.post('/', async (request) => JSON.stringify(request.body ?? null));
    return app.listen({ port: 0, host: '127.0.0.1' });
  },
  'Fastify, parsed by the route': async (t) => {
    const app = fastify({ http2: true });
    t.after(() => app.close());
    app.register(multipart);
    app.register(forFastify, { screener });
    app.addContentTypeParser('text/plain', async () => undefined);
    app.post('/', async (request) => {
      if (!request.isMultipart()) return readAll(request.raw as unknown as Http2ServerRequest);
      const parts: unknown[] = [];
      for await (const part of request.parts()) parts.push(part.type === 'field' && part.value);
      return JSON.stringify(parts);
    });
    return app.listen({ port: 0, host: '127.0.0.1' });
  },
  'node:http2': async (t) => {
    const handler = async (req: Http2ServerRequest, res: Http2ServerResponse) =>
      res.end(await readAll(req));
    const guarded = forNodeHttp({ screener }, handler as unknown as Listener);
    const server = createServer(guarded as unknown as typeof handler);
    t.after(() => void server.close());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  },
};

type Listener = Parameters<typeof forNodeHttp>[1];

async function readAll(req: Http2ServerRequest): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

interface Answer {
  readonly status: number | undefined;
  readonly body: string;
}

async function post(
  t: TestContext,
  address: string,
  headers: OutgoingHttpHeaders,
  chunks: readonly string[],
): Promise<Answer> {
  const session = connect(address);
  t.after(() => session.destroy());
  const stream = session.request({ ':method': 'POST', ':path': '/', ...headers });
  const answered = once(stream, 'response');
  for (const chunk of chunks) {
    stream.write(chunk);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  stream.end();
  const [head] = (await answered) as [Record<string, unknown>];
  let body = '';
  for await (const chunk of stream) body += String(chunk);
  session.close();
  return { status: head[':status'] as number | undefined, body };
}

test('a body that came over HTTP/2 is screened, whether its length was announced or not', async (t) => {
  for (const [name, start] of Object.entries(apps)) {
    const address = await start(t);
    const kinds: readonly (readonly [OutgoingHttpHeaders, (value: string) => string])[] =
      name === 'Fastify, parsed'
        ? [[json, (value) => JSON.stringify({ q: value })]]
        : [
            [form, field],
            [{ 'content-type': 'text/plain' }, (value) => value],
          ];
    for (const [headers, write] of kinds) {
      for (const isAnnounced of [true, false]) {
        const shown = `${name}, ${headers['content-type']}, announced: ${isAnnounced}`;
        const send = (value: string) => {
          const body = write(value);
          const length = isAnnounced ? { 'content-length': Buffer.byteLength(body) } : {};
          return post(t, address, { ...headers, ...length }, body.split(/(?<=\r\n)/));
        };
        assert.equal((await send(attack)).status, 403, shown);
        const answer = await send("O'Brien");
        assert.equal(answer.status, 200, shown);
        assert.match(answer.body, /O'Brien/, shown);
      }
    }
  }
});

test('a request over HTTP/2 with an empty body is answered', async (t) => {
  for (const name of ['Fastify, parsed by the route', 'node:http2']) {
    const address = await apps[name]?.(t);
    assert.ok(address !== undefined);
    for (const chunks of [[], ['']]) {
      const answer = await post(t, address, { 'content-type': 'text/plain' }, chunks);
      assert.deepEqual(answer, { status: 200, body: '' }, name);
    }
    const session = connect(address);
    t.after(() => session.destroy());
    const stream = session.request({ ':method': 'POST', ':path': '/' }, { endStream: true });
    const [head] = (await once(stream, 'response')) as [Record<string, unknown>];
    assert.equal(head[':status'], 200, name);
    session.close();
  }
});

test('over HTTP/2 a page of another origin is refused, one of this is not', async (t) => {
  for (const [name, start] of Object.entries(apps)) {
    const address = await start(t);
    const from = async (origin: string) => {
      const headers = { ...json, origin, cookie: 'session=1' };
      return (await post(t, address, headers, ['{"q":"tea"}'])).status;
    };
    assert.deepEqual([await from(address), await from('https://other.test')], [200, 403], name);
  }
});
