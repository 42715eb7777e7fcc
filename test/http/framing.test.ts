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

/** All that comes back until the server closes the connection. */
async function untilClosed(to: TestServer, request: string): Promise<string> {
  const { socket, closed } = await to.open();
  let received = '';
  socket.on('data', (piece: Buffer) => {
    received += piece.toString('latin1');
  });
  socket.write(request, 'latin1');
  await closed;
  return received;
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

  test('a length beside chunks is refused by uWebSockets.js', async (t) => {
    const to = await serve(t);
    const lines = ['content-length: 5', 'transfer-encoding: chunked'];
    assert.match(await untilClosed(to, framed(lines, chunked)), /^HTTP\/1\.1 400 /);
    assert.equal(to.scanner.inputs.length, 0);
  });

  for (const second of [5, login.length]) {
    test(`/forward: a second content-length: ${second}`, async (t) => {
      const to = await serveForward(t);
      const headers = Object.entries(told).map(([name, value]) => `${name}: ${value}`);
      const lengths = [`content-length: ${login.length}`, `content-length: ${second}`];
      const answer = await send(to, framed([...headers, ...lengths], login, '/forward'));
      checkProblem(answer, 400, 'header-not-valid');
      assert.ok(answer.closes, 'the connection stays open');
      assert.equal(to.scanner.inputs.length, 0);
    });
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

test('/control: of several content-lengths the first counts', async (t) => {
  const to = await serve(t);
  const client = await to.open();
  const lines = [`content-length: ${login.length}`, 'content-length: 3'];
  client.send(framed(lines, login));
  checkAnswer(await client.answer(), 200);
  assert.equal(Buffer.from(to.scanner.inputs[0]?.body ?? []).toString(), login);
});

describe('what else differs from RFC 9112', () => {
  const valid = 'transfer-encoding: chunked';
  const size = login.length.toString(16);
  const manyLines = `GET /livez HTTP/1.1\r\nhost: a\r\n${'a: b\r\n'.repeat(101)}\r\n`;
  const absolute = controlRequest(login).replace('/control', 'http://localhost/control');
  const rows = [
    ['an absolute URI', absolute, 505],
    ['OPTIONS *', 'OPTIONS * HTTP/1.1\r\nhost: a\r\n\r\n', 505],
    ['HTTP/1.0', 'GET /livez HTTP/1.0\r\nhost: a\r\n\r\n', 505],
    ['more than 100 header lines', manyLines, 431],
    ['no host', 'GET /livez HTTP/1.1\r\na: b\r\n\r\n', 400],
  ] as const;
  for (const [name, request, status] of rows) {
    test(`${name}: ${status}, and the connection is closed`, async (t) => {
      const to = await serve(t);
      assert.match(await untilClosed(to, request), new RegExp(`^HTTP/1\\.1 ${status} `));
    });
  }

  test('chunk extensions and trailers get no verdict', async (t) => {
    const to = await serve(t, { bodyReceiveMs: 200 });
    for (const body of [
      `${size};a=b\r\n${login}\r\n0\r\n\r\n`,
      `${size}\r\n${login}\r\n0\r\na: b\r\n\r\n`,
    ]) {
      assert.doesNotMatch(await untilClosed(to, framed([valid], body)), /^HTTP\/1\.1 200 /);
    }
  });

  test('line feeds alone end the lines of chunks', async (t) => {
    const to = await serve(t);
    const client = await to.open();
    client.send(framed([valid], `${size}\n${login}\r\n0\r\n\r\n`));
    const { status } = await client.answer();
    assert.equal(status, 200);
  });
});

test('no answer names the server', async (t) => {
  const to = await serve(t);
  const client = await to.open();
  client.send('GET /livez HTTP/1.1\r\nhost: a\r\n\r\n');
  const { headers } = await client.answer();
  assert.deepEqual([headers.get('uwebsockets'), headers.get('server')], [undefined, undefined]);
});
