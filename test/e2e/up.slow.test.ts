import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createSqlAuditStore } from '../../src/access/sql-audit-store.ts';
import { closeDatabase, openDatabase } from '../../src/storage/database.ts';
import { collect, runCli } from '../support/cli.ts';
import { filesBelow } from '../support/files-below.ts';
import { requireTool } from '../support/require-tool.ts';
import { type Served, shell, startServing } from '../support/serve.ts';
import { tempDir } from '../support/temp-dir.ts';
import { until } from '../support/until.ts';

const injection = { username: 'alice', password: "' OR 1=1 --" };

function control(served: Served, key: string, body: unknown): Promise<Response> {
  return fetch(`${served.address}/control`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key, connection: 'close' },
    body: JSON.stringify(body),
  });
}

test('a served Sallyport allows, blocks with reasons, follows its keys and stops', async (t) => {
  const cwd = tempDir();
  const served = await startServing(t, cwd, ['serve']);
  const made = await runCli(['keys', 'create', '--name', 'shop', '--data-dir', 'd'], { cwd });
  assert.equal(made.code, 0, made.err);
  const key = made.out.trimEnd();
  const login = { username: 'alice', password: 'correct horse' };
  const allowed = await control(served, key, login);
  assert.equal(allowed.status, 200);
  assert.equal(((await allowed.json()) as { decision: string }).decision, 'allow');

  const blocked = await control(served, key, injection);
  assert.equal(blocked.status, 403);
  const problem = (await blocked.json()) as {
    readonly id: string;
    readonly findings: readonly { readonly category: string; readonly pointer: string }[];
  };
  assert.equal(problem.findings[0]?.category, 'sqli');
  assert.equal(problem.findings[0]?.pointer, '/password');

  const revoked = await runCli(['keys', 'revoke', key.slice(8, 16), '--data-dir', 'd'], { cwd });
  assert.equal(revoked.code, 0, revoked.err);
  await until('the key is refused', async () => (await control(served, key, login)).status === 401);

  served.child.kill('SIGTERM');
  assert.equal(await served.ended, 0);
  assert.match(
    served.err(),
    /^Dashboard: http:\/\/127\.0\.0\.1:\d+\/dashboard\/#setup=[\w-]{64}\n$/,
  );
  const lines = served
    .out()
    .split('\n')
    .filter((line) => line !== '');
  const messages = lines.map((line) => JSON.parse(line));
  const blocks = messages.filter(({ message }) => message === 'blocked');
  assert.equal(blocks.length, 1, 'one line per block and none per allowed request');
  assert.equal(blocks[0].event.id, problem.id);
  assert.equal(blocks[0].sallyport.pointer, '/password');
  for (const secret of [key, key.slice(17), 'correct horse', 'OR 1=1']) {
    assert.ok(!served.out().includes(secret), secret);
  }
  const used = await runCli(['keys', 'list', '--json', '--data-dir', 'd'], { cwd });
  assert.notEqual(JSON.parse(used.out)[0].lastUsed, null);
  for (const name of readdirSync(join(cwd, 'd'))) {
    assert.equal(statSync(join(cwd, 'd', name)).mode & 0o077, 0, name);
  }
});

test('the requests that up prints are answered 200 and 403 as they stand', async (t) => {
  if (!requireTool(t, 'curl')) return;
  const served = await startServing(t, tempDir(), ['up']);
  await until('the first steps are printed', () => served.out().includes('Ctrl+C'));
  const curls = served.out().match(/^ {2}curl(?:.*\\\n)+.*$/gm) ?? [];
  assert.equal(curls.length, 2);
  const [login = '', attack = ''] = curls.map(shell);
  assert.match(login, /^HTTP\/1\.1 200 /);
  assert.match(attack, /^HTTP\/1\.1 403 /);
  assert.match(attack, /SQL injection in \/username/);
  const [link = ''] = /http\S+\/dashboard\/#setup=\S+/.exec(served.out()) ?? [];
  assert.equal((await fetch(link)).status, 200);
  served.child.kill('SIGINT');
  assert.equal(await served.ended, 0);
});

test('up has one key, the same at each start, until it is rotated', async (t) => {
  const cwd = tempDir();
  const printedKey = async (): Promise<string> => {
    const served = await startServing(t, cwd, ['up']);
    await until('the first steps are printed', () => served.out().includes('Ctrl+C'));
    const [key = ''] = /sp_live_\w+/.exec(served.out()) ?? [];
    assert.equal((await control(served, key, {})).status, 200);
    served.child.kill('SIGTERM');
    assert.equal(await served.ended, 0);
    return key;
  };
  const key = await printedKey();
  assert.equal(await printedKey(), key);
  const list = async () => {
    const listed = await runCli(['keys', 'list', '--json', '--data-dir', 'd'], { cwd });
    return JSON.parse(listed.out) as { readonly id: string; readonly expires: string }[];
  };
  assert.deepEqual(
    (await list()).map(({ id }) => id),
    [key.slice(8, 16)],
  );
  const secret = key.slice(17);
  for (const path of filesBelow(join(cwd, 'd'))) {
    assert.ok(!readFileSync(path).includes(secret), `${path} holds the secret`);
  }
  const opened = await openDatabase({ dataDir: join(cwd, 'd'), busyTimeoutMs: 2_000 });
  const { entries } = await createSqlAuditStore(opened.database).list({ limit: 10 });
  await closeDatabase(opened);
  const acts = entries.map(({ action, target }) => `${action} ${target}`);
  assert.deepEqual(acts, [`key.create ${key.slice(8, 16)}`], 'made once, and in the audit');
  const rotated = await runCli(['keys', 'rotate', key, '--data-dir', 'd'], { cwd });
  assert.equal(rotated.code, 0, rotated.err);
  assert.notEqual(await printedKey(), key, 'who rotates a key wants another one');
  assert.equal((await list()).length, 2);
});

test('on a terminal, up writes lines for people and shows its first steps again', async (t) => {
  if (!requireTool(t, 'script')) return;
  const cwd = tempDir();
  const program = fileURLToPath(new URL('../../src/cli/bin.ts', import.meta.url));
  // A shell that stays in between would end by the Ctrl+C itself.
  const command = `exec '${process.execPath}' '${program}' up --port 0 --workers 1`;
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd,
    env: { ...process.env, NO_COLOR: '1' },
  });
  const ended = once(child, 'close');
  t.after(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const out = collect(child.stdout);
  const times = (text: string) => out().split(text).length - 1;
  await until('the first steps are printed', () => times('Ctrl+C') === 1);
  const [address = ''] = /http:\/\/127[\d.:]+/.exec(out()) ?? [];
  const [key = ''] = /sp_live_\w+/.exec(out()) ?? [];
  const answer = await fetch(`${address}/control`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key, connection: 'close' },
    body: JSON.stringify(injection),
  });
  assert.equal(answer.status, 403);
  await until('the block is on the terminal', () => times('sqli.tautology') === 1);
  const line =
    out()
      .split(/\r?\n/)
      .find((one) => one.includes('sqli.tautology')) ?? '';
  assert.match(
    line,
    /^\d\d:\d\d:\d\d {2}blocked {6}sqli\.tautology {2}at \/password {2}id [\w-]{36}$/,
  );
  assert.ok(!out().includes('"@timestamp"'), 'no JSON on a terminal');
  child.stdin.write('\n');
  await until('the first steps are printed again', () => times('Ctrl+C') === 2);
  child.stdin.write('\u0003');
  const [code] = await ended;
  assert.equal(code, 0);
  assert.match(out(), /stopped/);
});

test('a second signal ends the process at once', async (t) => {
  const served = await startServing(t, tempDir(), ['serve']);
  const key = (
    await runCli(['keys', 'create', '--name', 'a', '--data-dir', 'd'], served)
  ).out.trimEnd();
  // A body that never ends is in flight, so that the first signal has something to wait for.
  const socket = connect(Number(new URL(served.address).port), '127.0.0.1');
  t.after(() => socket.destroy());
  const answer = collect(socket);
  socket.on('error', () => undefined);
  const head = ['POST /control HTTP/1.1', 'host: a', 'content-type: application/json'];
  socket.write([...head, `x-api-key: ${key}`, 'content-length: 99', '', '{"a":'].join('\r\n'));
  // The server sees requests in order: once this one is answered, it has the other one too.
  assert.equal((await control(served, key, {})).status, 200);
  served.child.kill('SIGTERM');
  await until('the first signal is seen', () => served.out().includes('"message":"stopping"'));
  assert.equal(served.child.exitCode, null, 'it waits for the request');
  // npm repeats a signal at once; only a later one is a second one.
  await delay(300);
  served.child.kill('SIGTERM');
  assert.equal(await served.ended, 1);
  assert.equal(answer(), '', 'the request was not answered');
});

test('a start that cannot succeed ends with 1 and says what to do', async (t) => {
  const cwd = tempDir();
  const served = await startServing(t, cwd, ['serve']);
  const { port } = new URL(served.address);
  const second = await runCli(['serve', '--port', port, '--data-dir', 'd', '--workers', '1'], {
    cwd,
  });
  assert.equal(second.code, 1);
  assert.match(second.err, /port is taken/);
  const noFile = await runCli(['serve', '--port', '0', '--pepper-file', 'none'], { cwd });
  assert.equal(noFile.code, 1);
  assert.match(noFile.err, /openssl/);
});

test('a defect is logged and ends the process with 1', async (t) => {
  // Runs before the program in every thread, and makes a signal throw in the main one.
  const preload = `import { isMainThread } from 'node:worker_threads';
    if (isMainThread) process.on('SIGUSR2', () => { throw new Error('on purpose'); });`;
  const served = await startServing(t, tempDir(), ['serve'], {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(preload)}`,
  });
  served.child.kill('SIGUSR2');
  assert.equal(await served.ended, 1);
  const last = served.out().trimEnd().split('\n').at(-1) ?? '';
  const { 'log.level': level, error } = JSON.parse(last);
  assert.deepEqual([level, error.message], ['error', 'on purpose']);
});
