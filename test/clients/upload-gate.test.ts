import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MultipartSieve } from '../../src/client-request/multipart-sieve.ts';
import { UploadGate } from '../../src/clients/upload-gate.ts';

/** A part with a file, whose content goes on for as long as the caller likes. */
function fileHead(name: string): string {
  return `--b\r\nContent-Disposition: form-data; name="f"; filename="${name}"\r\nContent-Type: image/png\r\n\r\n`;
}

test('content of a file that comes while its head is screened goes on behind it', async (t) => {
  const socket = new Socket();
  t.after(() => socket.destroy());
  const request = new IncomingMessage(socket);
  const received: string[] = [];
  request.on('data', (chunk: Buffer) => received.push(chunk.toString()));
  const gate = new UploadGate(request, new MultipartSieve('b'), 65_536);
  const judged: string[] = [];
  const verdict = Promise.withResolvers<undefined>();
  gate.watch({
    judge: ({ bytes }) => {
      judged.push(Buffer.from(bytes).toString());
      return verdict.promise;
    },
    refuse: () => assert.fail('nothing is refused'),
  });
  const head = fileHead('a.png');
  for (const text of [head, 'first '.repeat(20), 'second '.repeat(20)]) {
    request.push(Buffer.from(text));
  }
  await nextTurn();
  assert.deepEqual([judged.length, received], [1, []]);
  verdict.resolve(undefined);
  await nextTurn();
  assert.equal(received.join(''), head + 'first '.repeat(20) + 'second '.repeat(20));
  request.push(Buffer.from('third '.repeat(20)));
  await nextTurn();
  assert.ok(received.join('').endsWith('third '.repeat(20)));
  assert.equal(judged.length, 1, 'content alone is not screened');
});
