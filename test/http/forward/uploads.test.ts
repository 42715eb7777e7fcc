import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '../../../src/contract/limits.ts';
import { createInlineScanner } from '../../../src/pool/inline-scanner.ts';
import { ask, question, serveForward, told } from './ask.ts';

const type = 'multipart/form-data; boundary=line';
const headers = { ...told, 'x-forwarded-method': 'POST', 'content-type': type };
const attack = "' OR 1=1 --";

/** An upload with a file of so many bytes in front of a field. */
function upload(fileBytes: number, caption: string): Buffer {
  const part = (lines: string): string => `--line\r\nContent-Disposition: form-data; ${lines}\r\n`;
  const file = part('name="file"; filename="a.jpg"\r\nContent-Type: image/jpeg');
  return Buffer.concat([
    Buffer.from(`${file}\r\n`),
    Buffer.alloc(fileBytes, '\xff\x00 1=1 -- line', 'latin1'),
    Buffer.from(`\r\n${part('name="caption"')}\r\n${caption}\r\n--line--\r\n`),
  ]);
}

test('fields behind a large file are screened, and the file does not count', async (t) => {
  const server = await serveForward(t, { scanner: createInlineScanner() });
  for (const bytes of [10_000, 1_100_000, 5_000_000]) {
    const honest = { method: 'POST', headers, body: upload(bytes, 'the sea') };
    assert.equal((await ask(server, honest)).status, 200, `${bytes}`);
    assert.equal(server.blocks.length, 0);
    const hostile = { method: 'POST', headers, body: upload(bytes, attack) };
    assert.equal((await ask(server, hostile)).status, 403, `${bytes}`);
    assert.equal(server.blocks.pop()?.verdict.findings[0]?.pointer, '/body.caption');
  }
});

test('an upload in pieces is read as one in a whole', async (t) => {
  const server = await serveForward(t, { scanner: createInlineScanner() });
  const client = await server.open();
  const bytes = question({ method: 'POST', headers, body: upload(3_000, attack) });
  for (let at = 0; at < bytes.length; at += 61) client.send(bytes.subarray(at, at + 61));
  assert.equal((await client.answer()).status, 403);
  assert.equal(server.blocks[0]?.verdict.findings[0]?.pointer, '/body.caption');
});

test('fields beyond the bound of a body are refused as incomplete', async (t) => {
  const server = await serveForward(t, { scanner: createInlineScanner() });
  const body = upload(10, 'word '.repeat(limits.bodyBytesMax / 5));
  assert.equal((await ask(server, { method: 'POST', headers, body })).status, 403);
  assert.deepEqual(server.blocks[0]?.verdict.findings, []);
  assert.deepEqual(server.blocks[0]?.verdict.coverage.reasons, ['body']);
});
