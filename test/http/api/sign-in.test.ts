import assert from 'node:assert/strict';
import { request } from 'node:http';
import { type TestContext, test } from 'node:test';
import type { defaultConfig } from '../../../src/config/defaults.ts';
import { type ApiServer, password, startApi } from './api-server.ts';

interface Attempt {
  readonly name?: string;
  readonly password?: string;
  /** Address of this machine that the connection is made from. */
  readonly from?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

interface Reply {
  readonly status: number;
  readonly cookies: readonly string[];
  readonly retryAfter: number;
}

/** Signs in over a socket of its own. */
function signIn(api: ApiServer, attempt: Attempt = {}): Promise<Reply> {
  const { name = 'root', password: given = password, from = '127.0.0.1', headers } = attempt;
  return new Promise((resolve, reject) => {
    const asked = request(
      `${api.origin}/api/session`,
      {
        method: 'POST',
        localAddress: from,
        agent: false,
        headers: { origin: api.origin, 'content-type': 'application/json', ...headers },
      },
      (answer) => {
        answer.resume();
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            cookies: (answer.headers['set-cookie'] ?? []).map((line) => line.split(';')[0] ?? ''),
            retryAfter: Number(answer.headers['retry-after']),
          }),
        );
      },
    );
    asked.on('error', reject);
    asked.end(JSON.stringify({ name, password: given }));
  });
}

async function startWithRoot(
  t: TestContext,
  settings: Partial<ReturnType<typeof defaultConfig>> = {},
): Promise<ApiServer> {
  const api = await startApi(t, settings);
  await api.setUp('root');
  return api;
}

async function fail(api: ApiServer, times: number, attempt: Attempt = {}): Promise<void> {
  const all = Array.from({ length: times }, () => signIn(api, { ...attempt, password: 'wrong' }));
  for (const { status } of await Promise.all(all)) assert.equal(status, 401);
}

test('who fails under a name elsewhere locks nobody out but himself', async (t) => {
  const api = await startWithRoot(t);
  await fail(api, 5, { from: '127.0.0.2' });
  assert.equal((await signIn(api)).status, 200);
  const locked = await signIn(api, { from: '127.0.0.2' });
  assert.equal(locked.status, 429, 'the right password does not help from there');
  assert.ok(locked.retryAfter > 60, String(locked.retryAfter));
});

test('twenty wrong names from the address of a proxy do not stop the right one', async (t) => {
  const api = await startWithRoot(t);
  for (let count = 0; count < 20; count += 4) {
    const four = [0, 1, 2, 3].map((index) => fail(api, 1, { name: `name ${count + index}` }));
    await Promise.all(four);
  }
  assert.equal((await signIn(api)).status, 200);
});

test('a browser that has signed in before is not refused because others failed', async (t) => {
  const api = await startWithRoot(t);
  const { cookies } = await signIn(api);
  const device = cookies.find((pair) => pair.startsWith('__Host-sallyport-device=')) ?? '';
  await fail(api, 5);
  assert.equal((await signIn(api)).status, 429);
  const forged = device.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
  assert.equal((await signIn(api, { headers: { cookie: forged } })).status, 429);
  const known = { headers: { cookie: `theme=dark; ${device}` } };
  assert.equal((await signIn(api, known)).status, 200);
  await fail(api, 5, known);
  assert.equal((await signIn(api, known)).status, 429, 'it has its own five failures');
});

test('the device of one administrator does not help under the name of another one', async (t) => {
  const api = await startWithRoot(t);
  const add = await api.call('/api/administrators', {
    body: { name: 'ada', password, role: 'viewer' },
  });
  assert.equal(add.status, 201);
  const { cookies } = await signIn(api);
  await fail(api, 5, { name: 'ada' });
  const cookie = cookies.join('; ');
  assert.equal((await signIn(api, { name: 'ada', headers: { cookie } })).status, 429);
});

test('the device cookie is for this host, this site and no script, and is no session', async (t) => {
  const api = await startWithRoot(t);
  const reply = await api.call('/api/session', { body: { name: 'root', password } });
  const device = reply.headers.getSetCookie().find((line) => line.includes('-device=')) ?? '';
  const [pair = '', ...rules] = device.split('; ');
  assert.match(pair, /^__Host-sallyport-device=[\w-]{64}$/);
  for (const rule of ['Secure', 'HttpOnly', 'SameSite=Strict', 'Path=/', 'Max-Age=7776000']) {
    assert.ok(rules.includes(rule), rule);
  }
  api.cookie = pair;
  assert.equal((await api.call('/api/keys')).status, 401);
});

test('X-Forwarded-For means nothing from who is not trusted', async (t) => {
  const api = await startWithRoot(t);
  for (let count = 0; count < 5; count += 1) {
    await fail(api, 1, { headers: { 'x-forwarded-for': `203.0.113.${count}` } });
  }
  const spoofed = { headers: { 'x-forwarded-for': '203.0.113.99' } };
  assert.equal((await signIn(api, spoofed)).status, 429);
  const { client } = refusals(api).at(-1) ?? {};
  assert.equal(client, '127.0.0.1');
});

test('behind a trusted proxy a client is who the proxy says, also in log and audit', async (t) => {
  const api = await startWithRoot(t, { trustedProxies: ['127.0.0.0/8', '2001:db8::/64'] });
  const via = (...lines: string[]) => ({ headers: { 'x-forwarded-for': lines } });
  // What stands before the last address that is not trusted is the client's own word.
  for (let count = 0; count < 5; count += 1) {
    await fail(api, 1, via(`198.51.100.${count}, 203.0.113.7`, '127.0.0.9, [2001:DB8::5]:443'));
  }
  assert.equal((await signIn(api, via('203.0.113.7'))).status, 429);
  assert.equal((await signIn(api, via('203.0.113.7, ::ffff:127.0.0.1'))).status, 429);
  assert.equal((await signIn(api, via('203.0.113.8:50123'))).status, 200);
  assert.equal(refusals(api).at(-1)?.['client'], '203.0.113.7');
  const { body } = await api.call('/api/audit');
  assert.equal(body.entries[0].address, '203.0.113.8');

  for (const odd of ['unknown', 'a'.repeat(5_000), '1.2.3.4, ;', '203.0.113.7, fe80::1%eth0']) {
    await fail(api, 1, { name: 'nobody', ...via(odd) });
    assert.equal(refusals(api).at(-1)?.['client'], '127.0.0.1', odd);
  }
});

test('a refused sign-in is logged with its name, which cannot write to a terminal', async (t) => {
  const api = await startWithRoot(t);
  await fail(api, 1, { name: `eve\u001b[2J\r\n\u202e${'x'.repeat(80)}` });
  const [line] = refusals(api);
  assert.equal(line?.['user'], `eve\\u{1b}[2J\\u{d}\\u{a}\\u{202e}${'x'.repeat(54)}`);
});

function refusals(api: ApiServer): readonly Readonly<Record<string, unknown>>[] {
  return api.log.told.filter(({ message }) => message === 'a sign-in was refused');
}
