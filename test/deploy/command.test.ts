import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { tempDir } from '../support/temp-dir.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const program = join(root, 'dist/src/cli/bin.js');

function run(command: string, ...words: readonly string[]) {
  return spawnSync(command, words, { encoding: 'utf8', cwd: '/' });
}

function idOf(kind: '-u' | '-g'): number {
  return Number(run('id', kind, 'nobody').stdout);
}

/** The command as it is installed, its places below a folder of the test, its account `nobody`. */
function install() {
  const folder = tempDir();
  chmodSync(folder, 0o755);
  const at = (path: string) => join(folder, path);
  for (const path of ['etc', 'data', 'root-only']) mkdirSync(at(path));
  chmodSync(at('root-only'), 0o700);
  chmodSync(at('data'), 0o700);
  chownSync(at('data'), idOf('-u'), idOf('-g'));
  writeFileSync(at('etc/config.json'), '{}');
  writeFileSync(at('etc/pepper'), `${'0123456789abcdef'.repeat(4)}\n`, { mode: 0o600 });
  const text = readFileSync(join(root, 'src/deploy/systemd/sallyport'), 'utf8')
    .replaceAll('/etc/sallyport', at('etc'))
    .replaceAll('/var/lib/sallyport', at('data'))
    .replaceAll('/opt/sallyport/current/bin/node', process.execPath)
    .replaceAll('/opt/sallyport/current/package/dist/src/cli/bin.js', program)
    .replace('--reuid=sallyport --regid=sallyport', `--reuid=nobody --regid=${idOf('-g')}`);
  writeFileSync(at('sallyport'), text, { mode: 0o755 });
  return { at, command: (...words: readonly string[]) => run(at('sallyport'), ...words) };
}

/** Whether this can be tried here: as root, with a build that the account can read. */
function skipReason(): string | false {
  if (process.geteuid?.() !== 0) return 'only root has rights to drop';
  const asNobody = ['--reuid=nobody', '--clear-groups', process.execPath, program, '--version'];
  return run('setpriv', ...asNobody).status === 0 ? false : 'nobody cannot run the build';
}

const options = { skip: skipReason() };

test('the command of root works in the folder of the account as that account', options, () => {
  const { at, command } = install();
  const made = command('keys', 'create', '--name', 'shop');
  assert.equal(made.status, 0, made.stderr);
  assert.match(made.stdout, /^sp_live_/);
  assert.equal(lstatSync(at('data/sallyport.db')).uid, idOf('-u'));
  assert.equal(existsSync(at('data/pepper')), false, 'the pepper is the one of root');
  const listed = command('keys', 'list');
  assert.match(listed.stdout, /shop/, listed.stderr);
});

test('a link that the account puts there leads root nowhere', options, () => {
  const { at, command } = install();
  const target = at('root-only/made');
  for (const name of ['sallyport.db', 'sallyport.db-wal', 'sallyport.db-journal']) {
    symlinkSync(target, at(`data/${name}`));
    command('keys', 'create', '--name', 'shop');
    assert.equal(existsSync(target), false, name);
    unlinkSync(at(`data/${name}`));
  }
});

test('without the command root refuses such a link and says what to do', options, () => {
  const { at } = install();
  const target = at('root-only/made');
  for (const name of ['sallyport.db', 'sallyport.db-wal']) {
    symlinkSync(target, at(`data/${name}`));
    const made = run(
      process.execPath,
      program,
      'keys',
      'create',
      '--name',
      'x',
      '--data-dir',
      at('data'),
    );
    assert.notEqual(made.status, 0);
    assert.match(made.stderr, /symbolic link.*run this as the account/);
    assert.equal(existsSync(target), false, name);
    unlinkSync(at(`data/${name}`));
  }
});
