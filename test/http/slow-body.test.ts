import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkAnswer, checkProblem, controlRequest, serve } from './test-server.ts';

// uWebSockets.js drops a connection whose body stalls for 8 to 12 seconds, without an answer.
const longerThanItsTimer = 13_500;
const body = '{"a":"b"}';

test('the idle timer of uWebSockets.js does not come before our 408', async (t) => {
  const to = await serve(t, { bodyReceiveMs: longerThanItsTimer });
  const [stalled, late] = [await to.open(), await to.open()];
  const request = controlRequest(body);
  stalled.send(request.slice(0, -4));
  late.send(request.slice(0, -4));
  setTimeout(() => late.send(request.slice(-4)), longerThanItsTimer - 500);
  checkAnswer(await late.answer(), 200);
  checkProblem(await stalled.answer(), 408, 'body-timeout');
  assert.equal(await stalled.closed, undefined);
});
