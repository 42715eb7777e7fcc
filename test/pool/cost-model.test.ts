import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CostModel } from '../../src/pool/cost-model.ts';

function learnt(costs: CostModel, bytes: number, ms: number, times = 200): CostModel {
  for (let index = 0; index < times; index += 1) costs.learn({ bytes, ms });
  return costs;
}

const near = (actual: number, expected: number) =>
  assert.ok(Math.abs(actual - expected) < expected / 100, `${actual} for ${expected}`);

test('what was not measured is told by its bytes', () => {
  const costs = new CostModel();
  assert.ok(costs.estimateMs(0) > 0);
  assert.ok(costs.estimateMs(1_048_576) > 100 * costs.estimateMs(70));
});

test('what was measured holds for its size, and old measurements are forgotten', () => {
  const costs = learnt(new CostModel(), 24_000, 2);
  near(costs.estimateMs(24_000), 2);
  near(costs.estimateMs(17_000), 2);
  const next = new CostModel().estimateMs(40_000);
  assert.equal(costs.estimateMs(40_000), next, 'the next class has not been measured');
  near(learnt(costs, 20_000, 0.5).estimateMs(24_000), 0.5);
});

test('one thread that stood still makes no estimate useless', () => {
  const costs = learnt(new CostModel(), 70, 0.02);
  costs.learn({ bytes: 70, ms: 60_000 });
  assert.ok(costs.estimateMs(70) < 0.04);
  near(learnt(costs, 70, 60_000).estimateMs(70), 60_000);
});

test('any size has a class', () => {
  const costs = new CostModel();
  for (const bytes of [0, 1, 2 ** 23, 2 ** 24, 2 ** 30]) {
    near(learnt(costs, bytes, 7, 400).estimateMs(bytes), 7);
  }
});

test('what a batch takes beside its work is learnt, and a stall is not', () => {
  const costs = new CostModel();
  const learn = (workedMs: number, tookMs: number) => {
    for (let index = 0; index < 200; index += 1) costs.learnBatch({ workedMs, tookMs });
    return costs.handOverMs;
  };
  assert.equal(costs.handOverMs, 0);
  near(learn(0.1, 0.6), 0.5);
  near(learn(5, 8), 3);
  near(learn(5, 900), 5);
  assert.ok(learn(5, 4) < 0.001);
});

test('how much longer work takes by the clock is learnt from batches that are worth it', () => {
  const costs = new CostModel();
  const learn = (workedMs: number, tookMs: number) => {
    for (let index = 0; index < 200; index += 1) costs.learnBatch({ workedMs, tookMs });
    return costs.stretch;
  };
  assert.equal(learn(0.1, 9), 1);
  near(learn(5, 10), 2);
  near(learn(5, 500), 4);
  near(learn(5, 4), 1);
});
