import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { collect } from '../support/cli.ts';
import { freePort } from '../support/ports.ts';
import { requireTool } from '../support/require-tool.ts';
import { tempDir } from '../support/temp-dir.ts';
import { until } from '../support/until.ts';
import { blocksBelow, readGuide, root } from './code-blocks.ts';

const run = promisify(execFile);

/** What a fresh clone does not have. */
const madeLater = ['.git', 'node_modules', 'dist', 'data'];

test('by the README alone: from a clone to a protected Express application', async (t) => {
  if (!requireTool(t, 'curl')) return;
  const clone = freshClone();
  const ports = { 8080: await freePort(), 3000: await freePort() };
  const { start, install, program, serve, ask, answers } = steps(ports);

  const service = runInBackground(t, clone, start, { SALLYPORT_PORT: `${ports[8080]}` });
  await until('npm run up is ready', () => isPrinted(service, 'Ctrl+C'), 10_000);
  const [key = ''] = /sp_live_\w+/.exec(service.out()) ?? [];
  assert.notEqual(key, '', service.out());

  await run('sh', ['-ec', install], { cwd: clone, env: environment });
  const folder = join(clone, '..', 'hello');
  writeFileSync(join(folder, 'app.mjs'), program);
  const app = runInBackground(t, folder, serve.replace('sp_live_…', key));

  const lines = answers.split('\n').filter((line) => line !== '' && line !== '…');
  const requests = ask.trimEnd().split('\n');
  assert.equal(requests.length, lines.length);
  for (const [index, request] of requests.entries()) {
    let said = '';
    await until(`${request} is answered: ${lines[index]}`, async () => {
      assert.ok(app.child.exitCode === null, app.out());
      // Not there yet, or busy: the application then lets requests pass after 150 ms.
      const answer = await run('sh', ['-c', request]).catch(() => undefined);
      said = answer?.stdout ?? '';
      return said.startsWith(lines[index] ?? '');
    });
  }

  assert.match(service.out(), /vite/, 'the first start builds');
  await stopBackground(service);
  const again = runInBackground(t, clone, start, { SALLYPORT_PORT: `${ports[8080]}` });
  await until('the second start is ready', () => isPrinted(again, 'Ctrl+C'), 10_000);
  assert.doesNotMatch(again.out(), /vite|added \d+ packages/, 'nothing has changed since');
  assert.ok(again.out().includes(key), 'the key is the same');
  await stopBackground(again);
  // What was built is out of date: it is built again, and nothing is installed.
  appendFileSync(join(clone, 'src', 'main.ts'), '// changed\n');
  const changed = runInBackground(t, clone, start, { SALLYPORT_PORT: `${ports[8080]}` });
  await until('the third start is ready', () => isPrinted(changed, 'Ctrl+C'), 10_000);
  assert.match(changed.out(), /vite/);
  assert.doesNotMatch(changed.out(), /added \d+ packages/);
});

test('the bench suite is one command on a fresh clone', async () => {
  const clone = freshClone();
  const bench = ['run', 'bench', '--', '--smoke', '--only', 'micro,engine'];
  const { stdout } = await run('npm', bench, { cwd: clone, env: environment });
  assert.match(stdout, /; wrote \S+\.json and \S+\.html\n/);
});

function freshClone(): string {
  const clone = join(tempDir(), 'sallyport');
  const own = new Set(madeLater.map((name) => join(root, name)));
  cpSync(root, clone, { recursive: true, filter: (path) => !own.has(path) });
  return clone;
}

/** The commands and files of the README, with ports that are free. */
function steps(ports: Readonly<Record<number, number>>) {
  const guide = readGuide('README.md');
  const blocks = [
    ...blocksBelow(guide, '## Five-minute start').slice(0, 1),
    ...blocksBelow(guide, '### Protect an Express application'),
  ];
  assert.deepEqual(
    blocks.map(({ language }) => language),
    ['sh', 'sh', 'js', 'sh', 'sh', ''],
  );
  const [start = '', install = '', program = '', serve = '', ask = '', answers = ''] = blocks.map(
    ({ text }) =>
      Object.entries(ports).reduce((all, [port, free]) => all.replaceAll(port, `${free}`), text),
  );
  return { start, install, program, serve, ask, answers };
}

/** Packages that are there already are not fetched again. */
const environment = { ...process.env, npm_config_prefer_offline: 'true' };

/** Runs a line for a shell until the end of the test, with all that it starts. */
function runInBackground(
  t: TestContext,
  cwd: string,
  line: string,
  further: Readonly<Record<string, string>> = {},
) {
  const env = { ...environment, ...further };
  const child = spawn('sh', ['-c', line], { cwd, env, detached: true });
  const ended = once(child, 'close');
  t.after(async () => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
      process.kill(-child.pid, 'SIGTERM');
    await ended;
  });
  const [out, err] = [collect(child.stdout), collect(child.stderr)];
  return { child, ended, out: () => out() + err() };
}

async function stopBackground({ child, ended }: ReturnType<typeof runInBackground>) {
  if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
  await ended;
}

function isPrinted(program: ReturnType<typeof runInBackground>, text: string): boolean {
  if (program.child.exitCode !== null) throw new Error(`It ended:\n${program.out()}`);
  return program.out().includes(text);
}
