import assert from 'node:assert/strict';
import { test } from 'node:test';
import { password, startApi } from './api-server.ts';

test('the first administrator is made once, with the token of the start', async (t) => {
  const api = await startApi(t);
  assert.deepEqual((await api.call('/api/session')).body, { setupNeeded: true });
  const wish = { token: 'x'.repeat(43), name: 'ada', password };
  assert.equal((await api.call('/api/setup', { body: wish })).status, 403);
  const short = { ...wish, token: api.running.setUpToken, password: 'short' };
  const refused = await api.call('/api/setup', { body: short });
  assert.equal(refused.status, 422);
  assert.equal(refused.body.errors[0].pointer, '/password');

  await api.setUp();
  assert.deepEqual((await api.call('/api/session')).body, {
    user: { name: 'ada', role: 'administrator' },
    setupNeeded: false,
    hasPassword: true,
    needsSecondFactor: false,
  });
  const again = { ...wish, token: api.running.setUpToken };
  assert.equal((await api.call('/api/setup', { body: again })).status, 409);
});

test('the session cookie is for this host, this site and no script', async (t) => {
  const api = await startApi(t);
  const token = api.running.setUpToken;
  const reply = await api.call('/api/setup', { body: { token, name: 'ada', password } });
  const [pair, ...rules] = (reply.headers.get('set-cookie') ?? '').split('; ');
  assert.match(pair ?? '', /^__Host-sallyport=[\w-]{43}$/);
  for (const rule of ['Secure', 'HttpOnly', 'SameSite=Strict', 'Path=/']) {
    assert.ok(rules.includes(rule), rule);
  }
  assert.match(reply.headers.getSetCookie()[0] ?? '', /; Max-Age=43200$/);
  assert.equal(reply.headers.get('cache-control'), 'no-store');
});

test('sign-in and sign-out', async (t) => {
  const api = await startApi(t);
  await api.setUp();
  const first = api.cookie;
  api.cookie = '';
  assert.equal((await api.call('/api/keys')).status, 401);
  const wrong = { name: 'ada', password: 'not the password' };
  assert.equal((await api.call('/api/session', { body: wrong })).status, 401);
  const unknown = await api.call('/api/session', { body: { name: 'eve', password } });
  assert.equal(unknown.status, 401);
  const right = await api.call('/api/session', { body: { name: ' ada ', password } });
  assert.equal(right.status, 200);
  api.keepCookie(right);
  assert.notEqual(api.cookie, first);
  assert.equal((await api.call('/api/keys')).status, 200);
  const out = await api.call('/api/session', { method: 'DELETE' });
  assert.equal(out.status, 204);
  assert.match(out.headers.get('set-cookie') ?? '', /^__Host-sallyport=;.*Max-Age=0/);
  assert.equal((await api.call('/api/keys')).status, 401);
  api.cookie = first;
  assert.equal((await api.call('/api/keys')).status, 200, 'other sessions go on');
});

test('after five failures a name is locked out, also for the right password', async (t) => {
  const api = await startApi(t);
  await api.setUp();
  const attempt = (given: string) =>
    api.call('/api/session', { body: { name: 'ada', password: given } });
  const wrong = await Promise.all(Array.from({ length: 5 }, () => attempt('wrong')));
  assert.deepEqual(
    wrong.map(({ status }) => status),
    [401, 401, 401, 401, 401],
  );
  const locked = await attempt(password);
  assert.equal(locked.status, 429);
  const told = api.log.lines.filter(({ message }) => message === 'a sign-in was refused');
  assert.equal(told.length, 5, 'one line for each that was looked at');
  const seconds = Number(locked.headers.get('retry-after'));
  assert.ok(seconds > 0 && seconds <= 900, String(seconds));
  assert.match(locked.body.detail, /minutes/);
});

test('changing the password ends the other sessions', async (t) => {
  const api = await startApi(t);
  await api.setUp();
  const other = api.cookie;
  api.keepCookie(await api.call('/api/session', { body: { name: 'ada', password } }));
  const change = (body: object) => api.call('/api/session/password', { method: 'PUT', body });
  const next = 'a longer pass phrase';
  assert.equal((await change({ current: 'wrong', password: next })).status, 401);
  assert.equal((await change({ current: password, password: next })).status, 204);
  assert.equal((await api.call('/api/keys')).status, 200, 'this one goes on');
  api.cookie = other;
  assert.equal((await api.call('/api/keys')).status, 401);
  assert.equal((await api.call('/api/session', { body: { name: 'ada', password } })).status, 401);
  const signIn = await api.call('/api/session', { body: { name: 'ada', password: next } });
  assert.equal(signIn.status, 200);
});

test('a request from another origin changes nothing', async (t) => {
  const api = await startApi(t);
  await api.setUp();
  const body = { name: 'shop' };
  const from = (headers: Readonly<Record<string, string>>) =>
    api.call('/api/keys', { body, headers });
  const refused: Readonly<Record<string, string>>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: '' },
  ];
  for (const headers of refused) {
    const reply = await from(headers);
    assert.equal(reply.status, 403, JSON.stringify(headers));
    assert.match(reply.body.type, /cross-origin$/);
  }
  assert.deepEqual((await api.call('/api/keys')).body.keys, []);
  assert.equal((await from({ 'sec-fetch-site': 'same-origin' })).status, 201);
  assert.equal((await from({})).status, 201);
  const form = { 'content-type': 'text/plain' };
  assert.equal((await from(form)).status, 415);
});

test('an administrator key does what a session does, a live key nothing', async (t) => {
  const api = await startApi(t);
  await api.setUp();
  const made = await api.call('/api/keys', { body: { name: 'ops', kind: 'admin' } });
  const { secret } = made.body;
  assert.match(secret, /^sp_admin_/);
  const live = await api.newKey();
  const both = { method: 'DELETE', headers: { 'x-api-key': secret } };
  assert.equal((await api.call('/api/session', both)).status, 409, 'nobody is signed out');
  api.cookie = '';
  const as = (key: string) => ({ headers: { 'x-api-key': key, origin: '' } });
  assert.equal((await api.call('/api/keys', as(secret))).status, 200);
  const body = { name: 'made by a key' };
  assert.equal((await api.call('/api/keys', { body, ...as(secret) })).status, 201);
  assert.equal((await api.call('/api/keys', as(live.secret))).status, 401);
  assert.equal((await api.screen(secret, { a: 'b' })).status, 401);
  const session = await api.call('/api/session/password', {
    method: 'PUT',
    body: { current: password, password },
    ...as(secret),
  });
  assert.equal(session.status, 409);
});
