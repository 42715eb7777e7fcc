import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { ScanInput } from '../../src/contract/ports.ts';
import type { BatchKind, Sized } from '../../src/pool/fair-queue.ts';
import { ScreeningThread } from '../../src/pool/screening-thread.ts';
import { ThreadSet } from '../../src/pool/thread-set.ts';
import { Traffic } from '../../src/pool/traffic.ts';
import { memoryLog, scanInput } from '../support/scan-input.ts';

interface Item extends Sized {
  readonly input: ScanInput;
}

const workerFile = new URL('./fixture-worker.ts', import.meta.url);
const little = { requests: 1, bytes: 20 };

function itemOf(text: string): Item {
  const input = scanInput(text);
  return { input, owner: 'a', bytes: input.body.length, estimateMs: 10, kind: 'shared' as const };
}

async function startThreads(t: TestContext, count: number): Promise<ScreeningThread[]> {
  const starting: Promise<void>[] = [];
  const threads = Array.from({ length: count }, () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    starting.push(promise);
    const log = memoryLog();
    return new ScreeningThread({ workerFile, taskMsMax: 5_000, log, onStarted: resolve });
  });
  t.after(() => Promise.all(threads.map((thread) => thread.close())));
  await Promise.all(starting);
  return threads;
}

test('a few small requests wait for a thread that will be free in a moment', async (t) => {
  const set = new ThreadSet<Item>(await startThreads(t, 2), new Traffic());
  assert.equal(set.freeFor(little), 2);

  async function whileBusyWith(text: string, check: () => void): Promise<void> {
    const batch = [itemOf(text)];
    assert.equal(set.inWorkMs('shared', 50, 1), 0);
    const slot = set.take(batch, 'shared', 50);
    const { thread } = slot;
    const message = thread.desk.pack(batch.map(({ input }) => input));
    const run = thread.run('screenBatch', message);
    assert.equal(set.inWorkMs('shared', 53, 1), 7);
    assert.equal(set.inWorkMs('shared', 53, 2), 17, 'by the clock');
    assert.equal(set.inWorkMs('shared', 90, 2), 40, 'late: half done');
    check();
    await run;
    set.release(slot, batch);
    assert.equal(set.freeFor(little), 2);
  }

  await whileBusyWith('{"a":"@pause50"}', () => {
    assert.equal(set.freeFor(little), 0, 'a few');
    assert.equal(set.freeFor({ requests: 32, bytes: 640 }), 1, 'many');
    assert.equal(set.freeFor({ requests: 2, bytes: 20_000 }), 1, 'larger ones');
    assert.equal(set.free('large'), 1, 'a large one');
    set.tick(1);
    assert.equal(set.freeFor(little), 1, 'the moment is over');
  });
  await whileBusyWith(`{"a":"${'x'.repeat(20_000)}"}`, () => {
    assert.equal(set.freeFor(little), 1, 'the batch is not light');
  });
});

test('a stand-in is for what the only thread is not at work on', async (t) => {
  const [first, second] = await startThreads(t, 2);
  assert.ok(first !== undefined && second !== undefined);
  const set = new ThreadSet<Item>([first], new Traffic(), () => second);
  const running: Promise<unknown>[] = [];
  const begin = (kind: BatchKind) => {
    const batch = [itemOf('{"a":"@pause50"}')];
    const { thread } = set.take(batch, kind, 0);
    running.push(thread.run('screenBatch', thread.desk.pack(batch.map(({ input }) => input))));
  };
  const free = () => [set.free('shared'), set.free('heavy'), set.free('large')];
  const waits = () => [set.inWorkMs('shared', 3, 1), set.inWorkMs('large', 3, 1)];
  assert.deepEqual(free(), [1, 1, 1]);
  set.take([], 'large', 0);
  assert.equal(set.slots.length, 1, 'none is started for what can wait');
  begin('heavy');
  assert.deepEqual([set.slots.length, free()], [2, [1, 0, 0]]);
  begin('shared');
  assert.deepEqual(
    [free(), waits()],
    [
      [0, 0, 0],
      [7, 7],
    ],
  );
  assert.deepEqual([set.workersFor('shared'), set.workersFor('large')], [1, 1]);
  await Promise.all(running);
  begin('large');
  assert.deepEqual(free(), [1, 0, 0], 'only one long request at a time');
  await Promise.all(running);
});

test('heavy requests leave a thread free while light ones come, large ones always', async (t) => {
  const traffic = new Traffic();
  const set = new ThreadSet<Item>(await startThreads(t, 3), traffic);
  const running: Promise<unknown>[] = [];
  const begin = (kind: BatchKind) => {
    const batch = [itemOf('{"a":"@pause100"}')];
    const { thread } = set.take(batch, kind, 0);
    running.push(thread.run('screenBatch', thread.desk.pack(batch.map(({ input }) => input))));
  };
  const free = () => [set.free('shared'), set.free('heavy'), set.free('large')];
  const workers = () => [
    set.workersFor('shared'),
    set.workersFor('heavy'),
    set.workersFor('large'),
  ];
  assert.deepEqual(
    [free(), workers()],
    [
      [3, 3, 2],
      [3, 3, 2],
    ],
  );
  traffic.came('heavy', 1);
  assert.deepEqual(free(), [3, 3, 2]);
  traffic.came('shared', 1);
  assert.deepEqual(
    [free(), workers()],
    [
      [3, 2, 2],
      [3, 2, 2],
    ],
  );
  begin('heavy');
  assert.deepEqual(free(), [2, 1, 1]);
  begin('large');
  assert.deepEqual(
    [free(), workers()],
    [
      [1, 0, 0],
      [1, 2, 2],
    ],
  );
  traffic.tick(99);
  assert.deepEqual(free(), [1, 0, 0]);
  traffic.tick(1);
  assert.deepEqual(free(), [1, 1, 0], 'no light request has come for 100 ms');
  begin('heavy');
  traffic.came('shared', 1);
  assert.deepEqual(free(), [0, 0, 0]);
  await Promise.all(running);
});
