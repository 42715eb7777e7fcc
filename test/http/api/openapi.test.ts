import assert from 'node:assert/strict';
import { it, test } from 'node:test';
import { apiRoutes } from '../../../src/http/api/routes/routes.ts';
import { openApiDocument } from '../../../src/http/openapi.ts';
import { shopDocument } from '../../shape/shop.ts';
import { runCli } from '../../support/cli.ts';
import { describeOnEachDatabase } from '../../support/databases.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { totpCode } from '../../support/totp.ts';
import { until } from '../../support/until.ts';
import { ReplyChecker } from '../openapi/check-reply.ts';
import { type ApiReply, type ApiServer, type Body, startApi, startApiOn } from './api-server.ts';

const document: Body = openApiDocument('1.2.3');

test('every route is in it, under a name of its own', () => {
  const ids = new Set<string>();
  for (const { path, method } of apiRoutes) {
    const operation = document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
    assert.ok(operation, `${method} ${path}`);
    assert.ok(!ids.has(operation.operationId), operation.operationId);
    ids.add(operation.operationId);
  }
});

test('the server and the command line give the same document', async (t) => {
  const api = await startApi(t);
  const { status, body } = await api.call('/openapi.json');
  assert.equal(status, 200);
  const printed = await runCli(['openapi'], { cwd: tempDir() });
  assert.deepEqual(JSON.parse(printed.out), body);
});

const checker = new ReplyChecker(document);

/** Asserts that a reply has the shape that the document promises for its status. */
function checkReply(path: string, method: string, reply: ApiReply): void {
  checker.check(path, method, reply);
}

interface Step {
  readonly method: string;
  readonly path: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly status?: number;
}

async function take(api: ApiServer, done: Set<string>, step: Step): Promise<Body> {
  const { method, path, params = {}, body, status = 200 } = step;
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
  const reply = await api.call(url, { method, ...(body === undefined ? {} : { body }) });
  assert.equal(reply.status, status, `${method} ${url}: ${JSON.stringify(reply.body)}`);
  checkReply(path, method, reply);
  done.add(`${method} ${path}`);
  return reply.body;
}

describeOnEachDatabase('the management API', (make) => {
  it('every route answers in the shape that the document says', async (t) => {
    const started = await startApiOn(make, t);
    if (started === undefined) return;
    const { api } = started;
    const done = new Set(['POST /api/setup', 'GET /api/live']);
    const go = (step: Step) => take(api, done, step);
    const get = (path: string, params: Step['params'] = {}) => go({ method: 'GET', path, params });

    const { secret } = await api.newKey();
    for (const q of ["' OR 1=1 --", '%3Cscript%3Ealert(1)%3C/script%3E']) {
      checkReply('/control', 'POST', await api.screen(secret, { q }));
    }
    checkReply('/control', 'POST', await api.screen(secret, { q: 'harmless' }));
    checkReply('/control', 'POST', await api.screen('none', { q: 'harmless' }));
    await until('the blocks are stored', async () => {
      return (await api.call('/api/events')).body.events.length === 2;
    });
    for (const path of ['/livez', '/readyz', '/openapi.json']) {
      checkReply(path, 'GET', await api.call(path));
    }

    for (const path of ['session', 'overview', 'rules', 'keys', 'policies', 'stats', 'audit']) {
      await get(`/api/${path}`);
    }
    await keysOf(go);
    await eventsOf(api, go, get);
    await policiesOf(go, get);
    await addressesOf(go, get);
    await notificationsOf(go, get);
    await peopleOf(api, go, get);
    const grace = { name: 'grace hopper', password: 'another long secret', role: 'editor' };
    const administrators = '/api/administrators';
    await get(administrators);
    await go({ method: 'POST', path: administrators, body: grace, status: 201 });
    await go({ method: 'POST', path: administrators, body: grace, status: 409 });
    const one = `${administrators}/{name}`;
    const params = { name: 'grace%20hopper' };
    await go({ method: 'PATCH', path: one, params, body: { role: 'viewer' } });
    await go({ method: 'PATCH', path: one, params: { name: 'x' }, body: {}, status: 422 });
    await go({ method: 'DELETE', path: `${one}/sessions`, params });
    await go({ method: 'DELETE', path: one, params, status: 204 });
    await go({ method: 'DELETE', path: one, params, status: 404 });
    await go({ method: 'DELETE', path: one, params: { name: 'ada' }, status: 409 });
    await secondFactorOf(go, get);
    await singleSignOnOf(go, get);
    const password = { current: 'correct horse battery', password: 'another long secret' };
    await go({ method: 'PUT', path: '/api/session/password', body: password, status: 204 });
    await go({ method: 'DELETE', path: '/api/session', status: 204 });
    const signIn = { name: 'ada', password: 'wrong' };
    await go({ method: 'POST', path: '/api/session', body: signIn, status: 401 });
    await go({ method: 'GET', path: '/api/keys', status: 401 });
    const all = apiRoutes.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
    assert.deepEqual([...done].sort(), all.sort());
  });
});

type Go = (step: Step) => Promise<Body>;
type Get = (path: string, params?: Step['params']) => Promise<Body>;

async function keysOf(go: Go): Promise<void> {
  const body = { name: 'ops', kind: 'admin' };
  const { key } = await go({ method: 'POST', path: '/api/keys', body, status: 201 });
  const params = { id: key.id };
  await go({ method: 'PATCH', path: '/api/keys/{id}', params, body: { name: 'x' } });
  await go({ method: 'GET', path: '/api/rules/use' });
  await go({ method: 'GET', path: '/api/keys/{id}', params });
  await go({ method: 'GET', path: '/api/keys/{id}/usage', params });
  const rotate = { method: 'POST', path: '/api/keys/{id}/rotate', params };
  await go({ ...rotate, body: { sunsetSeconds: 60 } });
  await go({ ...rotate, body: { sunsetSeconds: 60 }, status: 409 });
  await go({ ...rotate, body: {}, status: 422 });
  await go({ method: 'POST', path: '/api/keys/{id}/revoke', params });
}

async function eventsOf(api: ApiServer, go: Go, get: Get): Promise<void> {
  const { events } = await get('/api/events');
  const params = { id: events[0].id };
  await get('/api/events/counts');
  await get('/api/events/export.csv');
  await get('/api/events/{id}/neighbours', params);
  const { event, suggestedExclusion } = await get('/api/events/{id}', params);
  assert.ok(event.findings[0].steps.length > 0);
  await go({ method: 'GET', path: '/api/events/{id}', params: { id: 'none' }, status: 404 });
  await get('/api/events/export');
  const mark = { ids: [event.id], verdict: 'true-positive' };
  await go({ method: 'POST', path: '/api/events/triage', body: mark });
  await get('/api/events/{id}', params);
  await get('/api/events');
  const saved = { name: 'shop', query: { host: 'shop.example' } };
  await go({ method: 'POST', path: '/api/filters', body: saved, status: 201 });
  await go({ method: 'POST', path: '/api/filters', body: saved, status: 409 });
  const { filters } = await get('/api/filters');
  const filter = { method: 'DELETE', path: '/api/filters/{id}', params: { id: filters[0].id } };
  await go({ ...filter, status: 204 });
  await go({ ...filter, status: 404 });
  const replay = { method: 'POST', path: '/api/events/{id}/replay', params };
  await go({ ...replay, body: { policyId: 'default' } });
  await go({ ...replay, body: {}, status: 422 });
  const explain = { body: { q: event.findings[0].steps[0].text } };
  await go({ method: 'POST', path: '/api/explain', body: explain });
  const preview = { policyId: 'default', exclusion: suggestedExclusion };
  await go({ method: 'POST', path: '/api/exclusions/preview', body: preview });
  const first = await api.call(`/api/events/${params.id}`);
  assert.equal(first.status, 200, 'looking changes nothing');
}

/** Ends without a second factor. */
async function secondFactorOf(go: Go, get: Get): Promise<void> {
  const path = '/api/session/second-factor';
  const password = 'correct horse battery';
  const post = (end: string, body: object, status: number) =>
    go({ method: 'POST', path: path + end, body, status });
  await post('/turn-off', { password, code: '000000' }, 409);
  const { secret } = await post('', { password }, 201);
  await post('/confirm', { code: 'x' }, 401);
  const { recoveryCodes } = await post('/confirm', { code: totpCode(secret) }, 200);
  await post('', { password }, 409);
  await get(path);
  await get('/api/administrators');
  const signIn = { name: 'ada', password };
  await go({ method: 'POST', path: '/api/session', body: signIn, status: 401 });
  const wrong = { ...signIn, code: 'x' };
  await go({ method: 'POST', path: '/api/session', body: wrong, status: 401 });
  await post('/recovery-codes', { password, code: 'x' }, 401);
  const [code, other] = recoveryCodes;
  await go({ method: 'POST', path: '/api/session', body: { ...signIn, code } });
  const renewed = await post('/recovery-codes', { password, code: other }, 200);
  const reset = '/api/administrators/{name}/second-factor';
  await go({ method: 'DELETE', path: reset, params: { name: 'ada' }, status: 409 });
  await go({ method: 'DELETE', path: reset, params: { name: 'x' }, status: 404 });
  const account = '/api/administrators/{name}/single-sign-on';
  await go({ method: 'DELETE', path: account, params: { name: 'x' }, status: 404 });
  await post('/turn-off', { password, code: renewed.recoveryCodes[0] }, 204);
}

/** Without an identity provider. */
async function singleSignOnOf(go: Go, get: Get): Promise<void> {
  const [path, own] = ['/api/single-sign-on', '/api/session/single-sign-on'];
  const password = 'correct horse battery';
  for (const [where, body] of [
    [path, {}],
    [`${path}/finish`, { answer: '?code=x' }],
    [own, { password }],
    [`${own}/unlink`, { password }],
  ] as const) {
    await go({ method: 'POST', path: where, body, status: 409 });
    await go({ method: 'POST', path: where, body: { x: 1 }, status: 422 });
  }
  await go({ method: 'POST', path: `${path}/logout`, body: {}, status: 415 });
  await get(own);
}

/** Invitations, sessions and the audit. */
async function peopleOf(api: ApiServer, go: Go, get: Get): Promise<void> {
  const invitations = '/api/invitations';
  const body = { name: 'mary', role: 'viewer' };
  const made = await go({ method: 'POST', path: invitations, body, status: 201 });
  await get(invitations);
  const token = new URLSearchParams(made.path.split('#')[1]).get('join');
  const own = api.cookie;
  const join = { token, password: 'correct horse battery' };
  await go({ method: 'POST', path: '/api/join', body: join, status: 201 });
  await go({ method: 'POST', path: '/api/join', body: join, status: 403 });
  const signIn = { name: 'mary', password: 'correct horse battery' };
  api.keepCookie(await api.call('/api/session', { body: signIn }));
  const { sessions } = await get('/api/sessions');
  assert.equal(sessions.length, 2);
  const other = sessions.find(({ isCurrent }: Body) => !isCurrent);
  const one = { method: 'DELETE', path: '/api/sessions/{id}', params: { id: other.id } };
  await go({ ...one, status: 204 });
  await go({ ...one, status: 404 });
  await go({ method: 'POST', path: invitations, body, status: 403 });
  await go({ method: 'DELETE', path: '/api/sessions' });
  api.cookie = own;
  await get('/api/sessions/all');
  const grace = { name: 'grace', role: 'viewer' };
  await go({ method: 'POST', path: invitations, body: grace, status: 201 });
  const withdrawn = { method: 'DELETE', path: `${invitations}/{name}`, params: { name: 'grace' } };
  await go({ ...withdrawn, status: 204 });
  await go({ ...withdrawn, status: 404 });
  await get('/api/audit');
  await get('/api/audit/export');
  await get('/api/audit/export.csv');
}

/** The address lists. */
async function addressesOf(go: Go, get: Get): Promise<void> {
  const body = { networks: ['192.0.2.0/24'], action: 'deny', reason: 'scans' };
  const path = '/api/addresses';
  const { entries } = await go({ method: 'POST', path, body, status: 201 });
  await get(path);
  const params = { id: entries[0].id };
  await go({ method: 'DELETE', path: `${path}/{id}`, params, status: 204 });
}

async function notificationsOf(go: Go, get: Get): Promise<void> {
  const path = '/api/notifications';
  const body = {
    name: 'chat',
    kind: 'slack',
    target: { url: 'http://127.0.0.1:9/' },
    threshold: { count: 3, minutes: 5, per: 'client' },
    quietHours: { from: '22:00', to: '07:00', timeZone: 'UTC', exceptCritical: true },
  };
  const { channel } = await go({ method: 'POST', path, body, status: 201 });
  await go({ method: 'POST', path, body, status: 409 });
  const mail = { host: 'mail.example', from: 'gate@shop.example', to: ['team@shop.example'] };
  const signed = { url: 'http://127.0.0.1:9/', secret: 'known-to-the-team' };
  await go({ method: 'POST', path, body: { name: 'm', kind: 'email', target: mail }, status: 201 });
  await go({
    method: 'POST',
    path,
    body: { name: 'w', kind: 'webhook', target: signed },
    status: 201,
  });
  await go({ method: 'POST', path, body: { ...body, target: {} }, status: 422 });
  await get(path);
  const params = { id: channel.id };
  const one = `${path}/{id}`;
  await go({ method: 'PUT', path: one, params, body });
  await go({ method: 'POST', path: `${one}/test`, params });
  await get(`${one}/messages`, params);
  await go({ method: 'DELETE', path: one, params, status: 204 });
  await go({ method: 'DELETE', path: one, params, status: 404 });
}

async function policiesOf(go: Go, get: Get): Promise<void> {
  const document = { mode: 'monitor' };
  const body = { name: 'watch', document, comment: 'first' };
  const { policy } = await go({ method: 'POST', path: '/api/policies', body, status: 201 });
  const params = { id: policy.id };
  const path = '/api/policies/{id}';
  await get(path, params);
  const change = { document: { sensitivity: 3 }, baseVersion: policy.version, comment: 'second' };
  await go({ method: 'PUT', path, params, body: change });
  await go({ method: 'PUT', path, params, body: change, status: 409 });
  const bad = { ...change, document: { sensitivity: 9 } };
  await go({ method: 'PUT', path, params, body: bad, status: 422 });
  await get(`${path}/versions`, params);
  await get(`${path}/versions/{n}`, { ...params, n: '1' });
  await get(`${path}/diff`, params);
  const exclusion = { pointer: '/q', rule: 'sqli.tautology', reason: 'a test' };
  await go({ method: 'POST', path: `${path}/exclusions`, params, body: exclusion });
  await go({ method: 'POST', path: `${path}/rollback`, params, body: { version: 1 } });
  const trial = { document: { sensitivity: 4 } };
  await go({ method: 'POST', path: `${path}/diff`, params, body: trial });
  const candidate = `${path}/candidate`;
  await go({ method: 'GET', path: candidate, params, status: 404 });
  await go({ method: 'PUT', path: candidate, params, body: { document: { sensitivity: 4 } } });
  await get(candidate, params);
  const { policy: latest } = await get(path, params);
  const promote = { baseVersion: latest.version, comment: 'promoted' };
  await go({ method: 'POST', path: `${candidate}/promote`, params, body: promote });
  await go({ method: 'DELETE', path: candidate, params, status: 204 });
  const shape = `${path}/shape`;
  await go({ method: 'GET', path: shape, params, status: 404 });
  const declared = { document: shopDocument, comment: 'declared' };
  await go({ method: 'PUT', path: shape, params, body: declared });
  await get(shape, params);
  const noDocument = { document: { openapi: '3.0.3', paths: 7 } };
  await go({ method: 'PUT', path: shape, params, body: noDocument, status: 422 });
  await go({ method: 'DELETE', path: shape, params, status: 204 });
  const learnt = `${shape}/learnt`;
  await get(learnt, params);
  await go({ method: 'GET', path: `${learnt}/document`, params, status: 404 });
  await go({ method: 'POST', path: `${learnt}/candidate`, params, body: {}, status: 404 });
  await go({ method: 'DELETE', path: learnt, params, status: 204 });
  await go({ method: 'DELETE', path, params, status: 204 });
  await go({ method: 'DELETE', path, params: { id: 'default' }, status: 409 });
}
