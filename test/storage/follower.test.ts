import assert from 'node:assert/strict';
import { test } from 'node:test';
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
