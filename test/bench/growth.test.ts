import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isWithinTargets, judgeGrowth, measureGrowth } from '../../bench/engine/growth.ts';

const sizes = Array.from({ length: 11 }, (_, index) => 1_000 * 2 ** index);
/** As much work in a millisecond makes 20 MB/s of one step a character. */
const stepsInMs = 20_000;

/** Measures a function that counts its own steps: the clock of a machine without any noise. */
function measureSteps(
  stepsFor: (size: number) => number,
  slowness: (steps: number, size: number) => number = () => 1,
) {
  let steps = 0;
  const run = (index: number) => {
    const size = sizes[index] ?? 0;
    steps += stepsFor(size) * slowness(steps, size);
  };
  const clock = () => steps / stepsInMs;
  return measureGrowth({ run, sizes, clock, cellMs: 4, rounds: 2, doubtMs: 1_000 });
}

/** Steps that a search takes that starts over at each `(`, because no `)` follows. */
function stepsOfNaiveSearch(text: string): number {
  let steps = 0;
  for (let open = text.indexOf('('); open >= 0; open = text.indexOf('(', open + 1)) {
    for (let at = open; at < text.length && text[at] !== ')'; at += 1) steps += 1;
  }
  return steps;
}

/** Slow for a while, and then not: others on the machine. The same in each run of the test. */
function disturbances(): (steps: number) => number {
  let state = 1;
  const random = () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  let until = 0;
  let factor = 1;
  return (steps) => {
    if (steps < until) return factor;
    until = steps + random() * 20 * stepsInMs;
    factor = random() < 0.3 ? 3 : 1 + random() / 20;
    return factor;
  };
}

/** A compiler that forgets what a size of 2,000 needs whenever the longest text was read. */
function forgetfulness(): (steps: number, size: number) => number {
  let since = 0;
  return (_, size) => {
    since = size === sizes.at(-1) ? 0 : since + 1;
    return size === 2_000 && since < 1_000 ? 5 : 1;
  };
}

/** The first times of a size are better than any later one. */
function beginnersLuck(): (steps: number, size: number) => number {
  return (steps, size) => (size === 64_000 && steps < 600 * stepsInMs ? 0.7 : 1);
}

describe('the doubling benchmark', () => {
  it('passes what is linear, at its speed', () => {
    const growth = measureSteps((size) => size);
    assert.ok(isWithinTargets(growth), JSON.stringify(growth));
    assert.ok(Math.abs(growth.fitted - 2) < 0.01);
    assert.ok(Math.abs(growth.mbPerSecond - 20) < 0.1);
  });

  it('passes what is linear on a machine that often takes thrice the time', () => {
    const growth = measureSteps((size) => size, disturbances());
    assert.ok(isWithinTargets(growth), JSON.stringify(growth));
  });

  it('passes what is linear where each long text makes a short one slow', () => {
    const growth = measureSteps((size) => size, forgetfulness());
    assert.ok(isWithinTargets(growth), JSON.stringify(growth));
  });

  it('passes what is linear where one size was lucky once', () => {
    const growth = measureSteps((size) => size, beginnersLuck());
    assert.ok(isWithinTargets(growth), JSON.stringify(growth));
  });

  it('fails a single step, however often it is measured again', () => {
    const growth = measureSteps((size) => (size > 4_000 ? size / 2 : size / 3), disturbances());
    assert.ok(growth.worstStep > 2.8 && growth.worstFrom === 4_000, JSON.stringify(growth));
    assert.ok(!isWithinTargets(growth));
  });

  it('fails a search that is quadratic', () => {
    const small = sizes.slice(0, 4);
    let steps = 0;
    const growth = measureGrowth({
      run: (index) => {
        steps += stepsOfNaiveSearch('('.repeat((small[index] ?? 0) / 10));
      },
      sizes: small,
      // Fast enough: it is the growth that must fail.
      clock: () => steps / 1e9,
      cellMs: 0,
      rounds: 1,
      doubtMs: 0,
    });
    assert.ok(growth.worstStep > 3.5 && growth.fitted > 3.5, JSON.stringify(growth));
    assert.ok(growth.mbPerSecond > 10);
    assert.ok(!isWithinTargets(growth));
  });

  it('fails a small quadratic part that shows in long texts only', () => {
    const growth = measureSteps((size) => size / 2 + (size * size) / 2_000_000);
    assert.ok(growth.mbPerSecond > 10 && growth.worstStep > 2.2, JSON.stringify(growth));
    assert.equal(growth.worstFrom, 512_000);
    assert.ok(!isWithinTargets(growth));
  });

  it('fails what is slow, however linear', () => {
    const growth = measureSteps((size) => 3 * size);
    assert.ok(!isWithinTargets(growth));
    assert.ok(Math.abs(growth.mbPerSecond - 20 / 3) < 0.1);
  });

  it('fails a step that the line through all sizes hides', () => {
    const ms = sizes.map((size) => (size > 64_000 ? size / 10_000 : size / 16_000));
    const growth = judgeGrowth(ms, sizes);
    assert.ok(growth.fitted < 2.2 && !isWithinTargets(growth));
    assert.equal(growth.worstFrom, 64_000);
  });
});
