import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { blend, costAt, lineThrough, predictRate } from '../../bench/http/capacity.ts';
import { svgOf } from '../../bench/lib/chart.ts';
import { readDecoderSamples } from '../../bench/lib/inputs.ts';
import { measure, reachesTarget, summarise } from '../../bench/lib/measure.ts';
import { readOptions } from '../../bench/lib/options.ts';
import { tableOf } from '../../bench/lib/table.ts';
import { decoders } from '../../src/core/normalise/registry.ts';

describe('a summary', () => {
  it('has the extremes of few repeats', () => {
    assert.deepEqual(summarise([30, 10, 20]), { median: 20, low: 10, high: 30, repeats: 3 });
  });

  it('has the quartiles of many', () => {
    const summary = summarise([9, 1, 8, 2, 7, 3, 6, 4, 5]);
    assert.deepEqual(summary, { median: 5, low: 3, high: 7, repeats: 9 });
  });

  it('cannot be made of nothing', () => {
    assert.throws(() => summarise([]), /allow more time/);
  });
});

describe('a target', () => {
  const label = { part: 'http', name: 'a', input: 'b', unit: 'ratio' } as const;
  const rows = [
    ['min', 0.85, 0.85, true],
    ['min', 0.85, 0.84, false],
    ['max', 2.2, 2.2, true],
    ['max', 2.2, 2.3, false],
  ] as const;
  for (const [kind, value, median, expected] of rows) {
    it(`${kind} ${value} is ${expected ? 'reached' : 'missed'} by ${median}`, () => {
      const one = measure({ ...label, target: { kind, value } }, [median]);
      assert.equal(reachesTarget(one), expected);
      assert.match(tableOf([one]), expected ? /reached/ : /missed/);
    });
  }
});

describe('the capacity model', () => {
  const small = { front: 10, screen: 5, load: 0 };
  const line = lineThrough(
    { bytes: 100, cost: small },
    { bytes: 1_100, cost: { front: 11, screen: 25, load: 0 } },
  );

  it('follows the line between what was measured', () => {
    assert.deepEqual(costAt(line, 100), small);
    assert.deepEqual(costAt(line, 600), { front: 10.5, screen: 15, load: 0 });
  });

  it('mixes attacks in', () => {
    const attack = { front: 30, screen: 45, load: 0 };
    assert.deepEqual(blend(small, attack, 0.25), { front: 15, screen: 15, load: 0 });
  });

  const bounds = [
    ['the front end', small, { cores: 8, fronts: 1, threads: 4 }, 100_000],
    ['two front ends', small, { cores: 8, fronts: 2, threads: 4 }, 200_000],
    ['the threads', { ...small, screen: 50 }, { cores: 8, fronts: 1, threads: 2 }, 40_000],
    ['the cores', { ...small, screen: 10 }, { cores: 1, fronts: 1, threads: 1 }, 50_000],
    ['the generator', { ...small, load: 20 }, { cores: 8, fronts: 1, threads: 1 }, 50_000],
  ] as const;
  for (const [bound, cost, on, expected] of bounds) {
    it(`is bound by ${bound}`, () => assert.equal(predictRate(cost, on), expected));
  }
});

describe('the options', () => {
  it('run everything for five minutes by default', () => {
    const { only, seconds, peers, smoke } = readOptions([]);
    assert.deepEqual([only.length, seconds, peers, smoke], [6, 300, undefined, false]);
  });

  it('refuse what makes no sense', () => {
    assert.throws(() => readOptions(['--seconds', 'x']), /a number from 1 up/);
    assert.throws(() => readOptions(['--only', 'engine,nothing']), /choose from/);
  });
});

describe('a chart', () => {
  it('draws values that are zero, alone, or all the same', () => {
    for (const yScale of ['linear', 'log'] as const) {
      for (const xScale of ['linear', 'log', 'nines'] as const) {
        for (const points of [
          [],
          [[0, 0]],
          [[5, 5]],
          [
            [1, 2],
            [2, 2],
          ],
        ] as const) {
          const series = [{ name: 'a <b>', points }];
          const axes = { title: 't', xLabel: 'x', yLabel: 'y', xScale, yScale };
          const svg = svgOf({ kind: 'line', ...axes, series });
          assert.doesNotMatch(svg, /NaN|Infinity|undefined/, `${xScale} ${yScale} ${points}`);
          assert.match(svg, /a &lt;b&gt;/);
        }
      }
    }
  });
});

describe('the samples of decoders', () => {
  it('are one for each decoder', () => {
    const names = decoders.map(({ name }) => name);
    assert.deepEqual(Object.keys(readDecoderSamples()).sort(), names.sort());
  });
});
