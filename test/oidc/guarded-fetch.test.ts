import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createGuardedFetch } from '../../src/oidc/guarded-fetch.ts';

const elsewhere = new URL('https://id.example');
const here = new URL('http://127.0.0.1:9');
const get = { method: 'GET', headers: {}, body: undefined, redirect: 'manual' as const };

test('what a provider names leads neither to this machine nor to credentials of a cloud', async () => {
  for (const [issuer, address] of [
    [elsewhere, 'http://127.0.0.1:9/token'],
    [elsewhere, 'http://[::1]:9/token'],
    [elsewhere, 'http://localhost:9/token'],
    [elsewhere, 'http://2130706433:9/token'],
    [elsewhere, 'http://169.254.169.254/latest'],
    [here, 'http://169.254.169.254/latest'],
    [here, 'http://[fe80::1]/'],
    [here, 'http://0.0.0.0:9/'],
  ] as const) {
    await assert.rejects(
      createGuardedFetch(issuer)(address, get),
      /gave no answer: (?:Nothing is sent|The provider names this machine)/,
      address,
    );
  }
});

test('an answer is taken as it is: no redirect is followed, and none is without a bound', async (t) => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    if (request.url === '/moved') response.writeHead(302, { location: '/target' }).end();
    else if (request.url === '/broken') response.writeHead(502).end('x');
    else response.end('x'.repeat(request.url === '/large' ? 2_000_000 : 10));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ask = createGuardedFetch(new URL(base));
  assert.equal((await ask(`${base}/moved`, get)).status, 302);
  assert.equal(await (await ask(`${base}/small`, get)).text(), 'xxxxxxxxxx');
  await assert.rejects(ask(`${base}/broken`, get), /answered 502/);
  await assert.rejects(async () => (await ask(`${base}/large`, get)).text());
  assert.deepEqual(asked, ['/moved', '/small', '/broken', '/large']);
});
