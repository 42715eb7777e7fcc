import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { it, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { plainCode } from '../../../src/access/recovery-codes.ts';
import { apiRoutes } from '../../../src/http/api/routes/routes.ts';
import { databasePath } from '../../../src/storage/database.ts';
import { describeOnEachDatabase, type MakeDatabase } from '../../support/databases.ts';
import { totpCode } from '../../support/totp.ts';
import { ApiServer, type Body, password, startApiOn } from './api-server.ts';

const path = '/api/session/second-factor';
const wrongCodesFree = 5;

async function start(make: MakeDatabase, t: TestContext) {
  const started = await startApiOn(make, t);
  if (started === undefined) return undefined;
  const { api, fresh } = started;
  const { database } = await fresh.open();
  /** As if time had passed: no code counts as used. */
  const later = () => database.updateTable('admin_second_factor').set({ last_step: 0 }).execute();
  const { dataDir, databaseUrl } = fresh.options;
  return { api, database, later, dataDir, isSqlite: databaseUrl === undefined };
}

/** Sets a second factor up for who is signed in. */
async function setUp(api: ApiServer) {
  const begun = await api.call(path, { body: { password } });
  assert.equal(begun.status, 201, JSON.stringify(begun.body));
  const { secret, uri } = begun.body as { readonly secret: string; readonly uri: string };
  const confirmed = await api.call(`${path}/confirm`, { body: { code: totpCode(secret) } });
  assert.equal(confirmed.status, 200, JSON.stringify(confirmed.body));
  return { secret, uri, codes: confirmed.body.recoveryCodes as readonly string[] };
}

/** A browser that was never here before signs in. */
async function signIn(api: ApiServer, body: object, name = 'ada') {
  const browser = new ApiServer(api.running, api.log);
  const reply = await browser.call('/api/session', { body: { name, password, ...body } });
  if (reply.status === 200) browser.keepCookie(reply);
  const { status, body: answer } = reply;
  return {
    browser,
    status,
    problem: String(answer.type ?? '')
      .split(':')
      .at(-1),
  };
}

async function actsOf(api: ApiServer): Promise<string[]> {
  const { entries } = (await api.call('/api/audit')).body;
  return entries.map(({ actor, action }: Body) => `${actor} ${action}`);
}

describeOnEachDatabase('a second factor', (make) => {
  it('counts once a code was right, and then no password is enough', async (t) => {
    const started = await start(make, t);
    if (started === undefined) return;
    const { api } = started;
    const other = await signIn(api, {});
    assert.equal(other.status, 200);
    const state = async () => (await api.call(path)).body;
    assert.deepEqual(await state(), { isOn: false, recoveryCodes: 0 });
    const confirm = (code: string) => api.call(`${path}/confirm`, { body: { code } });
    assert.equal((await confirm('000000')).status, 409, 'nothing to confirm');
    assert.equal((await api.call(path, { body: { password: 'wrong' } })).status, 401);

    const former = (await api.call(path, { body: { password } })).body.secret;
    const begun = await api.call(path, { body: { password } });
    const { secret, uri } = begun.body;
    assert.match(uri, /^otpauth:\/\/totp\/Sallyport:ada\?/);
    assert.notEqual(former, secret);
    assert.equal((await confirm(totpCode(former))).status, 401, 'a new secret replaces it');
    assert.equal((await signIn(api, {})).status, 200, 'not in force yet');
    assert.equal((await confirm(totpCode(secret, 10))).status, 401);
    assert.deepEqual(await state(), { isOn: false, recoveryCodes: 0 });
    const confirmed = await confirm(totpCode(secret));
    assert.equal(confirmed.status, 200);
    assert.equal(new Set(confirmed.body.recoveryCodes).size, 10);
    assert.deepEqual(await state(), { isOn: true, recoveryCodes: 10 });
    assert.equal((await other.browser.call('/api/keys')).status, 401, 'other sessions ended');
    assert.equal((await confirm(totpCode(secret, 1))).status, 409, 'only once');
    assert.equal((await api.call(path, { body: { password } })).status, 409, 'there is one');

    const needed = await signIn(api, {});
    assert.deepEqual([needed.status, needed.problem], [401, 'second-factor-needed']);
    const wrong = await signIn(api, { password: 'wrong', code: totpCode(secret, 1) });
    assert.deepEqual([wrong.status, wrong.problem], [401, 'sign-in-refused']);
    assert.equal((await signIn(api, { password: 'wrong' })).problem, 'sign-in-refused');
    const right = await signIn(api, { code: totpCode(secret, 1) });
    assert.equal(right.status, 200);
    assert.equal((await right.browser.call('/api/keys')).status, 200);
    const [admin] = (await api.call('/api/administrators')).body.administrators;
    assert.equal(admin.secondFactor, true);
    assert.ok((await actsOf(api)).includes('ada administrator.second-factor'));
  });

  it('admits one sign-in with a code, however many come at once, and none with an earlier one', async (t) => {
    const started = await start(make, t);
    if (started === undefined) return;
    const { api, later } = started;
    const { secret, codes } = await setUp(api);
    assert.equal((await signIn(api, { code: totpCode(secret) })).problem, 'second-factor-refused');
    await later();
    const code = totpCode(secret, 1);
    const both = await Promise.all([signIn(api, { code }), signIn(api, { code })]);
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 401]);
    for (const used of [code, totpCode(secret)]) {
      assert.equal((await signIn(api, { code: used })).problem, 'second-factor-refused');
    }
    const [one = '', two = ''] = codes;
    const twice = await Promise.all([signIn(api, { code: one }), signIn(api, { code: one })]);
    assert.deepEqual(twice.map(({ status }) => status).toSorted(), [200, 401]);
    assert.equal((await signIn(api, { code: ` ${two.toLowerCase()} ` })).status, 200);
    assert.equal((await signIn(api, { code: two })).problem, 'second-factor-refused');
    assert.equal((await api.call(path)).body.recoveryCodes, 8);
    const entries = (await api.call('/api/audit?action=session.sign-in')).body.entries;
    assert.equal(entries[0].summary, 'ada signed in with a recovery code');
  });

  it('counts wrong codes as failed sign-ins, whatever comes in between', async (t) => {
    const started = await start(make, t);
    if (started === undefined) return;
    const { api, later } = started;
    const { secret, codes } = await setUp(api);
    await later();
    for (let n = 0; n < wrongCodesFree; n += 1) {
      const { problem } = await signIn(api, {
        code: n % 2 === 0 ? 'AAAA-BBBB' : totpCode(secret, 9),
      });
      assert.equal(problem, 'second-factor-refused');
      if (n === 0) assert.equal((await signIn(api, {})).problem, 'second-factor-needed');
    }
    for (const code of [totpCode(secret), codes[0]]) {
      assert.equal((await signIn(api, { code })).status, 429);
    }
    const [entry] = (await api.call('/api/audit?action=session.refuse')).body.entries;
    assert.deepEqual([entry.actor, entry.target], ['nobody', 'ada']);
    const refused = api.log.told.filter(({ user }) => user === 'ada');
    assert.ok(refused.length >= wrongCodesFree, 'and logged');
  });

  it('is turned off, and its codes renewed, with password and code only', async (t) => {
    const started = await start(make, t);
    if (started === undefined) return;
    const { api, later } = started;
    const go = async (what: string, body: object) => {
      await later();
      return api.call(`${path}/${what}`, { body });
    };
    for (const what of ['recovery-codes', 'turn-off']) {
      assert.equal((await go(what, { password, code: '000000' })).status, 409, 'there is none');
    }
    const { secret, codes } = await setUp(api);
    for (const what of ['recovery-codes', 'turn-off']) {
      assert.equal((await go(what, { password })).status, 422);
      assert.match((await go(what, { password, code: ' - ' })).body.type, /second-factor-needed$/);
      const code = totpCode(secret);
      assert.match((await go(what, { password: 'wrong', code })).body.type, /sign-in-refused$/);
    }
    const renewed = await go('recovery-codes', { password, code: totpCode(secret) });
    assert.equal(renewed.status, 200);
    const [fresh] = renewed.body.recoveryCodes;
    assert.match((await go('turn-off', { password, code: codes[0] })).body.type, /factor-refused$/);
    assert.equal((await go('turn-off', { password, code: fresh })).status, 204);
    assert.equal((await signIn(api, {})).status, 200);
    assert.deepEqual((await api.call(path)).body, { isOn: false, recoveryCodes: 0 });
    const acts = await actsOf(api);
    assert.ok(acts.includes('ada administrator.recovery-codes'), acts.join());
    assert.ok(acts.includes('ada administrator.second-factor-off'), acts.join());
    await setUp(api);
  });

  it('is reset by another administrator, which ends the sessions', async (t) => {
    const started = await start(make, t);
    if (started === undefined) return;
    const { api } = started;
    const grace = { name: 'grace', password, role: 'viewer' };
    assert.equal((await api.call('/api/administrators', { body: grace })).status, 201);
    const { browser } = await signIn(api, {}, 'grace');
    const reset = (who: ApiServer, name: string) =>
      who.call(`/api/administrators/${name}/second-factor`, { method: 'DELETE' });
    assert.equal((await reset(api, 'grace')).status, 404, 'there is none');
    await browser.call(path, { body: { password } });
    assert.equal((await reset(api, 'grace')).status, 404, 'nor one in force');
    await setUp(browser);
    await setUp(api);
    assert.equal((await signIn(api, {}, 'grace')).status, 401);
    assert.equal((await reset(browser, 'ada')).status, 403);
    for (const own of ['ada', '%20ada']) assert.equal((await reset(api, own)).status, 409);
    assert.equal((await reset(api, 'grace')).status, 204);
    assert.equal((await browser.call('/api/session')).body.user, undefined, 'signed out');
    assert.equal((await signIn(api, {}, 'grace')).status, 200);
    assert.equal((await signIn(api, {})).status, 401, 'that of others stays');
    assert.ok((await actsOf(api)).includes('ada administrator.second-factor-reset'));
  });

  it('has its secret and its codes nowhere in clear, and not in answers, audit or log', async (t) => {
    const started = await start(make, t);
    if (started === undefined) return;
    const { api, database, dataDir, isSqlite } = started;
    const { secret, codes } = await setUp(api);
    await signIn(api, { code: codes[0] });
    const stored: string[] = [];
    for (const table of ['admin_second_factor', 'admin_recovery_code', 'audit_entry'] as const) {
      stored.push(JSON.stringify(await database.selectFrom(table).selectAll().execute()));
    }
    assert.match(stored[0] ?? '', /"sealed":"[\w+/=]{60,}"/);
    if (isSqlite) {
      await sql`pragma wal_checkpoint(full)`.execute(database);
      for (const end of ['', '-wal']) {
        const file = databasePath(dataDir) + end;
        if (existsSync(file)) stored.push(readFileSync(file, 'latin1'));
      }
    }
    for (const one of [
      path,
      '/api/session',
      '/api/administrators',
      '/api/audit',
      '/api/sessions',
    ]) {
      stored.push(JSON.stringify((await api.call(one)).body));
    }
    stored.push(JSON.stringify(api.log.told));
    const all = stored.join('\n').toUpperCase();
    for (const text of [secret, ...codes, ...codes.map(plainCode)]) {
      assert.ok(!all.includes(text), 'in clear');
    }
  });

  it('opens nothing else before it is set up, where it is required', async (t) => {
    const started = await startApiOn(make, t, { secondFactor: 'required' });
    if (started === undefined) return;
    const { api } = started;
    const open: string[] = [];
    for (const { method, path: pattern, access } of apiRoutes) {
      if (access === 'public') continue;
      const name = `${method} ${pattern}`;
      // Signing out is open, and would end this.
      if (name === 'DELETE /api/session') continue;
      const reply = await api.call(pattern.replace(/:\w+/g, 'none'), {
        method,
        ...(method === 'GET' || method === 'DELETE' ? {} : { body: {} }),
      });
      if (reply.body.type === 'urn:sallyport:problem:second-factor-required') {
        assert.equal(reply.status, 403);
        assert.match(reply.body.detail, /POST \/api\/session\/second-factor/);
      } else open.push(name);
    }
    assert.deepEqual(open, [`GET ${path}`, `POST ${path}`, `POST ${path}/confirm`]);
    assert.equal((await api.call('/api/session')).body.needsSecondFactor, true);
    const { secret } = await setUp(api);
    assert.equal((await api.call('/api/session')).body.needsSecondFactor, false);
    const key = (await api.call('/api/keys', { body: { name: 'ci', kind: 'admin' } })).body.secret;
    const headers = { 'x-api-key': key, cookie: '' };
    assert.equal((await api.call('/api/policies', { headers })).status, 200, 'keys have none');

    const body = { name: 'grace', role: 'editor' };
    const link = (await api.call('/api/invitations', { body })).body.path;
    const token = new URLSearchParams(link.split('#')[1]).get('join');
    const guest = new ApiServer(api.running, api.log);
    guest.keepCookie(await guest.call('/api/join', { body: { token, password } }));
    assert.equal((await guest.call('/api/policies')).status, 403);
    assert.equal((await guest.call('/api/session', { method: 'DELETE' })).status, 204);
    const off = { password, code: totpCode(secret, 1) };
    assert.equal((await api.call(`${path}/turn-off`, { body: off })).status, 204);
    assert.equal((await api.call('/api/policies')).status, 403, 'off again');
    await setUp(api);
    assert.equal((await api.call('/api/policies')).status, 200);
  });

  it('concerns no key', async (t) => {
    const started = await start(make, t);
    if (started === undefined) return;
    const { api } = started;
    const body = { name: 'ci', kind: 'admin' };
    const { secret } = (await api.call('/api/keys', { body })).body;
    await setUp(api);
    const key = new ApiServer(api.running, api.log);
    const headers = { 'x-api-key': secret };
    assert.equal((await key.call('/api/policies', { headers })).status, 200);
    assert.deepEqual((await key.call(path, { headers })).body, { isOn: false, recoveryCodes: 0 });
    for (const [end, given] of [
      ['', { password }],
      ['/confirm', { code: '1' }],
      ['/turn-off', { password, code: '1' }],
      ['/recovery-codes', { password, code: '1' }],
    ] as const) {
      const { status } = await key.call(`${path}${end}`, { headers, body: given });
      assert.equal(status, 409, end);
    }
  });
});
