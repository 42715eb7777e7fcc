import assert from 'node:assert/strict';
import { copyFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { runCli } from '../support/cli.ts';
import { freshPostgres } from '../support/postgres.ts';
import { type Served, startServing } from '../support/serve.ts';
import { tempDir } from '../support/temp-dir.ts';
import { until } from '../support/until.ts';

const injection = { username: "' OR 1=1 --" };

function control(served: Served, key: string, body: object): Promise<Response> {
  return fetch(`${served.address}/control`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key, connection: 'close' },
    body: JSON.stringify(body),
  });
}

async function statusOf(served: Served, key: string, body: object): Promise<number> {
  const response = await control(served, key, body);
  await response.text();
  return response.status;
}

/** Runs a command that must succeed; gives what it printed. */
async function cli(cwd: string, ...args: readonly string[]) {
  const done = await runCli(args, { cwd });
  assert.equal(done.code, 0, done.err);
  return done;
}

async function createKey(
  cwd: string,
  place: readonly string[],
  ...options: readonly string[]
): Promise<string> {
  const { out } = await cli(cwd, 'keys', 'create', ...options, ...place);
  return out.trimEnd();
}

/** A policy that blocks nothing, unlike the default one. */
async function createPolicy(served: Served, admin: string): Promise<void> {
  const create = () =>
    fetch(`${served.address}/api/policies`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': admin },
      body: JSON.stringify({ name: 'watch', document: { mode: 'monitor' }, comment: 'first' }),
    });
  await until('the policy is made', async () => (await create()).status === 201);
}

async function stop(served: Served): Promise<void> {
  served.child.kill('SIGTERM');
  assert.equal(await served.ended, 0, served.err());
}

/**
 * A backup while blocks are written, then changes, then the restored state: the key and the policy
 * of before hold, what came afterwards is gone.
 */
async function backUpAndRestore(
  t: TestContext,
  place: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<{ readonly cwd: string; readonly file: string }> {
  const cwd = tempDir();
  const served = await startServing(t, cwd, ['serve'], environment);
  await createPolicy(served, await createKey(cwd, place, '--name', 'admin', '--admin'));
  const old = await createKey(cwd, place, '--name', 'old', '--policy', 'watch');
  await until('the key works', async () => (await statusOf(served, old, injection)) === 200);

  let isWriting = true;
  const writers = Array.from({ length: 4 }, async () => {
    while (isWriting) await statusOf(served, old, injection);
  });
  const file = join(cwd, 'backup.db');
  const made = await cli(cwd, 'backup', file, ...place);
  isWriting = false;
  await Promise.all(writers);
  assert.match(made.err, /Without the pepper no API key is accepted/);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.deepEqual(
    readdirSync(cwd).filter((name) => name.includes('partial')),
    [],
  );

  const refusedWhileRunning = await runCli(['restore', file, ...place], { cwd });
  assert.equal(refusedWhileRunning.code, 1);
  assert.match(refusedWhileRunning.err, /is in use: stop/);
  assert.equal(await statusOf(served, old, injection), 200, 'it goes on');

  const late = await createKey(cwd, place, '--name', 'late');
  await until('the new key works', async () => (await statusOf(served, late, injection)) === 403);
  await cli(cwd, 'keys', 'revoke', old.slice(8, 16), ...place);
  await until('the old one is revoked', async () => (await statusOf(served, old, {})) === 401);
  await stop(served);

  const restored = await cli(cwd, 'restore', file, ...place);
  assert.match(restored.err, /What was there before: /);
  assert.doesNotMatch(restored.err, /The pepper of these keys/);
  const again = await startServing(t, cwd, ['serve'], environment);
  const answer = await control(again, old, injection);
  assert.equal(answer.status, 200);
  assert.equal(((await answer.json()) as { readonly would: string }).would, 'block');
  assert.equal(await statusOf(again, late, injection), 401);
  await stop(again);
  return { cwd, file };
}

test('SQLite: a backup under load is whole, and is restored with keys and policies', async (t) => {
  const place = ['--data-dir', 'd'];
  const { cwd, file } = await backUpAndRestore(t, place, {});
  const previous = readdirSync(join(cwd, 'd')).find((name) => name.includes('before-restore'));
  const before = new DatabaseSync(join(cwd, 'd', previous ?? ''), { readOnly: true });
  t.after(() => before.close());
  const names = before.prepare('select name from api_key order by name').all();
  assert.deepEqual(
    names.map(({ name }) => name),
    ['admin', 'late', 'old'],
    'what was there before is kept, whole',
  );
  const restored = new DatabaseSync(join(cwd, 'd/sallyport.db'));
  t.after(() => restored.close());
  assert.equal(restored.prepare('pragma auto_vacuum').get()?.['auto_vacuum'], 2);
  assert.equal(statSync(join(cwd, 'd/sallyport.db')).mode & 0o777, 0o600);

  const second = await runCli(['backup', file, ...place], { cwd });
  assert.equal(second.code, 1);
  assert.match(second.err, /is there already: name a new file/);
});

test('PostgreSQL: a dump under load is restored with keys and policies', async (t) => {
  const url = await freshPostgres(t);
  if (url === undefined) return;
  const place = ['--data-dir', 'd', '--database-url', url];
  const { cwd } = await backUpAndRestore(t, place, { SALLYPORT_DATABASE_URL: url });
  const previous = readdirSync(cwd).find((name) => name.includes('before-restore'));
  assert.ok(previous !== undefined && statSync(join(cwd, previous)).size > 1_000);
});

test('what is no backup changes nothing', async () => {
  const cwd = tempDir();
  const place = ['--data-dir', 'd'];
  await createKey(cwd, place, '--name', 'app');
  const path = join(cwd, 'd/sallyport.db');
  await cli(cwd, 'backup', 'good.db', ...place);
  const before = readFileSync(path);
  const refused = async (file: string, reason: RegExp) => {
    const done = await runCli(['restore', file, ...place], { cwd });
    assert.equal(done.code, 1, done.err);
    assert.match(done.err, reason);
    assert.deepEqual(readFileSync(path), before, file);
    assert.deepEqual(readdirSync(join(cwd, 'd')).toSorted(), ['pepper', 'sallyport.db']);
  };
  await refused('missing.db', /There is no backup missing\.db/);

  writeFileSync(join(cwd, 'text.db'), 'no database');
  await refused('text.db', /cannot be read: file is not a database/);

  const good = readFileSync(join(cwd, 'good.db'));
  writeFileSync(join(cwd, 'half.db'), good.subarray(0, good.length / 2));
  await refused('half.db', /damaged|cannot be read/);

  const make = (name: string, statements: string) => {
    const database = new DatabaseSync(join(cwd, name));
    database.exec(statements);
    database.close();
  };
  make('foreign.db', 'create table t (a)');
  await refused('foreign.db', /not one of Sallyport/);

  copyFileSync(join(cwd, 'good.db'), join(cwd, 'newer.db'));
  make('newer.db', "insert into kysely_migration values ('9999-later', '2030-01-01')");
  await refused('newer.db', /from a newer Sallyport \(it has migration 9999-later\)/);

  const elsewhere = ['restore', 'good.db', '--data-dir', 'other'];
  const moved = await cli(cwd, ...elsewhere);
  assert.match(moved.err, /The pepper of these keys is not in other\/pepper/);
});

test('PostgreSQL: without its programs the command to run elsewhere is named', async () => {
  const cwd = tempDir();
  const url = 'postgresql://tester:hush-hush@127.0.0.1:1/test';
  const environment = { PATH: cwd, SALLYPORT_DATABASE_URL: url };
  const done = await runCli(['backup', 'b.dump'], { cwd, environment });
  assert.equal(done.code, 1);
  assert.match(done.err, /postgresql-client.*pg_dump --dbname='postgresql:\/\/tester@127/);
  assert.ok(!done.err.includes('hush-hush'), 'the password is not printed');
  assert.deepEqual(readdirSync(cwd), []);
});
