import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import { sallyport as forNodeHttp } from '../../src/clients/node-http.ts';
import type { Exclusion } from '../../src/contract/policy.ts';
import { createScreener } from '../../src/screener.ts';
import { until } from '../support/until.ts';
import { frameworks } from './apps.ts';

const exclusion: Exclusion = {
  id: 'e',
  pointer: '/query.q',
  category: 'sqli',
  clients: ['203.0.113.7'],
  reason: 'our scanner',
  author: 'ada',
  createdAt: '2030-01-01T00:00:00Z',
};
const screener = createScreener({ policy: { exclusions: [exclusion] } });
const attack =
  "GET /?q='%20OR%201=1%20-- HTTP/1.1\r\nhost: a.test\r\nx-forwarded-for: 203.0.113.7\r\n\r\n";

/** Sends the attack and resets the connection at once. */
function sendAndReset(port: number): void {
  const socket = connect(port, '127.0.0.1', () => {
    socket.write(attack);
    socket.resetAndDestroy();
  });
}

test('a client that has gone is none of those that its own header names', async (t) => {
  for (const [name, build] of Object.entries(frameworks)) {
    const blocked: string[] = [];
    const onBlock = (_: unknown, { address }: { readonly address: string }) =>
      void blocked.push(address);
    const app = await build({ screener, onBlock });
    t.after(() => app.close());
    sendAndReset(Number(new URL(app.address).port));
    await until(`${name} has seen the request`, () => blocked.length + app.reached() > 0);
    assert.deepEqual([blocked, app.reached()], [['unknown'], 0], name);
  }
});

test('nor is one that went while something else was done before', async (t) => {
  const blocked: string[] = [];
  const guarded = forNodeHttp(
    { screener, onBlock: (_, { address }) => void blocked.push(address) },
    () => blocked.push('it came to the application'),
  );
  const server = createServer((req, res) => req.socket.once('close', () => guarded(req, res)));
  t.after(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  sendAndReset((server.address() as AddressInfo).port);
  await until('the request is handled', () => blocked.length > 0);
  assert.deepEqual(blocked, ['unknown']);
});
