import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CostModel } from '../../src/pool/cost-model.ts';

test('what was not measured is told by its bytes', () => {
  const costs = new CostModel();
  assert.ok(costs.estimateMs(0) > 0);
  assert.ok(costs.estimateMs(1_048_576) > 100 * costs.estimateMs(70));
});

test('the first measurement of a size counts whole, later ones move the average', () => {
  const costs = new CostModel();
  costs.learn({ bytes: 24_000, ms: 2 });
  assert.equal(costs.estimateMs(24_000), 2);
  assert.equal(costs.estimateMs(17_000), 2, 'the same class');
  assert.ok(costs.estimateMs(40_000) > 2, 'the next class has not been measured');
  costs.learn({ bytes: 24_000, ms: 18 });
  assert.equal(costs.estimateMs(24_000), 3);
  for (let index = 0; index < 100; index += 1) costs.learn({ bytes: 20_000, ms: 0.5 });
  assert.ok(costs.estimateMs(24_000) < 0.51, 'old ones are forgotten');
});

test('any size has a class', () => {
  const costs = new CostModel();
  for (const bytes of [0, 1, 2 ** 23, 2 ** 24, 2 ** 30]) {
    costs.learn({ bytes, ms: 7 });
    assert.equal(costs.estimateMs(bytes), 7);
  }
});
