import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultPolicy } from '../../src/contract/policy.ts';
import { ClientReportCounts } from '../../src/telemetry/metrics/client-reports.ts';
import { checkAnswer, checkProblem, exchange, serve } from './test-server.ts';

const ask = (key: string, method = 'GET') =>
  `${method} /control HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${key}\r\n\r\n`;

const report = (body: string, key = 'good-key') =>
  `POST /control/report HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${key}\r\n` +
  `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

test('a key is told its policy, and whether it blocks; nothing is counted', async (t) => {
  const counted: number[] = [];
  const to = await serve(t, {
    version: '1.2.3',
    policyNameOf: (id) => `the name of ${id}`,
    decisions: {
      answered: (kind) => counted.push(kind),
      listed: () => undefined,
      screenedInPart: () => undefined,
      keyRefused: () => undefined,
      blocked: () => undefined,
    },
  });
  to.keys.policies.set('monitor-key', { ...defaultPolicy, mode: 'monitor' });
  for (const [key, mode] of [
    ['good-key', 'block'],
    ['monitor-key', 'monitor'],
  ] as const) {
    const answer = await exchange(to, ask(key));
    const expected = { policy: 'the name of default', policyVersion: 1, mode, version: '1.2.3' };
    assert.deepEqual(checkAnswer(answer, 200), expected);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
  }
  assert.equal((await exchange(to, ask('good-key', 'HEAD'))).status, 200);
  checkProblem(await exchange(to, ask('bad-key')), 401, 'key-not-valid');
  assert.deepEqual([counted, to.scanner.inputs], [[], []]);
});

test('a report is added up for its key, by reason', async (t) => {
  const clientReports = new ClientReportCounts(Date.now);
  const to = await serve(t, { clientReports });
  const first = await exchange(to, report('{"passed":{"timeout":2},"inline":{"key-refused":3}}'));
  assert.deepEqual([first.status, first.body], [204, '']);
  assert.equal((await exchange(to, report('{"passed":{"timeout":40}}'))).status, 204);
  assert.equal((await exchange(to, report('{}'))).status, 204);
  const [seen, ...others] = clientReports.lastHour();
  assert.deepEqual(others, []);
  assert.deepEqual(seen?.passed, { timeout: 42 });
  assert.deepEqual(seen?.inline, { 'key-refused': 3 });
  assert.equal(seen?.keyId, 'Abc12345');
  assert.equal(new Map(clientReports.passed.entries()).get('timeout'), 42);
});

test('what is no report is refused, with the place of the fault', async (t) => {
  const clientReports = new ClientReportCounts(Date.now);
  const to = await serve(t, { clientReports });
  const refused = async (body: string) => {
    const answer = checkAnswer(await exchange(to, report(body)), 422);
    return (answer['errors'] as { pointer: string }[]).map(({ pointer }) => pointer);
  };
  assert.deepEqual(await refused('{"passed":{"boredom":1}}'), ['/passed/boredom']);
  assert.deepEqual(await refused('{"passed":{"timeout":0}}'), ['/passed/timeout']);
  assert.deepEqual(await refused('{"passed":{"timeout":1000001}}'), ['/passed/timeout']);
  assert.deepEqual(await refused('{"passed":{"timeout":"1"}}'), ['/passed/timeout']);
  assert.deepEqual(await refused('{"other":{}}'), ['/other']);
  assert.deepEqual(await refused('{"passed":{"__proto__":1}}'), ['/passed/__proto__']);
  checkProblem(await exchange(to, report('[]')), 422, 'body-not-object');
  checkProblem(await exchange(to, report('{')), 400, 'body-not-json');
  checkProblem(await exchange(to, report('{}', 'bad-key')), 401, 'key-not-valid');
  checkProblem(await exchange(to, report(' '.repeat(4_097))), 413, 'body-too-large');
  assert.deepEqual(clientReports.lastHour(), []);
});

test('the last hour ends after an hour', () => {
  let now = 1_800_000_000_000;
  const counts = new ClientReportCounts(() => now);
  counts.reported('a', { passed: { timeout: 1 } });
  now += 30 * 60_000;
  counts.reported('a', { passed: { timeout: 10 } });
  counts.reported('b', { inline: { unreachable: 5 } });
  assert.deepEqual(
    counts.lastHour().map(({ keyId, passed }) => [keyId, passed]),
    [
      ['a', { timeout: 11 }],
      ['b', {}],
    ],
  );
  now += 31 * 60_000;
  assert.deepEqual(counts.lastHour()[0]?.passed, { timeout: 10 });
  now += 30 * 60_000;
  assert.deepEqual(counts.lastHour(), []);
  assert.equal(new Map(counts.passed.entries()).get('timeout'), 11);
});
