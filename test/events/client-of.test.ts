import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noContext, type RequestContext } from '../../src/contract/request.ts';
import { clientOf } from '../../src/events/client-of.ts';
import { forwardedClient, trustedProxiesOf } from '../../src/http/peer.ts';

function told(body: object, context: Partial<RequestContext> = {}, trusted: string[] = []) {
  const proxies = trustedProxiesOf(trusted);
  const blocked = clientOf(JSON.stringify(body), { ...noContext, ...context });
  const { forwardedFor, ...request } = blocked;
  return { ...request, client: forwardedClient(forwardedFor, proxies) };
}

const nothing = { method: '', domain: '', urlPath: '', client: '' };

test('the client is the last address that is no trusted proxy, never the first word', () => {
  const list = '198.51.100.1, 203.0.113.7, 10.0.0.5';
  assert.equal(told({}, { for: list }).client, '10.0.0.5');
  assert.equal(told({}, { for: list }, ['10.0.0.0/8']).client, '203.0.113.7');
  assert.equal(told({ 'header.x-forwarded-for': list }, {}, ['10.0.0.5']).client, '203.0.113.7');
  assert.equal(told({}, { for: 'unknown' }).client, '');
  assert.equal(told({}, { for: '203.0.113.7, <script>' }).client, '');
  assert.deepEqual(told({}), nothing);
});

test('of a list of hops only the part that can hold the client is kept', () => {
  const odd = `10.0.0.1,${'x'.repeat(70_000)}, 10.0.0.2,10.0.0.3`;
  const many = Array.from({ length: 5_000 }, (_, hop) => `10.1.0.${hop % 256}`).join(',');
  for (const list of [odd, many, ' ,,10.0.0.9, ', '10.0.0.1'.padStart(70)]) {
    const { forwardedFor } = clientOf('{}', { ...noContext, for: list });
    assert.ok(forwardedFor.length < 3_000);
    for (const networks of [[], ['10.0.0.3'], ['10.0.0.0/15'], ['10.0.0.0/8', '::1']]) {
      const proxies = trustedProxiesOf(networks);
      assert.equal(forwardedClient(forwardedFor, proxies), forwardedClient(list, proxies), list);
    }
  }
});

test('only what has the form of a method, a host and a path is kept', () => {
  const odd = { method: 'GET / HTTP', path: 7, 'header.host': 'a b' };
  assert.deepEqual(told(odd), nothing);
  const right = { method: 'PATCH', path: '/a', 'header.host': '[2001:DB8::1]:8080' };
  const domain = '[2001:db8::1]';
  assert.deepEqual(told(right), { method: 'PATCH', domain, urlPath: '/a', client: '' });
  assert.equal(told({ ...right, method: 'GET' }, { method: 'PUT' }).method, 'PUT');
});

test('the path has no query and no secret, and is short', () => {
  const path = (uri: string) => told({}, { uri }).urlPath;
  assert.equal(path('/login?password=hush#x'), '/login');
  assert.equal(path('/a#b'), '/a');
  const token = 'a1B2c3D4e5F6a1B2c3D4e5F6a1B2';
  assert.ok(!path(`/reset/${token}`).includes(token));
  assert.ok(!path('/u/eve@shop.test/key=sp_live_AbCdEf12_ssss').includes('eve@'));
  assert.equal(path('/x'.repeat(400)), `${'/x'.repeat(50)}…`);
  assert.equal(path(''), '');
});
