import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DurationHistogram } from '../../../src/telemetry/metrics/duration-histogram.ts';

test('buckets hold what does not exceed their bound, whatever the times', () => {
  const bound = fc.constantFrom(0.001, 0.002, 0.005, 0.01, 0.05, 1, 2, 5, 100, 1_000, 5_000);
  const time = fc.oneof(bound, fc.double({ min: 0, max: 20_000, noNaN: true }));
  const range = fc.constantFrom(
    { fromUs: 1, toUs: 5_000_000 },
    { fromUs: 50, toUs: 10_000_000 },
    { fromUs: 2, toUs: 20 },
  );
  fc.assert(
    fc.property(range, fc.array(time), (bounds, times) => {
      const histogram = new DurationHistogram(bounds);
      for (const ms of times) histogram.add(ms);
      const expected = histogram.bounds.map(
        (seconds) => times.filter((ms) => ms * 1_000 <= Math.round(seconds * 1e6)).length,
      );
      assert.deepEqual(histogram.atMost, expected);
      assert.equal(histogram.count, times.length);
      const sum = times.reduce((all, ms) => all + ms, 0) / 1_000;
      assert.ok(Math.abs(histogram.sumSeconds - sum) < 1e-6);
    }),
  );
});

test('bounds are round and within the range', () => {
  const { bounds } = new DurationHistogram({ fromUs: 50, toUs: 2_000 });
  assert.deepEqual(bounds, [0.00005, 0.0001, 0.0002, 0.0005, 0.001, 0.002]);
});
