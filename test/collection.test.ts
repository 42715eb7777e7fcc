import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { cliCommand, collect, runCli } from './support/cli.ts';
import { tempDir } from './support/temp-dir.ts';
import { until } from './support/until.ts';

const wanted = 20;

test('no collection of young objects waits for helper threads, on any thread', async (t) => {
  const cwd = tempDir();
  const made = await runCli(['keys', 'create', '--name', 'shop', '--data-dir', 'd'], { cwd });
  const args = ['serve', '--port', '0', '--data-dir', 'd', '--workers', '1'];
  const { program, env } = cliCommand(args, { cwd });
  const [node = '', ...rest] = program;
  const child = spawn(node, ['--trace-gc-nvp', ...rest], { cwd, env, stdio: 'pipe' });
  const out = collect(child.stdout);
  child.stderr.resume();
  const ended = once(child, 'close');
  t.after(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  // The engine writes its lines in blocks, so that one of ours may begin in the middle of a line.
  const readyLine = () => /\{"log\.level":.*"message":"ready"\}/.exec(out())?.[0];
  await until('the server is ready', () => readyLine() !== undefined, 3_000);
  const { address } = JSON.parse(readyLine() ?? '{}').service;
  const before = out().length;
  const collections = () =>
    [
      ...out()
        .slice(before)
        .matchAll(/gc=s .*background\.scavenge\.parallel=([\d.]+)/g),
    ].map(([, ms]) => Number(ms));
  const body = JSON.stringify(Object.fromEntries([...Array(2_000)].map((_, n) => [`f${n}`, n])));
  const ask = async (): Promise<void> => {
    const answer = await fetch(`${address}/control`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': made.out.trimEnd() },
      body,
    });
    assert.equal(answer.status, 200, await answer.text());
  };
  for (let asked = 0; collections().length < wanted && asked < 2_000; asked += 8) {
    await Promise.all(Array.from({ length: 8 }, ask));
  }
  assert.ok(collections().length >= wanted, out().slice(-500));
  assert.deepEqual(
    collections().filter((ms) => ms > 0),
    [],
  );
});
