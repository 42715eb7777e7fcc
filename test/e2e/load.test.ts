import assert from 'node:assert/strict';
import { test } from 'node:test';
import autocannon from 'autocannon';
import { runCli } from '../support/cli.ts';
import { startServing } from '../support/serve.ts';
import { tempDir } from '../support/temp-dir.ts';
import { until } from '../support/until.ts';

const connections = 64;
const seconds = 10;
const login = JSON.stringify({ username: 'alice', password: 'correct horse', remember: 'on' });
const attack = JSON.stringify({ username: "' OR 1=1 --", password: 'x' });
const long = JSON.stringify({ note: 'It was a bright cold day in April. '.repeat(800) });

test('under load from 64 connections every request gets its own right answer', async (t) => {
  const served = await startServing(t, tempDir(), ['serve']);
  const made = await runCli(['keys', 'create', '--name', 'load', '--data-dir', 'd'], served);
  const headers = { 'content-type': 'application/json', 'x-api-key': made.out.trimEnd() };
  await until('the key is known', async () => {
    const answer = await fetch(`${served.address}/control`, {
      method: 'POST',
      headers,
      body: '{}',
    });
    return answer.status === 200;
  });

  const wrong: string[] = [];
  const expecting = (body: string, status: number): autocannon.Request => ({
    method: 'POST',
    path: '/control',
    headers,
    body,
    onResponse: (got) => {
      if (got !== status) wrong.push(`${got} instead of ${status}`);
    },
  });
  const result = await autocannon({
    url: served.address,
    connections,
    duration: seconds,
    requests: [expecting(login, 200), expecting(attack, 403), expecting(long, 200)],
  });

  assert.deepEqual(wrong.slice(0, 5), []);
  assert.equal(result.errors, 0);
  assert.equal(result.timeouts, 0);
  assert.equal(result.mismatches, 0);
  assert.ok(result['2xx'] > connections, `only ${result['2xx']} answers`);
  assert.equal(result.non2xx, result['4xx']);
  // What is still in flight when the time is up is not answered any more: one for each connection.
  const answered = result['2xx'] + result.non2xx;
  assert.ok(result.requests.sent - answered <= connections, `${result.requests.sent} sent`);
  t.diagnostic(`${answered} answers in ${result.duration} s`);

  served.child.kill('SIGTERM');
  assert.equal(await served.ended, 0);
});
