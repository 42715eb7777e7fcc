import assert from 'node:assert/strict';
import { it } from 'node:test';
import { describeOnEachDatabase } from '../../support/databases.ts';
import { client } from '../../support/identity-provider.ts';
import { totpCode } from '../../support/totp.ts';
import { password } from './api-server.ts';
import { Browser, entries, invite, link, path, start } from './sign-on-browser.ts';

describeOnEachDatabase('single sign-on', (make) => {
  it('signs in by the linked account, and by no name and no address', async (t) => {
    const started = await start(make, t);
    if (started === undefined) return;
    const { api, provider } = started;
    const { body } = await api.call('/api/session');
    assert.equal(body.singleSignOn, `${api.origin}/dashboard`);
    // The account has the name and, verified, the address of an administrator.
    provider.claims.set('ada', { preferred_username: 'ada', email: 'ada' });
    const unknown = await new Browser(api).signIn('ada');
    assert.deepEqual([unknown.status, unknown.problem], [403, 'single-sign-on-refused']);
    assert.match(unknown.detail, /no administrator is linked to this account \(ada\)/i);
    assert.deepEqual((await api.call(path)).body, { isConfigured: true });
    assert.equal((await api.call(path, { body: { password: 'wrong' } })).status, 401);
    const linked = await link(api, 'anyone');
    assert.deepEqual(linked.body, { user: { name: 'ada', role: 'administrator' }, isLinked: true });
    assert.deepEqual((await api.call(path)).body, {
      isConfigured: true,
      account: 'anyone@example.com',
    });

    const browser = new Browser(api);
    const signedIn = await browser.signIn('anyone');
    assert.deepEqual([signedIn.status, signedIn.body.isLinked], [200, false]);
    assert.deepEqual(await browser.user(), { name: 'ada', role: 'administrator' });
    assert.ok(!browser.cookies.has('__Host-sallyport-sign-on'), 'used up');
    const [entry] = await entries(api, 'session.sign-in');
    assert.equal(entry.summary, 'ada signed in by single sign-on as anyone@example.com');
    const refusals = await entries(api, 'session.refuse');
    const refused = refusals.find(({ target }) => target === '');
    assert.equal(refused.actor, 'nobody');
    assert.match(refused.summary, /^refused a single sign-on \(ada\): no administrator is linked/);

    const unlink = (given: object) => api.call(`${path}/unlink`, { body: given });
    assert.equal((await unlink({ password: 'wrong' })).status, 401);
    assert.equal((await unlink({ password })).status, 204);
    assert.equal((await unlink({ password })).status, 409, 'once');
    assert.equal((await new Browser(api).signIn('anyone')).status, 403);
    const acts = [...(await entries(api, 'administrator'))].map(({ action }) => action);
    assert.deepEqual(acts.slice(0, 2), ['administrator.unlink', 'administrator.link']);
  });

  it('accepts an invitation, and the account has no password', async (t) => {
    const started = await start(make, t);
    if (started === undefined) return;
    const { api } = started;
    const token = await invite(api, 'grace');
    const browser = new Browser(api);
    const wrong = await browser.call('/api/single-sign-on', { invitation: 'x'.repeat(43) });
    assert.equal(wrong.status, 403);
    const answer = await browser.go('hopper', { invitation: token });
    const late = new Browser(api);
    const lateAnswer = await late.go('other', { invitation: token });
    assert.equal((await browser.finish(answer)).status, 200);
    assert.deepEqual(await browser.user(), { name: 'grace', role: 'viewer' });
    const { status, detail } = await late.finish(lateAnswer);
    assert.equal(status, 403);
    assert.match(detail, /invitation was used/);
    for (const guess of ['', 'x', password]) {
      const given = { name: 'grace', password: guess };
      assert.notEqual((await new Browser(api).call('/api/session', given)).status, 200);
    }
    assert.equal((await new Browser(api).signIn('hopper')).status, 200);
    const elsewhere = await link(api, 'hopper');
    assert.match(elsewhere.detail, /linked to another administrator/);
    const second = await new Browser(api).signIn('hopper', {
      invitation: await invite(api, 'alan'),
    });
    assert.match(second.detail, /linked to another administrator/);
    assert.equal((await entries(api, 'invitation.accept')).length, 1);
    const disabled = { method: 'PATCH', body: { disabled: true } };
    assert.equal((await api.call('/api/administrators/grace', disabled)).status, 200);
    assert.match((await new Browser(api).signIn('hopper')).detail, /disabled/);
    assert.equal((await entries(api, 'session.refuse'))[0].target, 'grace');
    await api.call('/api/administrators/grace', { method: 'DELETE' });
    assert.match((await new Browser(api).signIn('hopper')).detail, /no administrator is linked/i);
  });

  it('takes an answer only from the browser that asked, once, and as it was sent', async (t) => {
    const started = await start(make, t);
    if (started === undefined) return;
    const { api } = started;
    assert.equal((await link(api, 'ada')).status, 200);
    const refusals: string[] = [];
    const isRefused = async (browser: Browser, answer: string, why: RegExp) => {
      const { status, detail } = await browser.finish(answer);
      assert.equal(status, 403, answer);
      assert.match(detail, why);
      assert.equal(await browser.user(), undefined);
      refusals.push(answer);
    };
    const mine = new Browser(api);
    const answer = await mine.go('ada');
    const victim = new Browser(api);
    await isRefused(victim, answer, /this browser did not begin it/i);
    await victim.go('ada');
    await isRefused(victim, answer, /not valid/);
    const given = new URLSearchParams(answer);
    const changed = (name: string, value: string) => {
      const copy = new URLSearchParams(given);
      copy.set(name, value);
      return `?${copy}`;
    };
    assert.equal(given.get('iss'), started.provider.issuer);
    await isRefused(mine, changed('state', 'x'), /not valid/);
    await isRefused(mine, changed('iss', 'https://evil.example'), /not valid/);
    await isRefused(mine, changed('code', 'x'), /not valid/);
    await isRefused(mine, `${answer}&code=x`, /not valid/);
    const refusing = new URLSearchParams({
      ...{ error: 'access_denied', error_description: '<b>no</b>' },
      ...{ state: given.get('state') ?? '', iss: given.get('iss') ?? '' },
    });
    await isRefused(mine, `?${refusing}`, /provider refused it \(access_denied\)/);
    // A code of another way, with the state of this one: PKCE and the nonce bind it.
    const other = new Browser(api);
    const stolen = new URLSearchParams(await other.go('ada')).get('code') ?? '';
    await isRefused(mine, changed('code', stolen), /not valid/);

    const flow = mine.cookies.get('__Host-sallyport-sign-on') ?? '';
    assert.equal((await mine.finish(answer)).status, 200);
    const again = new Browser(api);
    again.cookies.set('__Host-sallyport-sign-on', flow);
    await isRefused(again, answer, /not valid/);
    const first = flow.startsWith('A') ? 'B' : 'A';
    again.cookies.set('__Host-sallyport-sign-on', first + flow.slice(1));
    await isRefused(again, answer, /did not begin it/);

    const written = JSON.stringify([api.log.lines, await entries(api, 'session')]);
    for (const one of [...refusals, answer]) {
      const { code = 'x', state = 'x' } = Object.fromEntries(new URLSearchParams(one));
      for (const secret of [code, state]) {
        assert.ok(secret === 'x' || !written.includes(secret), 'in the log or the audit');
      }
    }
    assert.ok(!written.includes(client.secret));
    const headers = { origin: 'https://evil.example' };
    for (const where of ['/api/single-sign-on', '/api/single-sign-on/finish']) {
      const body = where.endsWith('finish') ? { answer } : {};
      assert.equal((await api.call(where, { body, headers })).status, 403);
    }
  });

  it('asks for the second factor before it links, and not at the sign-in', async (t) => {
    const started = await start(make, t);
    if (started === undefined) return;
    const { api } = started;
    const factor = '/api/session/second-factor';
    const { secret } = (await api.call(factor, { body: { password } })).body;
    await api.call(`${factor}/confirm`, { body: { code: totpCode(secret) } });
    for (const where of [path, `${path}/unlink`]) {
      const needed = await api.call(where, { body: { password } });
      assert.match(needed.body.type, /second-factor-needed$/);
      const wrong = await api.call(where, { body: { password, code: '000000' } });
      assert.match(wrong.body.type, /second-factor-refused$/);
    }
    const browser = new Browser(api, true);
    const answer = await browser.go('ada', { password, code: totpCode(secret, 1) }, path);
    assert.equal((await browser.finish(answer)).status, 200);
    assert.equal((await new Browser(api).signIn('ada')).status, 200);
  });

  it('links for the session that asked only, and no key', async (t) => {
    const started = await start(make, t);
    if (started === undefined) return;
    const { api } = started;
    const browser = new Browser(api, true);
    const answer = await browser.go('ada', { password }, path);
    const session = browser.cookies.get('__Host-sallyport') ?? '';
    const signedIn = await new Browser(api).call('/api/session', { name: 'ada', password });
    const other = /^__Host-sallyport=([^;]+)/.exec(signedIn.headers.getSetCookie()[0] ?? '')?.[1];
    browser.cookies.set('__Host-sallyport', other ?? '');
    const ended = /session that asked for the link has ended/;
    assert.match((await browser.finish(answer)).detail, ended);
    browser.cookies.set('__Host-sallyport', session);
    const later = await browser.go('ada', { password }, path);
    browser.cookies.delete('__Host-sallyport');
    assert.match((await browser.finish(later)).detail, ended, 'without a session');
    const next = new Browser(api, true);
    assert.equal(next.cookies.get('__Host-sallyport'), session);
    assert.equal((await next.finish(await next.go('ada', { password }, path))).status, 200);
    const created = await api.call('/api/keys', { body: { name: 'ops', kind: 'admin' } });
    const headers = { 'x-api-key': created.body.secret, cookie: '' };
    assert.deepEqual((await api.call(path, { headers })).body, { isConfigured: true });
    for (const where of [path, `${path}/unlink`]) {
      assert.equal((await api.call(where, { headers, body: { password } })).status, 409);
    }
  });

  it('stops asking the provider after many failures of a network', async (t) => {
    const started = await start(make, t);
    if (started === undefined) return;
    const { api } = started;
    const stranger = new Browser(api);
    for (let n = 0; n < 21; n += 1) {
      assert.equal((await stranger.finish('?code=x&state=x')).status, 403, 'costs nothing');
    }
    const browser = new Browser(api);
    await browser.call('/api/single-sign-on', {});
    const all: number[] = [];
    for (let n = 0; n < 21; n += 1) all.push((await browser.finish('?code=x&state=x')).status);
    assert.deepEqual([...new Set(all.slice(0, 20))], [403]);
    assert.equal(all[20], 429);
    assert.ok((await entries(api, 'session.refuse')).length < 5, 'bounded');
  });

  it('takes roles from a claim: makes accounts, changes them, refuses without', async (t) => {
    const started = await start(make, t, { oidcRoleClaim: 'roles' });
    if (started === undefined) return;
    const { api, provider } = started;
    const signIn = async (user: string, roles: unknown, more: object = {}) => {
      provider.claims.set(user, { roles, ...more });
      const browser = new Browser(api);
      return { ...(await browser.signIn(user)), browser };
    };
    const made = await signIn('grace', ['staff', 'sallyport-viewer', 'sallyport-editor']);
    assert.deepEqual(made.body.user, { name: 'grace@example.com', role: 'editor' });
    const changed = await signIn('grace', 'sallyport-viewer');
    assert.deepEqual(changed.body.user, { name: 'grace@example.com', role: 'viewer' });
    assert.equal((await made.browser.user()).role, 'viewer', 'at once');
    assert.match((await signIn('grace', ['viewer', 7])).detail, /no role/);
    assert.match((await signIn('grace', undefined)).detail, /no role/);
    const [change] = await entries(api, 'administrator.change');
    assert.deepEqual(change.changes, [{ field: 'role', from: 'editor', to: 'viewer' }]);
    assert.equal(change.actor, 'single sign-on');
    assert.equal((await entries(api, 'administrator.create'))[0].actor, 'single sign-on');

    // Neither an address that was not verified nor a name takes over an account.
    const unverified = { email: 'grace@example.com', email_verified: false };
    const eve = await signIn('eve', 'sallyport-administrator', unverified);
    assert.equal(eve.body.user.name, 'eve');
    await api.call('/api/administrators/eve', { method: 'DELETE' });
    for (const name of ['ada', ' ada', 'cli', 'nobody', 'key:abc', 'Single sign-on']) {
      const named = { email_verified: false, preferred_username: name };
      const refused = await signIn(`taker-${name.length}`, 'sallyport-administrator', named);
      assert.match(refused.detail, /not linked to this account/, name);
    }
    provider.claims.set('lovelace', { roles: 'sallyport-administrator' });
    assert.equal((await link(api, 'lovelace')).status, 200);
    assert.match((await signIn('lovelace', 'sallyport-viewer')).detail, /last administrator/);
    assert.equal((await signIn('lovelace', 'sallyport-administrator')).body.user.name, 'ada');
  });

  it('needs no second factor here where one is required: the provider has its own', async (t) => {
    const started = await start(make, t, { secondFactor: 'required' });
    if (started === undefined) return;
    const { api } = started;
    assert.equal((await api.call(path, { body: { password } })).status, 403, 'not by the password');
    const factor = '/api/session/second-factor';
    const { secret } = (await api.call(factor, { body: { password } })).body;
    await api.call(`${factor}/confirm`, { body: { code: totpCode(secret) } });
    const browser = new Browser(api);
    const invitation = await invite(api, 'grace');
    assert.equal((await browser.signIn('hopper', { invitation })).status, 200);
    assert.equal((await browser.call('/api/session')).body.needsSecondFactor, false);
    assert.equal((await browser.call('/api/policies')).status, 200);
  });

  it('is unavailable while the provider is, and everything else works', async (t) => {
    const started = await start(make, t);
    if (started === undefined) return;
    const { api, provider } = started;
    assert.equal((await link(api, 'ada')).status, 200);
    const browser = new Browser(api);
    const answer = await browser.go('ada');
    await provider.close();
    const { status, problem, body } = await browser.finish(answer);
    assert.deepEqual([status, problem], [503, 'single-sign-on-not-available']);
    assert.match(body.detail, /name and password/);
    const signedIn = await browser.call('/api/session', { name: 'ada', password });
    assert.equal(signedIn.status, 200);
  });
});
