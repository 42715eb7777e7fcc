import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { createWebhook } from '../../../src/telemetry/exporters/webhook.ts';
import { memoryLog } from '../../support/scan-input.ts';
import { until } from '../../support/until.ts';
import { storedEvent } from './event.ts';
import { type Answering, type Received, startReceiver } from './receiver.ts';

const secret = `whsec_${Buffer.from('a secret of twenty-four b').toString('base64')}`;
const retryMs = { first: 20, last: 100 };

async function open(t: TestContext, answering?: Answering, path = '/hook?token=URLSECRET') {
  const receiver = await startReceiver(t, answering);
  const log = memoryLog();
  const url = receiver.url + path;
  const webhook = createWebhook({ url, secret, version: '1.2.3', log, retryMs });
  t.after(() => webhook.close());
  return { ...receiver, log, webhook };
}

function idsIn({ body }: Received): readonly string[] {
  return JSON.parse(body).data.blocks.map(({ id }: { readonly id: string }) => id);
}

test('blocks are posted together, and the library of Standard Webhooks accepts them', async (t) => {
  const { webhook, received } = await open(t);
  const events = [storedEvent(), storedEvent({ decision: 'would-block' })];
  for (const event of events) webhook.add(event);
  await until('they arrive', () => received.length > 0);
  const [message] = received as [Received];
  assert.equal(message.path, '/hook?token=URLSECRET');
  assert.equal(message.headers['user-agent'], 'sallyport/1.2.3');
  const headers = message.headers as Record<string, string>;
  const verified = new Webhook(secret).verify(message.body, headers) as Record<string, unknown>;
  assert.deepEqual(Object.keys(verified), ['type', 'timestamp', 'data']);
  assert.equal(verified['type'], 'sallyport.blocks');
  assert.deepEqual(
    idsIn(message),
    events.map(({ id }) => id),
  );
  assert.ok(!message.body.includes('"steps"'));
  assert.throws(() => new Webhook(secret).verify(`${message.body} `, headers));
  await until('it is counted', () => webhook.stats().sent === 2);
  assert.deepEqual(webhook.stats(), { sent: 2, dropped: 0 });
});

test('what a receiver cannot take now is sent again under the same id', async (t) => {
  const statuses = [503, 429, 200, 200];
  const answering: Answering = (nth) => ({ status: statuses[nth - 1] ?? 200 });
  const { webhook, received, log } = await open(t, answering);
  webhook.add(storedEvent());
  await until('it is taken', () => webhook.stats().sent === 1);
  assert.equal(received.length, 3);
  assert.equal(new Set(received.map(({ headers }) => headers['webhook-id'])).size, 1);
  assert.equal(new Set(received.map(({ body }) => body)).size, 1);
  assert.deepEqual(
    log.lines.map((line) => line.split(' ', 1)[0]),
    ['warn', 'info'],
  );
  assert.match(log.lines[0] ?? '', /answered 503/);
  assert.ok(!log.lines.join().includes('URLSECRET'), 'the address may hold a secret');
});

test('what a receiver refuses, or sends elsewhere, is dropped and counted', async (t) => {
  const statuses = [410, 302];
  const answering: Answering = (nth) => ({
    status: statuses[nth - 1] ?? 200,
    headers: { location: 'http://127.0.0.1:1/' },
  });
  const { webhook, received } = await open(t, answering);
  for (const dropped of [1, 2]) {
    webhook.add(storedEvent());
    await until('it is refused', () => webhook.stats().dropped === dropped);
  }
  assert.equal(received.length, 2, 'once each, and no redirect was followed');
  webhook.add(storedEvent());
  await until('the next is taken', () => webhook.stats().sent === 1);
});

test('a receiver that is away costs a bounded number of blocks, and nothing is lost unseen', async () => {
  const log = memoryLog();
  const url = 'http://127.0.0.1:1/';
  const webhook = createWebhook({ url, secret: undefined, version: '1', log, retryMs });
  for (let i = 0; i < 2_500; i += 1) webhook.add(storedEvent());
  assert.equal(webhook.stats().dropped, 500);
  await webhook.close();
  assert.deepEqual(webhook.stats(), { sent: 0, dropped: 2_500 });
  assert.match(log.lines[0] ?? '', /ECONNREFUSED|bad port/);
  webhook.add(storedEvent());
  assert.equal(webhook.stats().dropped, 2_501, 'what comes after the end is counted as well');
});

test('at the end what waits is sent, and a receiver that never answers is not waited for', async (t) => {
  const { webhook, received } = await open(t);
  webhook.add(storedEvent());
  await webhook.close();
  assert.equal(webhook.stats().sent, 1);
  assert.equal(received.length, 1);
  const silent = await open(t, () => undefined);
  silent.webhook.add(storedEvent());
  await silent.webhook.close();
  assert.deepEqual(silent.webhook.stats(), { sent: 0, dropped: 1 });
});
