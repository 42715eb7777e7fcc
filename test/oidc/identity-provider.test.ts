import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createIdentityProvider } from '../../src/oidc/identity-provider.ts';
import { keepLog } from '../access/key-fixture.ts';
import { client, signInAt, startProvider } from '../support/identity-provider.ts';

test('the log names the issuer that a provider says, where another one is set', async (t) => {
  const server = createServer((_request, response) => {
    const { port } = server.address() as AddressInfo;
    const issuer = `http://127.0.0.1:${port}/realms/\u202eother`;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ issuer, authorization_endpoint: issuer }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const warned: object[] = [];
  const log = { ...keepLog(), warn: (fields: object) => void warned.push(fields) };
  const provider = createIdentityProvider(
    {
      issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}/realms/staff`,
      clientId: 'sallyport',
      clientSecret: undefined,
      roleClaim: undefined,
      publicUrl: 'https://gate.example/',
    },
    { log, clock: () => 0 },
  );
  assert.equal(await provider.begin({ state: 's', nonce: 'n', verifier: 'v' }), undefined);
  const said = JSON.stringify(warned);
  assert.match(
    said,
    /names another issuer, http:\/\/127\.0\.0\.1:\d+\/realms\/.*other; set oidcIssuer/,
  );
  assert.ok(!said.includes('\u202e'));
});

test('the secret is sent as the provider asks for, and none by a public client', async (t) => {
  const publicUrl = 'https://gate.example';
  for (const method of ['client_secret_basic', 'client_secret_post', 'none'] as const) {
    const { issuer, authorizations } = await startProvider(t, publicUrl, { method });
    const clientSecret = method === 'none' ? undefined : client.secret;
    const provider = createIdentityProvider(
      { issuer, clientId: client.id, clientSecret, roleClaim: undefined, publicUrl },
      { log: keepLog(), clock: Date.now },
    );
    const checks = { state: 's', nonce: 'n', verifier: 'v'.repeat(43) };
    const url = (await provider.begin(checks)) ?? '';
    const outcome = await provider.finish(await signInAt(url, 'ada'), checks);
    const identity = { issuer, subject: 'ada', label: 'ada@example.com' };
    assert.ok(outcome.kind === 'identified', method);
    const { session, ...rest } = outcome.identity;
    assert.deepEqual(rest, identity, method);
    assert.match(session ?? '', /^[\w-]{10,}$/);
    // This provider takes the secret in the head as well where it asks for it in the body.
    const inHead = authorizations.map((one) => one?.startsWith('Basic ') === true);
    assert.deepEqual(inHead, [method === 'client_secret_basic']);
  }
});

test('a role is read from a claim by its name, dots included, or by the path to it', async (t) => {
  const publicUrl = 'https://gate.example';
  const { issuer, claims } = await startProvider(t, publicUrl);
  const roleFrom = async (roleClaim: string, given: object) => {
    claims.set('ada', { roles: given });
    const provider = createIdentityProvider(
      { issuer, clientId: client.id, clientSecret: client.secret, roleClaim, publicUrl },
      { log: keepLog(), clock: Date.now },
    );
    const checks = { state: 's', nonce: 'n', verifier: 'v'.repeat(43) };
    const url = (await provider.begin(checks)) ?? '';
    // The provider gives the claim only with its scope.
    const asked = new URL(url);
    asked.searchParams.set('scope', 'openid roles');
    const outcome = await provider.finish(await signInAt(asked.href, 'ada'), checks);
    return outcome.kind === 'identified' ? outcome.identity.role : outcome.kind;
  };
  const editor = ['staff', 'sallyport-editor'];
  const nested = { realm: { 'my.app': { all: editor }, 'all.of': 'sallyport-viewer' } };
  assert.equal(await roleFrom('roles', editor), 'editor');
  assert.equal(await roleFrom('roles.realm.my.app.all', nested), 'editor');
  assert.equal(await roleFrom('roles.realm.all.of', nested), 'viewer');
  const both = { 'a.b': 'sallyport-viewer', a: { b: 'sallyport-administrator' } };
  assert.equal(await roleFrom('roles.a.b', both), 'viewer', 'the whole name first');
  for (const path of ['roles.realm', 'roles.realm.', '.', 'roles.length', 'roles.constructor']) {
    assert.equal(await roleFrom(path, nested), undefined, path);
  }
});

test('the log quotes little of a logout token that a stranger sent, and escaped', async (t) => {
  const publicUrl = 'https://gate.example';
  const { issuer } = await startProvider(t, publicUrl);
  const warned: object[] = [];
  const provider = createIdentityProvider(
    { issuer, clientId: client.id, clientSecret: client.secret, roleClaim: undefined, publicUrl },
    { log: { ...keepLog(), warn: (fields) => void warned.push(fields) }, clock: Date.now },
  );
  const name = `\u202e${'x'.repeat(2_000)}`;
  const head = { alg: 'RS256', crit: [name], [name]: 1 };
  const [first, second] = [head, {}].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  assert.deepEqual(await provider.readLogout(`${first}.${second}.AAAA`), { kind: 'not-valid' });
  const logged = JSON.stringify(warned);
  assert.match(logged, /Extension Header Parameter/);
  assert.ok(!logged.includes('\u202e') && logged.length < 500);
});
