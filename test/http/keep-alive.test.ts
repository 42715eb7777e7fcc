import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { limits } from '../../src/contract/limits.ts';
import { checkAnswer, controlRequest, exchange, serve } from './test-server.ts';

const login = '{"username":"anna","password":"x"}';
const timeout = `timeout=${limits.keepAliveSeconds}`;

test('a connection stays open for as long as answers say', async (t) => {
  const to = await serve(t);
  // uWebSockets.js looks for idle connections once in four seconds: begin at different times.
  await Promise.all(
    Array.from({ length: 9 }, async (_, index) => {
      await delay(index * 500);
      const client = await to.open();
      client.send(controlRequest(login));
      const answer = await client.answer();
      checkAnswer(answer, 200);
      assert.equal(answer.headers.get('keep-alive'), timeout);
      await delay(limits.keepAliveSeconds * 1_000);
      client.send(controlRequest(login));
      checkAnswer(await client.answer(), 200);
    }),
  );
});

test('answers that do not close their connection say so, and no others', async (t) => {
  const to = await serve(t, { bodyReceiveMs: 50 });
  const get = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`;
  for (const request of [get('/livez'), get('/nothing'), get('/'), get('/openapi.json')]) {
    const { headers } = await exchange(to, request);
    assert.deepEqual([headers.get('keep-alive'), headers.get('connection')], [timeout, undefined]);
  }
  const late = controlRequest(login).slice(0, -1);
  const large = controlRequest('', { 'content-length': '99999999' });
  const twice = get('/livez').replace(
    '\r\n\r\n',
    '\r\ncontent-length: 0\r\ncontent-length: 0\r\n\r\n',
  );
  for (const request of [late, large, twice]) {
    const { headers } = await exchange(to, request);
    assert.deepEqual([headers.get('keep-alive'), headers.get('connection')], [undefined, 'close']);
  }
});
