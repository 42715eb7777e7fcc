import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { limits } from '../../src/contract/limits.ts';
import { uwsPackageFor } from '../../src/http/uws.ts';
import { makeCertificate } from '../support/certificate.ts';
import { freePort } from '../support/ports.ts';
import { connect } from './raw-client.ts';
import { checkAnswer, checkProblem, controlRequest, exchange, serve } from './test-server.ts';

const body = '{"a":"b"}';

function tempDir(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'sallyport-http-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

test('the address is a URL with the real port', async (t) => {
  const to = await serve(t);
  assert.match(to.server.address, /^http:\/\/127\.0\.0\.1:[1-9]\d+$/);
});

test('a port that is taken: the message says what to do', async (t) => {
  const to = await serve(t);
  const port = Number(new URL(to.server.address).port);
  await assert.rejects(serve(t, { port }), {
    message: /127\.0\.0\.1:\d+: the port is taken\. Stop the program/,
  });
});

test('a port is shared only when both ask for it', async (t) => {
  // Sharing is not possible on a port that the system chooses.
  const port = await freePort();
  const first = await serve(t, { sharePort: true, port });
  const second = await serve(t, { sharePort: true, port });
  assert.equal(second.server.address, first.server.address);
  await assert.rejects(serve(t, { port }), /the port is taken/);
});

test('an address that is not ours: the message says so', async (t) => {
  await assert.rejects(serve(t, { host: '192.0.2.1' }), /not an address of this machine/);
});

test('a Unix socket: answers, is for owner and group, and goes with the server', async (t) => {
  const socketPath = join(tempDir(t), 'http.sock');
  const to = await serve(t, { socketPath });
  assert.equal(to.server.address, `unix:${socketPath}`);
  assert.equal(statSync(socketPath).mode & 0o777, 0o660);
  checkAnswer(await exchange(to, controlRequest(body)), 200);
  await to.server.stop();
  assert.equal(existsSync(socketPath), false);
});

test('a dead Unix socket is replaced', async (t) => {
  const socketPath = join(tempDir(t), 'http.sock');
  const script =
    `require('node:net').createServer().listen(${JSON.stringify(socketPath)}, () => ` +
    "process.kill(process.pid, 'SIGKILL'))";
  assert.throws(() => execFileSync(process.execPath, ['-e', script], { stdio: 'ignore' }));
  assert.ok(statSync(socketPath).isSocket());
  const to = await serve(t, { socketPath });
  checkAnswer(await exchange(to, controlRequest(body)), 200);
});

test('a shared Unix socket changes hands without a gap', async (t) => {
  const socketPath = join(tempDir(t), 'http.sock');
  const first = await serve(t, { socketPath, sharePort: true, graceMs: 60_000 });
  const kept = await first.open();
  const second = await serve(t, { socketPath, sharePort: true });
  checkAnswer(await exchange(second, controlRequest(body)), 200);
  assert.equal(first.scanner.inputs.length, 0);
  assert.equal(second.scanner.inputs.length, 1);
  const stopped = first.server.stop();
  kept.send(controlRequest(body));
  checkAnswer(await kept.answer(), 200);
  await stopped;
  checkAnswer(await exchange(second, controlRequest(body)), 200);
  await second.server.stop();
  assert.equal(existsSync(socketPath), false);
});

test('a live Unix socket is left alone', async (t) => {
  const socketPath = join(tempDir(t), 'http.sock');
  const owner = createServer((socket) => socket.on('error', () => undefined).end('mine'));
  await new Promise<void>((resolve) => owner.listen(socketPath, resolve));
  t.after(() => owner.close());
  await assert.rejects(serve(t, { socketPath }), /Another program listens/);
  const client = await connect(`unix:${socketPath}`);
  await client.closed;
  assert.equal(client.rest, 'mine');
});

test('a file in the place of the socket is left alone', async (t) => {
  const socketPath = join(tempDir(t), 'http.sock');
  writeFileSync(socketPath, 'data');
  await assert.rejects(serve(t, { socketPath }), /is not a socket\. Remove it/);
  assert.equal(readFileSync(socketPath, 'utf8'), 'data');
});

test('socket paths that cannot be: the message says why', async (t) => {
  const dir = tempDir(t);
  await assert.rejects(serve(t, { socketPath: join(dir, 'no', 'x.sock') }), /directory exists/);
  await assert.rejects(serve(t, { socketPath: join(dir, 'x'.repeat(100)) }), /longer than 99/);
});

test('TLS: whole answers, early answers, large bodies', async (t) => {
  const dir = tempDir(t);
  const tls = makeCertificate(dir);
  const to = await serve(t, { tls });
  assert.match(to.server.address, /^https:/);
  const client = await connect(to.server.address, readFileSync(tls.certFile, 'utf8'));
  t.after(() => client.end());
  client.send(controlRequest(body));
  checkAnswer(await client.answer(), 200);
  client.send(controlRequest(body, { 'x-api-key': 'no' }));
  checkProblem(await client.answer(), 401, 'key-not-valid');
  const full = `{"a":"${'x'.repeat(limits.bodyBytesMax - 8)}"}`;
  client.send(controlRequest(full));
  checkAnswer(await client.answer(), 200);
  client.send(controlRequest(`${full} `));
  checkProblem(await client.answer(), 413, 'body-too-large');
  assert.equal(await client.closed, undefined);
});

test('TLS files that do not serve: the message names them', async (t) => {
  const dir = tempDir(t);
  const tls = { certFile: join(dir, 'cert.pem'), keyFile: join(dir, 'key.pem') };
  await assert.rejects(serve(t, { tls }), /cert\.pem cannot be read/);
  writeFileSync(tls.certFile, 'x');
  writeFileSync(tls.keyFile, 'x');
  await assert.rejects(serve(t, { tls }), /PEM files without a passphrase/);
});

test('the uWebSockets.js package fits the Node version', () => {
  assert.equal(uwsPackageFor('22.16.0'), 'uWebSockets.js');
  assert.equal(uwsPackageFor('23.1.0'), 'uWebSockets.js');
  assert.equal(uwsPackageFor('24.0.0'), 'uwebsockets-node24');
  assert.equal(uwsPackageFor('26.1.0'), 'uwebsockets-node24');
});
