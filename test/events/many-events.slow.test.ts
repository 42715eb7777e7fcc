import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import type { EventFilter } from '../../src/contract/event.ts';
import { createSqlEventStore } from '../../src/events/sql-event-store.ts';
import { closeDatabase, openDatabase } from '../../src/storage/database.ts';
import { storedEvent } from '../support/stored-event.ts';
import { tempDir } from '../support/temp-dir.ts';

/** More than are counted one by one. */
const events = 120_000;
const batch = 500;
const startsAt = Date.parse('2030-01-01T00:00:00Z');
const wish = { from: startsAt, to: startsAt + 120_000_000, stepMs: 60_000_000, top: 3 };

/** One of a thousand comes from a client of its own, one of four is blocked for XSS. */
function eventOf(number: number) {
  const event = storedEvent(
    { at: startsAt + number * 1_000, number },
    {
      client: number % 1_000 === 0 ? '203.0.113.9' : '198.51.100.7',
      ...(number % 4 === 0 ? { category: 'xss' as const, rule: 'xss.script-element' } : {}),
    },
  );
  // Ids end at random, as real ones do.
  return { ...event, id: event.id.slice(0, 24) + randomBytes(6).toString('hex') };
}

test('of more events than are counted one by one a part stands for all', async (t) => {
  const opened = await openDatabase({ dataDir: tempDir(), busyTimeoutMs: 2_000 });
  t.after(() => closeDatabase(opened));
  const store = createSqlEventStore(opened.database);
  for (let from = 0; from < events; from += batch) {
    await store.insert(Array.from({ length: batch }, (_, index) => eventOf(from + index)));
  }
  const counted = (filter: EventFilter) => store.count(filter, wish);

  const all = await counted({});
  assert.deepEqual(all.estimated, { counts: true, top: true });
  near(all.blocked, events);
  assert.deepEqual(
    all.steps.map(({ step }) => step),
    [0, 1],
  );
  for (const { blocked } of all.steps) near(blocked, events / 2);
  assert.deepEqual(
    all.top.category.map(({ value }) => value),
    ['sqli', 'xss'],
  );
  near(all.top.category[1]?.count ?? 0, events / 4);

  const few = await counted({ client: '203.0.113.9' });
  assert.deepEqual(few.estimated, { counts: false, top: false });
  assert.equal(few.blocked, events / 1_000, 'what fits few events is counted exactly');
});

/** Within a tenth: five times what chance makes of so few parts. */
function near(count: number, expected: number): void {
  assert.ok(Math.abs(count - expected) < expected / 10, `${count} of ${expected}`);
}
