import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createClient } from '../../src/clients/client.ts';
import { createGuard, type GuardOptions, type ServiceState } from '../../src/clients/guard.ts';
import { runCli } from '../support/cli.ts';
import { startServing } from '../support/serve.ts';
import { tempDir } from '../support/temp-dir.ts';
import { until } from '../support/until.ts';
import { deadAddress, falseSallyport, garbage, httpAnswer } from './false-sallyport.ts';

const request = { method: 'GET', url: '/?q=hello', headers: {}, address: '' };
const none = { kind: 'none' } as const;

/** What a middleware with these options says of its Sallyport, in order. */
function statesOf(options: GuardOptions): ServiceState[] {
  const states: ServiceState[] = [];
  createGuard({ ...options, onStatus: (state) => void states.push(state) });
  return states;
}

async function firstOf(states: readonly ServiceState[]): Promise<ServiceState> {
  await until('the state is known', () => states.length > 0);
  return states[0] as ServiceState;
}

async function servingWithKeys(t: TestContext) {
  const served = await startServing(t, tempDir(), ['serve']);
  const make = async (...args: string[]) => {
    const made = await runCli(['keys', 'create', ...args, '--data-dir', 'd'], served);
    return made.out.trimEnd();
  };
  const [key, admin] = [await make('--name', 'app'), await make('--admin', '--name', 'ops')];
  const ask = (path: string, apiKey: string) =>
    fetch(served.address + path, { headers: { 'x-api-key': apiKey } });
  await until('the keys are known', async () => {
    const answers = await Promise.all([ask('/control', key), ask('/api/overview', admin)]);
    return answers.every(({ ok }) => ok);
  });
  return { served, url: served.address, key, admin, ask };
}

test('the middleware says what is in force, and reports what was not screened', async (t) => {
  const { served, url, key, admin, ask } = await servingWithKeys(t);
  const state = await firstOf(statesOf({ url, key }));
  assert.equal(state.message, 'Sallyport: connected, policy Default, blocking');
  assert.ok(state.kind === 'connected' && state.mode === 'block' && state.policy === 'Default');
  assert.match(
    (await firstOf(statesOf({ url, key, monitor: true }))).message,
    /^Sallyport: connected, policy Default, monitoring: attacks are reported, not blocked$/,
  );

  const guard = createGuard({ url, key, onIncomplete: 'allow', onError: () => undefined });
  const cut = { kind: 'raw', bytes: Buffer.from('{"a":'), isComplete: false } as const;
  const seen = {};
  const post = { ...request, method: 'POST', headers: { 'content-type': 'application/json' } };
  assert.equal(await guard.judge(post, cut, seen), undefined);
  type Overview = { unscreened: { keyName: string; passed: unknown; inline: unknown }[] };
  const reported = async () =>
    ((await (await ask('/api/overview', admin)).json()) as Overview).unscreened;
  await until('the report has arrived', async () => (await reported()).length > 0);
  const [first] = await reported();
  assert.equal(first?.keyName, 'app');
  assert.deepEqual([first?.passed, first?.inline], [{ incomplete: 1 }, {}]);
  const figures = await (await fetch(`${url}/metrics`)).text();
  assert.match(figures, /^sallyport_client_unscreened_total\{reason="incomplete"\} 1$/m);

  const id = key.split('_')[2] ?? '';
  await runCli(['keys', 'revoke', id, '--data-dir', 'd'], served);
  await until('the key is revoked', async () => (await ask('/control', key)).status === 401);
  const revoked = await firstOf(statesOf({ url, key, onOutage: 'block' }));
  assert.ok(revoked.kind === 'not-connected' && revoked.code === 'key-refused');
  assert.match(
    revoked.message,
    /^Sallyport: the API key is refused at http:.*keys create.*requests are refused\.$/,
  );
  assert.ok(!revoked.message.includes(key));
});

test('what is wrong at the start is said once, with what to do', async (t) => {
  const key = 'sp_live_any';
  const dead = await firstOf(statesOf({ url: deadAddress, key, inlineOnOutage: false }));
  assert.ok(dead.kind === 'not-connected' && dead.code === 'unreachable');
  assert.match(
    dead.message,
    /not reachable at http:\/\/127\.0\.0\.1:1\..*check that Sallyport runs.*pass unscreened\.$/,
  );
  const page = garbage['a web page'];
  const url = await falseSallyport(t, (socket) => page?.(socket));
  const wrong = await firstOf(statesOf({ url, key }));
  assert.ok(wrong.kind === 'not-connected' && wrong.code === 'not-understood');
  assert.match(wrong.message, /no Sallyport answers at .*check that url.*screened in this process/);
});

const status = '{"policy":"shop","policyVersion":3,"mode":"monitor","version":"1.0.0"}';
const allow = '{"id":"0190","decision":"allow","score":0,"findings":[]}';

test('a Sallyport that comes back is found, and told what it missed', async (t) => {
  let isBack = false;
  const reports: string[] = [];
  const url = await falseSallyport(t, (socket, text) => {
    if (!isBack) socket.resetAndDestroy();
    else if (text.startsWith('GET /control ')) socket.write(httpAnswer(200, status));
    else if (text.startsWith('POST /control/report ')) {
      reports.push(text.split('\r\n\r\n')[1] ?? '');
      socket.write('HTTP/1.1 204 No Content\r\n\r\n');
    } else socket.write(httpAnswer(200, allow));
  });
  const states: ServiceState[] = [];
  const guard = createGuard({
    url,
    key: 'sp_live_any',
    inlineOnOutage: false,
    failuresMax: 1_000,
    onError: () => undefined,
    onStatus: (state) => void states.push(state),
  });
  await firstOf(states);
  for (let i = 0; i < 3; i += 1) await guard.judge(request, none, {});
  isBack = true;
  await until('the report has arrived', () => reports.length > 0);
  assert.deepEqual(reports, ['{"passed":{"unreachable":3},"inline":{}}']);
  assert.deepEqual(
    states.map(({ kind }) => kind),
    ['not-connected', 'connected'],
  );
  assert.equal(
    states[1]?.message,
    'Sallyport: connected again, policy shop, monitoring: attacks are reported, not blocked. ' +
      'Meanwhile 3 requests passed unscreened and 0 were screened in this process.',
  );
});

test('a first request waits for the warm-up, longer than the usual time', async (t) => {
  const held: Socket[] = [];
  const url = await falseSallyport(t, (socket, text) => {
    const body = text.startsWith('GET ') ? status : allow;
    held.push(socket);
    // All are answered later than the time that later calls have.
    setTimeout(() => socket.write(httpAnswer(200, body)), 300);
  });
  const codes: string[] = [];
  const guard = createGuard({
    url,
    key: 'sp_live_any',
    timeoutMs: 30,
    onError: ({ code }) => void codes.push(code),
    onStatus: () => undefined,
  });
  assert.equal(await guard.judge(request, none, {}), undefined);
  assert.deepEqual(codes, []);
  assert.ok(held.length >= 2, 'connections were opened at once');
});

test('calls have their usual time again once the warm-up is over', async (t) => {
  const url = await falseSallyport(t, (socket, text) => {
    socket.write(httpAnswer(200, text.startsWith('GET ') ? status : allow));
  });
  const client = createClient({ url, key: 'sp_live_any', timeoutMs: 30 });
  t.after(() => client.close());
  const warm = client.warmUp(Promise.resolve({}));
  assert.ok((client.timeoutMs ?? 0) > 30);
  await warm;
  assert.equal(client.timeoutMs, 30);
});
