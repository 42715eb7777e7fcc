import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { it } from 'node:test';
import { SignJWT } from 'jose';
import { openApiDocument } from '../../../src/http/openapi.ts';
import { describeOnEachDatabase } from '../../support/databases.ts';
import { client, signOutAt } from '../../support/identity-provider.ts';
import { ReplyChecker } from '../openapi/check-reply.ts';
import type { ApiReply, ApiServer } from './api-server.ts';
import { Browser, entries, type Fixture, link, start } from './sign-on-browser.ts';

const path = '/api/single-sign-on/logout';
const checker = new ReplyChecker(openApiDocument('test'));
const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };

describeOnEachDatabase('a logout at the identity provider', (make) => {
  it('ends the sessions that began there with it, and no others', async (t) => {
    for (const namesSessions of [true, false]) {
      const started = await start(make, t, {}, { namesSessions });
      if (started === undefined) return;
      const { api, provider } = started;
      await link(api, 'one');
      const [first, second] = [new Browser(api), new Browser(api)];
      for (const browser of [first, second]) {
        assert.equal((await browser.signIn('one')).status, 200);
      }
      await signOutAt(provider, first.atProvider);
      assert.deepEqual(provider.logoutErrors, []);
      assert.equal(await first.user(), undefined);
      const isLive = (await second.user()) !== undefined;
      assert.equal(isLive, namesSessions, 'another session of the account');
      assert.equal((await api.call('/api/session')).body.user.name, 'ada', 'by password');
      const [entry, ...more] = await entries(api, 'session.end-all');
      assert.deepEqual([entry.actor, entry.target, more.length], ['single sign-on', 'ada', 0]);
      assert.equal(entry.summary, 'the identity provider ended the sessions of ada');
      await signOutAt(provider, second.atProvider);
      assert.deepEqual(provider.logoutErrors, []);
      assert.equal(await second.user(), undefined);
    }
  });

  it('is taken once, and only as the provider signs it for this client now', async (t) => {
    const started = await start(make, t);
    if (started === undefined) return;
    const { api, provider } = started;
    await link(api, 'one');
    const browser = new Browser(api);
    await browser.signIn('one');
    const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const good = { sub: 'one', jti: 'a', events };
    const refused: Readonly<Record<string, string>> = {
      'another key': await signed(started, good, { key: other }),
      'an unknown key': await signed(started, good, { key: other, kid: 'other' }),
      'another issuer': await signed(started, { ...good, iss: 'https://id.example' }),
      'another client': await signed(started, { ...good, aud: 'other' }),
      'too old': await signed(started, good, { age: 361 }),
      'of the future': await signed(started, good, { age: -90 }),
      'has expired': await signed(started, { ...good, exp: now() - 61 }),
      'an ID token': await signed(started, { ...good, nonce: 'n' }),
      'another type': await signed(started, good, { typ: 'at+jwt' }),
      'no event': await signed(started, { ...good, events: undefined }),
      'another event': await signed(started, { ...good, events: { 'https://other': {} } }),
      'an event that is none': await signed(started, { ...good, events: Object.keys(events) }),
      'no id': await signed(started, { ...good, jti: undefined }),
      'no session': await signed(started, { ...good, sub: undefined }),
      'an empty session': await signed(started, { ...good, sub: undefined, sid: '' }),
      unsigned: `${encoded({ alg: 'none' })}.${encoded({ ...claimsOf(started), ...good })}.`,
      'no token': 'x',
    };
    for (const [why, token] of Object.entries(refused)) {
      const { status, body } = await send(api, { logout_token: token });
      assert.equal(status, 400, why);
      assert.equal(body.type, 'urn:sallyport:problem:logout-token-not-valid', why);
    }
    assert.equal((await send(api, { token: 'x' })).status, 400);
    const json = await api.call(path, { body: { logout_token: 'x' } });
    checker.check(path, 'POST', json);
    assert.match(json.body.detail, /^Send content-type: application\/x-www-form-urlencoded\.$/);
    assert.equal((await browser.user()).name, 'ada');
    const unknown = await signed(started, { ...good, sub: 'unknown', jti: 'b' });
    assert.deepEqual((await send(api, { logout_token: unknown })).body, { ended: 0 });

    const token = await signed(started, good);
    assert.deepEqual((await send(api, { logout_token: token, more: 'ignored' })).body, {
      ended: 1,
    });
    assert.equal(await browser.user(), undefined);
    await browser.signIn('one');
    assert.equal((await send(api, { logout_token: token })).status, 400, 'again');
    assert.equal((await browser.user()).name, 'ada');
    for (const typ of ['JWT', 'application/logout+jwt', undefined]) {
      const later = await signed(started, { ...good, jti: `of ${typ}` }, { typ });
      assert.equal((await send(api, { logout_token: later })).status, 200, typ);
    }
    assert.equal(
      api.log.lines.filter(({ message }) => message === 'a logout token was refused').length,
      1,
    );
    await provider.close();
  });

  it('cannot be read while the keys of the provider are unavailable', async (t) => {
    const started = await start(make, t);
    if (started === undefined) return;
    const { api, provider } = started;
    const token = await signed(started, { sub: 'one', jti: 'a', events });
    // What the provider offers is known, its keys are not yet.
    await new Browser(api).call('/api/single-sign-on', {});
    await provider.close();
    const { status, body } = await send(api, { logout_token: token });
    assert.deepEqual([status, body.type.split(':').at(-1)], [503, 'single-sign-on-not-available']);
  });
});

function now(): number {
  return Math.floor(Date.now() / 1_000);
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function claimsOf({ provider }: Fixture, age = 0) {
  return { iss: provider.issuer, aud: client.id, iat: now() - age };
}

/** A token as the provider signs it, but for what is given. */
function signed(
  fixture: Fixture,
  claims: object,
  given: { key?: KeyObject; kid?: string; age?: number; typ?: string | undefined } = {},
): Promise<string> {
  const { key = fixture.provider.key, kid = 'test', age = 0 } = given;
  const typ = 'typ' in given ? given.typ : 'logout+jwt';
  return new SignJWT({ ...claimsOf(fixture, age), ...claims })
    .setProtectedHeader({ alg: 'RS256', kid, ...(typ === undefined ? {} : { typ }) })
    .sign(key);
}

/** Sends a form as a server does: from no origin, without a session. */
async function send(api: ApiServer, form: Readonly<Record<string, string>>): Promise<ApiReply> {
  const answer = await fetch(`${api.origin}${path}`, {
    method: 'POST',
    headers: { connection: 'close' },
    body: new URLSearchParams(form),
  });
  const { status, headers } = answer;
  const reply: ApiReply = { status, headers, body: await answer.json() };
  checker.check(path, 'POST', reply);
  return reply;
}
