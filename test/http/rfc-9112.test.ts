import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { allowed, controlRequest, serve } from './test-server.ts';

// What comes over a socket, and what becomes of it. The table in src/http/README.md has the rows
// in which this differs from RFC 9112 and RFC 9110.

const body = '{"a":"b"}';
const chunked = 'transfer-encoding: chunked';
const livez = 'GET /livez HTTP/1.1\r\nhost: a\r\n';

/** A request to `/control` with these header lines for its framing, and what follows its head. */
function framed(lines: readonly string[], rest: string): string {
  const head = controlRequest('', { 'content-length': undefined });
  return head.replace(/\r\n$/, `${lines.map((line) => `${line}\r\n`).join('')}\r\n${rest}`);
}

function chunks(text: string): string {
  return framed([chunked], text);
}

/**
 * `closed`: answered so and closed, 0 for no answer. `goes on`: answered so, and the next request
 * on the connection is read from its first byte on.
 */
type Row = readonly [name: string, request: string, end: 'closed' | 'goes on', status: number];

const lengths: readonly Row[] = [
  ['twice the same', framed(['content-length: 9', 'content-length: 9'], body), 'closed', 400],
  ['twice, not alike', framed(['content-length: 9', 'content-length: 3'], body), 'closed', 400],
  ['a list', framed(['content-length: 9, 9'], body), 'closed', 400],
  ['a plus', framed(['content-length: +9'], body), 'closed', 400],
  ['hexadecimal', framed(['content-length: 0x9'], body), 'closed', 400],
  ['negative', framed(['content-length: -9'], body), 'closed', 400],
  ['a fraction', framed(['content-length: 9.0'], body), 'closed', 400],
  ['empty', framed(['content-length:'], body), 'closed', 400],
  ['a blank inside', framed(['content-length: 9 9'], body), 'closed', 400],
  ['a blank before the colon', framed(['content-length : 9'], body), 'closed', 400],
  [
    'more than any number holds',
    framed([`content-length: ${'9'.repeat(20)}`], body),
    'closed',
    400,
  ],
  ['blanks around', framed(['content-length:  9 '], body), 'goes on', 200],
  ['leading zeros', framed(['content-length: 009'], body), 'goes on', 200],
];

const codings: readonly Row[] = [
  ...['xchunked', 'identity', 'gzip, chunked', 'chunked, identity', 'chunked, chunked'].map(
    (coding): Row => [coding, framed([`transfer-encoding: ${coding}`], body), 'closed', 400],
  ),
  ['a parameter', framed([`${chunked};a=b`], body), 'closed', 400],
  ['a vertical tab', framed(['transfer-encoding: \x0bchunked'], body), 'closed', 400],
  ['empty', framed(['transfer-encoding:'], body), 'closed', 400],
  ['twice', framed([chunked, chunked], `9\r\n${body}\r\n0\r\n\r\n`), 'closed', 400],
  ['and a length', framed([chunked, 'content-length: 9'], body), 'closed', 400],
  ['after a length', framed(['content-length: 9', chunked], body), 'closed', 400],
  ['CHUNKED', framed(['transfer-encoding: CHUNKED'], `9\r\n${body}\r\n0\r\n\r\n`), 'goes on', 200],
];

const chunkForms: readonly Row[] = [
  ['leading zeros', chunks(`0009\r\n${body}\r\n0\r\n\r\n`), 'goes on', 200],
  ['an extension', chunks(`9;a=b\r\n${body}\r\n0\r\n\r\n`), 'closed', 408],
  ['an extension of the last', chunks(`9\r\n${body}\r\n0;a\r\n\r\n`), 'closed', 408],
  ['a trailer', chunks(`9\r\n${body}\r\n0\r\na: b\r\n\r\n`), 'closed', 505],
  ['0x9 as a size', chunks(`0x9\r\n${body}\r\n0\r\n\r\n`), 'closed', 400],
  ['+9 as a size', chunks(`+9\r\n${body}\r\n0\r\n\r\n`), 'closed', 400],
  ['-1 as a size', chunks(`-1\r\n${body}\r\n0\r\n\r\n`), 'closed', 400],
  ['a blank before a size', chunks(` 9\r\n${body}\r\n0\r\n\r\n`), 'closed', 400],
  ['no size', chunks(`\r\n${body}\r\n0\r\n\r\n`), 'closed', 400],
  ['a size beyond 64 bits', chunks(`${'f'.repeat(17)}\r\n${body}\r\n0\r\n\r\n`), 'closed', 400],
  ['a blank after a size', chunks(`9 \r\n${body}\r\n0\r\n\r\n`), 'goes on', 200],
  ['a line feed alone after a size', chunks(`9\n${body}\r\n0\r\n\r\n`), 'goes on', 200],
  ['other bytes than CR LF after a chunk', chunks(`9\r\n${body}XX0\r\n\r\n`), 'goes on', 200],
];

const heads: readonly Row[] = [
  ['line feeds alone', controlRequest(body).replaceAll('\r\n', '\n'), 'closed', 505],
  ['one line feed alone', `${livez}x: a\ny: b\r\n\r\n`, 'closed', 400],
  ['a folded line', `${livez}x: a\r\n b\r\n\r\n`, 'closed', 400],
  ['NUL in a value', `${livez}x: a\0b\r\n\r\n`, 'closed', 400],
  ['a blank in a name', `${livez}x y: a\r\n\r\n`, 'closed', 400],
  ['a line without a colon', `${livez}xyz\r\n\r\n`, 'closed', 400],
  ['no host', 'GET /livez HTTP/1.1\r\na: b\r\n\r\n', 'closed', 400],
  ['two hosts', `${livez}host: b\r\n\r\n`, 'closed', 400],
  ['98 lines', `${livez}${'a: b\r\n'.repeat(97)}\r\n`, 'goes on', 200],
  ['99 lines', `${livez}${'a: b\r\n'.repeat(98)}\r\n`, 'closed', 431],
  ['more than 16 KiB', `${livez}a: ${'b'.repeat(17_000)}\r\n\r\n`, 'closed', 431],
  ['an empty name', `${livez}: a\r\n\r\n`, 'goes on', 200],
  ['close in a list', `${livez}connection: keep-alive, close\r\n\r\n`, 'goes on', 200],
  ['an expectation other than 100', `${livez}expect: x\r\n\r\n`, 'goes on', 200],
  ['an upgrade', `${livez}connection: upgrade\r\nupgrade: h2c\r\n\r\n`, 'goes on', 200],
];

const requestLines: readonly Row[] = [
  ['an absolute URI', controlRequest(body).replace('/control', 'http://a/control'), 'closed', 505],
  ['OPTIONS *', 'OPTIONS * HTTP/1.1\r\nhost: a\r\n\r\n', 'closed', 505],
  ['CONNECT', 'CONNECT a:1 HTTP/1.1\r\nhost: a\r\n\r\n', 'closed', 505],
  ['HTTP/1.0', 'GET /livez HTTP/1.0\r\nhost: a\r\n\r\n', 'closed', 505],
  ['HTTP/1.2', 'GET /livez HTTP/1.2\r\nhost: a\r\n\r\n', 'closed', 505],
  ['HTTP/0.9', 'GET /livez\r\n', 'closed', 505],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'closed', 505],
  ['the preface of PROXY 1', `PROXY TCP4 1.1.1.1 2.2.2.2 1 2\r\n${livez}\r\n`, 'closed', 505],
  [
    'the preface of PROXY 2',
    `\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c\x7f\0\0\x01\x7f\0\0\x01\x01\x02\x03\x04${livez}\r\n`,
    'goes on',
    200,
  ],
  ['two blanks', 'GET  /livez HTTP/1.1\r\nhost: a\r\n\r\n', 'closed', 505],
  ['a blank first', ` ${livez}\r\n`, 'closed', 505],
  ['a method in lower case', `${livez.replace('GET', 'get')}\r\n`, 'goes on', 405],
  ['a body of GET', `${livez}content-length: 5\r\n\r\nhello`, 'goes on', 200],
  ['an empty line first', `\r\n${livez}\r\n`, 'closed', 0],
  ['a carriage return in a value', `${livez}x: a\rb\r\n\r\n`, 'closed', 0],
];

const tables = {
  'content-length': lengths,
  'transfer-encoding': codings,
  chunks: chunkForms,
  'header lines': heads,
  'request lines': requestLines,
};

for (const [title, rows] of Object.entries(tables)) {
  // Side by side: some wait until uWebSockets.js closes an idle connection.
  describe(title, { concurrency: true }, () => {
    for (const [name, request, end, status] of rows) {
      test(`${name}: ${status}, ${end}`, async (t) => {
        const to = await serve(t, { bodyReceiveMs: 500 });
        const { socket, closed } = await to.open();
        let received = '';
        socket.on('data', (piece: Buffer) => {
          received += piece.toString('latin1');
        });
        socket.write(Buffer.from(request, 'latin1'));
        // A connection that should go on and does not is closed when it is idle.
        if (end === 'goes on') socket.write(`${livez}connection: close\r\n\r\n`);
        await closed;
        const statuses = [...received.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, code]) =>
          Number(code),
        );
        const expected = [...(status === 0 ? [] : [status]), ...(end === 'goes on' ? [200] : [])];
        assert.deepEqual(statuses, expected, received);
        const scanned = to.scanner.inputs.map((input) => Buffer.from(input.body).toString());
        const isScreened = status === 200 && request.startsWith('POST');
        // With a trailer the body has been read before the fault is seen.
        if (name !== 'a trailer') assert.deepEqual(scanned, isScreened ? [body] : []);
      });
    }
  });
}

test('half-closed by the client: answered when the answer is there at once, else closed', async (t) => {
  for (const isThere of [true, false]) {
    const to = await serve(t);
    if (!isThere) to.scanner.scanAs = () => delay(200, allowed(1));
    const client = await to.open();
    client.socket.end(controlRequest(body));
    if (isThere) assert.equal((await client.answer()).status, 200);
    await client.closed;
    assert.equal(client.rest, '');
  }
});
