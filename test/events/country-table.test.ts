import assert from 'node:assert/strict';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openCountryTable } from '../../src/events/country-table.ts';
import { runCli } from '../support/cli.ts';
import { countryDatabase } from '../support/country-database.ts';
import { startServing } from '../support/serve.ts';
import { tempDir } from '../support/temp-dir.ts';
import { until } from '../support/until.ts';

test('an address has the country of its network, however it is written', () => {
  const countryOf = openCountryTable(countryDatabase);
  for (const [address, country] of [
    ['8.8.8.8', 'US'],
    ['::ffff:8.8.8.8', 'US'],
    ['193.99.144.80', 'DE'],
    ['2001:4860:4860::8888', 'US'],
    ['10.0.0.1', undefined],
    ['::1', undefined],
    ['fe80::1%eth0', undefined],
    ['unknown', undefined],
    ['', undefined],
    ['8.8.8.8:443', undefined],
    ['1'.repeat(10_000), undefined],
  ] as const) {
    assert.equal(countryOf(address), country, address.slice(0, 40));
  }
});

test('what is no country database stops the start and says what to do', async () => {
  const folder = tempDir();
  const [missing, text, cut] = ['a', 'b', 'c'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(text, 'network,country\n'.repeat(1_000));
  writeFileSync(cut, readFileSync(countryDatabase));
  truncateSync(cut, 1_000_000);
  assert.throws(
    () => openCountryTable(missing),
    /cannot be read \(ENOENT\).*leave countryDatabase/,
  );
  assert.throws(() => openCountryTable(folder), /cannot be read \(EISDIR\)/);
  assert.throws(() => openCountryTable(text), /MaxMind DB format/);
  assert.throws(() => openCountryTable(cut), /a whole file/);
  const start = await runCli(
    ['serve', '--port', '0', '--data-dir', 'd', '--country-database', text],
    { cwd: folder },
  );
  assert.equal(start.code, 1);
  assert.match(start.err, /is no country database: countryDatabase takes a whole file/);
});

test('a block says in which country its client is, and is found by it', async (t) => {
  const served = await startServing(t, tempDir(), ['serve', '--country-database', countryDatabase]);
  const cli = (...args: string[]) => runCli([...args, '--data-dir', 'd'], served);
  const key = (await cli('keys', 'create', '--name', 'a')).out.trimEnd();
  const send = (client: string) =>
    fetch(`${served.address}/control`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-api-key': key,
        'x-forwarded-for': client,
      },
      body: JSON.stringify({ q: "' OR 1=1 --" }),
    });
  await until('the key is known', async () => (await send('8.8.8.8')).status === 403);
  assert.equal((await send('193.99.144.80')).status, 403);
  assert.equal((await send('10.0.0.1')).status, 403);
  const list = async (...args: string[]) =>
    (await cli('events', 'list', '--json', ...args)).out
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { readonly client: string; readonly country?: string });
  await until('the blocks are stored', async () => (await list()).length >= 3);
  const [german, ...others] = await list('--country', 'de');
  assert.deepEqual([german?.client, german?.country, others.length], ['193.99.144.80', 'DE', 0]);
  const local = (await list()).find(({ client }) => client === '10.0.0.1');
  assert.equal(local?.country, undefined);
});
