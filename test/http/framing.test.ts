import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { serveForward, told } from './forward/ask.ts';
import type { RawAnswer } from './raw-client.ts';
import {
  checkAnswer,
  checkProblem,
  controlRequest,
  serve,
  type TestServer,
} from './test-server.ts';

const login = '{"username":"anna","password":"x"}';
const chunked = `${login.length.toString(16)}\r\n${login}\r\n0\r\n\r\n`;

/** A request to `/control` with these lines for its framing, and what comes after its head. */
function framed(lines: readonly string[], body: string, path = '/control'): string {
  const head = controlRequest('', { 'content-length': undefined }).replace('/control', path);
  return head.replace(/\r\n$/, `${lines.map((line) => `${line}\r\n`).join('')}\r\n${body}`);
}

async function send(to: TestServer, request: string): Promise<RawAnswer & { closes: boolean }> {
  const client = await to.open();
  client.send(request);
  const answer = await client.answer();
  // Only a connection that is closed ends the wait for more.
  const closes = await Promise.race([
    client.closed.then(() => true),
    new Promise<boolean>((resolve) => setTimeout(resolve, 1_000, false)),
  ]);
  return { ...answer, closes };
}

describe('a framing that not all read alike is refused, and the connection closed', () => {
  const rows = [
    ['xchunked', ['transfer-encoding: xchunked']],
    ['identity', ['transfer-encoding: identity']],
    ['gzip before chunked', ['transfer-encoding: gzip, chunked']],
    ['chunked before identity', ['transfer-encoding: chunked, identity']],
    ['a parameter', ['transfer-encoding: chunked;a=b']],
    ['two lines', ['transfer-encoding: chunked', 'transfer-encoding: identity']],
    ['twice the same', ['transfer-encoding: chunked', 'transfer-encoding: chunked']],
  ] as const;
  for (const [name, lines] of rows) {
    for (const path of ['/control', '/livez', '/forward']) {
      test(`${name} at ${path}`, async (t) => {
        const to = await serveForward(t);
        const answer = await send(to, framed(lines, chunked, path));
        assert.match(checkProblem(answer, 400, 'header-not-valid'), /chunked/);
        assert.ok(answer.closes, 'the connection stays open');
        assert.equal(to.scanner.inputs.length, 0);
      });
    }
  }

  for (const second of [5, login.length]) {
    for (const path of ['/control', '/livez', '/forward']) {
      test(`a second content-length: ${second} at ${path}`, async (t) => {
        const to = await serveForward(t);
        const headers = Object.entries(told).map(([name, value]) => `${name}: ${value}`);
        const lengths = [`content-length: ${login.length}`, `content-length: ${second}`];
        const answer = await send(to, framed([...headers, ...lengths], login, path));
        assert.match(checkProblem(answer, 400, 'header-not-valid'), /content-length once/);
        assert.ok(answer.closes, 'the connection stays open');
        assert.equal(to.scanner.inputs.length, 0);
      });
    }
  }
});

test('chunked in any case of letters is taken', async (t) => {
  const to = await serve(t);
  for (const coding of ['chunked', 'Chunked']) {
    const client = await to.open();
    client.send(framed([`transfer-encoding: ${coding}`], chunked));
    checkAnswer(await client.answer(), 200);
    assert.equal(Buffer.from(to.scanner.inputs.pop()?.body ?? []).toString(), login);
  }
});

test('no answer names the server', async (t) => {
  const to = await serve(t);
  const client = await to.open();
  client.send('GET /livez HTTP/1.1\r\nhost: a\r\n\r\n');
  const { headers } = await client.answer();
  assert.deepEqual([headers.get('uwebsockets'), headers.get('server')], [undefined, undefined]);
});
