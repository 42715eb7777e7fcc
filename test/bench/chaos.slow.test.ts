import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { faults } from '../../bench/chaos/faults.ts';
import { scheduleOf } from '../../bench/chaos/schedule.ts';
import { tally, type Window } from '../../bench/chaos/tally.ts';
import type { Ended } from '../../bench/chaos/traffic.ts';
import { verdictOf } from '../../bench/chaos/verdicts.ts';
import type { BenchRecord } from '../../bench/lib/record.ts';
import { tempDir } from '../support/temp-dir.ts';

const ending = extname(import.meta.url);
const program = fileURLToPath(new URL(`../../bench/run${ending}`, import.meta.url));
const nodeFlags = process.execArgv.filter((flag) => !flag.startsWith('--test'));
const isWhole = process.env['SALLYPORT_TEST_ALL'] === '1';
const minutes = isWhole ? '2' : '0.5';

test('a service lives through faults: nothing wrong, nothing lost but by SIGKILL', () => {
  const folder = tempDir();
  const args = ['--only', 'chaos', '--minutes', minutes, '--out', folder];
  const run = spawnSync(process.execPath, [...nodeFlags, program, ...args], { encoding: 'utf8' });
  assert.equal(run.status, 0, run.stdout + run.stderr);
  const json = readdirSync(folder).find((name) => name.endsWith('.json')) ?? '';
  const record: BenchRecord = JSON.parse(readFileSync(join(folder, json), 'utf8'));
  const { measures = [], notes = [] } = record.parts.chaos ?? {};
  const medianOf = (name: string, input: RegExp) =>
    measures.find((one) => one.name === name && input.test(one.input))?.median;
  assert.equal(medianOf('wrong answers', /./), 0);
  assert.equal(medianOf('lost', /without SIGKILL/), 0);
  // CI may mount a disk; elsewhere that fault may be left out, and the report says so.
  if (isWhole) assert.ok(!notes.some((note) => note.startsWith('The disk was not filled')));
  assert.ok(notes.some((note) => /\(\d times\): \d+ requests/.test(note)));
});

describe('the schedule', () => {
  const drawn = (seed: number) => {
    const steps = scheduleOf(seed, 1_000);
    return Array.from({ length: 30 }, () => {
      const { fault, quietMs, random } = steps.next().value;
      return [fault.name, quietMs, random.next()];
    });
  };

  test('is the same for the same seed', () => {
    assert.deepEqual(drawn(7), drawn(7));
    assert.notDeepEqual(drawn(7), drawn(8));
  });

  test('has each fault before one comes again', () => {
    const names = drawn(7).map(([name]) => name);
    const once = new Set(names.slice(0, faults.length));
    assert.equal(once.size, faults.length);
  });
});

describe('a request may suffer only from a fault of its time', () => {
  const window: Window = { name: 'killed', allows: ['lost'], from: 100, to: 200 };
  const ended = (outcome: Ended['outcome'], sentAt: number, endedAt: number): Ended => ({
    outcome,
    sentAt,
    endedAt,
    detail: 'x',
  });
  const rows: readonly (readonly [what: string, ended: Ended, failures: number])[] = [
    ['a loss that the fault allows', ended('lost', 90, 110), 0],
    ['a loss before the fault', ended('lost', 50, 99), 1],
    ['a loss after the fault', ended('lost', 201, 230), 1],
    ['a loss at its last moment', ended('lost', 200, 230), 0],
    ['a wrong answer within it', ended('wrong', 110, 120), 1],
    ['a refusal that it does not allow', ended('refused', 110, 120), 1],
    ['a refusal outside, which costs goodput', ended('refused', 10, 20), 0],
    ['a refused connection outside', ended('unreachable', 10, 20), 1],
    ['a right answer', ended('good', 10, 20), 0],
  ];
  for (const [what, one, count] of rows) {
    test(what, () => assert.equal(tally([one], [window]).failures.length, count));
  }
});

describe('an answer is not right', () => {
  const allowed = '{"id":"1","decision":"allow","score":0}';
  const asked = { id: 'a', text: '{}', expect: 'allow' } as const;
  const headers = { 'x-request-id': 'a' };
  const rows: readonly (readonly [string, Parameters<typeof verdictOf>[2], RegExp])[] = [
    ['to another request', { status: 200, headers: {}, body: allowed }, /answered as/],
    ['with another status', { status: 403, headers, body: allowed }, /403 instead of 200/],
    ['without advice', { status: 503, headers, body: '{}' }, /without Retry-After/],
    ['when the verdict drifts', { status: 200, headers, body: '{"score":1}' }, /drifts/],
  ];
  for (const [what, answer, detail] of rows) {
    test(what, () => {
      const wanted = new Map<string, string>();
      const first = { status: 200, headers, body: allowed.replace('"1"', '"2"') };
      assert.equal(verdictOf(wanted, asked, first).outcome, 'good');
      assert.equal(verdictOf(wanted, asked, { ...first, body: allowed }).outcome, 'good');
      const { outcome, detail: said } = verdictOf(wanted, asked, answer);
      assert.equal(outcome, 'wrong');
      assert.match(said, detail);
    });
  }
});
