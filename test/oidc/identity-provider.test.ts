import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createIdentityProvider } from '../../src/oidc/identity-provider.ts';
import { keepLog } from '../access/key-fixture.ts';

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
