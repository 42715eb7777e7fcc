import assert from 'node:assert/strict';
import { test } from 'node:test';
import { processFamilies } from '../../../src/telemetry/metrics/process-families.ts';

/** What a process says of itself needs nothing else. */
const noParts = undefined as never;

test('the start of the process is reported in seconds since 1970', () => {
  const family = processFamilies().find(({ name }) => name === 'process_start_time_seconds');
  const [sample] = family?.read(noParts) ?? [];
  const startedAt = Date.now() / 1_000 - process.uptime();
  assert.ok(Math.abs((sample?.value ?? 0) - startedAt) < 60, `${sample?.value}`);
});
