import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { SignJWT } from 'jose';
import { createGuardedFetch } from '../../src/oidc/guarded-fetch.ts';
import { createLogoutReader } from '../../src/oidc/logout-token.ts';
import { client, startProvider } from '../support/identity-provider.ts';

const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };

/** A reader at a provider, and a clock that is set by hand. */
async function start(t: TestContext) {
  const provider = await startProvider(t, 'https://gate.example');
  const { issuer, key } = provider;
  const clock = { now: Date.now() };
  let asked = 0;
  const guarded = createGuardedFetch(new URL(issuer));
  const read = createLogoutReader({
    clientId: client.id,
    clock: () => clock.now,
    fetch: (address, options) => {
      asked += 1;
      return guarded(address, options);
    },
  });
  const token = (header: { readonly kid?: string } = {}) =>
    new SignJWT({ sub: 'ada', jti: 'a', events })
      .setProtectedHeader({ alg: 'RS256', kid: 'test', ...header })
      .setIssuer(issuer)
      .setAudience(client.id)
      .setIssuedAt(Math.floor(clock.now / 1_000))
      .sign(key);
  const places = { issuer, jwks_uri: `${issuer}/jwks` };
  return {
    provider,
    clock,
    token,
    asked: () => asked,
    read: (text: string) => read(text, places),
  };
}

test('keys that are kept stay in use where they cannot be renewed', async (t) => {
  const { provider, clock, token, asked, read } = await start(t);
  assert.equal((await read(await token())).subject, 'ada');
  await provider.close();
  clock.now += 60_000;
  const unknown = await token({ kid: 'other' });
  const failed = { name: 'UnavailableError' };
  await assert.rejects(read(unknown), failed);
  assert.equal(asked(), 2);
  assert.equal((await read(await token())).subject, 'ada');
  await assert.rejects(read(unknown), failed);
  assert.equal(asked(), 2, 'no more than one in 30 seconds');
  clock.now += 600_000;
  await assert.rejects(read(await token()), failed, 'keys are not kept for ever');
  await assert.rejects(read(await token()), failed);
  assert.equal(asked(), 3);
});

test('a token is refused that is signed with what everyone may read', async (t) => {
  const { provider, token, read } = await start(t);
  const [, payload = ''] = (await token()).split('.');
  const { keys } = (await (await fetch(`${provider.issuer}/jwks`)).json()) as { keys: object[] };
  const head = Buffer.from(JSON.stringify({ alg: 'HS256', kid: 'test' })).toString('base64url');
  const secret = JSON.stringify(keys[0]);
  const signature = createHmac('sha256', secret).update(`${head}.${payload}`).digest('base64url');
  await assert.rejects(read(`${head}.${payload}.${signature}`), { code: 'ERR_JOSE_NOT_SUPPORTED' });
});
