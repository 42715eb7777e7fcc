import assert from 'node:assert/strict';
import { it } from 'node:test';
import { pruneEvents } from '../../src/events/prune-events.ts';
import { createSqlEventStore } from '../../src/events/sql-event-store.ts';
import { describeOnEachDatabase } from '../support/databases.ts';
import { storedEvent } from '../support/stored-event.ts';

describeOnEachDatabase('pruning', (make) => {
  it('removes the traffic of minutes before the bound, and keeps later ones', async (t) => {
    const fresh = await make(t);
    if (fresh === undefined) return;
    const { database } = await fresh.open();
    const counts = { requests: 1, blocked: 0, would_block: 0 };
    const now = 29_000_000;
    const minutes = [now - 1, now, now + 1].map((minute) => ({ minute, ...counts }));
    await database.insertInto('traffic').values(minutes).execute();
    await pruneEvents(database, { olderThan: now * 60_000 + 59_999, bytesMax: 1_000 });
    const left = await database.selectFrom('traffic').select('minute').orderBy('minute').execute();
    assert.deepEqual(
      left.map(({ minute }) => Number(minute)),
      [now, now + 1],
    );
  });

  it('rests after each step for as long as it took, and ends after the step that aborts it', async (t) => {
    const fresh = await make(t);
    if (fresh === undefined) return;
    const { database } = await fresh.open();
    const store = createSqlEventStore(database);
    const events = Array.from({ length: 600 }, (_, number) => storedEvent({ at: number, number }));
    await store.insert(events);
    const left = async () => (await store.search({}, { limit: 100 })).events.length;
    const ending = new AbortController();
    const steps: number[] = [];
    const rest = async (startedAt: number) => {
      steps.push(startedAt);
      if (steps.length === 2) ending.abort();
    };
    const bounds = { olderThan: 1_000, bytesMax: 0 };
    const first = await pruneEvents(database, { ...bounds, signal: ending.signal }, rest);
    assert.deepEqual([first.removed, steps.length], [500, 2]);
    assert.equal(await left(), 100);
    assert.equal((await pruneEvents(database, bounds)).removed, 100);
    assert.equal(await left(), 0);
  });
});
