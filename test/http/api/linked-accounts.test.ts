import assert from 'node:assert/strict';
import { it } from 'node:test';
import { describeOnEachDatabase } from '../../support/databases.ts';
import { type Body, password } from './api-server.ts';
import { Browser, entries, invite, link, path, start } from './sign-on-browser.ts';

describeOnEachDatabase('a linked account', (make) => {
  it('ends the sessions of an account that is unlinked or replaced, but not the own one', async (t) => {
    const started = await start(make, t);
    if (started === undefined) return;
    const { api } = started;
    const signedIn = async (user: string) => {
      const browser = new Browser(api);
      assert.equal((await browser.signIn(user)).status, 200);
      return browser;
    };
    await link(api, 'one');
    const one = await signedIn('one');
    await link(api, 'two');
    assert.equal(await one.user(), undefined, 'replaced');
    const [two, own] = [await signedIn('two'), await signedIn('two')];
    assert.equal((await own.call(`${path}/unlink`, { password })).status, 204);
    assert.equal(await two.user(), undefined, 'unlinked');
    assert.equal((await own.user()).name, 'ada');
    assert.equal((await api.call('/api/session')).body.user.name, 'ada', 'by password');
  });

  it('is named by the verified address, else by the user name, else by the subject', async (t) => {
    const started = await start(make, t);
    if (started === undefined) return;
    const { api, provider } = started;
    for (const [claims, label] of [
      [{ preferred_username: 'ada' }, 'one@example.com'],
      [{ email_verified: false, preferred_username: 'ada' }, 'ada'],
      [{ email: ' ', preferred_username: 'ada' }, 'ada'],
      [{ email: undefined, preferred_username: 'ada' }, 'ada'],
      [{ email: 7, preferred_username: '' }, 'one'],
    ] as const) {
      provider.claims.set('one', claims);
      const { detail } = await new Browser(api).signIn('one');
      assert.ok(detail.includes(`(${label}).`), `${JSON.stringify(claims)}: ${detail}`);
      assert.match(detail, /no password gets one by the command sallyport admins reset/);
    }
  });

  it('is listed, and unlinked by another administrator', async (t) => {
    const started = await start(make, t);
    if (started === undefined) return;
    const { api } = started;
    const browser = new Browser(api);
    await browser.signIn('hopper', { invitation: await invite(api, 'grace') });
    const admin = new Browser(api, true);
    const accounts = async () =>
      (await admin.call('/api/administrators')).body.administrators.map(
        ({ account }: Body) => account,
      );
    assert.deepEqual(await accounts(), [undefined, 'hopper@example.com']);
    const { administrators } = (await admin.call('/api/administrators')).body;
    const withPassword = administrators.map(({ hasPassword }: Body) => hasPassword);
    assert.deepEqual(withPassword, [true, false]);
    for (const [one, hasPassword] of [
      [admin, true],
      [browser, false],
      [new Browser(api), undefined],
    ] as const) {
      assert.equal((await one.call('/api/session')).body.hasPassword, hasPassword);
    }
    const [proof, other] = [{ password }, { current: password, password: `${password} 2` }];
    for (const [where, body, method] of [
      ['/api/session/password', other, 'PUT'],
      ['/api/session/second-factor', proof, 'POST'],
      ['/api/session/second-factor/recovery-codes', { ...proof, code: '000000' }, 'POST'],
      ['/api/session/second-factor/turn-off', { ...proof, code: '000000' }, 'POST'],
      [path, proof, 'POST'],
      [`${path}/unlink`, proof, 'POST'],
    ] as const) {
      const reply = await browser.call(where, body, method);
      assert.equal(reply.status, 409, where);
      assert.match(reply.body.detail, /You have no password/);
    }
    const unlink = async (name: string) =>
      (await api.call(`/api/administrators/${name}/single-sign-on`, { method: 'DELETE' })).status;
    assert.deepEqual([await unlink('grace'), await unlink('grace')], [204, 404]);
    assert.equal(await unlink('ada'), 409, 'the own one');
    assert.deepEqual(await accounts(), [undefined, undefined]);
    assert.equal(await browser.user(), undefined, 'signed out');
    const [entry] = await entries(api, 'administrator.unlink');
    assert.deepEqual([entry.actor, entry.target], ['ada', 'grace']);
  });
});
