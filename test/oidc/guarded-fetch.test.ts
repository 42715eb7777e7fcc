import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createGuardedFetch, UnavailableError } from '../../src/oidc/guarded-fetch.ts';
import type { ResolveAll } from '../../src/telemetry/exporters/outgoing-address.ts';

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

test('a name leads neither to this machine nor to credentials of a cloud', async (t) => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.headers.host ?? '');
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const names: Readonly<Record<string, string>> = {
    'inner.example': '127.0.0.1',
    'cloud.example': '169.254.169.254',
  };
  const resolve: ResolveAll = (host, _options, callback) =>
    callback(null, [{ address: names[host] ?? '', family: 4 }]);
  for (const [issuer, name] of [
    [elsewhere, 'inner.example'],
    [elsewhere, 'cloud.example'],
    [here, 'cloud.example'],
  ] as const) {
    const ask = createGuardedFetch(issuer, resolve);
    const refused = new RegExp(`Nothing is sent to ${names[name]}`);
    await assert.rejects(ask(`http://${name}:${port}/token`, get), refused);
  }
  assert.deepEqual(asked, []);
  const answer = await createGuardedFetch(here, resolve)(`http://inner.example:${port}/`, get);
  assert.equal(await answer.text(), '{}');
  assert.deepEqual(asked, [`inner.example:${port}`]);
});

test('a body that is compressed, or does not come to its end, is no answer', async (t) => {
  const codings: unknown[] = [];
  const server = createServer((request, response) => {
    codings.push(request.headers['accept-encoding']);
    if (request.url === '/packed') {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(2_000_000)));
    } else if (request.url === '/empty') response.writeHead(204).end();
    else response.writeHead(200, { 'content-length': 10 }).write('x');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ask = createGuardedFetch(new URL(base));
  await assert.rejects(ask(`${base}/packed`, get), UnavailableError);
  assert.equal((await ask(`${base}/empty`, get)).status, 204);
  const stalls = ask(`${base}/stalls`, { ...get, signal: AbortSignal.timeout(200) });
  await assert.rejects(stalls, UnavailableError);
  assert.deepEqual([...new Set(codings)], ['identity']);
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
  await assert.rejects(ask(`${base}/large`, get), UnavailableError);
  assert.deepEqual(asked, ['/moved', '/small', '/broken', '/large']);
});
