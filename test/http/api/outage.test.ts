import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshPostgres, restartPostgres, stopPostgres } from '../../support/postgres.ts';
import { until } from '../../support/until.ts';
import { startApi } from './api-server.ts';

const injection = { q: "' OR 1=1 --" };

test('while the database is away requests are screened, and management says so', async (t) => {
  const databaseUrl = await freshPostgres(t);
  if (databaseUrl === undefined) return;
  const api = await startApi(t, { databaseUrl });
  await api.setUp();
  const { secret } = await api.newKey();
  const admin = await api.call('/api/keys', { body: { name: 'ops', kind: 'admin' } });
  const headers = { 'x-api-key': admin.body.secret };
  await stopPostgres();

  assert.equal((await api.screen(secret, injection)).status, 403);
  const refused = await api.call('/api/events');
  assert.equal(refused.status, 503, JSON.stringify(refused.body));
  assert.match(refused.body.type, /storage-not-available$/);
  // An administrator key is known from memory, and so are the figures.
  await until('the block waits in the spool', async () => {
    const { status, body } = await api.call('/api/overview', { headers });
    assert.equal(status, 200);
    assert.equal(body.eventsDropped, 0);
    return api.log.lines.some(({ message }) => message.startsWith('events cannot be stored'));
  });

  await restartPostgres();
  await until('the block of the outage is stored', async () => {
    const { status, body } = await api.call('/api/events', { headers });
    return status === 200 && body.events.length === 1;
  });
  assert.equal((await api.screen(secret, injection)).status, 403);
  await until('and the next one', async () => {
    const { body } = await api.call('/api/events', { headers });
    return body.events.length === 2;
  });
});
