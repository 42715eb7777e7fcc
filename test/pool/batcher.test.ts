import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Batcher } from '../../src/pool/batcher.ts';
import type { BatchKind, Queued } from '../../src/pool/fair-queue.ts';
import { Traffic } from '../../src/pool/traffic.ts';

interface Item extends Queued {
  readonly name: string;
}

/** A batcher with hand-driven workers and a hand-driven end of turn. */
function bench(bounds: { free?: number; aloneMax?: number; handOverMs?: number } = {}) {
  const traffic = new Traffic();
  const sent: string[] = [];
  const turns: (() => void)[] = [];
  const workers = { free: bounds.free ?? 1, aloneFree: bounds.aloneMax ?? 1 };
  const batcher = new Batcher<Item>({
    countMax: 4,
    bytesMax: 100_000,
    workMsMax: 5,
    rivalWorkMsMax: 2,
    ageMs: 1,
    traffic,
    handOverMs: () => bounds.handOverMs ?? 0,
    freeWorkers: (kind) =>
      kind === 'shared' ? workers.free : Math.min(workers.free, workers.aloneFree),
    dispatch: (batch, kind) => {
      workers.free -= 1;
      if (kind !== 'shared') workers.aloneFree -= 1;
      sent.push(`${kind}:${batch.map(({ name }) => name).join('')}`);
    },
    atEndOfTurn: (callback) => turns.push(callback),
  });
  return {
    batcher,
    traffic,
    sent,
    workers,
    add(name: string, { now = 0, ...given }: Partial<Queued> & { now?: number } = {}) {
      const item = { bytes: 10, kind: 'shared', owner: 'a', estimateMs: 0.001 } as const;
      batcher.add({ name, ...item, since: now, ...given });
    },
    endTurn() {
      for (const callback of turns.splice(0)) callback();
    },
    free() {
      workers.free += 1;
      batcher.workerFreed();
    },
  };
}

describe('batcher', () => {
  it('sends what arrived in one turn as one batch at its end', () => {
    const b = bench();
    b.add('a');
    b.add('b');
    assert.deepEqual([b.sent, b.batcher.state], [[], 'open']);
    b.endTurn();
    assert.deepEqual([b.sent, b.batcher.state], [['shared:ab'], 'empty']);
  });

  it('asks for the end of a turn once only', () => {
    const b = bench({ free: 3 });
    for (const name of 'abcde') b.add(name);
    assert.deepEqual(b.sent, ['shared:abcd']);
    b.endTurn();
    assert.deepEqual(b.sent, ['shared:abcd', 'shared:e']);
    b.endTurn();
    assert.deepEqual([b.sent.length, b.batcher.state], [2, 'empty']);
  });

  it('sends early when the count is reached', () => {
    const b = bench();
    for (const name of 'abcd') b.add(name);
    assert.deepEqual(b.sent, ['shared:abcd']);
  });

  it('sends early when the bytes are reached, and never more bytes than allowed', () => {
    const b = bench({ free: 2 });
    b.add('a', { bytes: 60_000 });
    b.add('b', { bytes: 60_000 });
    assert.deepEqual(b.sent, ['shared:a', 'shared:b']);
    const one = bench({ free: 1 });
    one.add('a', { bytes: 90_000 });
    one.add('b', { bytes: 20_000 });
    assert.deepEqual(one.sent, ['shared:a']);
    one.free();
    assert.deepEqual(one.sent, ['shared:a', 'shared:b']);
  });

  it('sends early when the turn is a long one', () => {
    const b = bench();
    b.add('a', { now: 5 });
    b.add('b', { now: 5.9 });
    assert.deepEqual(b.sent, []);
    b.add('c', { now: 6 });
    assert.deepEqual(b.sent, ['shared:abc']);
  });

  it('grows the batch while all workers are busy', () => {
    const b = bench({ free: 0 });
    b.add('a');
    b.endTurn();
    assert.equal(b.batcher.state, 'blocked');
    for (const name of 'bcdef') b.add(name);
    b.endTurn();
    assert.deepEqual(b.sent, []);
    b.free();
    assert.deepEqual(b.sent, ['shared:abcd']);
    b.free();
    assert.deepEqual([b.sent, b.batcher.state], [['shared:abcd', 'shared:ef'], 'empty']);
  });

  it('keeps arrival order over many batches', () => {
    const b = bench({ free: 0 });
    const names = Array.from({ length: 5_000 }, (_, index) => String(index));
    for (const name of names) b.add(name);
    b.endTurn();
    while (b.batcher.state === 'blocked') b.free();
    assert.equal(b.sent.length, 1_250);
    const batches = names.map((name, index) => (index % 4 === 0 ? `,shared:${name}` : name));
    assert.equal(b.sent.join(','), batches.join('').slice(1));
  });

  it('sends large bodies alone, after the small ones of their owner', () => {
    const b = bench({ free: 3, aloneMax: 2 });
    b.add('a');
    b.add('L', { kind: 'large' });
    b.add('b');
    b.endTurn();
    assert.deepEqual(b.sent, ['shared:ab', 'large:L']);
    const old = bench({ free: 1 });
    old.add('L', { kind: 'large' });
    old.add('a');
    old.endTurn();
    assert.deepEqual(old.sent, ['shared:a']);
    old.free();
    assert.deepEqual(old.sent, ['shared:a', 'large:L']);
  });

  it('lets small requests pass large ones that may not have another worker', () => {
    const b = bench({ free: 3, aloneMax: 1 });
    b.add('L', { kind: 'large' });
    b.add('M', { kind: 'large' });
    b.add('a');
    b.endTurn();
    assert.deepEqual([b.sent, b.batcher.state], [['shared:a', 'large:L'], 'blocked']);
    b.add('b');
    b.add('N', { kind: 'large' });
    assert.deepEqual([b.sent.length, b.batcher.state], [2, 'open']);
    b.endTurn();
    assert.deepEqual([b.sent.slice(2), b.batcher.state], [['shared:b'], 'blocked']);
    b.workers.aloneFree += 1;
    b.free();
    assert.deepEqual(b.sent.slice(3), ['large:M']);
  });

  it('shares heavy work out over the free workers, but not light work', () => {
    const heavy = bench({ free: 2 });
    for (const name of 'abc') heavy.add(name, { bytes: 20_000 });
    heavy.endTurn();
    assert.deepEqual(heavy.sent, ['shared:a', 'shared:bc']);
    const light = bench({ free: 2 });
    for (const name of 'abc') light.add(name);
    light.endTurn();
    assert.deepEqual(light.sent, ['shared:abc']);
  });

  it('makes batches shorter while several owners want the workers', () => {
    const b = bench({ free: 0 });
    const flood = () => {
      for (const name of 'abcdef') b.add(name, { estimateMs: 1 });
    };
    flood();
    b.endTurn();
    b.free();
    assert.deepEqual(b.sent, ['shared:abcd'], 'one owner fills them');
    b.add('s', { owner: 'seldom', estimateMs: 1 });
    b.free();
    assert.deepEqual(b.sent.slice(1), ['shared:s'], 'a new owner comes first');
    flood();
    b.free();
    b.free();
    assert.deepEqual(b.sent.slice(2), ['shared:ef', 'shared:ab']);
    b.traffic.tick(100);
    b.free();
    assert.deepEqual(b.sent.slice(4), ['shared:cdef']);
  });

  it('makes batches longer where it takes long to hand one over', () => {
    const b = bench({ free: 0, handOverMs: 2 });
    for (const name of 'abcdefgh') b.add(name, { estimateMs: 4 });
    b.free();
    assert.deepEqual(b.sent, ['shared:abcd'], 'eight times as much work, above the usual 5 ms');
    b.add('x', { owner: 'b', estimateMs: 4 });
    b.free();
    b.free();
    assert.deepEqual(b.sent.slice(1), ['shared:x', 'shared:e'], 'two owners: 6.4 ms');
  });

  it('fills a longer batch with small requests', () => {
    const b = bench({ free: 0, handOverMs: 0.25 });
    for (let index = 0; index < 10; index += 1) b.add(String(index));
    b.free();
    assert.deepEqual(b.sent, ['shared:01234567']);
  });

  it('sends returned requests one by one, before all others', () => {
    const b = bench({ free: 0, aloneMax: 9 });
    b.add('L', { kind: 'large' });
    b.add('c');
    b.endTurn();
    const returned = ['x', 'y'].map((name) => ({ name, bytes: 1, estimateMs: 1, since: 0 }));
    const kind: BatchKind = 'large';
    b.batcher.addFirst(returned.map((item) => ({ ...item, owner: 'a', kind })));
    while (b.batcher.state !== 'empty') b.free();
    assert.deepEqual(b.sent, ['large:x', 'large:y', 'shared:c', 'large:L']);
  });

  it('gives up waiting requests on demand and counts their bytes no longer', () => {
    const b = bench({ free: 0 });
    b.add('a', { bytes: 50_000 });
    b.add('L', { kind: 'large' });
    b.endTurn();
    assert.deepEqual(
      b.batcher.remove(() => true).map(({ name }) => name),
      ['a', 'L'],
    );
    assert.equal(b.batcher.state, 'empty');
    b.workers.free = 1;
    b.add('b', { bytes: 60_000 });
    assert.deepEqual(b.sent, []);
    b.endTurn();
    assert.deepEqual(b.sent, ['shared:b']);
  });
});
