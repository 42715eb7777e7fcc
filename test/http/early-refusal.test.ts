import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { limits } from '../../src/contract/limits.ts';
import { defaultPolicy } from '../../src/contract/policy.ts';
import { checkAnswer, checkProblem, controlRequest, serve } from './test-server.ts';

const login = '{"username":"anna","password":"x"}';
const bytes = limits.bodyBytesMax;
const large = `{"a":"${'x'.repeat(bytes - 8)}"}`;
const headOfLarge = { 'content-length': String(bytes) };

describe('a request that would not be answered in time', () => {
  test('is refused by its head, and the connection is good for another one', async (t) => {
    const to = await serve(t);
    to.scanner.refuseAs = (_head, announced) =>
      announced === bytes ? 'deadline-too-short' : undefined;
    const client = await to.open();
    client.send(controlRequest('', headOfLarge));
    const answer = await client.answer();
    checkProblem(answer, 503, 'deadline-too-short');
    assert.equal(answer.headers.get('retry-after'), '1');
    assert.equal(answer.headers.get('connection'), undefined);

    client.send(large);
    client.send(controlRequest(login));
    checkAnswer(await client.answer(), 200);
    const scanned = to.scanner.inputs.map(({ body }) => Buffer.from(body).toString());
    assert.deepEqual(scanned, [login]);
  });

  test('is refused before its body is looked at', async (t) => {
    const to = await serve(t);
    to.scanner.refuseAs = () => 'overloaded';
    const client = await to.open();
    client.send(controlRequest('not json'));
    checkProblem(await client.answer(), 503, 'overloaded');
    to.scanner.refuseAs = () => undefined;
    client.send(controlRequest('not json'));
    checkProblem(await client.answer(), 400, 'body-not-json');
  });

  test('that asks for the end of the connection gets it once its body was sent', async (t) => {
    const to = await serve(t);
    to.scanner.refuseAs = () => 'overloaded';
    const client = await to.open();
    client.send(controlRequest('', { ...headOfLarge, connection: 'close' }));
    const answer = await client.answer();
    checkProblem(answer, 503, 'overloaded');
    assert.equal(answer.headers.get('connection'), 'close');
    client.send(large);
    assert.equal(await client.closed, undefined, 'not reset');
  });

  test('is refused as said: whose it is, how long it is, how long its caller waits', async (t) => {
    const to = await serve(t, { deadlineMs: 5_000 });
    const asked: unknown[] = [];
    to.scanner.refuseAs = ({ owner, isPatient, deadline }, announced) => {
      const leftMs = deadline - performance.now();
      asked.push([owner, isPatient, announced, leftMs <= 60_000 && leftMs > 0]);
      return undefined;
    };
    const client = await to.open();
    client.send(controlRequest(login));
    checkAnswer(await client.answer(), 200);
    client.send(controlRequest(login, { 'x-deadline-ms': '60000' }));
    checkAnswer(await client.answer(), 200);
    assert.deepEqual(asked, [
      ['Abc12345', true, login.length, false],
      ['Abc12345', false, login.length, true],
    ]);
  });

  test('is not foreseen where its length is not told, or nothing is screened', async (t) => {
    const to = await serve(t);
    to.keys.policies.set('off-key', { ...defaultPolicy, mode: 'off' });
    to.scanner.refuseAs = () => 'overloaded';
    const client = await to.open();
    client.send(controlRequest(login, { 'x-api-key': 'off-key' }));
    checkAnswer(await client.answer(), 200);
    const chunked = { 'content-length': undefined, 'transfer-encoding': 'chunked' };
    client.send(controlRequest('', chunked));
    client.send(`${login.length.toString(16)}\r\n${login}\r\n0\r\n\r\n`);
    checkAnswer(await client.answer(), 200);
  });
});
