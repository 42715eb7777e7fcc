import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import type { Channel } from '../../src/contract/notification.ts';
import { createSqlChannelStore } from '../../src/notifications/channel-store.ts';
import { startDispatcher } from '../../src/notifications/dispatcher.ts';
import { MessageStore } from '../../src/notifications/message-store.ts';
import { testNotice } from '../../src/notifications/notice.ts';
import { createSender } from '../../src/notifications/send.ts';
import { noFeed } from '../../src/storage/change-feed.ts';
import { keepLog } from '../access/key-fixture.ts';
import { describeOnEachDatabase, type TestDatabase } from '../support/databases.ts';
import { storedEvent } from '../support/stored-event.ts';
import { until } from '../support/until.ts';
import { startReceiver } from '../telemetry/exporters/receiver.ts';
import { channelOf, tallyOf } from './fixture.ts';

const key = Buffer.alloc(32, 7);

/** A node of several: its own connection, its own clock. */
async function startNode(t: TestContext, fresh: TestDatabase, clock: () => number = Date.now) {
  const { database } = await fresh.open();
  const channels = createSqlChannelStore(database, key);
  const messages = new MessageStore(database);
  const log = keepLog();
  const dispatcher = await startDispatcher({
    channels,
    messages,
    feed: noFeed,
    send: createSender({ version: '1.2.3', isPlainAllowed: false }),
    policyNameOf: (id) => id,
    publicUrl: undefined,
    log,
    clock,
    stepMs: 20,
  });
  t.after(() => dispatcher.close());
  return { database, channels, messages, dispatcher, log };
}

/** A node whose steps and reads of tallies are counted, at a time that the test sets. */
async function startCounted(t: TestContext, fresh: TestDatabase) {
  const time = { now: Date.now() };
  const node = await startNode(t, fresh, () => time.now);
  const steps = t.mock.method(node.messages, 'busyChannels').mock;
  const reads = t.mock.method(node.messages, 'compose').mock;
  const severalSteps = async () => {
    const before = steps.callCount();
    await until('steps go on', () => steps.callCount() > before + 3);
  };
  return { ...node, time, reads, severalSteps };
}

const event = (number: number, at = Date.now()) =>
  storedEvent({ at, number }, { client: '203.0.113.9', severity: 'high' });

describeOnEachDatabase('notifications of several nodes', (make) => {
  it('are sent once, whichever node was asked', async (t) => {
    const fresh = await make(t);
    if (fresh === undefined) return;
    const nodes = [await startNode(t, fresh), await startNode(t, fresh), await startNode(t, fresh)];
    const receiver = await startReceiver(t);
    const [first] = nodes;
    assert.ok(first);
    const threshold = { count: 30, minutes: 10, per: 'client' } as const;
    const channel = channelOf({ target: { url: receiver.url }, threshold });
    assert.equal(await first.channels.add(channel, 20), 'done');
    for (const { dispatcher } of nodes) await dispatcher.refresh();
    for (let number = 0; number < 30; number += 1) {
      nodes[number % 3]?.dispatcher.stored(event(number));
    }
    await until('the threshold is reached over all nodes', () => receiver.received.length > 0);
    await until('it is in the history', async () => {
      return (await first.messages.history('c1'))[0]?.state === 'sent';
    });
    for (const { dispatcher } of nodes) await dispatcher.close();
    assert.equal(receiver.received.length, 1);
    const { data } = JSON.parse(receiver.received[0]?.body ?? '{}');
    assert.equal(data.blocked, 30);
    assert.deepEqual(data.reached.values, [{ value: '203.0.113.9', count: 30 }]);
    assert.equal(
      nodes.reduce((sum, { dispatcher }) => sum + dispatcher.stats().sent, 0),
      1,
    );
  });

  it('wait for a receiver that fails, are given up where it refuses, and say why', async (t) => {
    const fresh = await make(t);
    if (fresh === undefined) return;
    let now = Date.now();
    const node = await startNode(t, fresh, () => now);
    const { channels, messages, dispatcher } = node;
    const answers = [503, 429, 204, 404];
    const receiver = await startReceiver(t, (nth) => ({ status: answers[nth - 1] ?? 204 }));
    await channels.add(channelOf({ target: { url: receiver.url } }), 20);
    await dispatcher.refresh();
    const newest = async () => (await messages.history('c1'))[0];
    const untilSaid = (answer: string) =>
      until(answer, async () => (await newest())?.answer === answer);
    dispatcher.stored(event(1, now));
    await untilSaid('answered 503');
    const waiting = await newest();
    assert.deepEqual([waiting?.state, waiting?.attempts], ['waiting', 1]);
    assert.ok((waiting?.nextAt ?? 0) >= now + 10_000);
    now += 10_001;
    await untilSaid('answered 429');
    now += 30_001;
    await untilSaid('accepted');
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    assert.equal(new Set(ids).size, 1, 'a receiver can see that it is the same message');

    dispatcher.stored(event(2, now));
    await untilSaid('answered 404');
    assert.equal((await newest())?.state, 'failed');
    await until('it is counted', () => dispatcher.stats().dropped === 1);
    assert.deepEqual(dispatcher.stats(), { sent: 1, dropped: 1 });
    assert.ok(node.log.lines.some(({ message }) => message.includes('is given up')));
  });

  it('are gathered to a digest, which is not read at each step', async (t) => {
    const fresh = await make(t);
    if (fresh === undefined) return;
    const { channels, dispatcher, time, reads, severalSteps } = await startCounted(t, fresh);
    const receiver = await startReceiver(t);
    const target = { url: receiver.url };
    await channels.add(channelOf({ target, digestMinutes: 1 }), 20);
    await dispatcher.refresh();
    dispatcher.stored(event(1, time.now));
    await until('it is read', () => reads.callCount() === 1);
    dispatcher.stored(event(2, time.now));
    await severalSteps();
    assert.equal(reads.callCount(), 1, 'the second is stored and waits');
    time.now += 60_001;
    await until('the digest arrives', () => receiver.received.length > 0);
    assert.equal(JSON.parse(receiver.received[0]?.body ?? '{}').data.blocked, 2);
  });

  it('are read the less often, the more tallies wait for a threshold', async (t) => {
    const fresh = await make(t);
    if (fresh === undefined) return;
    const node = await startCounted(t, fresh);
    const { channels, messages, dispatcher, time, reads, severalSteps } = node;
    const threshold = { count: 1_000, minutes: 10, per: 'client' } as const;
    await channels.add(channelOf({ threshold }), 20);
    await messages.addTallies(Array.from({ length: 300 }, (_, at) => tallyOf(time.now - at)));
    await dispatcher.refresh();
    await until('they are read', () => reads.callCount() === 1);
    time.now += 300;
    await severalSteps();
    assert.equal(reads.callCount(), 2, 'once in a millisecond for each of 300');
  });

  it('are stored as few rows, also beyond the room for kinds', async (t) => {
    const fresh = await make(t);
    if (fresh === undefined) return;
    const { database } = await fresh.open();
    const messages = new MessageStore(database);
    await createSqlChannelStore(database, key).add(channelOf(), 20);
    const at = 1_000 * 3_600_000;
    const add = (from: number, count: number) =>
      messages.addTallies(Array.from({ length: count }, (_, nth) => tallyOf(at + from + nth)));
    await add(0, 1_200);
    await add(0, 3);
    await add(1_200, 3_800);
    await add(5_000, 700);
    const rows = await database
      .selectFrom('notification_tally')
      .select(['events', 'last_at', 'document'])
      .execute();
    const isRest = (document: string) => JSON.parse(document).kind.isRest === true;
    assert.equal(rows.length, 5_001, 'the last ones are one of the hour');
    assert.equal(
      rows.reduce((sum, { events }) => sum + Number(events), 0),
      5_703,
    );
    const rest = rows.find(({ document }) => isRest(document));
    assert.deepEqual([Number(rest?.events), Number(rest?.last_at)], [700, at + 5_699]);
  });

  it('go on after a node that died while it sent, and stay within their bounds', async (t) => {
    const fresh = await make(t);
    if (fresh === undefined) return;
    let now = Date.now();
    const { channels, messages, database, dispatcher } = await startNode(t, fresh, () => now);
    // What is composed here is not to be composed by the node beside it.
    await dispatcher.close();
    await channels.add(channelOf(), 20);
    const claim = (holder: string) =>
      messages.claim({ channelId: 'c1', holder, until: now + 60_000 }, now);
    assert.ok(await claim('dead'));
    assert.equal(await claim('other'), false);
    now += 60_001;
    assert.ok(await claim('other'));
    assert.equal(await claim('dead'), false);
    await messages.release('other');

    const notice = () => testNotice(channelOf(), now, undefined);
    const at = { ...storedEvent({ at: now, number: 1 }), policy: 'default' };
    const kind = {
      decision: 'block',
      category: 'sqli',
      rule: 'r',
      policy: 'p',
      client: '',
    } as const;
    let dropped = 0;
    for (let number = 0; number < 55; number += 1) {
      const tally = { id: `t${number}`, channelId: 'c1', at: now, lastAt: now, events: 1 };
      await messages.addTallies([{ ...tally, kind, sample: at }]);
      dropped += await messages.compose('c1', now + number, ({ tallies, state }) => ({
        taken: tallies,
        forgotten: [],
        state,
        notice: notice,
      }));
    }
    assert.equal(dropped, 5);
    for (let number = 0; number < 210; number += 1) {
      await messages.noteTest('c1', notice(), { kind: 'sent', answer: 'x'.repeat(999) }, now + 99);
    }
    const history = await messages.history('c1');
    assert.equal(history.length, 250);
    assert.equal(history.filter(({ state }) => state === 'waiting').length, 50);

    const { sealed, document } = await database
      .selectFrom('notification_channel')
      .selectAll()
      .executeTakeFirstOrThrow();
    assert.ok(!`${sealed}${document}`.includes('127.0.0.1'), 'at rest the URL is encrypted');
    const [other] = (await createSqlChannelStore(database, Buffer.alloc(32)).list()) as Channel[];
    assert.deepEqual(other?.target, {}, 'under another pepper it cannot be read');
    await channels.remove('c1');
    const left = await database.selectFrom('notification_message').selectAll().execute();
    assert.deepEqual(left, []);
  });
});
