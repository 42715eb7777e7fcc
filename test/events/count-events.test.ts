import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { it, type TestContext } from 'node:test';
import { type EventFilter, eventFacts, type StoredEvent } from '../../src/contract/event.ts';
import { createSqlEventStore } from '../../src/events/sql-event-store.ts';
import { describeOnEachDatabase, type MakeDatabase } from '../support/databases.ts';
import { storedEvent } from '../support/stored-event.ts';

const startsAt = Date.parse('2030-01-01T00:00:00Z');
const minuteMs = 60_000;

function eventAt(number: number, parts: Partial<StoredEvent> = {}): StoredEvent {
  return storedEvent({ at: startsAt + number * 1_000, number }, parts);
}

async function openEvents(make: MakeDatabase, t: TestContext) {
  const fresh = await make(t);
  if (fresh === undefined) return undefined;
  const { database } = await fresh.open();
  return { database, store: createSqlEventStore(database, () => startsAt + 86_400_000) };
}

const scanner: Partial<StoredEvent> = {
  category: 'traversal',
  rule: 'traversal.climb',
  severity: 'high',
  keyId: 'Zzz99999',
  policyId: 'strict',
  method: 'GET',
  host: 'shop.example',
  path: '/download?file=../../etc/passwd',
  client: '203.0.113.9',
  country: 'DE',
  asn: 64_496,
  asName: 'Example Hosting',
  pointer: '/query/file',
  decision: 'would-block',
};

const hour = { from: startsAt, to: startsAt + 60 * minuteMs, stepMs: minuteMs, top: 3 };

describeOnEachDatabase('counts of events', (make) => {
  it('are by time and by fact, exactly, and each fact is a filter', async (t) => {
    const opened = await openEvents(make, t);
    if (opened === undefined) return;
    const { store } = opened;
    const plain = [1, 2, 61, 62, 63].map((number) => eventAt(number));
    const special = [3, 130, 131].map((number) => eventAt(number, scanner));
    await store.insert([...plain, ...special, eventAt(-1), eventAt(3_600)]);
    const all = await store.count({}, hour);
    assert.deepEqual([all.blocked, all.wouldBlock], [5, 3]);
    assert.deepEqual(all.steps, [
      { step: 0, blocked: 2, wouldBlock: 1 },
      { step: 1, blocked: 3, wouldBlock: 0 },
      { step: 2, blocked: 0, wouldBlock: 2 },
    ]);
    assert.deepEqual(all.estimated, { counts: false, top: false });
    assert.deepEqual(all.top.keyId, [
      { value: 'Abc12345', count: 5 },
      { value: 'Zzz99999', count: 3 },
    ]);
    assert.deepEqual(all.top.path, [{ value: '/download', count: 3 }], 'without the query');
    const network = { value: '64496', count: 3, label: 'Example Hosting' };
    assert.deepEqual(all.top.asn, [network], 'with its operator');
    const filters: readonly EventFilter[] = [
      ...eventFacts.map((fact) => ({ [fact]: String(scanner[fact]) })),
      { decision: 'would-block' },
      { path: '/download' },
      { q: 'etc/passwd' },
      { client: '203.0.113.9', severity: 'high', method: 'GET' },
    ];
    for (const filter of filters) {
      const { blocked, wouldBlock, top } = await store.count(filter, hour);
      assert.deepEqual([blocked, wouldBlock], [0, 3], JSON.stringify(filter));
      const values = filter.client === undefined ? [{ value: '203.0.113.9', count: 3 }] : [];
      assert.deepEqual(top.client, values, JSON.stringify(filter));
      const { events } = await store.search(filter, { limit: 10 });
      assert.deepEqual(
        events.map(({ id }) => id),
        special.map(({ id }) => id).reverse(),
        JSON.stringify(filter),
      );
    }
    const nothing = await store.count({ client: '192.0.2.1' }, hour);
    assert.deepEqual([nothing.blocked, nothing.steps], [0, []]);
    assert.equal(await store.oldest(), startsAt - 1_000);
  });

  it('name the most frequent values first, and as many as are asked for', async (t) => {
    const opened = await openEvents(make, t);
    if (opened === undefined) return;
    const { store } = opened;
    const clients = [1, 2, 2, 3, 3, 3, 4, 4, 4, 4].map((n) => `203.0.113.${n}`);
    await store.insert(clients.map((client, number) => eventAt(number, { client })));
    const { top } = await store.count({}, hour);
    assert.deepEqual(
      top.client.map(({ value, count }) => [value, count]),
      [
        ['203.0.113.4', 4],
        ['203.0.113.3', 3],
        ['203.0.113.2', 2],
      ],
    );
    const none = await store.count({}, { ...hour, top: 0 });
    assert.deepEqual([none.blocked, none.top.client], [10, []]);
  });

  it('hold for texts of any length and alphabet', async (t) => {
    const opened = await openEvents(make, t);
    if (opened === undefined) return;
    const { store } = opened;
    const long = '\u{1f980}'.repeat(250);
    const texts = { method: long, host: long, path: `/${long}`, client: long, pointer: `/${long}` };
    const event = eventAt(1, { ...texts, rule: 'r'.repeat(100), policyId: 'p'.repeat(64) });
    await store.insert([event]);
    assert.deepEqual(await store.find(event.id), event);
    assert.equal((await store.count({ path: texts.path, client: long }, hour)).blocked, 1);
    assert.equal((await store.search({ host: long }, { limit: 5 })).events.length, 1);
  });

  it('what is far back is found by its facts, and so are the neighbours of an event', async (t) => {
    const opened = await openEvents(make, t);
    if (opened === undefined) return;
    const { store } = opened;
    const old = [1, 2, 3].map((number) => eventAt(number, scanner));
    await store.insert(old);
    for (let from = 10; from < 5_010; from += 500) {
      await store.insert(Array.from({ length: 500 }, (_, index) => eventAt(from + index)));
    }
    const latest = eventAt(6_000, scanner);
    await store.insert([latest]);
    const filter = { client: '203.0.113.9' };
    const ids = [...old, latest].map(({ id }) => id).reverse();
    const first = await store.search(filter, { limit: 2 });
    assert.deepEqual(
      first.events.map(({ id }) => id),
      ids.slice(0, 2),
    );
    const rest = await store.search(filter, { limit: 5, cursor: first.next ?? '' });
    assert.deepEqual(
      rest.events.map(({ id }) => id),
      ids.slice(2),
    );
    assert.equal(rest.next, undefined);
    const [newest = '', second = '', third = '', last = ''] = ids;
    assert.deepEqual(await store.neighbours(second, filter), { newer: newest, older: third });
    assert.deepEqual(await store.neighbours(newest, filter), { older: second });
    assert.deepEqual(await store.neighbours(last, filter), { newer: third });
    assert.deepEqual(await store.neighbours(last, {}), { newer: third });
  });

  it('take the longest facts, each of three bytes a character, into one entry of the index', async (t) => {
    const opened = await openEvents(make, t);
    if (opened === undefined) return;
    // By chance, so that PostgreSQL cannot compress it.
    const long = () =>
      Array.from({ length: 600 }, () => String.fromCharCode(randomInt(0x4e00, 0x9fa5))).join('');
    const names = ['method', 'host', 'path', 'client', 'asName', 'pointer', 'policyId'] as const;
    const facts = Object.fromEntries(names.map((name) => [name, long()]));
    await opened.store.insert([eventAt(1, { ...scanner, ...facts, asn: 4_294_967_295 })]);
    const counts = await opened.store.count({ asn: '4294967295' }, hour);
    assert.equal(counts.wouldBlock, 1);
    assert.equal((await opened.store.search(facts, { limit: 5 })).events.length, 1);
  });

  it('include what an older version stored, once it was adopted', async (t) => {
    const opened = await openEvents(make, t);
    if (opened === undefined) return;
    const { database, store } = opened;
    const { severity: _severity, host, ...older } = eventAt(1, scanner);
    const finding = { severity: 'high', steps: [] } as unknown as StoredEvent['findings'][number];
    await store.insert([{ ...older, findings: [finding], context: { host } } as StoredEvent]);
    const none = { part: null, severity: '', method: '', host: '', path: '' };
    const nowhere = { client: '', country: '', asn: '', as_name: '' };
    await database
      .updateTable('event')
      .set({ ...none, ...nowhere, policy_id: '', field: '', summary: JSON.stringify(older) })
      .execute();
    assert.equal((await store.count({}, hour)).wouldBlock, 0);
    assert.equal((await store.search({ keyId: 'Zzz99999' }, { limit: 5 })).events.length, 1);
    assert.equal(await store.adopt(), 1);
    assert.equal(await store.adopt(), 0);
    for (const fact of eventFacts) {
      const counts = await store.count({ [fact]: String(scanner[fact]) }, hour);
      assert.equal(counts.wouldBlock, 1, fact);
    }
    const [event] = (await store.search({}, { limit: 1 })).events;
    assert.deepEqual([event?.severity, event?.host], ['high', 'shop.example']);
  });
});
