import assert from 'node:assert/strict';
import { it } from 'node:test';
import { pruneEvents } from '../../src/events/prune-events.ts';
import { describeOnEachDatabase } from '../support/databases.ts';

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
});
