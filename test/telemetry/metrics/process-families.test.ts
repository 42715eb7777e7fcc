import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { processFamilies } from '../../../src/telemetry/metrics/process-families.ts';

/** What a process says of itself needs nothing else. */
const noParts = undefined as never;

test('how late the thread was is reported in seconds, since the last time', async () => {
  const family = processFamilies().find(({ name }) => name.includes('loop_delay'));
  const most = () =>
    [...(family?.read(noParts) ?? [])].find(({ labels }) => labels?.['stat'] === 'max')?.value;
  await delay(50);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  await delay(50);
  const late = most() ?? -1;
  assert.ok(late > 0.1 && late < 60, `${late}`);
  assert.equal(most(), 0);
});

test('the start of the process is reported in seconds since 1970', () => {
  const family = processFamilies().find(({ name }) => name === 'process_start_time_seconds');
  const [sample] = family?.read(noParts) ?? [];
  const startedAt = Date.now() / 1_000 - process.uptime();
  assert.ok(Math.abs((sample?.value ?? 0) - startedAt) < 60, `${sample?.value}`);
});
