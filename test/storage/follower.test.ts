import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { noFeed } from '../../src/storage/change-feed.ts';
import { Follower } from '../../src/storage/follower.ts';

test('who asks for a read after a change gets one that began after it', async (t) => {
  let stored = 1;
  let held = 0;
  let arrived = Promise.resolve();
  const follower = new Follower({
    topic: 'keys',
    feed: noFeed,
    async read() {
      // As on a network: what is read is old by the time that it is here.
      const seen = stored;
      await arrived;
      held = seen;
    },
    failed: () => assert.fail(),
    recovered: () => assert.fail(),
  });
  await follower.start();
  t.after(() => follower.close());
  assert.equal(held, 1);

  const { promise, resolve: arrive } = Promise.withResolvers<void>();
  arrived = promise;
  const early = follower.refresh();
  stored = 2;
  const late = follower.refresh();
  arrive();
  await late;
  assert.equal(held, 2);
  await early;
});

test('a change is read when it may be of the topic, and no other', async (t) => {
  let reads = 0;
  let tell: (topic: string | undefined) => void = () => assert.fail();
  const follower = new Follower({
    topic: 'keys',
    feed: {
      ...noFeed,
      onChange(listener) {
        tell = listener;
      },
    },
    async read() {
      reads += 1;
    },
    failed: () => assert.fail(),
    recovered: () => assert.fail(),
  });
  await follower.start();
  t.after(() => follower.close());
  assert.equal(reads, 1);
  for (const [topic, wanted] of [
    ['policies', 1],
    ['keys', 2],
    [undefined, 3],
  ] as const) {
    tell(topic);
    await nextTurn();
    assert.equal(reads, wanted, `${topic}`);
  }
});
