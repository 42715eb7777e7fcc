import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApi } from './api-server.ts';

test('a block that was answered is found at once, in the list and by its id', async (t) => {
  const api = await startApi(t);
  await api.setUp();
  const { secret } = await api.newKey();
  for (let blocks = 1; blocks <= 5; blocks += 1) {
    const { status, body } = await api.screen(secret, { q: `' OR ${blocks}=${blocks} --` });
    assert.equal(status, 403);
    // Now the one is asked first, now the other.
    const byId = async () => (await api.call(`/api/events/${body.id}`)).status;
    const listed = async () => (await api.call('/api/events')).body.events.length;
    if (blocks % 2 === 0) assert.deepEqual([await byId(), await listed()], [200, blocks]);
    else assert.deepEqual([await listed(), await byId()], [blocks, 200]);
  }
});
