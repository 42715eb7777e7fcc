import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ticksOf } from '../../src/dashboard/web/ui/ticks.ts';

const hour = 3_600_000;
/** As the reader's clock says, whatever the zone. */
const local = (day: number, hours = 0, minutes = 0) =>
  new Date(2026, 10, day, hours, minutes).getTime();
const named = (from: number, stepMs: number, length: number, byDay: boolean) =>
  ticksOf({ from, stepMs, length }, byDay).map((step) => new Date(from + step * stepMs));

test('an axis of days names steps where days begin, none of them twice', () => {
  const days = named(local(19, 6), 2 * hour, 84, true);
  assert.ok(days.length >= 3 && days.length <= 6);
  for (const day of days.slice(1)) assert.equal(day.getHours(), 0);
  assert.equal(new Set(days.map((day) => day.getDate())).size, days.length);
});

test('an axis of hours names round hours', () => {
  const hours = named(local(19, 6, 45), hour / 4, 96, false);
  assert.deepEqual(
    hours.map((one) => [one.getHours(), one.getMinutes()]),
    [8, 12, 16, 20, 0, 4].map((one) => [one, 0]),
  );
});

test('few steps are named each, and there are never many names', () => {
  assert.deepEqual(ticksOf({ from: local(19), stepMs: 60_000, length: 3 }, false), [0, 1, 2]);
  for (let length = 1; length < 400; length += 7) {
    for (const minutes of [1, 5, 15, 60, 120, 480, 1_440]) {
      const steps = { from: local(3, 5, 10), stepMs: minutes * 60_000, length };
      assert.ok(ticksOf(steps, length * minutes > 2_880).length <= 7);
    }
  }
});
