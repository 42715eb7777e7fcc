import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { defaultPolicy } from '../../src/contract/policy.ts';
import { startApi } from './api/api-server.ts';
import { ask, scanned, serveForward, told } from './forward/ask.ts';
import { checkAnswer, checkProblem, controlRequest, exchange, serve } from './test-server.ts';

const login = '{"username":"anna","password":"x"}';
const [key, other] = ['sp_live_first', 'sp_live_other'];
const noKey = { 'x-api-key': undefined };

describe('a key as Authorization: Bearer, at /control', () => {
  test('is as good as x-api-key', async (t) => {
    const to = await serve(t);
    to.keys.policies.set(key, defaultPolicy);
    for (const authorization of [`Bearer ${key}`, `bearer  ${key}`, `BEARER ${key} `]) {
      checkAnswer(await exchange(to, controlRequest(login, { ...noKey, authorization })), 200);
    }
    const both = { 'x-api-key': key, authorization: `Bearer ${key}` };
    checkAnswer(await exchange(to, controlRequest(login, both)), 200);
  });

  test('is 401 when it is none of ours, or no token', async (t) => {
    const to = await serve(t);
    to.keys.policies.set('good', defaultPolicy);
    for (const authorization of [
      'Bearer good',
      'Bearer',
      'Basic c3BfbGl2ZQ==',
      key,
      `Bearer ${key}`,
    ]) {
      const answer = await exchange(to, controlRequest(login, { ...noKey, authorization }));
      const detail = checkProblem(answer, 401, 'key-not-valid');
      assert.match(detail, /Authorization: Bearer/);
      assert.equal(answer.headers.get('www-authenticate'), 'ApiKey, Bearer');
    }
  });

  test('beside another x-api-key that is not valid, the answer says so', async (t) => {
    const to = await serve(t);
    to.keys.policies.set(key, defaultPolicy);
    const both = { 'x-api-key': other, authorization: `Bearer ${key}` };
    const answer = await exchange(to, controlRequest(login, both));
    assert.match(checkProblem(answer, 401, 'key-not-valid'), /different keys/);
  });
});

describe('a key as Authorization: Bearer, at /forward', () => {
  test('is the proxy’s, and no part of the request', async (t) => {
    const to = await serveForward(t);
    to.keys.policies.set(key, defaultPolicy);
    const headers = { ...told, 'x-api-key': '', authorization: `Bearer ${key}` };
    assert.equal((await ask(to, { headers })).status, 200);
    const [request = {}] = scanned(to);
    assert.ok(!JSON.stringify(request).includes('sp_live'));
  });

  test('a client’s own x-api-key and Authorization are screened beside it', async (t) => {
    const to = await serveForward(t);
    to.keys.policies.set(key, defaultPolicy);
    const attack = "' or 1=1 --";
    const byBearer = { ...told, 'x-api-key': attack, authorization: `Bearer ${key}` };
    assert.equal((await ask(to, { headers: byBearer })).status, 200);
    const byName = { ...told, 'x-api-key': key, authorization: `Bearer ${attack}` };
    assert.equal((await ask(to, { headers: byName })).status, 200);
    const [first = {}, second = {}] = scanned(to);
    assert.equal(first['header.x-api-key'], attack);
    assert.match(String(second['header.authorization']), /or 1=1/);
  });

  test('two different keys of ours are refused: a client may have added one', async (t) => {
    const to = await serveForward(t);
    for (const one of [key, other]) to.keys.policies.set(one, defaultPolicy);
    const headers = { ...told, 'x-api-key': key, authorization: `Bearer ${other}` };
    const detail = checkProblem(await ask(to, { headers }), 401, 'key-not-valid');
    assert.match(detail, /different keys/);
    assert.equal(to.scanner.inputs.length, 0);
  });
});

test('a key as Authorization: Bearer manages as well, and never shows in the log', async (t) => {
  const api = await startApi(t);
  await api.setUp();
  const wish = { name: 'ops', kind: 'admin' };
  const { body } = await api.call('/api/keys', { body: wish });
  const admin: string = body.secret;
  api.cookie = '';
  const authorization = `Bearer ${admin}`;
  const list = await api.call('/api/keys', { headers: { authorization } });
  assert.equal(list.status, 200);
  // A program needs no origin: browsers ask before they add this header for another one.
  const made = await api.call('/api/keys', {
    body: { name: 'shop' },
    headers: { authorization, origin: 'http://elsewhere.test' },
  });
  assert.equal(made.status, 201);
  const two = await api.call('/api/keys', {
    headers: { authorization, 'x-api-key': made.body.secret },
  });
  assert.equal(two.status, 401);
  assert.match(two.body.detail, /different keys/);
  const foreign = await api.call('/api/keys', { headers: { authorization: 'Bearer eyJhbGci' } });
  assert.equal(foreign.status, 401);
  const told = JSON.stringify(api.log.told);
  for (const secret of [admin, made.body.secret]) assert.ok(!told.includes(secret.slice(18)));
});
