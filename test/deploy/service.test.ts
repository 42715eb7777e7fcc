import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { places } from '../../src/deploy/places.ts';
import { runCli } from '../support/cli.ts';
import { requireTool } from '../support/require-tool.ts';
import { tempDir } from '../support/temp-dir.ts';

const unitFile = new URL('../../src/deploy/systemd/sallyport@.service', import.meta.url);
/** systemd calls up to 2.0 "OK" and gives a plain service 9.6. */
const exposureMax = 15;

/** The unit with a program that exists here: `verify` looks for it. */
function writeUnit(folder: string, replace: (unit: string) => string = (unit) => unit): string {
  const path = join(folder, 'sallyport@.service');
  const program = join(folder, 'bin', 'node');
  mkdirSync(join(folder, 'bin'));
  writeFileSync(program, '');
  chmodSync(program, 0o755);
  const unit = readFileSync(unitFile, 'utf8').replaceAll(places.current, folder);
  writeFileSync(path, replace(unit));
  return path;
}

function analyze(...args: string[]): { readonly status: number | null; readonly text: string } {
  const done = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
  return { status: done.status, text: done.stdout + done.stderr };
}

test('systemd accepts the unit without a word', (t) => {
  if (!requireTool(t, 'systemd-analyze')) return;
  const unit = writeUnit(tempDir());
  const good = analyze('verify', '--man=no', unit);
  assert.equal(good.status, 0, good.text);
  assert.ok(!good.text.includes('sallyport@'), good.text);
  const bad = writeUnit(tempDir(), (text) => text.replace('RestartSec=', 'RestartSecs='));
  assert.match(analyze('verify', '--man=no', bad).text, /RestartSecs/);
});

test('systemd finds the service little exposed', (t) => {
  if (!requireTool(t, 'systemd-analyze')) return;
  const threshold = ['security', '--offline=yes', `--threshold=${exposureMax}`];
  const good = analyze(...threshold, writeUnit(tempDir()));
  assert.equal(good.status, 0, good.text);
  const bad = writeUnit(tempDir(), (text) => text.replaceAll(/^(Protect|Restrict).*\n/gm, ''));
  assert.notEqual(analyze(...threshold, bad).status, 0);
});

test('service print prints the unit', async () => {
  const printed = await runCli(['service', 'print'], { cwd: tempDir() });
  assert.equal(printed.code, 0, printed.err);
  assert.equal(printed.out, readFileSync(unitFile, 'utf8'));
});

test('what cannot be installed is refused with advice', async () => {
  const cwd = tempDir();
  const tooMany = await runCli(['service', 'install', '--dry-run', '--instances', '99'], { cwd });
  assert.equal(tooMany.code, 2);
  assert.match(tooMany.err, /whole number from 1 to 64/);
  const folder = await runCli(['service', 'install', '--dry-run', '--data-dir', 'd'], { cwd });
  assert.equal(folder.code, 2);
  assert.match(folder.err, /unknown option --data-dir/);
});
