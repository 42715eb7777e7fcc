import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import type { EventStore, StoredEvent } from '../../src/contract/event.ts';
import { createSqlEventStore } from '../../src/events/sql-event-store.ts';
import { describeOnEachDatabase, type MakeDatabase } from '../support/databases.ts';
import { storedEvent } from '../support/stored-event.ts';

const startsAt = Date.parse('2030-01-01T00:00:00Z');
const wholeDays = { from: startsAt, to: startsAt + 10 * 86_400_000, stepMs: 86_400_000, top: 10 };

function eventAt(number: number, parts: Partial<StoredEvent> = {}): StoredEvent {
  return storedEvent({ at: startsAt + number * 1_000, number }, parts);
}

async function openEvents(make: MakeDatabase, t: TestContext): Promise<EventStore | undefined> {
  const fresh = await make(t);
  return fresh && createSqlEventStore((await fresh.open()).database);
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describeOnEachDatabase('an event store', (make) => {
  it('an event comes back as it was stored, and a second time changes nothing', async (t) => {
    const store = await openEvents(make, t);
    if (store === undefined) return;
    const event = eventAt(1, { method: 'POST', path: '/login', client: '203.0.113.9' });
    await store.insert([event]);
    await store.insert([{ ...event, score: 1 }, eventAt(2)]);
    assert.deepEqual(await store.find(event.id), event);
    assert.equal(await store.find('nothing'), undefined);
  });

  it('a client is found by each form of its address, also as older versions stored it', async (t) => {
    const store = await openEvents(make, t);
    if (store === undefined) return;
    const padded = '2001:0db8:0000:0000:0000:0000:0000:0007';
    await store.insert([eventAt(1, { client: padded }), eventAt(2, { client: '2001:db8::7' })]);
    await store.insert([eventAt(3, { client: '2001:db8::8' })]);
    for (const client of ['2001:db8::7', '2001:DB8:0::0007', padded]) {
      const { events } = await store.search({ client }, { limit: 9 });
      assert.deepEqual(
        events.map((event) => event.client),
        ['2001:db8::7', padded],
      );
    }
  });

  it('pages follow each other, newest first, without gap or double', async (t) => {
    const store = await openEvents(make, t);
    if (store === undefined) return;
    const all = Array.from({ length: 25 }, (_, number) => eventAt(number));
    await store.insert(all);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await store.search(
        {},
        { limit: 10, ...(cursor === undefined ? {} : { cursor }) },
      );
      seen.push(...page.events.map(({ id }) => id));
      cursor = page.next;
      // What comes while somebody reads does not shift the pages.
      await store.insert([eventAt(100 + seen.length)]);
    } while (cursor !== undefined);
    assert.deepEqual(seen, all.map(({ id }) => id).reverse());
  });

  it('what a wrong clock has dated in the future does not stay first', async (t) => {
    const fresh = await make(t);
    if (fresh === undefined) return;
    const { database } = await fresh.open();
    const store = createSqlEventStore(database, () => startsAt + 100_000);
    const day = 86_400;
    const past = Array.from({ length: 25 }, (_, number) => eventAt(number));
    const future = Array.from({ length: 25 }, (_, number) => eventAt(day + number));
    // Another node, whose clock is a little ahead.
    const ahead = eventAt(130);
    for (const event of [...past, ...future]) await store.insert([event]);
    await store.insert([ahead]);
    const wanted = [ahead, ...past.toReversed(), ...future.toReversed()].map(({ id }) => id);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await store.search({}, { limit: 7, ...(cursor && { cursor }) });
      seen.push(...page.events.map(({ id }) => id));
      cursor = page.next;
    } while (cursor !== undefined);
    assert.deepEqual(seen, wanted);
    const streamed = await collect(store.stream({ from: startsAt + 20_000 }));
    assert.deepEqual(
      streamed.map(({ id }) => id),
      wanted.filter((id) => id >= eventAt(20).id),
    );
    assert.equal((await store.count({}, wholeDays)).blocked, 51);
    // Once their time has come they are first.
    const later = createSqlEventStore(database, () => startsAt + 2 * day * 1_000);
    const { events } = await later.search({}, { limit: 3 });
    assert.equal(events[0]?.id, eventAt(day + 24).id);
  });

  it('each filter finds what it names and nothing else', async (t) => {
    const store = await openEvents(make, t);
    if (store === undefined) return;
    const special: Partial<StoredEvent> = {
      decision: 'would-block',
      category: 'xss',
      rule: 'xss.script',
      pointer: '/bio',
      keyId: 'Zzz99999',
      evidence: '<ScRiPt>100%_\\</script>',
      path: '/profile',
    };
    await store.insert([eventAt(1), eventAt(2, special), eventAt(3)]);
    const at = startsAt + 2_000;
    const filters = [
      { decision: 'would-block' },
      { category: 'xss' },
      { rule: 'xss.script' },
      { keyId: 'Zzz99999' },
      { pointer: '/bio' },
      { q: '<script>100%_\\' },
      { q: 'PROFILE' },
      { q: 'req-2' },
      { from: at, to: at + 1 },
    ] as const;
    for (const filter of filters) {
      const { events } = await store.search(filter, { limit: 10 });
      assert.deepEqual(
        events.map(({ pointer }) => pointer),
        ['/bio'],
        JSON.stringify(filter),
      );
      const streamed: StoredEvent[] = await collect(store.stream(filter));
      assert.deepEqual(
        streamed.map(({ pointer }) => pointer),
        ['/bio'],
        JSON.stringify(filter),
      );
    }
    assert.deepEqual((await store.search({ q: '100_' }, { limit: 10 })).events, []);
  });

  it('a search over many rows goes through them in slices, an export gives them all', async (t) => {
    const store = await openEvents(make, t);
    if (store === undefined) return;
    for (let from = 0; from < 3_500; from += 500) {
      const some = Array.from({ length: 500 }, (_, index) => eventAt(from + index));
      await store.insert(some);
    }
    const oldest = await store.search({ q: 'req-0\n' }, { limit: 5 });
    assert.equal(oldest.events[0]?.id, eventAt(0).id);
    const exported = await collect(store.stream({}));
    assert.equal(exported.length, 3_500);
    assert.ok(exported.every((one, index) => one.id === eventAt(3_499 - index).id));
    const counts = await store.count({}, { ...wholeDays, from: startsAt + 1_000_000 });
    assert.equal(counts.blocked, 2_500);
    assert.deepEqual(counts.top.rule, [{ value: 'sqli.tautology', count: 2_500 }]);
  });

  it('events go by age, and then the oldest by size', async (t) => {
    const store = await openEvents(make, t);
    if (store === undefined) return;
    const all = Array.from({ length: 600 }, (_, number) =>
      eventAt(number, { evidence: 'x'.repeat(1_000) }),
    );
    await store.insert(all);
    const none = { olderThan: startsAt, bytesMax: 1e9 };
    assert.equal((await store.prune(none)).removed, 0);
    const aged = await store.prune({ olderThan: startsAt + 300_000, bytesMax: 1e9 });
    assert.equal(aged.removed, 300);
    const bytesMax = 200_000;
    const sized = await store.prune({ olderThan: 0, bytesMax });
    const left = await collect(store.stream({}));
    assert.equal(left.length, 300 - sized.removed);
    assert.ok(left.length > 30 && left.length * 1_000 < bytesMax, String(left.length));
    assert.equal(left[0]?.id, eventAt(599).id, 'the newest stay');
    assert.equal((await store.prune({ olderThan: 0, bytesMax })).removed, 0);
  });

  it('traffic of one minute adds up over writers', async (t) => {
    const store = await openEvents(make, t);
    if (store === undefined) return;
    const minute = Math.floor(startsAt / 60_000);
    const one = { minute, requests: 5, blocked: 2, wouldBlock: 1 };
    await store.addTraffic([one]);
    await store.addTraffic([1, 4, 5, 6].map((later) => ({ ...one, minute: minute + later })));
    await store.addTraffic([{ ...one, minute }]);
    const steps = (stepMs: number, from = startsAt, to = startsAt + 360_000) =>
      store.traffic({ from, to, stepMs });
    assert.deepEqual(await steps(60_000), [
      { step: 0, requests: 10, blocked: 4, wouldBlock: 2 },
      ...[1, 4, 5].map((step) => ({ step, requests: 5, blocked: 2, wouldBlock: 1 })),
    ]);
    assert.deepEqual(await steps(90_000), [
      { step: 0, requests: 15, blocked: 6, wouldBlock: 3 },
      { step: 2, requests: 5, blocked: 2, wouldBlock: 1 },
      { step: 3, requests: 5, blocked: 2, wouldBlock: 1 },
    ]);
    assert.deepEqual(await steps(60_000, startsAt + 120_000, startsAt + 180_000), []);
  });
});
