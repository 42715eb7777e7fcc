import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import type { EventSummary, StoredEvent } from '../../src/contract/event.ts';
import { defaultPolicy } from '../../src/contract/policy.ts';
import type { BlockRecord, Explainer } from '../../src/contract/ports.ts';
import { noContext } from '../../src/contract/request.ts';
import { createEngine } from '../../src/core/engine.ts';
import { eventOf } from '../../src/events/event-of.ts';
import { type EventWriterParts, startEventWriter } from '../../src/events/event-writer.ts';
import { createSqlEventStore } from '../../src/events/sql-event-store.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { keepLog } from '../access/key-fixture.ts';
import { tempDir } from '../support/temp-dir.ts';
import { until } from '../support/until.ts';

const engine = createEngine();

/** Describes with the real core, on this thread. */
const inlineExplainer: Pick<Explainer, 'describe'> = {
  async describe(record, facts) {
    const { body, context, policy } = record;
    const request = { body: new TextDecoder().decode(body), context };
    const outcome = engine.explain(request, policy, 'findings');
    assert.ok(outcome.kind === 'explained');
    return eventOf(record, facts, outcome.explanation.verdict.findings);
  },
};

let made = 0;

function recordOf(body: object, parts: Partial<BlockRecord> = {}): BlockRecord {
  const text = JSON.stringify(body);
  const context = parts.context ?? noContext;
  const result = engine.screen({ body: text, context }, defaultPolicy);
  assert.ok(result.kind === 'verdict' && result.verdict.decision === 'block', text);
  made += 1;
  return {
    decisionId: `01970000-0000-7000-8000-${String(made).padStart(12, '0')}`,
    requestId: 'r',
    keyId: 'Abc12345',
    policyId: 'default',
    policyVersion: 3,
    policy: defaultPolicy,
    body: new TextEncoder().encode(text),
    context,
    verdict: result.verdict,
    monitored: false,
    ...parts,
  };
}

async function openWriter(t: TestContext, parts: Partial<EventWriterParts> = {}) {
  const { database } = await openDatabase({ dataDir: tempDir(t), busyTimeoutMs: 2_000 });
  t.after(() => database.destroy());
  const store = createSqlEventStore(database);
  const stored: EventSummary[] = [];
  const log = keepLog();
  const writer = startEventWriter({
    store,
    explainer: inlineExplainer,
    log,
    clock: () => 1_900_000_000_000,
    keyNameOf: () => 'shop',
    onStored: (event) => stored.push(event),
    ...parts,
  });
  t.after(() => writer.close());
  return { writer, store, stored, log, database };
}

test('a block is stored with the steps to its evidence and without secrets', async (t) => {
  const { writer, store, stored } = await openWriter(t);
  const attack = '%3Cscript%3Ealert(1)%3C/script%3E';
  const context = {
    ...noContext,
    method: 'POST',
    uri: '/save?token=abcdef&x=1',
    for: '203.0.113.9, 10.0.0.1',
    cookie: 'sid=verysecret',
  };
  const record = recordOf({ bio: attack, password: "' OR 1=1 --" }, { context });
  writer.add(record);
  await until('the block is stored', () => stored.length === 1);
  const event = (await store.find(record.decisionId)) as StoredEvent;
  assert.equal(event.keyName, 'shop');
  assert.equal(event.policyVersion, 3);
  assert.equal(event.path, '/save?token=••••••&x=1');
  assert.equal(event.client, '203.0.113.9');
  const bio = event.findings.find(({ pointer }) => pointer === '/bio');
  assert.equal(bio?.steps[0]?.decoder, '');
  assert.equal(bio?.steps[0]?.text, attack);
  const last = bio?.steps.at(-1);
  const [from = 0, to = 0] = bio?.span ?? [];
  assert.equal(last?.text.slice(from - last.start, to - last.start), bio?.evidence);
  const password = event.findings.find(({ pointer }) => pointer === '/password');
  assert.deepEqual([password?.redacted, password?.evidence, password?.steps], [true, '', []]);
  const text = JSON.stringify(event);
  for (const secret of ['OR 1=1', 'abcdef', 'verysecret'])
    assert.ok(!text.includes(secret), secret);
});

test('context that our clients send in the body is kept like that of headers', async (t) => {
  const { writer, store, stored } = await openWriter(t);
  const record = recordOf({ method: 'GET', path: '/a', 'header.host': 'h', q: "' OR 1=1 --" });
  writer.add(record);
  await until('the block is stored', () => stored.length === 1);
  const event = await store.find(record.decisionId);
  assert.deepEqual(event?.context, { method: 'GET', host: 'h', uri: '/a' });
});

test('without time for steps a block is stored without them', async (t) => {
  const explainer = { describe: async () => undefined };
  const { writer, store, stored } = await openWriter(t, { explainer });
  const record = recordOf({ q: "' OR 1=1 --" });
  writer.add(record);
  await until('the block is stored', () => stored.length === 1);
  const event = await store.find(record.decisionId);
  assert.equal(event?.evidence, "' OR 1=1 --");
  assert.deepEqual(event?.findings[0]?.steps, []);
});

test('what the database refuses is counted, and later blocks are stored again', async (t) => {
  const { store } = await openWriter(t);
  let isFull = true;
  const failing = {
    insert: async (events: readonly StoredEvent[]) => {
      if (isFull) throw new Error('database or disk is full');
      return store.insert(events);
    },
  };
  const { writer, stored, log } = await openWriter(t, { store: failing });
  writer.add(recordOf({ q: "' OR 1=1 --" }));
  await until('the block is dropped', () => writer.dropped() === 1);
  isFull = false;
  writer.add(recordOf({ q: "' OR 2=2 --" }));
  await until('the next one is stored', () => stored.length === 1);
  assert.equal(writer.dropped(), 1);
  const messages = log.lines.map(({ level }) => level);
  assert.deepEqual(messages, ['warn', 'info'], 'one line for the fault, one for its end');
});

test('a database without room loses blocks and counts them, and stores again with room', async (t) => {
  const { writer, stored, database } = await openWriter(t);
  // SQLite answers with SQLITE_FULL, as it does on a full disk; the bound is at least what is used.
  await sql`pragma max_page_count = 1`.execute(database);
  for (let count = 0; count < 50; count += 1) writer.add(recordOf({ q: "' OR 1=1 --" }));
  await until('all are stored or dropped', () => writer.dropped() + stored.length === 50);
  assert.ok(writer.dropped() > 0);
  const before = stored.length;
  await sql`pragma max_page_count = 1000000`.execute(database);
  writer.add(recordOf({ q: "' OR 2=2 --" }));
  await until('the next one is stored', () => stored.length === before + 1);
});

test('the buffer is bounded by number and by bytes, and never waits', async (t) => {
  const never = new Promise<number>(() => undefined);
  const { writer } = await openWriter(t, { store: { insert: () => never } });
  const record = recordOf({ q: "' OR 1=1 --" });
  for (let count = 0; count < 1_500; count += 1) writer.add(record);
  assert.equal(writer.dropped(), 500);
  const other = await openWriter(t, { store: { insert: () => never } });
  const large = { ...record, body: new Uint8Array(1_048_576) };
  for (let count = 0; count < 20; count += 1) other.writer.add(large);
  assert.equal(other.writer.dropped(), 4);
});

test('what waits when the server stops is still written', async (t) => {
  const { writer, store } = await openWriter(t);
  const record = recordOf({ q: "' OR 1=1 --" });
  writer.add(record);
  await writer.close();
  assert.ok(await store.find(record.decisionId));
});
