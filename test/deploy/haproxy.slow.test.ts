import assert from 'node:assert/strict';
import { test } from 'node:test';
import { realSallyport } from '../clients/real-sallyport.ts';
import { connect } from '../http/raw-client.ts';
import { startHaproxy } from './proxies.ts';
import { judgeProxy } from './proxy-suite.ts';
import { startUpstream } from './upstream.ts';

test('HAProxy screens requests as far as they fit its buffer', async (t) => {
  await judgeProxy(t, startHaproxy, {
    bodyBytesMax: 62_000,
    chunkedBytesMax: 8_192,
    awayStatus: 503,
  });
});

test('HAProxy says of a body that is cut that it is', async (t) => {
  const { url: sallyport, key } = await realSallyport(t);
  const app = await startUpstream(t);
  const proxy = await startHaproxy(t, { sallyport, key, app: app.address });
  if (proxy === undefined) return;
  const chunks = (count: number) => `${'40\r\n'}${'a '.repeat(32)}\r\n`.repeat(count);
  const chunked = (count: number) => `transfer-encoding: chunked\r\n\r\n${chunks(count)}0\r\n\r\n`;
  const whole = (bytes: number) => `content-length: ${bytes}\r\n\r\n${'a '.repeat(bytes / 2)}`;
  const cases: readonly (readonly [framed: string, status: number])[] = [
    [whole(100), 200],
    [whole(40_000), 200],
    [whole(100_000), 403],
    [chunked(2), 200],
    [chunked(60), 200],
    // Cut between two chunks: no length tells of the rest.
    [chunked(1_100), 403],
    [chunked(4_000), 403],
  ];
  for (const [framed, status] of cases) {
    const client = await connect(proxy.address);
    client.send(`POST / HTTP/1.1\r\nhost: app.test\r\ncontent-type: text/plain\r\n${framed}`);
    const answer = await client.answer();
    client.end();
    const start = framed.slice(0, 40);
    assert.equal(answer.status, status, `${framed.length} bytes: ${start}`);
    assert.equal(app.take().length, status === 200 ? 1 : 0, start);
  }
});
