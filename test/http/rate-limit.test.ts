import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startRateLimits } from '../../src/access/rate-limits.ts';
import { defaultPolicy } from '../../src/contract/policy.ts';
import { keepLog } from '../access/key-fixture.ts';
import { checkAnswer, checkProblem, controlRequest, exchange, serve } from './test-server.ts';

const rateLimit = { requests: 2, perSeconds: 3_600 };

test('a key with a limit is answered 429 beyond it, and told of it in every answer', async (t) => {
  const rateLimits = await startRateLimits({ redisUrl: undefined, log: keepLog() });
  const to = await serve(t, { rateLimits });
  to.keys.policies.set('good-key', { ...defaultPolicy, rateLimit });
  for (const left of [1, 0]) {
    const answer = await exchange(to, controlRequest('{"a":"b"}'));
    checkAnswer(answer, 200);
    assert.equal(answer.headers.get('ratelimit-policy'), '"key";q=2;w=3600');
    assert.match(answer.headers.get('ratelimit') ?? '', new RegExp(`^"key";r=${left};t=3\\d{3}$`));
  }
  const answer = await exchange(to, controlRequest('{"a":"b"}'));
  const detail = checkProblem(answer, 429, 'rate-limited');
  assert.match(detail, /2 requests in 3600 seconds/);
  assert.match(answer.headers.get('retry-after') ?? '', /^3\d{3}$/);
  assert.equal(answer.headers.get('ratelimit-policy'), '"key";q=2;w=3600');
  assert.equal(to.scanner.inputs.length, 2);
});

test('a key without a limit is told nothing and never refused', async (t) => {
  const rateLimits = await startRateLimits({ redisUrl: undefined, log: keepLog() });
  const to = await serve(t, { rateLimits });
  for (let i = 0; i < 5; i += 1) {
    const answer = await exchange(to, controlRequest('{"a":"b"}'));
    checkAnswer(answer, 200);
    assert.equal(answer.headers.get('ratelimit'), undefined);
  }
});

test('a limit that cannot be counted refuses nobody', async (t) => {
  const rateLimits = { take: () => Promise.reject(new Error('broken')) };
  const to = await serve(t, { rateLimits });
  to.keys.policies.set('good-key', { ...defaultPolicy, rateLimit });
  checkAnswer(await exchange(to, controlRequest('{"a":"b"}')), 200);
  assert.equal(to.log.errors.length, 1);
});

test('the bounds of a policy are tighter than those of the service', async (t) => {
  const to = await serve(t);
  const limits = { bodyBytes: 20, depth: 3, members: 5 };
  to.keys.policies.set('good-key', { ...defaultPolicy, limits });
  checkAnswer(await exchange(to, controlRequest('{"a":"12345678901"}')), 200);
  const large = controlRequest('{"a":"123456789012345"}');
  const said = checkProblem(await exchange(to, large), 413, 'body-too-large');
  assert.match(said, /at most 20 bytes/);
  const chunked = large
    .replace(/content-length: \d+/, 'transfer-encoding: chunked')
    .replace(/\r\n\r\n(.*)$/s, (_, body: string) => `\r\n\r\n17\r\n${body}\r\n0\r\n\r\n`);
  assert.match(checkProblem(await exchange(to, chunked), 413, 'body-too-large'), /20 bytes/);
  to.scanner.scanAs = () => ({ kind: 'rejected', fault: 'body-too-deep' });
  const deep = await exchange(to, controlRequest('{"a":{"b":{}}}'));
  assert.match(checkProblem(deep, 400, 'body-too-deep'), /at most 3 levels/);
  to.scanner.scanAs = () => ({ kind: 'rejected', fault: 'body-too-many-members' });
  const many = await exchange(to, controlRequest('{"a":{"b":{}}}'));
  assert.match(checkProblem(many, 400, 'body-too-many-members'), /at most 5 fields/);
});
