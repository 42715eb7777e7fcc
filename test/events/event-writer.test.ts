import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoredEvent } from '../../src/contract/event.ts';
import type { DescribeInput } from '../../src/contract/ports.ts';
import { noContext } from '../../src/contract/request.ts';
import { until } from '../support/until.ts';
import { openWriter, recordOf, recordsOf } from './writer-fixture.ts';

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

test('a reader of what came before is answered as soon as that is stored', async (t) => {
  const { writer, stored } = await openWriter(t);
  // Time stands still: nothing is given up.
  t.mock.timers.enable({ apis: ['setTimeout'] });
  writer.add(recordOf({ q: "' OR 1=1 --" }));
  await writer.settled();
  assert.equal(stored.length, 1);
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

test('under pressure blocks are described without steps, and all are stored', async (t) => {
  const { writer, store } = await openWriter(t);
  const records = recordsOf(1_200);
  for (const record of records) writer.add(record);
  await until('all are stored', () => writer.stats().stored === records.length);
  assert.equal(writer.stats().dropped, 0);
  const [first, last] = [records[0]?.decisionId ?? '', records.at(-1)?.decisionId ?? ''];
  assert.deepEqual((await store.find(first))?.findings[0]?.steps, []);
  assert.equal((await store.find(last))?.findings[0]?.steps.length, 1);
});

test('what cannot be described is bounded by number and by bytes, and never waits', async (t) => {
  const explainer = { describe: () => new Promise<never>(() => undefined) };
  const { writer, log } = await openWriter(t, { explainer });
  for (const record of recordsOf(2_500)) writer.add(record);
  // A gather of blocks is taken out before it is described, never more than once.
  assert.equal(writer.stats().dropped, 500);
  const other = await openWriter(t, { explainer });
  const large = { ...recordOf({ q: "' OR 1=1 --" }), body: new Uint8Array(1_048_576) };
  for (let count = 0; count < 20; count += 1) other.writer.add(large);
  assert.equal(other.writer.stats().dropped, 4);
  await until('the log says how many', () => log.told.length > 0);
  assert.deepEqual(log.told, [
    { dropped: 500, reason: 'the threads have no time for more', message: 'events were lost' },
  ]);
  assert.ok(writer.hasLost());
});

test('a message to a thread holds few blocks, and a large one alone', async (t) => {
  const sizes: number[] = [];
  const explainer = {
    describe: async ({ blocks }: DescribeInput) => {
      sizes.push(blocks.length);
      return undefined;
    },
  };
  const { writer, stored } = await openWriter(t, { explainer });
  const small = recordsOf(10);
  const [large = assert.fail()] = recordsOf(1);
  for (const record of small.slice(0, 5)) writer.add(record);
  writer.add({ ...large, body: new Uint8Array(100_000) });
  for (const record of small.slice(5)) writer.add(record);
  await until('all are stored', () => stored.length === 11);
  assert.deepEqual(sizes, [4, 1, 1, 4, 1]);
});

test('what waits when the server stops is still written', async (t) => {
  const { writer, store } = await openWriter(t);
  const record = recordOf({ q: "' OR 1=1 --" });
  writer.add(record);
  await writer.close();
  assert.ok(await store.find(record.decisionId));
});
