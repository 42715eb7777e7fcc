import assert from 'node:assert/strict';
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { keyIdOf } from '../../src/access/key-format.ts';
import { commands } from '../../src/cli/commands/list.ts';
import { commandHelp, programHelp } from '../../src/cli/help.ts';
import { parseMoment } from '../../src/cli/moment.ts';
import { flagOf, settings } from '../../src/config/settings.ts';
import { createSqlPolicyStore } from '../../src/policies/sql-policy-store.ts';
import { closeDatabase, openDatabase } from '../../src/storage/database.ts';
import { runCli } from '../support/cli.ts';
import { tempDir } from '../support/temp-dir.ts';

test('a key is made, listed, rotated and revoked', async () => {
  const cwd = tempDir();
  const keys = (...args: string[]) => runCli(['keys', ...args, '--data-dir', 'd'], { cwd });
  const list = async () => JSON.parse((await keys('list', '--json')).out);

  const created = await keys('create', '--name', 'shop', '--expires', '90d');
  assert.equal(created.code, 0, created.err);
  const key = created.out.trimEnd();
  assert.equal(created.out, `${key}\n`, 'the key stands alone on standard output');
  const id = keyIdOf(key);
  assert.ok(id !== undefined);
  assert.ok(!created.err.includes(key));

  const [made] = await list();
  const { created: createdAt, expires, secrets, ...rest } = made;
  assert.deepEqual(rest, {
    id,
    name: 'shop',
    kind: 'live',
    state: 'active',
    lastUsed: null,
    revoked: null,
    policy: null,
    scopes: ['screen', 'forward'],
    networks: [],
    lastClient: null,
  });
  assert.equal(Date.parse(expires) - Date.parse(createdAt), 90 * 86_400_000);
  assert.deepEqual(secrets, [{ created: createdAt, sunset: null }]);

  const rotated = await keys('rotate', id, '--grace', '2d');
  assert.equal(rotated.code, 0, rotated.err);
  assert.equal(keyIdOf(rotated.out.trimEnd()), id);
  assert.notEqual(rotated.out.trimEnd(), key);
  const [twoSecrets] = await list();
  assert.equal(twoSecrets.secrets.length, 2);
  const again = await keys('rotate', id);
  assert.deepEqual([again.code, again.out], [1, '']);
  assert.match(again.err, /--grace 0/);
  assert.equal((await keys('rotate', id, '--grace', '0')).code, 0);
  assert.equal((await list())[0].secrets.length, 1);

  const revoked = await keys('revoke', rotated.out.trimEnd());
  assert.deepEqual([revoked.code, revoked.out], [0, '']);
  assert.ok(!revoked.err.includes(rotated.out.trimEnd()), 'a pasted key is not repeated');
  assert.equal((await list())[0].state, 'revoked');
  assert.equal((await keys('revoke', id)).code, 1);
  const table = await keys('list');
  assert.match(table.out, new RegExp(`${id} +shop +live +revoked +default`));
});

test('a key is made with a policy that exists, by its id or its name', async () => {
  const cwd = tempDir();
  const keys = (...args: string[]) => runCli(['keys', ...args, '--data-dir', 'd'], { cwd });
  const opened = await openDatabase({ dataDir: join(cwd, 'd'), busyTimeoutMs: 1_000 });
  const version = { document: {}, at: 0, by: 'test', comment: '' };
  const store = createSqlPolicyStore(opened.database);
  await store.insert({ ...version, id: 'pol-1', name: 'Watch only' });
  await closeDatabase(opened);

  for (const policy of ['pol-1', 'Watch only', 'default']) {
    const made = await keys('create', '--name', policy, '--policy', policy);
    assert.equal(made.code, 0, made.err);
  }
  const list: { name: string; policy: string }[] = JSON.parse((await keys('list', '--json')).out);
  const policyOf = Object.fromEntries(list.map(({ name, policy }) => [name, policy]));
  assert.deepEqual(policyOf, { 'pol-1': 'pol-1', 'Watch only': 'pol-1', default: 'default' });

  const unknown = await keys('create', '--name', 'x', '--policy', 'watch');
  assert.deepEqual([unknown.code, unknown.out], [1, '']);
  assert.match(unknown.err, /no policy watch; there are pol-1 \(Watch only\)/);
  const table = await keys('list');
  assert.match(table.out, / POLICY /);
  assert.match(table.out, /default +live +active +default/);
  assert.match(table.out, /pol-1 +live +active +Watch only/);
  const json = await keys('create', '--name', 'y', '--policy', 'Watch only', '--json');
  const { id, key, ...rest } = JSON.parse(json.out);
  assert.equal(keyIdOf(key), id);
  assert.deepEqual(rest, { name: 'y', kind: 'live', policy: 'pol-1', expires: null });
  const admin = await keys('create', '--name', 'x', '--policy', 'pol-1', '--admin');
  assert.deepEqual([admin.code, admin.out], [2, '']);
});

test('keys cannot be made without a name, or with an end that is over', async () => {
  const cwd = tempDir();
  for (const args of [[], ['--name', ' '], ['--name', 'a', '--expires', '2020-01-01']]) {
    const refused = await runCli(['keys', 'create', ...args], { cwd });
    assert.deepEqual([refused.code, refused.out], [2, ''], args.join(' '));
  }
  assert.deepEqual(readdirSync(cwd), [], 'nothing was made');
});

test('unknown keys and texts that are no ids are told apart', async () => {
  const cwd = tempDir();
  assert.equal((await runCli(['migrate', '--data-dir', 'd'], { cwd })).code, 0);
  const unknown = await runCli(['keys', 'revoke', 'AbCdEf12', '--data-dir', 'd'], { cwd });
  assert.equal(unknown.code, 1);
  assert.match(unknown.err, /no key AbCdEf12/);
  const malformed = await runCli(['keys', 'revoke', 'shop', '--data-dir', 'd'], { cwd });
  assert.equal(malformed.code, 2);
});

test('rules lists every rule with its examples', async () => {
  const cwd = tempDir();
  const [plain, json, markdown] = await Promise.all([
    runCli(['rules', '--brief'], { cwd }),
    runCli(['rules', '--json'], { cwd }),
    runCli(['rules'], { cwd }),
  ]);
  assert.deepEqual([plain.code, json.code, markdown.code], [0, 0, 0], plain.err + json.err);
  const list = JSON.parse(json.out) as { readonly id: string; readonly examples: unknown[] }[];
  assert.ok(list.length > 100);
  for (const { id, examples } of list) {
    assert.ok(plain.out.includes(`  ${id} `), id);
    assert.ok(examples.length > 0, id);
    assert.ok(markdown.out.includes(`### \`${id}\``), id);
  }
});

test('rules shows a table, one rule or one category', async () => {
  const cwd = tempDir();
  const rules = (...args: string[]) => runCli(['rules', ...args], { cwd });
  const [table, brief, one, category, wrong] = await Promise.all([
    rules('list'),
    rules('--brief'),
    rules('sqli.union', '--json'),
    rules('jndi'),
    rules('sqli.unoin'),
  ]);
  assert.deepEqual(table, brief);
  const [rule, ...others] = JSON.parse(one.out);
  assert.deepEqual([rule.id, others], ['sqli.union', []]);
  assert.match(category.out, /^## .*`jndi`/);
  assert.ok(!category.out.includes('sqli.'));
  assert.deepEqual([wrong.code, wrong.out], [2, '']);
  assert.match(wrong.err, /Did you mean sqli\.union\?/);
});

test('config print prints a file that gives the same settings, without secrets', async () => {
  const cwd = tempDir();
  writeFileSync(join(cwd, 'pepper'), 'PEPPER'.repeat(8));
  const args = ['config', 'print', '--port', '9', '--pepper-file', 'pepper'];
  const environment = {
    SALLYPORT_TRUSTED_ORIGINS: 'https://a.example',
    SALLYPORT_METRICS_TOKEN: 'PEPPER-of-metrics',
    SALLYPORT_DATABASE_URL: 'postgresql:///db?host=/run&user=ada&password=PEPPER',
    SALLYPORT_REDIS_URL: 'redis://ada:PEPPER@127.0.0.1:6379',
  };
  const printed = await runCli(args, { cwd, environment });
  assert.equal(printed.code, 0, printed.err);
  assert.ok(!printed.out.includes('PEPPER'));
  writeFileSync(join(cwd, 'c.json'), printed.out);
  const again = await runCli(['config', 'print'], {
    cwd,
    environment: { SALLYPORT_CONFIG: 'c.json' },
  });
  assert.deepEqual(JSON.parse(again.out), JSON.parse(printed.out));
  const sources = await runCli([...args, '--sources'], { cwd, environment });
  const shown = JSON.parse(sources.out);
  assert.deepEqual(shown.port, { value: 9, source: 'flag' });
  assert.deepEqual(shown.metricsToken, { value: null, source: 'environment' });
  assert.ok(!sources.out.includes('PEPPER'));
  assert.deepEqual(shown.trustedOrigins, { value: ['https://a.example'], source: 'environment' });
  assert.deepEqual(
    Object.keys(shown),
    settings.map(({ name }) => name),
  );
});

test('a wrong command line ends with 2 and says everything that is wrong with it', async () => {
  const cwd = tempDir();
  const cases: readonly [readonly string[], readonly RegExp[]][] = [
    [[], [/a command is missing/, /keys create/]],
    [['srve'], [/unknown command srve/, /Did you mean serve/]],
    [['keys'], [/keys create/, /keys revoke/]],
    [['keys', 'craete'], [/Did you mean keys create/]],
    [['keys', 'delete', 'x'], [/Did you mean keys revoke/]],
    [['admins', 'delete', 'x'], [/Did you mean admins remove/]],
    [['keys', 'rotate'], [/<id> is missing/]],
    [
      ['keys', 'list', '--jsn', '--json=1'],
      [/did you mean --json/, /--json takes no value/],
    ],
    [['keys', 'list', '--jsn'], [/did you mean --json\? See /]],
    [['serve', '--port'], [/--port needs a value/]],
    [['serve', '--host', '--port', 'x'], [/--host needs a value/]],
    [
      ['serve', '--port', '80x', '--mode', 'on'],
      [/--port must be/, /--mode must be/],
    ],
    [['migrate', 'now'], [/unexpected argument now/]],
    [['--port', '1'], [/a command must come before --port/]],
  ];
  for (const [args, reasons] of cases) {
    const result = await runCli(args, { cwd });
    assert.deepEqual([result.code, result.out], [2, ''], args.join(' '));
    for (const reason of reasons) assert.match(result.err, reason, args.join(' '));
  }
  assert.deepEqual(readdirSync(cwd), []);
});

test('who names a wrong data directory is told so', async () => {
  const cwd = tempDir();
  const place = ['--data-dir', 'elsewhere'];
  for (const args of [
    ['keys', 'list'],
    ['keys', 'revoke', 'Abcd1234'],
    ['keys', 'rotate', 'Abcd1234'],
    ['admins', 'remove', 'ada'],
  ]) {
    const { code, err } = await runCli([...args, ...place], { cwd });
    assert.deepEqual([code, readdirSync(cwd)], [1, []], `${args}: ${err}`);
    assert.match(err, /There is no database in elsewhere: .*--data-dir/);
  }
  const first = await runCli(['keys', 'create', '--name', 'a', ...place], { cwd });
  assert.match(first.err, /database elsewhere\/sallyport\.db is new\..*--data-dir/);
  const second = await runCli(['keys', 'create', '--name', 'b', ...place], { cwd });
  assert.doesNotMatch(second.err, /is new/);
  symlinkSync('circle', join(cwd, 'circle'));
  const unclear = await runCli(['keys', 'list', '--data-dir', 'circle'], { cwd });
  assert.match(unclear.err, /ELOOP/, 'what cannot be looked at is not called missing');
});

test('help and version go to standard output', async () => {
  const cwd = tempDir();
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const version = await runCli(['--version'], { cwd });
  assert.deepEqual(version, { code: 0, out: `${manifest.version}\n`, err: '' });
  const help = await runCli(['--help'], { cwd });
  assert.deepEqual([help.code, help.err], [0, '']);
  for (const { name } of commands) assert.ok(help.out.includes(`  ${name} `), name);
  const serve = await runCli(['serve', '--help'], { cwd });
  assert.equal(serve.code, 0);
  const flat = serve.out.replaceAll(/\s+/g, ' ');
  assert.match(flat, /--data-dir <path> .* \(\.\/data\) \[SALLYPORT_DATA_DIR\]/);
  assert.match(flat, /--mode <block\|monitor\|off> .* \(block\) \[SALLYPORT_MODE\]/);
  assert.match(flat, /--redis-url <url> .*[^)] \[SALLYPORT_REDIS_URL\]/);
  for (const { name } of settings) assert.ok(flat.includes(` --${flagOf(name)} <`), name);
  for (const group of ['Network', 'Storage', 'Policy', 'Observability']) {
    assert.match(serve.out, new RegExp(`^${group}:\\n {2}--`, 'm'));
  }
  assert.deepEqual(await runCli(['version'], { cwd }), version);
  assert.deepEqual(await runCli(['help', 'serve'], { cwd }), serve);
});

test('no line of any help is longer than 100 characters', () => {
  const helps = commands.map(commandHelp);
  assert.ok(helps.length > 10);
  const long = [programHelp(commands), ...helps]
    .flatMap((help) => help.split('\n'))
    .filter((line) => line.length > 100);
  assert.deepEqual(long, []);
});

test('moments are time spans or dates', () => {
  const now = Date.parse('2030-01-01T00:00:00Z');
  const moment = (text: string) => new Date(parseMoment('expires', text, now)).toISOString();
  assert.equal(moment('12h'), '2030-01-01T12:00:00.000Z');
  assert.equal(moment('90d'), '2030-04-01T00:00:00.000Z');
  assert.equal(moment('2w'), '2030-01-15T00:00:00.000Z');
  assert.equal(moment('7970y').slice(0, 4), '9994');
  assert.equal(moment('2031-02-03'), '2031-02-03T00:00:00.000Z');
  assert.equal(moment('2031-02-03T04:05:06+01:00'), '2031-02-03T03:05:06.000Z');
  for (const text of [
    '',
    '90',
    'd',
    '-1d',
    '1.5d',
    '2031-13-01',
    'tomorrow',
    '2031-02-03T04:05:06',
    '7980y',
    '999999y',
  ]) {
    assert.throws(() => parseMoment('expires', text, now), /--expires must be/, text);
  }
});
