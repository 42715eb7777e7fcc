import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { createClient } from '../../src/clients/client.ts';
import type { Outcome } from '../../src/clients/outcome.ts';
import { screenAll } from '../../src/clients/screen-all.ts';
import { makeCertificate } from '../support/certificate.ts';
import { requireTool } from '../support/require-tool.ts';
import { startServing } from '../support/serve.ts';
import { tempDir } from '../support/temp-dir.ts';
import { until } from '../support/until.ts';
import { deadAddress, falseSallyport, httpAnswer } from './false-sallyport.ts';
import { realSallyport } from './real-sallyport.ts';

const patient = { timeoutMs: 30_000 };
const key = 'sp_live_any';
const attack = { password: "' OR 1=1 --" };
const allow = '{"id":"0190","decision":"allow","score":0,"findings":[]}';

function codeOf(outcome: Outcome): string {
  return outcome.kind === 'failed' ? outcome.failure.code : outcome.kind;
}

test('a client of a real Sallyport', async (t) => {
  const { url, key } = await realSallyport(t);
  const client = createClient({ url, key, ...patient });
  t.after(() => client.close());

  const allowed = await client.screen({ username: 'ada', tags: ['a', { b: 1 }] });
  assert.ok(allowed.kind === 'allowed', codeOf(allowed));
  assert.deepEqual(allowed.answer.findings, []);
  assert.equal(allowed.answer.coverage?.complete, true);

  const blocked = await client.screen(attack);
  assert.ok(blocked.kind === 'blocked', codeOf(blocked));
  assert.equal(blocked.answer.detail, 'SQL injection in /password');
  assert.equal(blocked.answer.findings[0]?.rule, 'sqli.tautology');
  assert.match(blocked.answer.id, /^[0-9a-f-]{36}$/);
  assert.equal((await client.screen(JSON.stringify(attack))).kind, 'blocked');

  const many = await Promise.all(
    Array.from({ length: 500 }, (_, i) => client.screen(i % 2 === 0 ? attack : { i: 'fine' })),
  );
  assert.deepEqual(
    many.map(codeOf),
    many.map((_, i) => (i % 2 === 0 ? 'blocked' : 'allowed')),
  );

  for (const data of ['', 'no JSON', '[1]', `{"a":"${'x'.repeat(1_100_000)}"}`]) {
    assert.equal(codeOf(await client.screen(data)), 'not-acceptable', data.slice(0, 20));
  }
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  assert.equal(codeOf(await client.screen(circle)), 'not-acceptable');
  assert.equal(codeOf(await client.screen(attack)), 'blocked', 'the breaker stayed closed');

  const stranger = createClient({ url, key: `${key.slice(0, -1)}_`, ...patient });
  t.after(() => stranger.close());
  const refused = await stranger.screen({ a: 'b' });
  assert.equal(codeOf(refused), 'key-refused');
  assert.ok(refused.kind === 'failed' && refused.failure.message.includes('keys create'));
});

test('a client of a key in monitor mode, over a Unix socket', async (t) => {
  const socket = join(tempDir(), 's');
  const { key } = await realSallyport(t, ['--mode', 'monitor', '--socket', socket]);
  const client = createClient({ url: `unix:${socket}`, key, ...patient });
  t.after(() => client.close());
  const outcome = await client.screen(attack);
  assert.ok(outcome.kind === 'allowed', codeOf(outcome));
  assert.equal(outcome.answer.would, 'block');
  assert.equal(outcome.answer.findings[0]?.category, 'sqli');
});

test('connections are kept, and the key goes nowhere but to /control', async (t) => {
  const heads: string[] = [];
  const sockets = new Set<unknown>();
  const url = await falseSallyport(t, (socket, text) => {
    heads.push(text);
    sockets.add(socket);
    socket.write(httpAnswer(200, allow));
  });
  const client = createClient({ url: `${url}/behind/a/proxy/`, key, ...patient });
  t.after(() => client.close());
  for (let i = 0; i < 20; i += 1) assert.equal(codeOf(await client.screen({ i })), 'allowed');
  // The next question may come before the connection of the last one is free.
  assert.ok(sockets.size <= 2, `${sockets.size} connections`);
  assert.match(heads[0] ?? '', /^POST \/behind\/a\/proxy\/control HTTP\/1\.1\r\n/);
  assert.match(heads[0] ?? '', /\r\nx-deadline-ms: 30000\r\n/i);
  assert.match(heads[0] ?? '', /\r\nx-api-key: sp_live_any\r\n/i);
  assert.doesNotMatch(heads.join(''), /x-context-in/i, 'the data may be those of a client');
  await screenAll(client, [JSON.stringify({ path: '/' })], performance.now());
  assert.match(heads.at(-1) ?? '', /\r\nx-context-in: body\r\n/i, 'as the middleware asks');
});

test('a kept connection that the service has closed costs no answer', async (t) => {
  let asked = 0;
  const url = await falseSallyport(t, (socket) => {
    asked += 1;
    // The first of each pair is answered; the next question finds the connection gone.
    if (asked % 3 === 2) socket.resetAndDestroy();
    else socket.write(httpAnswer(200, allow));
  });
  const client = createClient({ url, key, ...patient });
  t.after(() => client.close());
  for (let i = 0; i < 10; i += 1) assert.equal(codeOf(await client.screen({ i })), 'allowed');
});

test('in an outage one probe asks, and its answer ends the outage', async (t) => {
  let asked = 0;
  let waiting: (() => void) | undefined;
  let isUp = false;
  const url = await falseSallyport(t, (socket) => {
    asked += 1;
    if (isUp) waiting = () => socket.write(httpAnswer(200, allow));
    else socket.destroy();
  });
  const client = createClient({ url, key, ...patient, failuresMax: 2, pauseMs: 1 });
  t.after(() => client.close());
  assert.equal(codeOf(await client.screen({})), 'unreachable');
  assert.equal(codeOf(await client.screen({})), 'unreachable');
  isUp = true;
  const before = asked;
  let probe: Promise<Outcome> | undefined;
  await until('the pause is over', () => {
    probe = client.screen({ probe: true });
    return new Promise<boolean>((resolve) => {
      void probe?.then(() => resolve(false));
      setTimeout(() => resolve(asked > before), 20);
    });
  });
  const beside = await Promise.all(Array.from({ length: 20 }, () => client.screen({})));
  assert.deepEqual(new Set(beside.map(codeOf)), new Set(['circuit-open']));
  assert.equal(asked, before + 1);
  waiting?.();
  assert.equal(codeOf((await probe) as Outcome), 'allowed');
  const after = client.screen({});
  await until('it is asked again', () => asked === before + 2);
  waiting?.();
  assert.equal(codeOf(await after), 'allowed');
});

test('a service that is late or overloaded is asked on', async (t) => {
  let asked = 0;
  let isLate = true;
  const url = await falseSallyport(t, (socket) => {
    asked += 1;
    if (!isLate) socket.write(httpAnswer(503, '{"detail":"overloaded"}'));
  });
  const client = createClient({ url, key, timeoutMs: 200, failuresMax: 1, pauseMs: 60_000 });
  t.after(() => client.close());
  for (let i = 1; i <= 3; i += 1) {
    assert.equal(codeOf(await client.screen({})), 'timeout');
    assert.equal(asked, i);
  }
  isLate = false;
  for (let i = 4; i <= 6; i += 1) {
    assert.equal(codeOf(await client.screen({}, { timeoutMs: 100 })), 'unavailable');
    assert.equal(asked, i);
  }
  assert.equal(codeOf(await client.screen({}, { timeoutMs: 0 })), 'timeout');
  assert.equal(asked, 6, 'without time left it is not asked');
});

test('a call says how much time it has', async (t) => {
  const deadlines: string[] = [];
  const url = await falseSallyport(t, (socket, text) => {
    deadlines.push(/x-deadline-ms: (\d+)/i.exec(text)?.[1] ?? '');
    socket.write(httpAnswer(200, allow));
  });
  const client = createClient({ url, key, timeoutMs: 20_000 });
  t.after(() => client.close());
  await client.screen({});
  await client.screen({}, { timeoutMs: 9_000.5 });
  await client.screen({}, { timeoutMs: 90_000 });
  assert.deepEqual(deadlines, ['20000', '9001', '20000']);
});

test('a service that refuses by its rate limit is asked on', async (t) => {
  let left = 5;
  const block = '{"id":"0190","decision":"block","score":90}';
  const url = await falseSallyport(t, (socket) => {
    left -= 1;
    socket.write(left < 0 ? httpAnswer(403, block) : httpAnswer(429, '{"detail":"too many"}'));
  });
  const client = createClient({ url, key, ...patient, failuresMax: 5 });
  t.after(() => client.close());
  for (let i = 0; i < 5; i += 1) assert.equal(codeOf(await client.screen({})), 'rate-limited');
  assert.equal(codeOf(await client.screen(attack)), 'blocked');
});

test('what is wrong with TLS is said', async (t) => {
  if (!requireTool(t, 'openssl')) return;
  const cwd = tempDir();
  const { certFile, keyFile } = makeCertificate(cwd);
  const tls = ['--tls-cert', certFile, '--tls-key', keyFile];
  const { address } = await startServing(t, cwd, ['serve', ...tls]);
  const plain = await realSallyport(t);
  const said = async (url: string) => {
    const client = createClient({ url, key, ...patient });
    t.after(() => client.close());
    const outcome = await client.screen({});
    return outcome.kind === 'failed' ? outcome.failure.message : outcome.kind;
  };
  assert.match(await said(address), /certificate at url is not trusted; NODE_EXTRA_CA_CERTS/);
  assert.match(await said(address.replace('https:', 'http:')), /http or https/);
  assert.match(await said(plain.url.replace('http:', 'https:')), /http or https/);
  assert.match(await said(`${plain.url}/control`), /the address without \/control/);
});

test('what cannot work is said at once', async () => {
  assert.throws(() => createClient({ url: 'localhost:8080', key }), /url must be like/);
  assert.throws(() => createClient({ url: 'ftp://a.test', key }), /url must be like/);
  const url = deadAddress;
  const unset = process.env['SALLYPORT_NOT_SET'];
  for (const wrong of ['', 'a b', 'a\r\nx: y', 'é', unset, null as unknown as string]) {
    assert.throws(() => createClient({ url, key: wrong }), /keys create/);
  }
  assert.throws(() => createClient({ url: unset, key }), /url must be like/);
  assert.throws(() => createClient({ url, key, timeoutMs: 0 }), /timeoutMs/);
  assert.throws(() => createClient({ url, key, connections: Number.NaN }), /connections/);
});

test('an idle client does not keep its process alive', async (t) => {
  const { url, key } = await realSallyport(t);
  const client = new URL('../../src/clients/client.ts', import.meta.url).href;
  const script = `
    const { createClient } = await import(${JSON.stringify(client)});
    const { kind } = await createClient(${JSON.stringify({ url, key, ...patient })}).screen({});
    console.log(kind);`;
  const args = ['--input-type=module', '-e', script];
  const ended = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 60_000 });
  assert.equal(ended.status, 0, ended.stderr);
  assert.equal(ended.stdout.trim(), 'allowed');
});
