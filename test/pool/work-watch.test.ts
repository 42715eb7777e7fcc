import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isMainThread, Worker } from 'node:worker_threads';
import { ownThreadNumber } from '../../src/pool/codec.ts';
import { type ThreadTimes, timesOf, WorkWatch } from '../../src/pool/work-watch.ts';

const tickMs = 25;

/** What a watch says after so many looks at a thread that goes on like this. */
function after(looks: number, times: (look: number) => ThreadTimes | undefined) {
  let look = 0;
  const watch = new WorkWatch(() => times(look));
  watch.begin();
  let seen = watch.look(1, tickMs);
  for (look = 1; look <= looks; look += 1) seen = watch.look(1, tickMs);
  return seen;
}

describe('the watch over a thread at work', () => {
  it('counts the processor time from its first look on', () => {
    const seen = after(10, (look) => ({ usedNs: 7e9 + look * 25e6, waitedNs: 0, isAsleep: false }));
    assert.deepEqual(seen, { usedMs: 250, stillMs: 0 });
  });

  it('sees that a thread sleeps', () => {
    const seen = after(40, () => ({ usedNs: 1, waitedNs: 1, isAsleep: true }));
    assert.deepEqual(seen, { usedMs: 0, stillMs: 1_000 });
  });

  it('does not take one that gets no processor for one that sleeps', () => {
    // The kernel counts a wait when it is over.
    const seen = after(400, () => ({ usedNs: 1, waitedNs: 1, isAsleep: false }));
    assert.deepEqual(seen, { usedMs: 0, stillMs: 0 });
  });

  it('does not count a sleep between two looks at which it moved', () => {
    const seen = after(400, (look) => ({ usedNs: look, waitedNs: 0, isAsleep: true }));
    assert.equal(seen.stillMs, 0);
  });

  it('knows nothing where the system does not say', () => {
    assert.deepEqual(
      after(400, () => undefined),
      { usedMs: 0, stillMs: 0 },
    );
    assert.deepEqual(new WorkWatch().look(0, tickMs), { usedMs: 0, stillMs: 0 });
  });
});

describe('what the system says of a thread', { skip: process.platform !== 'linux' }, () => {
  it('is that of this thread, and of no other', async () => {
    assert.ok(isMainThread);
    const own = ownThreadNumber();
    assert.equal(own, process.pid);
    const before = timesOf(own);
    for (let turn = 0; turn < 3e7; turn += 1) Math.sqrt(turn);
    const worker = new Worker(
      "const { readlinkSync } = require('node:fs');" +
        "require('node:worker_threads').parentPort.postMessage(readlinkSync('/proc/thread-self'));" +
        'setInterval(() => undefined, 1_000);',
      { eval: true },
    );
    const path = await new Promise<string>((resolve) => worker.once('message', resolve));
    const other = timesOf(Number(path.split('/').at(-1)));
    const now = timesOf(own);
    await worker.terminate();
    assert.ok(before !== undefined && now !== undefined && other !== undefined);
    assert.ok(now.usedNs > before.usedNs);
    assert.notEqual(other.usedNs, now.usedNs);
    assert.equal(now.isAsleep, false);
  });
});
