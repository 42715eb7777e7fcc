import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { answers } from '../../../src/contract/live.ts';
import { LatencyHistogram } from '../../../src/telemetry/metrics/latency-histogram.ts';
import { startLiveStats } from '../../../src/telemetry/metrics/live-stats.ts';

test('a quantile is the true one or at most 4 % above it', () => {
  const times = fc.array(fc.double({ min: 0.001, max: 15_000, noNaN: true }), { minLength: 1 });
  const share = fc.constantFrom(0.01, 0.5, 0.95, 0.99, 1);
  fc.assert(
    fc.property(times, share, (all, wanted) => {
      const histogram = new LatencyHistogram();
      for (const time of all) histogram.add(time);
      const sorted = all.toSorted((a, b) => a - b);
      const exact = sorted[Math.ceil(wanted * all.length) - 1] ?? 0;
      const told = histogram.quantile(wanted);
      assert.ok(told >= exact * 0.999 - 0.001 && told <= exact * 1.04 + 0.002, `${told} ${exact}`);
    }),
  );
});

test('times out of range are counted at its ends', () => {
  const histogram = new LatencyHistogram();
  for (const time of [-1, 0, 1e9]) histogram.add(time);
  assert.ok(histogram.quantile(0.5) < 0.01);
  assert.ok(histogram.quantile(1) > 16_000);
  histogram.clear();
  assert.equal(histogram.quantile(0.5), 0);
});

test('what is merged counts as if it had been added here', () => {
  const [one, other] = [new LatencyHistogram(), new LatencyHistogram()];
  one.add(1_000);
  for (const time of [0, 0]) other.add(time);
  one.merge(other);
  assert.ok(one.quantile(0.6) < 0.01);
  assert.ok(one.quantile(1) > 990);
});

test('the latest latencies are reported by their quantiles', (t) => {
  const stats = startLiveStats(() => 0);
  t.after(() => stats.close());
  for (let time = 1; time <= 99; time += 1) stats.answered(answers.allow, time);
  stats.answered(answers.allow, 5_000);
  const { p50Ms, p95Ms, p99Ms } = stats.snapshot().latency;
  const rounded = [p50Ms, p95Ms, p99Ms].map((ms) => Math.floor(ms / 5) * 5);
  assert.deepEqual(rounded, [50, 95, 100]);
});

test('steps of ten seconds fill, move on and are forgotten after an hour', (t) => {
  let now = Date.parse('2030-01-01T00:00:00Z');
  const stats = startLiveStats(() => now);
  t.after(() => stats.close());
  stats.answered(answers.allow, 1);
  stats.answered(answers.block, 2);
  stats.categorised('xss');
  now += 10_000;
  // Each look moves on, as the tick of each second does.
  stats.snapshot();
  stats.answered(answers.allow, 100);
  let { series, decisions } = stats.history();
  assert.deepEqual(series.requests.slice(-2), [2, 1]);
  assert.deepEqual(series.blocked.slice(-2), [1, 0]);
  assert.ok((series.p99Ms.at(-1) ?? 0) >= 100 && (series.p99Ms.at(-2) ?? 0) < 3);
  assert.equal(Date.parse(series.from), now - 359 * 10_000);
  assert.equal(decisions.allow, 2);
  assert.deepEqual(stats.snapshot().categories, { xss: 1 });

  now += 3_590_000;
  ({ series, decisions } = stats.history());
  assert.equal(decisions.allow, 1, 'the first step is gone');
  assert.equal(series.requests[0], 1);
  assert.equal(stats.snapshot().latency.p99Ms, 0, 'latency is of the last minute');
  now += 36_000_000;
  assert.equal(stats.history().decisions.allow, 0);
});

test('latency is that of the step that is open and of the six before it', (t) => {
  let now = 0;
  const stats = startLiveStats(() => now);
  t.after(() => stats.close());
  stats.answered(answers.allow, 100);
  for (const [seconds, isKept] of [
    [60, true],
    [69, true],
    [70, false],
  ] as const) {
    now = seconds * 1_000;
    assert.equal(stats.snapshot().latency.p99Ms >= 100, isKept, `after ${seconds} seconds`);
  }
});

test('traffic is taken once', (t) => {
  const stats = startLiveStats(() => 0);
  t.after(() => stats.close());
  stats.answered(answers.block, 1);
  stats.answered(answers.rejected, 1);
  assert.deepEqual(stats.takeTraffic(), { requests: 2, blocked: 1, wouldBlock: 0 });
  assert.deepEqual(stats.takeTraffic(), { requests: 0, blocked: 0, wouldBlock: 0 });
});

test('listeners are bounded, and one that left makes room', (t) => {
  const stats = startLiveStats(() => 0);
  t.after(() => stats.close());
  const listener = { onStats: () => undefined, onBlock: () => undefined };
  const leaving = Array.from({ length: 64 }, () => stats.listen({ ...listener }));
  assert.equal(stats.listen(listener), undefined);
  leaving[0]?.();
  assert.ok(stats.listen(listener));
});
