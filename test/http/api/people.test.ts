import assert from 'node:assert/strict';
import { it, type TestContext, test } from 'node:test';
import { agentName } from '../../../src/http/api/agent-name.ts';
import { describeOnEachDatabase, type MakeDatabase } from '../../support/databases.ts';
import { type ApiReply, ApiServer, type Body, password, startApiOn } from './api-server.ts';

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) ' +
  'Chrome/131.0.0.0 Safari/537.36';

async function start(make: MakeDatabase, t: TestContext) {
  const started = await startApiOn(make, t);
  if (started === undefined) return undefined;
  const { api, fresh } = started;
  const { database } = await fresh.open();
  return { api, database };
}

/** The same server, asked by another browser. */
function another(api: ApiServer): ApiServer {
  return new ApiServer(api.running, api.log);
}

async function invited(api: ApiServer, name: string, role: string): Promise<string> {
  const reply = await api.call('/api/invitations', { body: { name, role } });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return new URLSearchParams(reply.body.path.split('#')[1]).get('join') ?? '';
}

async function join(api: ApiServer, token: string): Promise<ApiReply> {
  const reply = await api.call('/api/join', { body: { token, password } });
  if (reply.status === 201) api.keepCookie(reply);
  return reply;
}

async function auditOf(api: ApiServer, query = ''): Promise<Body[]> {
  return (await api.call(`/api/audit${query}`)).body.entries;
}

describeOnEachDatabase('people', (make) => {
  it('come in by a link that works once, is stored as a digest and expires', async (t) => {
    const started = await start(make, t);
    if (started === undefined) return;
    const { api, database } = started;
    const former = await invited(api, ' grace ', 'viewer');
    const token = await invited(api, 'grace', 'editor');
    const stored = await database.selectFrom('admin_invitation').selectAll().execute();
    assert.equal(stored.length, 1);
    assert.ok(!JSON.stringify(stored).includes(token));
    const listed = await api.call('/api/invitations');
    assert.ok(!JSON.stringify(listed.body).includes(token));
    const [one] = listed.body.invitations;
    assert.deepEqual([one.name, one.role, one.invitedBy], ['grace', 'editor', 'ada']);
    assert.equal(Date.parse(one.expiresAt) - Date.parse(one.createdAt), 3 * 24 * 3_600_000);

    const grace = another(api);
    for (const wrong of [former, '', `${token}x`]) {
      const { status } = await grace.call('/api/join', { body: { token: wrong, password } });
      assert.equal(status, wrong === '' ? 422 : 403);
    }
    const joined = await join(grace, token);
    assert.equal(joined.status, 201);
    assert.deepEqual(joined.body.user, { name: 'grace', role: 'editor' });
    assert.equal((await grace.call('/api/policies')).status, 200);
    assert.equal((await grace.call('/api/invitations')).status, 403);
    assert.equal((await join(another(api), token)).status, 403, 'only once');
    const taken = await api.call('/api/invitations', { body: { name: 'grace', role: 'viewer' } });
    assert.equal(taken.status, 409);

    const late = await invited(api, 'mary', 'viewer');
    await database
      .updateTable('admin_invitation')
      .set({ expires_at: Date.now() - 1 })
      .execute();
    assert.equal((await join(another(api), late)).status, 403, 'expired');
    const back = await invited(api, 'mary', 'viewer');
    assert.equal((await api.call('/api/invitations/mary', { method: 'DELETE' })).status, 204);
    assert.equal((await api.call('/api/invitations/mary', { method: 'DELETE' })).status, 404);
    assert.equal((await join(another(api), back)).status, 403, 'withdrawn');
    const acts = (await auditOf(api)).map(({ actor, action }) => `${actor} ${action}`);
    assert.ok(acts.includes('grace invitation.accept'), acts.join());
  });

  it('change role at once; the last one who may do everything stays', async (t) => {
    const started = await start(make, t);
    if (started === undefined) return;
    const { api } = started;
    const patch = (name: string, body: object) =>
      api.call(`/api/administrators/${name}`, { method: 'PATCH', body });
    for (const body of [{ role: 'editor' }, { disabled: true }]) {
      assert.equal((await patch('ada', body)).status, 409, JSON.stringify(body));
    }
    assert.equal((await api.call('/api/administrators/ada', { method: 'DELETE' })).status, 409);
    const grace = another(api);
    await join(grace, await invited(api, 'grace', 'administrator'));
    assert.equal((await grace.call('/api/administrators')).status, 200);
    assert.equal((await patch('grace', { role: 'viewer' })).status, 200);
    assert.equal((await grace.call('/api/administrators')).status, 403, 'the session as well');
    assert.equal((await patch('ada', { role: 'viewer' })).status, 409, 'a viewer does not count');
    const [entry] = await auditOf(api, '?action=administrator.change');
    assert.deepEqual(entry.changes, [{ field: 'role', from: 'administrator', to: 'viewer' }]);

    assert.equal((await patch('grace', { disabled: true })).status, 200);
    assert.equal((await grace.call('/api/policies')).status, 401, 'the session ended');
    const signIn = () => another(api).call('/api/session', { body: { name: 'grace', password } });
    assert.equal((await signIn()).status, 401);
    assert.equal((await patch('grace', { disabled: false })).status, 200);
    assert.equal((await signIn()).status, 200);
    assert.equal((await patch('nobody', { role: 'viewer' })).status, 404);
    const typed = encodeURIComponent(' \uff47race ');
    const removed = await api.call(`/api/administrators/${typed}`, { method: 'DELETE' });
    assert.equal(removed.status, 204);
    const [removal] = await auditOf(api, '?action=administrator.remove');
    assert.equal(removal.target, 'grace', 'the name as it is stored');
  });

  it('see where they are signed in, and sign out everywhere', async (t) => {
    const started = await start(make, t);
    if (started === undefined) return;
    const { api } = started;
    const [grace, laptop] = [another(api), another(api)];
    await join(grace, await invited(api, 'grace', 'viewer'));
    const signedIn = await laptop.call('/api/session', {
      body: { name: 'grace', password },
      headers: { 'user-agent': firefox },
    });
    laptop.keepCookie(signedIn);
    const own = (await laptop.call('/api/sessions', { headers: { 'user-agent': firefox } })).body;
    assert.deepEqual(
      own.sessions.map(({ name }: Body) => name),
      ['grace', 'grace'],
    );
    const here = own.sessions.find(({ isCurrent }: Body) => isCurrent);
    assert.deepEqual([here.agent, here.address], ['Firefox 128 on Linux', '127.0.0.1']);
    const all = (await api.call('/api/sessions/all')).body.sessions;
    assert.deepEqual(all.map(({ name }: Body) => name).toSorted(), ['ada', 'grace', 'grace']);
    assert.equal((await grace.call('/api/sessions/all')).status, 403);

    const mine = all.find(({ name }: Body) => name === 'ada').id;
    for (const id of [mine, '%25', 'none']) {
      const { status } = await laptop.call(`/api/sessions/${id}`, { method: 'DELETE' });
      assert.equal(status, 404, `${id} is no session of grace`);
    }
    const other = own.sessions.find(({ isCurrent }: Body) => !isCurrent).id;
    const end = await laptop.call(`/api/sessions/${other}`, { method: 'DELETE' });
    assert.equal(end.status, 204);
    assert.equal((await grace.call('/api/policies')).status, 401);
    const everywhere = await laptop.call('/api/sessions', { method: 'DELETE' });
    assert.deepEqual([everywhere.status, everywhere.body], [200, { ended: 1 }]);
    assert.equal((await laptop.call('/api/policies')).status, 401);

    const again = await grace.call('/api/session', { body: { name: 'grace', password } });
    grace.keepCookie(again);
    const path = '/api/administrators/grace/sessions';
    assert.deepEqual((await api.call(path, { method: 'DELETE' })).body, { ended: 1 });
    assert.equal((await grace.call('/api/policies')).status, 401);
  });

  it('who fails to sign in is in the audit, without what may be a password', async (t) => {
    const started = await start(make, t);
    if (started === undefined) return;
    const { api } = started;
    const stranger = another(api);
    const attempt = (name: string) =>
      stranger.call('/api/session', { body: { name, password: 'hunter2 hunter2' } });
    for (const name of ['ada', 'ada', 'my secret password', 'ada']) await attempt(name);
    const refused = await auditOf(api, '?action=session.refuse');
    assert.deepEqual(
      refused.map(({ actor, target, address }) => [actor, target, address]),
      [
        ['nobody', '', '127.0.0.1'],
        ['nobody', 'ada', '127.0.0.1'],
      ],
      'one entry a minute for a name from an address',
    );
    const all = JSON.stringify(await auditOf(api));
    assert.ok(!all.includes('my secret') && !all.includes('hunter2'));
  });

  it('filter and export the audit', async (t) => {
    const started = await start(make, t);
    if (started === undefined) return;
    const { api } = started;
    const grace = another(api);
    await join(grace, await invited(api, 'grace', 'editor'));
    const document = { document: { sensitivity: 3 }, baseVersion: 1, comment: '' };
    const put = await grace.call('/api/policies/default', { method: 'PUT', body: document });
    assert.equal(put.status, 200, JSON.stringify(put.body));
    await api.newKey();
    const actions = async (query: string) =>
      (await auditOf(api, query)).map(({ action }) => action);
    assert.deepEqual(await actions('?actor=grace'), ['policy.change', 'invitation.accept']);
    assert.deepEqual(await actions('?action=key'), ['key.create']);
    assert.deepEqual(await actions('?action=key.create&actor=grace'), []);
    const [change] = await auditOf(api, '?action=policy.change');
    assert.deepEqual(change.changes, [{ field: '/sensitivity', from: 2, to: 3 }]);
    const { at } = change;
    assert.ok((await actions(`?from=${at}`)).includes('policy.change'));
    assert.ok(!(await actions(`?to=${at}`)).includes('policy.change'));
    assert.equal((await api.call('/api/audit?action=KEY%25')).status, 422);

    assert.equal((await grace.call('/api/audit')).status, 200);
    for (const path of ['/api/audit/export', '/api/audit/export.csv']) {
      assert.equal((await grace.call(path)).status, 403, path);
    }
    const lines = String((await api.call('/api/audit/export?actor=grace')).body)
      .trim()
      .split('\n');
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).action),
      ['policy.change', 'invitation.accept'],
    );
    const csv = await api.call('/api/audit/export.csv?action=policy');
    assert.equal(csv.headers.get('content-type'), 'text/csv');
    assert.match(
      String(csv.body),
      /^at,id,actor,action,target,summary,address,changes\r\n.*"\[\{""field""/,
    );
  });
});

test('a browser is named in a few words', () => {
  const names = [
    [firefox, 'Firefox 128 on Linux'],
    [chrome, 'Chrome 131 on Windows'],
    [`${chrome} Edg/131.0.2903.86`, 'Edge 131 on Windows'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 ' +
        '(KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
      'Safari 18 on iOS',
    ],
    ['curl/8.5.0', 'curl/8.5.0'],
    ['<script>alert(1)</script>', ''],
    ['', ''],
  ] as const;
  for (const [header, name] of names) assert.equal(agentName(header), name);
});
