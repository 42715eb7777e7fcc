import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import type { EventFilter, EventStore, StoredEvent } from '../../src/contract/event.ts';
import { createSqlEventStore } from '../../src/events/sql-event-store.ts';
import { describeOnEachDatabase, type MakeDatabase } from '../support/databases.ts';
import { storedEvent } from '../support/stored-event.ts';

const startsAt = Date.parse('2030-01-01T00:00:00Z');
/** An index of clients or paths serves up to 20 events, that of facts 100 at a time. */
const bounds = { sliceRows: 5, readRows: 10, textRows: 50, factEntries: 100, ownRows: 20 };
const rare = { rule: 'xss.rare', client: '203.0.113.9' };
/** No index leads to few events with it. */
const byFacts: readonly EventFilter[] = [
  { rule: rare.rule },
  { rule: rare.rule, path: '/login' },
  { rule: rare.rule, triage: 'open' },
];
const byText: EventFilter = { q: rare.rule };

function eventAt(number: number): StoredEvent {
  const parts = number === 3 || number === 490 ? rare : { client: '198.51.100.7' };
  return storedEvent({ at: startsAt + number * 1_000, number }, { path: '/login', ...parts });
}

function idAt(number: number): string {
  return eventAt(number).id;
}

/** 500 events of one path, one of them rare near each end. */
async function openEvents(make: MakeDatabase, t: TestContext): Promise<EventStore | undefined> {
  const fresh = await make(t);
  if (fresh === undefined) return undefined;
  const { database } = await fresh.open();
  const store = createSqlEventStore(database, () => startsAt + 86_400_000, bounds);
  for (let from = 0; from < 500; from += 100) {
    await store.insert(Array.from({ length: 100 }, (_, at) => eventAt(from + at)));
  }
  return store;
}

/** All pages of a list: what was found, and how far back each got in seconds. */
async function walk(store: EventStore, filter: EventFilter) {
  const found: string[] = [];
  const searchedTo: (number | undefined)[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.search(filter, { limit: 5, ...(cursor && { cursor }) });
    found.push(...page.events.map(({ id }) => id));
    searchedTo.push(page.searchedTo && (page.searchedTo - startsAt) / 1_000);
    cursor = page.next;
  } while (cursor !== undefined);
  return { found, searchedTo };
}

describeOnEachDatabase('a search for what is rare', (make) => {
  it('inspects a bounded number of events, answers how far it got, and goes on', async (t) => {
    const store = await openEvents(make, t);
    if (store === undefined) return;
    for (const filter of byFacts) {
      const { found, searchedTo } = await walk(store, filter);
      assert.deepEqual(found, [idAt(490), idAt(3)]);
      assert.deepEqual(searchedTo, [390, 280, 170, 60, undefined], '10 rows and 100 entries');
    }
    const own = await walk(store, { client: rare.client });
    assert.deepEqual([own.found, own.searchedTo], [[idAt(490), idAt(3)], [undefined]]);
    const text = await walk(store, byText);
    assert.deepEqual(text.found, [idAt(490), idAt(3)]);
    const steps = [450, 400, 350, 300, 250, 200, 150, 100, 50, 0, undefined];
    assert.deepEqual(text.searchedTo, steps, '50 rows');
  });

  it('finds the neighbours of an event in such steps, on both sides', async (t) => {
    const store = await openEvents(make, t);
    if (store === undefined) return;
    for (const filter of [...byFacts, byText]) {
      const stepsMax = filter === byText ? 5 : 3;
      for (const [side, goal] of [['older', 3] as const, ['newer', 490] as const]) {
        let at = idAt(250);
        for (let step = 1; step < stepsMax; step += 1) {
          const near = await store.neighbours(at, filter, side);
          assert.equal(near[side], undefined);
          at = near[`${side}From`] ?? '';
          assert.ok(at !== '', `${side} of ${JSON.stringify(filter)} in step ${step}`);
        }
        assert.deepEqual(await store.neighbours(at, filter, side), { [side]: idAt(goal) });
      }
    }
    const both = { newer: idAt(490), older: idAt(3) };
    assert.deepEqual(await store.neighbours(idAt(250), { client: rare.client }), both);
    assert.deepEqual(await store.neighbours(idAt(490), { rule: rare.rule }, 'newer'), {});
  });
});
