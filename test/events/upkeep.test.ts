import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import type { EventStore, TrafficMinute } from '../../src/contract/event.ts';
import { startUpkeep, type Upkeep } from '../../src/events/upkeep.ts';
import { keepLog } from '../access/key-fixture.ts';

const one = { requests: 1, blocked: 1, wouldBlock: 0 };
const none = { requests: 0, blocked: 0, wouldBlock: 0 };

/** The upkeep of a store that removes old events in this way; it is 40 days after 1970. */
function upkeepWith(prune: EventStore['prune'], keepMb = 1): Upkeep {
  return startUpkeep({
    store: { addTraffic: async () => undefined, adopt: async () => 0, prune },
    takeTraffic: () => none,
    keepDays: 30,
    keepMb,
    log: keepLog(),
    clock: () => 40 * 86_400_000,
  });
}

test('traffic that the database refused is written later, once, to its own minute', async (t) => {
  let now = 600_000;
  let isAway = true;
  const written: TrafficMinute[] = [];
  const counts = [one, none, one];
  const upkeep = startUpkeep({
    store: {
      addTraffic: async (minutes) => {
        if (isAway) throw new Error('away');
        written.push(...minutes);
      },
      adopt: async () => 0,
      prune: async () => ({ removed: 0, bytes: 0 }),
    },
    takeTraffic: () => counts.shift() ?? none,
    keepDays: 1,
    keepMb: 1,
    log: keepLog(),
    clock: () => now,
  });
  t.after(() => upkeep.close());
  await upkeep.writeTraffic();
  now += 60_000;
  await upkeep.writeTraffic();
  isAway = false;
  now += 60_000;
  await upkeep.writeTraffic();
  assert.deepEqual(written, [
    { minute: 10, ...one },
    { minute: 11, ...one },
  ]);
  await upkeep.writeTraffic();
  assert.equal(written.length, 2);
});

test('events are kept for the days and MiB of the settings', async (t) => {
  const asked: object[] = [];
  const upkeep = upkeepWith(async ({ olderThan, bytesMax }) => {
    asked.push({ olderThan, bytesMax });
    return { removed: 1, bytes: 0 };
  }, 512);
  t.after(() => upkeep.close());
  await upkeep.prune();
  assert.deepEqual(asked, [{ olderThan: 10 * 86_400_000, bytesMax: 536_870_912 }]);
});

test('what was stored is added up, and pruned as soon as it is too much', async (t) => {
  const left = [100, 900_000, 1_000_000];
  let prunes = 0;
  const upkeep = upkeepWith(async () => {
    prunes += 1;
    return { removed: 1, bytes: left.shift() ?? 0 };
  });
  t.after(() => upkeep.close());
  const prunesAfter = async (bytes: number) => {
    await upkeep.stored(bytes);
    return prunes;
  };
  assert.equal(await prunesAfter(5), 1, 'the first time the sum is asked for');
  assert.equal(await prunesAfter(1_048_476), 1, 'up to the bound');
  assert.equal(await prunesAfter(1), 2, 'and beyond');
  assert.equal(await prunesAfter(148_576), 2);
  assert.equal(await prunesAfter(1), 3);
});

test('new events wait little for a long removal, and a stop ends it after its step', async (t) => {
  let hasEnded = false;
  const upkeep = upkeepWith(async ({ signal }) => {
    await once(signal as AbortSignal, 'abort');
    hasEnded = true;
    return { removed: 1, bytes: 0 };
  });
  t.after(() => upkeep.close());
  await upkeep.stored(5);
  assert.equal(hasEnded, false);
  await upkeep.close();
  assert.ok(hasEnded);
});

test('what is stored while old events are removed counts, and a stop does not wait for a database that hangs', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  const removals: PromiseWithResolvers<{ removed: number; bytes: number }>[] = [];
  const upkeep = upkeepWith(() => {
    const removal = Promise.withResolvers<{ removed: number; bytes: number }>();
    removals.push(removal);
    return removal.promise;
  });
  const removing = upkeep.prune();
  const storing = upkeep.stored(1_048_576);
  removals[0]?.resolve({ removed: 1, bytes: 1 });
  await Promise.all([removing, storing]);
  const next = upkeep.stored(0);
  assert.equal(removals.length, 2, 'one byte and what came in meanwhile are too much');
  const closed = upkeep.close();
  t.mock.timers.tick(3_000);
  await Promise.all([next, closed]);
});
