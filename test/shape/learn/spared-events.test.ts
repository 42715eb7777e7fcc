import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { RecentEvent } from '../../../src/contract/learnt-shape.ts';
import { readRequest } from '../../../src/core/extract/read-request.ts';
import { scoreOf } from '../../../src/core/verdict/verdict.ts';
import { eventEffectOf } from '../../../src/shape/learn/spared-events.ts';
import { id, shapeFrom, shopDocument } from '../shop.ts';

const core = { readRequest, scoreOf };
const shape = shapeFrom(shopDocument, { closed: true });

function eventAt(pointer: string, value: string, more: Partial<RecentEvent> = {}): RecentEvent {
  const finding = { pointer, where: 'value', category: 'sqli', score: 88, value } as const;
  return {
    ...{ method: 'GET', path: `/v1/orders/${id}`, contentType: '', threshold: 70 },
    ...{ verdict: 'open', findings: [finding], ...more },
  };
}

const order = { method: 'POST', path: '/v1/orders', contentType: 'application/json' };

it('an event in a closed value would have been spared', () => {
  const events: readonly RecentEvent[] = [
    eventAt('/query.tag', 'union', { verdict: 'false-positive' }),
    eventAt('/query.page', '7', { verdict: 'true-positive' }),
    eventAt('/body.items[0].sku', 'ABC-1', order),
    eventAt('/items/0/sku', 'ABC-1', { ...order, verdict: 'false-positive' }),
  ];
  assert.deepEqual(eventEffectOf(shape, { events, isComplete: true }, core), {
    ...{ seen: 4, isComplete: true, spared: 4 },
    ...{ falsePositives: 2, sparedFalsePositives: 2, sparedTruePositives: 1 },
  });
});

it('no other event is: free text, what is refused, what is not known, what else was found', () => {
  const [finding] = eventAt('/query.tag', 'union').findings;
  assert.ok(finding !== undefined);
  const { value: _, ...unknown } = finding;
  const events: readonly RecentEvent[] = [
    eventAt('/query.q', "' or 1=1 --", { verdict: 'false-positive' }),
    eventAt('/query.tag', "' or 1=1 --"),
    eventAt('/query.page', '0'),
    eventAt('/query.tag', 'union', { path: '/elsewhere' }),
    eventAt('/query.tag', 'union', { method: '', path: '' }),
    eventAt('/query.tag', '', { findings: [unknown] }),
    eventAt('/query.tag', '', { findings: [finding, { ...finding, pointer: '/query.q' }] }),
    eventAt('/query.tag', '', { findings: [] }),
  ];
  assert.deepEqual(eventEffectOf(shape, { events, isComplete: false }, core), {
    ...{ seen: 8, isComplete: false, spared: 0 },
    ...{ falsePositives: 1, sparedFalsePositives: 0, sparedTruePositives: 0 },
  });
  assert.equal(eventEffectOf(undefined, { events, isComplete: true }, core).spared, 0);
});
