import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { limits } from '../../src/contract/limits.ts';
import { defaultPolicy } from '../../src/contract/policy.ts';
import { ask, serveForward } from './forward/ask.ts';
import {
  checkAnswer,
  checkProblem,
  controlRequest,
  exchange,
  serve,
  type TestServer,
  until,
} from './test-server.ts';

const login = '{"username":"anna","password":"x"}';
const newKey = { 'x-api-key': 'new-key' };

/** A store that knows the new key once the test says so. */
function slowStore(to: TestServer) {
  let asked = 0;
  let answer: () => void = () => undefined;
  to.keys.lookUpAs = () => {
    asked += 1;
    return new Promise((resolve) => {
      answer = resolve;
    });
  };
  return {
    asked: () => asked,
    answer(knows: boolean): void {
      if (knows) to.keys.policies.set('new-key', defaultPolicy);
      answer();
    },
  };
}

describe('a request with a key that is looked up', () => {
  test('is screened with all of its body, however it came', async (t) => {
    const to = await serve(t);
    const request = controlRequest(login, newKey);
    for (const cut of [0, 20, request.length - login.length, request.length - 3]) {
      to.keys.policies.delete('new-key');
      const store = slowStore(to);
      const client = await to.open();
      client.send(request.slice(0, cut));
      if (cut < request.length - login.length) client.send(request.slice(cut));
      await until(() => store.asked() === 1);
      store.answer(true);
      if (cut >= request.length - login.length) client.send(request.slice(cut));
      checkAnswer(await client.answer(), 200);
      assert.equal(Buffer.from(to.scanner.inputs.at(-1)?.body ?? []).toString(), login);
      // The connection is as good as new.
      client.send(controlRequest(login));
      checkAnswer(await client.answer(), 200);
    }
  });

  test('is answered 401 when the store has no such key, and is asked for once', async (t) => {
    const to = await serve(t);
    const store = slowStore(to);
    const client = await to.open();
    client.send(controlRequest(login, newKey));
    await until(() => store.asked() === 1);
    store.answer(false);
    checkProblem(await client.answer(), 401, 'key-not-valid');
    assert.equal(store.asked(), 1);
    client.send(controlRequest(login));
    checkAnswer(await client.answer(), 200);
  });

  test('is answered 503 when the keys cannot be read any more', async (t) => {
    const to = await serve(t);
    const store = slowStore(to);
    const client = await to.open();
    client.send(controlRequest(login, newKey));
    await until(() => store.asked() === 1);
    to.keys.ready = false;
    store.answer(false);
    checkProblem(await client.answer(), 503, 'overloaded');
  });

  test('meets the checks of its head and its body in their order', async (t) => {
    const to = await serve(t);
    const rows = [
      [{ 'content-type': 'text/plain' }, '{}', 415, 'content-type-not-supported'],
      [{ 'x-deadline-ms': 'soon' }, '{}', 400, 'header-not-valid'],
      [{}, '[]', 422, 'body-not-object'],
    ] as const;
    for (const [headers, body, status, code] of rows) {
      to.keys.policies.delete('new-key');
      to.keys.lookUpAs = async () => {
        to.keys.policies.set('new-key', defaultPolicy);
      };
      const request = controlRequest(body, { ...newKey, ...headers });
      checkProblem(await exchange(to, request), status, code);
    }
  });

  test('does not wait once its body is too large to be kept', async (t) => {
    const to = await serve(t);
    const store = slowStore(to);
    const client = await to.open();
    const length = String(8 * limits.bodyBytesMax);
    client.send(controlRequest('', { ...newKey, 'content-length': length }));
    client.send(Buffer.alloc(2 * limits.bodyBytesMax, 'x'));
    checkProblem(await client.answer(), 401, 'key-not-valid');
    store.answer(true);
    assert.equal(to.scanner.inputs.length, 0);
  });

  test('is answered 503 at once where nothing of its body may be held', async (t) => {
    const to = await serve(t, { receptionBytesMax: login.length, drainMsMax: 10_000 });
    const store = slowStore(to);
    const client = await to.open();
    client.send(controlRequest('', { ...newKey, 'content-length': String(login.length) }));
    await until(() => store.asked() === 1);
    // The connection of an answer then ends with the body, which is not kept.
    const stopped = to.server.stop();
    client.send(login.slice(0, -1));
    const said = checkProblem(await client.answer(), 503, 'overloaded');
    assert.match(said, /bodies are being received/);
    client.send(login.slice(-1));
    assert.equal(await client.closed, undefined);
    await stopped;
    assert.equal(to.scanner.inputs.length, 0);
    assert.equal(to.log.errors.length, 0);
  });

  test('is forgotten when its client goes', async (t) => {
    const to = await serve(t);
    const store = slowStore(to);
    const client = await to.open();
    client.send(controlRequest(login, newKey));
    await until(() => store.asked() === 1);
    client.socket.destroy();
    await client.closed;
    const next = await to.open();
    next.send(controlRequest(login));
    checkAnswer(await next.answer(), 200);
    store.answer(true);
    next.send(controlRequest(login));
    checkAnswer(await next.answer(), 200);
    assert.equal(to.scanner.inputs.length, 2);
    assert.equal(to.log.errors.length, 0);
  });

  test('at /forward is the same', async (t) => {
    const to = await serveForward(t);
    const store = slowStore(to);
    const headers = { 'x-forwarded-method': 'POST', 'x-forwarded-uri': '/a?b=c', ...newKey };
    const answer = ask(to, { method: 'POST', headers, body: 'tea' });
    await until(() => store.asked() === 1);
    store.answer(true);
    assert.equal((await answer).status, 200);
    assert.match(Buffer.from(to.scanner.inputs[0]?.body ?? []).toString(), /"query.b":"c"/);
    to.keys.policies.delete('new-key');
    to.keys.lookUpAs = () => Promise.resolve();
    assert.equal((await ask(to, { headers })).status, 401);
  });
});
