import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createServer } from 'node:tls';
import { makeCertificate } from '../support/certificate.ts';
import { runCli } from '../support/cli.ts';
import { requireTool } from '../support/require-tool.ts';
import { startServing } from '../support/serve.ts';
import { tempDir } from '../support/temp-dir.ts';
import { until } from '../support/until.ts';
import { type Received, startReceiver } from '../telemetry/exporters/receiver.ts';
import { attributesIn, spansIn } from '../telemetry/exporters/spans.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const attack = JSON.stringify({ q: '1 union select password from users', token: 'SECRET-1' });

/** A syslog receiver behind TLS, with a certificate that only `ca` vouches for. */
async function startTlsSyslog(t: TestContext, folder: string) {
  const { certFile: cert, keyFile: key } = makeCertificate(folder);
  const chunks: string[] = [];
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (socket) => {
    socket.on('data', (chunk: Buffer) => chunks.push(chunk.toString()));
    socket.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `tls://localhost:${port}`, ca: cert, text: () => chunks.join('') };
}

function blocksIn({ body }: Received): readonly Readonly<Record<string, unknown>>[] {
  return JSON.parse(body).data.blocks;
}

/** A server that tells everybody, and receivers for all of it. */
async function startTold(t: TestContext) {
  const cwd = tempDir();
  const [hook, collector] = [await startReceiver(t), await startReceiver(t)];
  const syslog = await startTlsSyslog(t, cwd);
  const served = await startServing(t, cwd, ['serve'], {
    SALLYPORT_WEBHOOK_URL: `${hook.url}/blocks`,
    SALLYPORT_WEBHOOK_SECRET: 'SECRET-of-the-webhook',
    SALLYPORT_SYSLOG_URL: syslog.url,
    NODE_EXTRA_CA_CERTS: syslog.ca,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  });
  const key = (
    await runCli(['keys', 'create', '--name', 'a', '--data-dir', 'd'], served)
  ).out.trimEnd();
  const control = (body: string, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${served.address}/control`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key, ...headers },
      body,
    });
  await until('the key is known', async () => (await control('{}')).status !== 401);
  return { hook, collector, syslog, served, key, control };
}

test('a block is told to the log, the webhook, syslog over TLS and the collector, under one trace', async (t) => {
  if (!requireTool(t, 'openssl')) return;
  const { hook, collector, syslog, served, key, control } = await startTold(t);
  assert.equal((await control('{}')).headers.get('traceresponse'), null, 'no trace was named');

  const traceparent = `00-${traceId}-b7ad6b7169203331-01`;
  const answer = await control(attack, { traceparent });
  assert.equal(answer.status, 403);
  const id = answer.headers.get('x-decision-id');
  const [, , spanId] =
    /^00-(\w{32})-(\w{16})-01$/.exec(answer.headers.get('traceresponse') ?? '') ?? [];

  await until('the webhook is told', () => hook.received.length > 0);
  const [message = assert.fail()] = hook.received;
  const [block = assert.fail()] = blocksIn(message);
  assert.deepEqual([block['id'], block['traceId'], block['rule']], [id, traceId, 'sqli.union']);
  assert.match(String(message.headers['webhook-signature']), /^v1,/);

  await until('syslog is told', () => syslog.text().includes(`traceId="${traceId}"`));
  assert.ok(syslog.text().includes(`id="${id}"`));

  await until('the collector is told', () => collector.received.length > 0);
  const spans = spansIn(collector.received[0]?.body ?? '');
  assert.deepEqual(
    spans.map(({ name }) => name),
    ['POST /control', 'queue', 'engine'],
  );
  assert.equal(spans[0]?.spanId, spanId);
  assert.equal(attributesIn(spans[0])['sallyport.decision'], 'block');
  const [from, to] = [
    BigInt(spans[0]?.startTimeUnixNano ?? 0),
    BigInt(spans[0]?.endTimeUnixNano ?? 0),
  ];
  for (const { startTimeUnixNano, endTimeUnixNano } of spans.slice(1)) {
    assert.ok(BigInt(startTimeUnixNano) >= from && BigInt(startTimeUnixNano) <= to);
    assert.ok(BigInt(endTimeUnixNano) >= BigInt(startTimeUnixNano));
  }

  // At the end what waits is told before the process is gone.
  assert.equal((await control(attack)).status, 403);
  served.child.kill('SIGTERM');
  assert.equal(await served.ended, 0);
  const told = hook.received.flatMap(blocksIn);
  assert.equal(told.length, 2);
  assert.equal(told[1]?.['traceId'], undefined);

  const lines = served
    .out()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const logged = lines.filter(({ message: text }) => text === 'blocked');
  assert.deepEqual(
    logged.map(({ trace }) => trace?.id),
    [traceId, undefined],
  );
  const everything = served.out() + syslog.text() + hook.received.map(({ body }) => body).join('');
  for (const secret of ['SECRET', key.slice(17)]) assert.ok(!everything.includes(secret), secret);
});
