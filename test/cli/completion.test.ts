import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { commands } from '../../src/cli/commands/list.ts';
import { completionScript, shells } from '../../src/cli/completion.ts';
import { flagOf } from '../../src/config/settings.ts';
import { categories } from '../../src/contract/category.ts';
import { runCli } from '../support/cli.ts';
import { requireTool } from '../support/require-tool.ts';
import { tempDir } from '../support/temp-dir.ts';

const afterwards = 'printf "%s\\n" "${COMPREPLY[@]}"';

test('bash completes commands, options, values and files', async (t) => {
  if (!requireTool(t, 'bash')) return;
  const cwd = tempDir();
  const printed = await runCli(['completion', 'bash'], { cwd });
  assert.equal(printed.code, 0, printed.err);
  writeFileSync(join(cwd, 'a body.json'), '');
  writeFileSync(join(cwd, 'script'), printed.out);
  /** What bash offers for the last of these words. */
  const complete = (...words: string[]) => {
    const line = ['sallyport', ...words];
    const script = `. ./script; COMP_WORDS=("$@"); COMP_CWORD=${words.length}; _sallyport; ${afterwards}`;
    const { stdout, stderr } = spawnSync('bash', ['-c', script, 'bash', ...line], {
      cwd,
      encoding: 'utf8',
    });
    assert.equal(stderr, '', words.join(' '));
    return stdout.split('\n').filter((word) => word !== '');
  };
  const firsts = new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''));
  assert.deepEqual(new Set(complete('')), firsts);
  assert.deepEqual(complete('sta'), ['status']);
  assert.deepEqual(complete('keys', ''), ['create', 'list', 'update', 'rotate', 'revoke']);
  assert.deepEqual(complete('keys', 'c'), ['create']);
  for (const { name, options = [], settings } of commands) {
    const flags = [...options.map((option) => option.name), ...settings.map(flagOf), 'help'];
    assert.deepEqual(
      complete(...name.split(' '), '--').toSorted(),
      flags.map((flag) => `--${flag}`).toSorted(),
    );
  }
  assert.deepEqual(complete('serve', '--mode', ''), ['block', 'monitor', 'off']);
  assert.deepEqual(complete('serve', '--mode', '=', 'm'), ['monitor']);
  assert.deepEqual(complete('serve', '--port', '1', '--detail', 'st'), ['standard']);
  assert.deepEqual(complete('serve', '--host', ''), []);
  assert.deepEqual(complete('events', 'list', '--category', ''), categories);
  assert.deepEqual(complete('scan', 'a'), ['a body.json']);
  assert.deepEqual(complete('serve', '--config', 'scr'), ['script']);
  assert.deepEqual(complete('completion', ''), [...shells]);
  assert.ok(complete('rules', '').includes('sqli'));
});

test('the script of each shell has each command and each option', async () => {
  for (const shell of shells) {
    const script = completionScript(shell, commands);
    for (const { name, options = [] } of commands) {
      assert.ok(script.includes(name), `${shell}: ${name}`);
      for (const option of options)
        assert.ok(script.includes(option.name), `${shell}: ${option.name}`);
    }
  }
  const unknown = await runCli(['completion', 'tcsh'], { cwd: tempDir() });
  assert.deepEqual([unknown.code, unknown.out], [2, '']);
});
