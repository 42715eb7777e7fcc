import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ScanInput } from '../../src/contract/ports.ts';
import type { Sized } from '../../src/pool/fair-queue.ts';
import { ScreeningThread } from '../../src/pool/screening-thread.ts';
import { ThreadSet } from '../../src/pool/thread-set.ts';
import { memoryLog, scanInput } from '../support/scan-input.ts';

interface Item extends Sized {
  readonly input: ScanInput;
}

const workerFile = new URL('./fixture-worker.ts', import.meta.url);
const little = { requests: 1, bytes: 20 };

function itemOf(text: string): Item {
  const input = scanInput(text);
  return { input, owner: 'a', bytes: input.body.length, estimateMs: 10, isAlone: false };
}

test('a few small requests wait for a thread that will be free in a moment', async (t) => {
  const starting: Promise<void>[] = [];
  const threads = [1, 2].map(() => {
    const { promise, resolve } = Promise.withResolvers<void>();
    starting.push(promise);
    const log = memoryLog();
    return new ScreeningThread({ workerFile, taskMsMax: 5_000, log, onStarted: resolve });
  });
  t.after(() => Promise.all(threads.map((thread) => thread.close())));
  await Promise.all(starting);
  const set = new ThreadSet<Item>(threads);
  assert.equal(set.freeFor(little), 2);

  async function whileBusyWith(text: string, check: () => void): Promise<void> {
    const batch = [itemOf(text)];
    assert.equal(set.inWorkMs(50), 0);
    const slot = set.take(batch, 'shared', 50);
    const { thread } = slot;
    const message = thread.desk.pack(batch.map(({ input }) => input));
    const run = thread.run('screenBatch', message);
    assert.equal(set.inWorkMs(53), 7);
    assert.equal(set.inWorkMs(90), 40, 'late: half done');
    check();
    await run;
    set.release(slot, batch);
    assert.equal(set.freeFor(little), 2);
  }

  await whileBusyWith('{"a":"@pause50"}', () => {
    assert.equal(set.freeFor(little), 0, 'a few');
    assert.equal(set.freeFor({ requests: 32, bytes: 640 }), 1, 'many');
    assert.equal(set.freeFor({ requests: 2, bytes: 20_000 }), 1, 'larger ones');
    assert.equal(set.free('alone'), 1, 'a large one');
    set.tick(1);
    assert.equal(set.freeFor(little), 1, 'the moment is over');
  });
  await whileBusyWith(`{"a":"${'x'.repeat(20_000)}"}`, () => {
    assert.equal(set.freeFor(little), 1, 'the batch is not light');
  });
});
