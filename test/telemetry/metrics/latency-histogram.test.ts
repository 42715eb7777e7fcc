import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LatencyHistogram } from '../../../src/telemetry/metrics/latency-histogram.ts';

/** Within the 3 % that a step is wide. */
function near(actual: number, wanted: number): void {
  assert.ok(actual >= wanted * 0.999 && actual <= wanted * 1.035, `${actual} for ${wanted}`);
}

test('without times a quantile is 0', () => {
  assert.equal(new LatencyHistogram().quantile(1), 0);
});

test('a time is reported within 3 %, from a tenth of a millisecond to seconds', () => {
  for (const ms of [0.1, 1, 9.99, 123, 4_567, 15_000]) {
    const histogram = new LatencyHistogram();
    histogram.add(ms);
    near(histogram.quantile(1), ms);
    near(histogram.quantile(0.01), ms);
  }
});

test('a share of the times lies at or below its quantile', () => {
  const [histogram, other] = [new LatencyHistogram(), new LatencyHistogram()];
  for (let ms = 1; ms <= 50; ms += 1) histogram.add(ms);
  for (let ms = 51; ms <= 100; ms += 1) other.add(ms);
  histogram.merge(other);
  for (const share of [0.1, 0.5, 0.9, 1]) near(histogram.quantile(share), share * 100);
  histogram.clear();
  assert.equal(histogram.quantile(0.5), 0);
  histogram.add(7);
  near(histogram.quantile(0.5), 7);
});
