import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { type TestContext, test } from 'node:test';
import { createSqlEventStore } from '../../../src/events/sql-event-store.ts';
import { closeDatabase, openDatabase } from '../../../src/storage/database.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { storedEvent } from '../../telemetry/exporters/event.ts';
import { type ApiServer, startApi } from './api-server.ts';

/** Asks over one connection, which stays open between answers as that of a browser does. */
function oneConnection(t: TestContext, api: ApiServer) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.after(() => agent.destroy());
  return async (path: string): Promise<IncomingMessage> => {
    const asked = get(`${api.origin}${path}`, { agent, headers: { cookie: api.cookie } });
    const [answer] = await once(asked, 'response');
    return answer;
  };
}

test('a live feed ends with the server, and does not begin again on its connection', async (t) => {
  const api = await startApi(t, { sharePort: 'yes' });
  await api.setUp();
  const ask = oneConnection(t, api);
  const live = await ask('/api/live');
  assert.equal(live.statusCode, 200);
  live.resume();
  const stopped = api.running.stop();
  await once(live, 'end');
  const again = await ask('/api/live');
  assert.equal(again.statusCode, 503);
  assert.equal(again.headers.connection, 'close');
  again.resume();
  await stopped;
});

test('an export that is under way when the server stops is sent to its end', async (t) => {
  const dataDir = tempDir();
  const opened = await openDatabase({ dataDir, busyTimeoutMs: 1_000 });
  const store = createSqlEventStore(opened.database);
  // More than the buffers of both sides hold.
  const count = 4_000;
  const evidence = 'x'.repeat(4_000);
  for (let at = 0; at < count; at += 200) {
    await store.insert(Array.from({ length: 200 }, () => storedEvent({ evidence })));
  }
  await closeDatabase(opened);
  const api = await startApi(t, { dataDir });
  await api.setUp();
  const answer = await oneConnection(t, api)('/api/events/export');
  const stopped = api.running.stop();
  let lines = 0;
  for await (const chunk of answer) lines += chunk.toString('latin1').split('\n').length - 1;
  assert.equal(lines, count);
  await stopped;
});
