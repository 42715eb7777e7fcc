import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openAsnTable } from '../../src/events/asn-table.ts';
import { asnDatabase } from '../support/asn-database.ts';
import { runCli } from '../support/cli.ts';
import { startServing } from '../support/serve.ts';
import { tempDir } from '../support/temp-dir.ts';
import { until } from '../support/until.ts';

test('an address is in the network that announces it', () => {
  const networkOf = openAsnTable(asnDatabase());
  const hosting = { asn: 64_496, asName: 'Example Hosting, Inc.' };
  for (const [address, network] of [
    ['203.0.113.9', hosting],
    ['::ffff:203.0.113.9', hosting],
    ['198.51.100.200', { asn: 64_497 }],
    ['2001:db8:1::7', { asn: 64_498, asName: 'Example Six' }],
    ['203.0.114.1', undefined],
    ['2001:db9:0:8000::1', undefined],
    ['192.0.2.1', undefined],
    ['10.0.0.1', undefined],
    ['unknown', undefined],
    ['', undefined],
  ] as const) {
    assert.deepEqual(networkOf(address), network, address);
  }
  const long = networkOf('198.51.100.1');
  assert.equal(long?.asn, 4_200_000_001);
  assert.match(long.asName ?? '', /^Ünï long /);
  assert.ok((long.asName ?? '').length <= 64);
});

test('what is no network database stops the start and says what to do', async () => {
  const folder = tempDir();
  const text = join(folder, 'a');
  writeFileSync(text, 'network,asn\n');
  assert.throws(() => openAsnTable(join(folder, 'b')), /ENOENT.*leave asnDatabase unset/);
  const args = ['serve', '--port', '0', '--data-dir', 'd', '--asn-database', text];
  const start = await runCli(args, { cwd: folder });
  assert.equal(start.code, 1);
  assert.match(start.err, /is no network database: asnDatabase takes .* GeoLite2-ASN\.mmdb/);
});

test('a block says in whose network its client is, is found and exported by it', async (t) => {
  const served = await startServing(t, tempDir(), ['serve', '--asn-database', asnDatabase()]);
  const cli = (...args: string[]) => runCli([...args, '--data-dir', 'd'], served);
  const key = (await cli('keys', 'create', '--name', 'a')).out.trimEnd();
  const manager = (await cli('keys', 'create', '--name', 'm', '--admin')).out.trimEnd();
  const send = (client: string) =>
    fetch(`${served.address}/control`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key, 'x-forwarded-for': client },
      body: JSON.stringify({ q: "' OR 1=1 --" }),
    });
  const api = async (path: string) => {
    const answer = await fetch(`${served.address}/api${path}`, {
      headers: { 'x-api-key': manager },
    });
    return { status: answer.status, text: await answer.text() };
  };
  await until('the key is known', async () => (await send('203.0.113.9')).status === 403);
  for (const client of ['203.0.113.10', '2001:db8::7', '10.0.0.1']) await send(client);
  const list = async (...args: string[]) =>
    (await cli('events', 'list', '--json', ...args)).out
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  await until('the blocks are stored', async () => (await list()).length >= 4);
  const hosted = await list('--asn', 'AS64496');
  assert.deepEqual(
    hosted.map(({ client, asn, asName }) => [client, asn, asName]),
    ['203.0.113.10', '203.0.113.9'].map((one) => [one, 64_496, 'Example Hosting, Inc.']),
  );
  assert.equal((await list()).find(({ client }) => client === '10.0.0.1').asn, undefined);
  assert.match((await cli('events', 'list', '--asn', 'x')).err, /number of a network such as/);

  const found = JSON.parse((await api('/events?asn=as64498')).text).events;
  assert.deepEqual([found.length, found[0].asName], [1, 'Example Six']);
  assert.equal((await api('/events?asn=Example')).status, 422);
  const { top, blocked } = JSON.parse((await api('/events/counts')).text);
  assert.equal(blocked, 4);
  assert.deepEqual(top.asn, [
    { value: '64496', count: 2, label: 'Example Hosting, Inc.' },
    { value: '64498', count: 1, label: 'Example Six' },
  ]);
  const counted = JSON.parse((await api('/events/counts?asn=64496')).text);
  assert.deepEqual([counted.blocked, counted.top.asn], [2, []], 'what is filtered by is left out');
  const [head = '', first = ''] = (await api('/events/export.csv?asn=64496')).text.split('\r\n');
  assert.match(head, /,client,country,asn,asName,/);
  assert.match(first, /,203\.0\.113\.10,,64496,"Example Hosting, Inc\.",/);
});
