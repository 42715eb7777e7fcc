import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Allowed, FairQueue, type Queued } from '../../src/pool/fair-queue.ts';

interface Item extends Queued {
  readonly name: string;
}

const all = { shared: true, heavy: true, large: true };
const wide = { count: 1_000, bytes: 1_000_000, ms: 1_000 };
/** One request in each batch. */
const single = { ...wide, count: 1 };

function item(owner: string, name: string, given: Partial<Queued> = {}): Item {
  return { owner, name, bytes: 100, estimateMs: 0.5, kind: 'shared' as const, since: 0, ...given };
}

function queueOf(...items: readonly Item[]): FairQueue<Item> {
  const queue = new FairQueue<Item>();
  for (const one of items) queue.add(one);
  return queue;
}

/** Takes batch after batch; each request takes what was estimated, or what `took` says. */
function namesOf(queue: FairQueue<Item>, bounds = single, took?: (item: Item) => number): string[] {
  const batches: string[] = [];
  for (;;) {
    const batch = queue.take(all, bounds);
    if (batch.length === 0) return batches;
    batches.push(batch.map(({ name }) => name).join(''));
    for (const one of batch) queue.done(one, took?.(one) ?? one.estimateMs);
  }
}

const times = (count: number, owner: string, given?: Partial<Queued>) =>
  Array.from({ length: count }, () => item(owner, owner, given));

describe('a fair queue', () => {
  it('gives requests of one owner in their order, in batches within the bounds', () => {
    const queue = queueOf(...'abcde'.split('').map((name) => item('x', name)));
    assert.deepEqual(namesOf(queue, { ...wide, count: 2 }), ['ab', 'cd', 'e']);
    const byMs = queueOf(...'abcde'.split('').map((name) => item('x', name)));
    assert.deepEqual(namesOf(byMs, { ...wide, ms: 1.5 }), ['abc', 'de']);
    const byBytes = queueOf(...'abcde'.split('').map((name) => item('x', name)));
    assert.deepEqual(namesOf(byBytes, { ...wide, bytes: 350 }), ['abc', 'de']);
  });

  it('takes the first of a batch whatever its size', () => {
    const queue = queueOf(item('x', 'a', { bytes: 9e9, estimateMs: 9e9 }));
    assert.deepEqual(namesOf(queue, { count: 1, bytes: 1, ms: 1 }), ['a']);
  });

  it('gives a new owner its whole time before the next', () => {
    const queue = queueOf(...times(4, 'x'), ...times(4, 'y'));
    assert.equal(namesOf(queue).join(''), 'xxyyxxyy');
  });

  it('shares the time, not the number of requests', () => {
    const queue = queueOf(
      ...times(40, 'H', { estimateMs: 2 }),
      ...times(400, 'l', { estimateMs: 0.2 }),
    );
    const order = namesOf(queue).slice(0, 110);
    const heavyMs = order.filter((name) => name === 'H').length * 2;
    const lightMs = order.filter((name) => name === 'l').length * 0.2;
    assert.ok(Math.abs(heavyMs - lightMs) <= 4, `${heavyMs} ms and ${lightMs} ms`);
  });

  it('charges what was measured, not what was estimated', () => {
    const queue = queueOf(...times(100, 'H'), ...times(400, 'l'));
    const order = namesOf(queue, single, ({ name }) => (name === 'H' ? 5 : 0.5)).slice(0, 110);
    const heavy = order.filter((name) => name === 'H').length;
    assert.ok(heavy >= 8 && heavy <= 13, `${heavy} heavy ones of 110, a tenth is fair`);
  });

  it('serves an owner that had nothing before those that wait in line', () => {
    const queue = queueOf(...times(50, 'f'));
    for (let index = 0; index < 5; index += 1) {
      for (const one of queue.take(all, single)) queue.done(one, 0.5);
    }
    queue.add(item('s', 's'));
    assert.deepEqual(
      queue.take(all, wide).map(({ name }) => name),
      ['s'],
      'in a batch of its own',
    );
  });

  it('does not take an owner for new while it has something at work', () => {
    const queue = queueOf(...times(9, 'f'), item('s', '1'));
    const [first] = queue.take(all, { ...wide, ms: 0.5 });
    assert.equal(first?.name, 'f');
    namesOf(queue, { ...wide, count: 3 });
    queue.add(item('g', 'g'));
    queue.add(item('f', 'f'));
    assert.deepEqual(namesOf(queue), ['g', 'f']);
  });

  it('gives small requests of an owner before its larger ones, and these a share', () => {
    const large = { bytes: 24_000, estimateMs: 1 };
    const few = queueOf(item('x', 'L', large), item('x', 'a'), item('x', 'b'));
    assert.deepEqual(namesOf(few), ['a', 'b', 'L']);
    const many = queueOf(...times(3, 'x', large), ...times(40, 'x'));
    const order = namesOf(many, single, undefined);
    assert.equal(order.length, 43);
    const waits = queueOf(item('x', 'L', large), ...times(40, 'x'));
    const at = namesOf(waits).indexOf('L');
    assert.ok(at >= 8 && at <= 12, `a fifth of the time is its: it came as number ${at}`);
  });

  it('passes over what may not go now', () => {
    const large = { bytes: 90_000, kind: 'large' as const };
    const heavy = { estimateMs: 9, kind: 'heavy' as const };
    const queue = queueOf(item('x', 'L', large), item('x', 'H', heavy), item('y', 'a'));
    const taken = (allowed: Allowed) => queue.take(allowed, wide).map(({ name }) => name);
    const shared = { shared: true, heavy: false, large: false };
    assert.deepEqual(taken(shared), ['a']);
    assert.deepEqual(taken(shared), []);
    assert.deepEqual([queue.waiting('heavy'), queue.waiting('large')], [1, 1]);
    assert.deepEqual(taken({ ...shared, large: true }), ['L']);
    assert.deepEqual(taken(all), ['H']);
    assert.equal(queue.size, 0);
  });

  it('puts nothing beside a request that travels alone', () => {
    const heavy = { kind: 'heavy' as const };
    const queue = queueOf(item('x', 'H', heavy), item('x', 'H', heavy), ...times(3, 'x'));
    assert.deepEqual(namesOf(queue, wide), ['xxx', 'H', 'H']);
  });

  it('keeps the turns of an owner whose requests travel alone', () => {
    const heavy = { kind: 'heavy' as const, estimateMs: 5 };
    const queue = queueOf(...times(20, 'H', heavy));
    const ms = { H: 0, l: 0 };
    for (let batch = 0; batch < 40; batch += 1) {
      for (let count = queue.size; count < 60; count += 1) queue.add(item('l', 'l'));
      for (const one of queue.take(all, { ...wide, ms: 2 })) {
        ms[one.name as 'H' | 'l'] += one.estimateMs;
        queue.done(one, one.estimateMs);
      }
    }
    assert.ok(Math.abs(ms.H - ms.l) <= 10, `${ms.H} ms and ${ms.l} ms`);
  });

  it('tells what goes before a request: of each other owner no more than of its own', () => {
    const queue = queueOf(...times(20, 'f'), ...times(2, 's'));
    const small = { bytes: 100, estimateMs: 0.5, kind: 'shared' as const };
    assert.equal(queue.aheadMs({ owner: 'f', ...small }), 10 + 1);
    assert.equal(queue.aheadMs({ owner: 's', ...small }), 1 + 1.5);
    assert.equal(queue.aheadMs({ owner: 'new', ...small }), 0.5 + 0.5);
    queue.add(item('s', 'L', { bytes: 24_000, estimateMs: 50 }));
    assert.equal(queue.aheadMs({ owner: 's', ...small }), 1 + 1.5, 'larger ones let it pass');
    assert.equal(queue.aheadMs({ owner: 's', ...small, bytes: 20_000 }), 51 + 10);
  });

  it('knows since when an owner has something waiting, and what it holds', () => {
    const queue = queueOf(item('x', 'a', { since: 10 }), item('x', 'b', { since: 30 }));
    assert.equal(queue.standingMs('x', 50), 40);
    assert.equal(queue.standingMs('y', 50), 0);
    assert.deepEqual(held(queue), [2, 200]);
    const taken = queue.take(all, wide);
    assert.equal(queue.standingMs('x', 50), 0);
    assert.deepEqual(held(queue), [2, 200], 'what is at work counts');
    for (const one of taken) queue.done(one, 1);
    assert.deepEqual(held(queue), [0, 0]);
  });

  it('forgets what is removed', () => {
    const queue = queueOf(
      ...times(3, 'x'),
      item('y', 'y'),
      item('x', 'L', { kind: 'large' as const }),
    );
    const gone = queue.remove(({ owner }) => owner === 'x');
    assert.equal(gone.length, 4);
    assert.deepEqual([queue.size, queue.sharedBytes, held(queue)], [1, 100, [0, 0]]);
    assert.equal(
      queue.aheadMs({ owner: 'z', bytes: 1, estimateMs: 9, kind: 'large' as const }),
      0.5,
    );
    assert.deepEqual(namesOf(queue), ['y']);
  });

  it('holds no debt against an owner that has come to rest', () => {
    const queue = queueOf(item('x', 'a'));
    namesOf(queue, single, () => 5_000);
    queue.add(item('x', 'b'));
    assert.deepEqual(namesOf(queue), ['b']);
  });
});

function held(queue: FairQueue<Item>): number[] {
  const { requests, bytes } = queue.heldBy('x');
  return [requests, bytes];
}
