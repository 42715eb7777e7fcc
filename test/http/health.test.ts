import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkAnswer, exchange, serve } from './test-server.ts';

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`;

test('/livez is 200 whatever the parts do', async (t) => {
  const to = await serve(t);
  to.scanner.ready = false;
  to.keys.ready = false;
  const answer = await exchange(to, get('/livez'));
  assert.deepEqual(checkAnswer(answer, 200), { status: 'ok' });
  assert.equal(answer.headers.get('cache-control'), 'no-store');
});

test('/readyz is 200 when all parts are ready', async (t) => {
  const to = await serve(t);
  const body = checkAnswer(await exchange(to, get('/readyz')), 200);
  assert.deepEqual(body, { status: 'ready', notReady: [], degraded: [] });
});

test('/readyz is 503 and names the scanner while it is not ready', async (t) => {
  const to = await serve(t);
  to.scanner.ready = false;
  const answer = await exchange(to, get('/readyz'));
  const state = { status: 'not-ready', notReady: ['scanner'], degraded: [] };
  assert.deepEqual(checkAnswer(answer, 503), state);
  assert.equal(answer.headers.get('retry-after'), '1');
});

test('/readyz is 200 and names what works from memory', async (t) => {
  const to = await serve(t, { degraded: () => ['policies'] });
  to.keys.ready = false;
  const answer = await exchange(to, get('/readyz'));
  const state = { status: 'ready', notReady: [], degraded: ['keys', 'policies'] };
  assert.deepEqual(checkAnswer(answer, 200), state);
});

for (const path of ['/livez', '/readyz']) {
  test(`HEAD ${path} is GET without the body`, async (t) => {
    const to = await serve(t);
    const client = await to.open();
    client.send(get(path));
    const full = await client.answer();
    client.send(`HEAD ${path} HTTP/1.1\r\nhost: a\r\n\r\n`);
    const bare = await client.answer({ headOnly: true });
    assert.equal(bare.status, full.status);
    for (const name of ['content-type', 'content-length', 'cache-control']) {
      assert.equal(bare.headers.get(name), full.headers.get(name), name);
    }
    client.send(get(path));
    assert.equal((await client.answer()).body, full.body);
    assert.equal(client.rest, '');
  });
}
