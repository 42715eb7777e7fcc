import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { hiddenFolderOf, renderService } from '../../src/deploy/service-unit.ts';
import { runCli } from '../support/cli.ts';
import { requireTool } from '../support/require-tool.ts';
import { tempDir } from '../support/temp-dir.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** systemd calls up to 2.0 "OK" and gives a plain service 9.6. */
const exposureMax = 15;

/** The unit with paths that exist here: `verify` looks for the program. */
function writeUnit(folder: string, replace: (unit: string) => string = (unit) => unit): string {
  const path = join(folder, 'sallyport.service');
  const program = join(folder, 'a program.js');
  writeFileSync(program, '');
  writeFileSync(path, replace(renderService({ root, node: process.execPath, program })));
  return path;
}

function analyze(...args: string[]): { readonly status: number | null; readonly text: string } {
  const done = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
  return { status: done.status, text: done.stdout + done.stderr };
}

test('systemd accepts the unit without a word', (t) => {
  if (!requireTool(t, 'systemd-analyze')) return;
  const unit = writeUnit(tempDir(t));
  const good = analyze('verify', '--man=no', unit);
  assert.equal(good.status, 0, good.text);
  assert.ok(!good.text.includes('sallyport.service'), good.text);
  const bad = writeUnit(tempDir(t), (text) => text.replace('RestartSec=', 'RestartSecs='));
  assert.match(analyze('verify', '--man=no', bad).text, /RestartSecs/);
});

test('systemd finds the service little exposed', (t) => {
  if (!requireTool(t, 'systemd-analyze')) return;
  const threshold = ['security', '--offline=yes', `--threshold=${exposureMax}`];
  const good = analyze(...threshold, writeUnit(tempDir(t)));
  assert.equal(good.status, 0, good.text);
  const bad = writeUnit(tempDir(t), (text) => text.replaceAll(/^(Protect|Restrict).*\n/gm, ''));
  assert.notEqual(analyze(...threshold, bad).status, 0);
});

test('the unit has an account and a directory of its own and no way to gain rights', () => {
  const unit = readFileSync(join(root, 'src/deploy/sallyport.service'), 'utf8');
  const wanted = [
    'User=sallyport',
    'ProtectSystem=strict',
    'NoNewPrivileges=yes',
    'CapabilityBoundingSet=',
    'Restart=always',
    'StateDirectory=sallyport',
    'PrivateTmp=yes',
  ];
  const lines = unit.split('\n');
  for (const line of wanted) assert.ok(lines.includes(line), line);
  assert.ok(!/^MemoryDenyWriteExecute/m.test(unit), 'V8 needs executable memory');
});

test('paths are quoted as systemd reads them', () => {
  const unit = renderService({ root, node: '/opt/my node/$x', program: '/srv/50%/bin.js' });
  assert.match(unit, /^ExecStart="\/opt\/my node\/\$\$x" \/srv\/50%%\/bin\.js serve$/m);
  assert.equal(unit.match(/^ExecStart=/gm)?.length, 1);
});

test('folders that the unit hides are known', () => {
  assert.equal(hiddenFolderOf('/home/ann/node'), '/home');
  assert.equal(hiddenFolderOf('/homestead/node'), undefined);
  assert.equal(hiddenFolderOf('/usr/bin/node'), undefined);
});

test('service print prints the unit for this installation', async (t) => {
  const printed = await runCli(['service', 'print'], { cwd: tempDir(t) });
  assert.equal(printed.code, 0, printed.err);
  const program = join(root, 'dist/src/cli/bin.js');
  assert.equal(printed.out, renderService({ root, node: process.execPath, program }));
  assert.match(printed.out, /^ExecStart="?\//m);
});
