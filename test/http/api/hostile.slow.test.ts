import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { describeOnEachDatabase, type MakeDatabase } from '../../support/databases.ts';
import { until } from '../../support/until.ts';
import { connect } from '../raw-client.ts';
import { type ApiServer, startApiOn } from './api-server.ts';

/** A value that is nested as deep as it says. */
function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = { a: value };
  return value;
}

async function start(make: MakeDatabase, t: TestContext): Promise<ApiServer | undefined> {
  return (await startApiOn(make, t))?.api;
}

describeOnEachDatabase('hostile input to the management API', (make) => {
  it('what is nested too deep is refused, and what /control takes can be tried out', async (t) => {
    const api = await start(make, t);
    if (api === undefined) return;
    const document = nested(65);
    for (const [method, path, body] of [
      ['POST', '/api/explain', { body: document }],
      ['POST', '/api/explain', { body: {}, document }],
      ['POST', '/api/policies', { name: 'deep', document }],
      ['PUT', '/api/policies/default', { document, baseVersion: 1, comment: '' }],
      ['PUT', '/api/policies/default/candidate', { document }],
    ] as const) {
      const reply = await api.call(path, { method, body });
      assert.equal(reply.status, 400, `${method} ${path}: ${JSON.stringify(reply.body)}`);
      assert.match(reply.body.type, /body-too-deep$/);
    }
    assert.equal((await api.call('/api/explain', { body: { body: nested(64) } })).status, 200);
  });

  it('numbers beyond all bounds are refused', async (t) => {
    const api = await start(make, t);
    if (api === undefined) return;
    for (const path of ['/api/events?limit=1e400', '/api/audit?limit=1e400']) {
      assert.equal((await api.call(path)).status, 422, path);
    }
  });

  it('strangers are refused before their body is read, and may send little', async (t) => {
    const api = await start(make, t);
    if (api === undefined) return;
    const large = 'x'.repeat(100_000);
    for (const [path, status] of [
      ['/api/policies', 401],
      ['/api/session', 413],
      ['/api/setup', 413],
    ] as const) {
      const client = await connect(api.origin);
      t.after(() => client.end());
      const head = ['host: a', 'x-api-key: b', 'connection: close', 'content-length: 100000'];
      const lines = [`POST ${path} HTTP/1.1`, ...head, 'content-type: application/json'];
      client.send(`${lines.join('\r\n')}\r\n\r\n`);
      assert.equal((await client.answer()).status, status, path);
      client.send(large);
      assert.equal(await client.closed, undefined);
    }
    const members = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`a${i}`, 0]));
    const reply = await api.call('/api/session', { body: members });
    assert.equal(reply.status, 422);
    assert.equal(reply.body.errors.length, 100);
  });

  it('a limit of the policy that is tried out is reported as it is', async (t) => {
    const api = await start(make, t);
    if (api === undefined) return;
    for (const [limits, body, bound] of [
      [{ members: 1 }, { a: 1, b: 2 }, /at most 1 fields/],
      [{ depth: 2 }, { a: { b: { c: 1 } } }, /at most 2 levels/],
    ] as const) {
      const document = { limits };
      const reply = await api.call('/api/explain', { body: { body, document } });
      assert.equal(reply.status, 400);
      assert.match(reply.body.detail, bound);
    }
  });

  it('U+0000 is a character like others, wherever it stands', async (t) => {
    const api = await start(make, t);
    if (api === undefined) return;
    for (const path of ['/api/events/x%00', '/api/policies/x%00', '/api/policies/x%00/versions']) {
      assert.equal((await api.call(path)).status, 404, path);
    }
    for (const name of ['q', 'rule', 'pointer', 'keyId', 'cursor']) {
      assert.equal((await api.call(`/api/events?${name}=a%00b`)).status, 200, name);
    }
    const signIn = await api.call('/api/session', { body: { name: 'a\0', password: 'wrong' } });
    assert.equal(signIn.status, 401);
    const named = await api.call('/api/policies', {
      body: { name: 'null', document: {}, comment: 'a\0b' },
    });
    assert.equal(named.status, 201);

    const { secret } = await api.newKey();
    await until('the key is known', async () => (await api.screen(secret, {})).status === 200);
    for (const name of ['before', 'a\0b', 'after']) {
      assert.equal((await api.screen(secret, { [name]: "' OR 1=1 --" })).status, 403);
    }
    await until('all three blocks are stored', async () => {
      const { events } = (await api.call('/api/events')).body;
      return events.length === 3;
    });
  });
});
