import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { commands } from '../../src/cli/commands/list.ts';
import { SqliteFile } from '../../src/storage/sqlite-file.ts';
import { runCli } from '../support/cli.ts';
import { tempDir } from '../support/temp-dir.ts';
import { runInProcess } from './in-process.ts';

test('a destructive command is never guessed from the spelling of another one', async () => {
  const destroying = commands.filter((one) => one.isDestructive).map(({ name }) => name);
  assert.ok(destroying.includes('admins remove') && destroying.includes('keys revoke'));
  const asked = new Set(commands.flatMap(({ alsoCalled = [] }) => alsoCalled));
  for (const { name } of commands) {
    for (const wrong of misspellings(name)) {
      if (asked.has(wrong) || commands.some((one) => one.name === wrong)) continue;
      const { code, err: said } = await runInProcess(wrong.split(' '));
      assert.equal(code, 2, wrong);
      for (const one of destroying)
        assert.ok(!said.includes(`Did you mean ${one}`), `${wrong}: ${said}`);
    }
  }
  const { err } = await runInProcess(['keys', 'revok']);
  assert.match(err, /See sallyport keys --help/);
});

test('a locked database is answered with what holds it', async (t) => {
  const cwd = tempDir();
  assert.equal((await runCli(['migrate', '--data-dir', 'd'], { cwd })).code, 0);
  const holder = new SqliteFile({ path: join(cwd, 'd/sallyport.db'), busyTimeoutMs: 1_000 });
  const hold = { sql: 'begin exclusive', parameters: [], isInTransaction: false };
  holder.execute(hold);
  t.after(() => holder.close());
  // What finds nothing to migrate needs no lock.
  assert.equal((await runCli(['migrate', '--data-dir', 'd'], { cwd })).code, 0);
  for (const args of [
    ['keys', 'list'],
    ['admins', 'remove', 'ada'],
  ]) {
    const { code, out, err } = await runCli([...args, '--data-dir', 'd'], { cwd });
    assert.deepEqual([code, out], [1, '']);
    assert.match(err, /Another process holds the database d\/sallyport\.db .*Stop it and retry\./);
  }
});

test('a pepper that cannot be used warns that a new one voids every key', async () => {
  const cwd = tempDir();
  writeFileSync(join(cwd, 'short'), 'short');
  for (const file of ['short', 'missing']) {
    const args = ['keys', 'create', '--name', 'a', '--pepper-file', file];
    const { code, err } = await runCli(args, { cwd });
    assert.equal(code, 1);
    assert.match(err, /a new pepper voids every key/);
  }
});

/** Words that are near to a command: a letter less, a letter changed, verbs of other programs. */
function misspellings(name: string): string[] {
  const [first = '', second] = name.split(' ');
  const word = second ?? first;
  const wrong = [...word].flatMap((_, at) => [
    word.slice(0, at) + word.slice(at + 1),
    `${word.slice(0, at)}x${word.slice(at + 1)}`,
  ]);
  if (second === undefined) return wrong.filter((one) => one !== '');
  const verbs = ['create', 'make', 'move', 'remote', 'restore', 'install', 'reinstall', 'revive'];
  return [...wrong, ...verbs].filter((one) => one !== '').map((verb) => `${first} ${verb}`);
}
