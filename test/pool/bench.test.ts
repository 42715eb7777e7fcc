import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { extname } from 'node:path';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';

it('the pool bench runs', () => {
  const ending = extname(import.meta.url);
  const file = fileURLToPath(new URL(`../../bench/pool/run${ending}`, import.meta.url));
  const flags = process.execArgv.filter((flag) => !flag.startsWith('--test'));
  const run = spawnSync(process.execPath, [...flags, file, '--smoke'], { encoding: 'utf8' });
  assert.equal(run.status, 0, run.stderr);
  assert.equal(run.stdout.match(/ req\/s$/gm)?.length, 7, run.stdout);
});
