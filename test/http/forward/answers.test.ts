import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultPolicy, type Policy } from '../../../src/contract/policy.ts';
import type { ScanOutcome } from '../../../src/contract/ports.ts';
import { blocked, finding, type TestServer, verdict } from '../test-server.ts';
import { ask, type Question, serveForward, told } from './ask.ts';

function withPolicy(server: TestServer, policy: Partial<Policy>): void {
  server.keys.policies.set('good-key', { ...defaultPolicy, ...policy });
}

test('a threat is answered in words for the client, and recorded in full', async (t) => {
  const server = await serveForward(t);
  server.scanner.scanAs = () => blocked;
  const answer = await ask(server);
  assert.equal(answer.status, 403);
  assert.match(answer.headers.get('content-type') ?? '', /^text\/plain/);
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  const id = answer.headers.get('x-decision-id') ?? '';
  assert.ok(answer.body.includes(`Id: ${id}`));
  assert.doesNotMatch(answer.body, /sqli|SQL|filters|or 1=1/);
  const json = await ask(server, { headers: { ...told, accept: 'application/json' } });
  assert.equal(json.headers.get('content-type'), 'application/problem+json');
  assert.equal(JSON.parse(json.body).id, json.headers.get('x-decision-id'));
  assert.equal(JSON.parse(json.body).status, 403);
  const [first] = server.blocks;
  assert.equal(first?.decisionId, id);
  assert.deepEqual(first?.verdict.findings, [finding]);
  assert.equal(first?.monitored, false);
  assert.equal(JSON.parse(Buffer.from(first?.body ?? []).toString()).method, 'GET');
});

test('monitor records and lets pass, off does not look', async (t) => {
  const server = await serveForward(t);
  server.scanner.scanAs = () => blocked;
  withPolicy(server, { mode: 'monitor' });
  assert.equal((await ask(server)).status, 200);
  assert.equal(server.blocks[0]?.monitored, true);
  withPolicy(server, { mode: 'off' });
  assert.equal((await ask(server, { method: 'POST', body: 'x'.repeat(9_000) })).status, 200);
  assert.equal(server.scanner.inputs.length, 1);
});

test('a key that is no live key is answered 401', async (t) => {
  const server = await serveForward(t);
  for (const key of ['', 'bad-key']) {
    const answer = await ask(server, { headers: { ...told, 'x-api-key': key } });
    assert.equal(answer.status, 401);
    assert.equal(answer.headers.get('www-authenticate'), 'ApiKey, Bearer');
  }
  assert.equal(server.scanner.inputs.length, 0);
});

const envoy = { target: '/forward/a?b=c', headers: {} };
const unclear: Readonly<Record<string, Question>> = {
  'nothing is told': { headers: {} },
  'no method': { headers: { 'x-forwarded-uri': '/' } },
  'no URI': { headers: { 'x-forwarded-method': 'GET' } },
  'an empty URI': { headers: { ...told, 'x-forwarded-uri': '' } },
  'a second URI': { headers: { ...told, 'x-original-uri': '/other' } },
  'a second URI, as a URL': { headers: { ...told, 'x-original-url': 'https://a.test/other' } },
  'a second method': { headers: { ...told, 'x-original-method': 'POST' } },
  'a URI of the client beside that of Envoy': {
    ...envoy,
    headers: { 'x-forwarded-uri': '/harmless' },
  },
  'a method of the client beside that of Envoy': {
    ...envoy,
    headers: { 'x-forwarded-method': 'POST' },
  },
};

test('what is not clear is refused, and the log says what the proxy must do', async (t) => {
  for (const [name, asked] of Object.entries(unclear)) {
    const server = await serveForward(t);
    assert.equal((await ask(server, asked)).status, 403, name);
    assert.equal(server.scanner.inputs.length, 0, name);
    const isMissing = /^(?:nothing|no|an empty) /.test(name);
    const fault = isMissing ? /does not send the .* have it set x-/ : /two different .* set x-/;
    assert.match(String(server.log.warnings[0]?.['reason']), fault, name);
    withPolicy(server, { mode: 'monitor' });
    assert.equal((await ask(server, asked)).status, 200, name);
  }
});

const outages: readonly ScanOutcome[] = [
  { kind: 'refused', reason: 'overloaded' },
  { kind: 'refused', reason: 'draining' },
  { kind: 'refused', reason: 'worker-lost' },
  { kind: 'failed', detail: 'a defect' },
];

test('an outage is answered as the policy says, and never with another status', async (t) => {
  const server = await serveForward(t);
  for (const outcome of outages) {
    server.scanner.scanAs = () => outcome;
    withPolicy(server, {});
    const refused = await ask(server);
    assert.equal(refused.status, 403);
    assert.match(refused.body, /cannot be checked at the moment/);
    withPolicy(server, { onOutage: 'allow' });
    assert.equal((await ask(server)).status, 200);
    withPolicy(server, { mode: 'monitor' });
    assert.equal((await ask(server)).status, 200);
  }
  server.scanner.scanAs = () => Promise.reject(new Error('lost'));
  withPolicy(server, {});
  assert.equal((await ask(server)).status, 403);
  assert.equal(server.blocks.length, 0);
});

test('a mapper without capacity and a used-up rate are outages', async (t) => {
  const map = () => Promise.resolve(undefined);
  const full = { mapper: { map, close: () => Promise.resolve() } };
  const take = () => Promise.resolve({ isAllowed: false, remaining: 0, resetSeconds: 1 });
  const rateLimit = { requests: 1, perSeconds: 1 };
  for (const options of [full, { rateLimits: { take } }]) {
    const server = await serveForward(t, options);
    withPolicy(server, { rateLimit });
    assert.equal((await ask(server)).status, 403);
    withPolicy(server, { rateLimit, onOutage: 'allow' });
    assert.equal((await ask(server)).status, 200);
    assert.equal(server.scanner.inputs.length, 0);
    assert.deepEqual(server.log.errors, [], 'neither is a defect');
  }
});

test('while the keys cannot be read, a key that is not known is refused', async (t) => {
  const server = await serveForward(t);
  server.keys.ready = false;
  assert.equal((await ask(server, { headers: { ...told, 'x-api-key': 'other' } })).status, 403);
  assert.equal((await ask(server)).status, 200);
});

test('what is missing of a body is incomplete, and the policy decides', async (t) => {
  const partial = { ...told, 'x-envoy-auth-partial-body': 'true' };
  const strange = { ...told, 'content-encoding': 'strange' };
  const cases: readonly Question[] = [
    { method: 'POST', headers: partial, body: 'a' },
    { method: 'POST', headers: strange, body: 'a' },
    { method: 'POST', headers: told, body: 'a'.repeat(70_000) },
  ];
  const server = await serveForward(t);
  for (const asked of cases) {
    const limits = { bodyBytes: 65_536 };
    withPolicy(server, { limits, onIncomplete: 'allow' });
    assert.equal((await ask(server, asked)).status, 200);
    assert.equal(server.blocks.length, 0);
    withPolicy(server, { limits });
    const answer = await ask(server, asked);
    assert.equal(answer.status, 403);
    assert.match(answer.body, /could not be inspected completely/);
    assert.match(answer.body, new RegExp(`Id: ${answer.headers.get('x-decision-id')}`));
    const { decision, coverage } = server.blocks.pop()?.verdict ?? assert.fail('not recorded');
    assert.deepEqual([decision, coverage.complete, coverage.reasons], ['block', false, ['body']]);
  }
  withPolicy(server, {});
  const whole = { ...told, 'x-envoy-auth-partial-body': 'false' };
  assert.equal((await ask(server, { method: 'POST', headers: whole, body: 'a' })).status, 200);
});

test('a browser gets a page that loads nothing, in its language', async (t) => {
  const server = await serveForward(t);
  server.scanner.scanAs = () => blocked;
  const browser = { ...told, accept: 'text/html,*/*;q=0.8', 'accept-language': 'fr-CA,en;q=0.5' };
  const { status, headers, body } = await ask(server, { headers: browser });
  assert.equal(status, 403);
  assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
  assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none';/);
  assert.match(body, /Requête bloquée/);
  assert.ok(body.includes(headers.get('x-decision-id') ?? 'no id'));
});

test('a threat in one part outweighs whatever became of the others', async (t) => {
  const server = await serveForward(t);
  const body = JSON.stringify(Array.from({ length: 20_000 }, () => 'x'));
  const asked = { headers: { ...told, 'content-type': 'application/json' }, body };
  const others: readonly ScanOutcome[] = [
    { kind: 'verdict', verdict: verdict() },
    { kind: 'refused', reason: 'overloaded' },
    { kind: 'rejected', fault: 'body-too-many-members' },
  ];
  for (const other of others) {
    server.scanner.scanAs = () => (server.scanner.inputs.length % 3 === 2 ? blocked : other);
    server.scanner.inputs.length = 0;
    server.blocks.length = 0;
    assert.equal((await ask(server, asked)).status, 403);
    assert.equal(server.scanner.inputs.length, 3);
    assert.deepEqual(server.blocks[0]?.body, server.scanner.inputs[1]?.body);
  }
  server.scanner.scanAs = () => ({ kind: 'rejected', fault: 'body-too-many-members' });
  withPolicy(server, { onOutage: 'allow' });
  const tooMuch = await ask(server, asked);
  assert.equal(tooMuch.status, 403, 'more than the policy takes');
  assert.match(tooMuch.body, /could not be inspected completely/);
});

test('a header of the client decides nothing', async (t) => {
  const server = await serveForward(t);
  const headers = { ...told, 'x-deadline-ms': 'never', constructor: 'a', toString: 'b' };
  Object.defineProperty(headers, '__proto__', { value: 'c', enumerable: true });
  for (const cookie of ['a=b', `a=${'b'.repeat(8_000)}`]) {
    server.scanner.inputs.length = 0;
    assert.equal((await ask(server, { headers: { ...headers, cookie } })).status, 200);
    assert.equal(server.scanner.inputs[0]?.deadline, Number.POSITIVE_INFINITY);
  }
});

test('a request of a proxy waits as long as the service lets it, for its key', async (t) => {
  const server = await serveForward(t, { deadlineMs: 900 });
  const before = performance.now();
  assert.equal((await ask(server, { headers: told })).status, 200);
  const after = performance.now();
  const { deadline = 0, isPatient, owner, caller } = server.scanner.inputs[0] ?? {};
  assert.ok(deadline >= before + 900 && deadline <= after + 900, String(deadline));
  assert.deepEqual([isPatient, owner, caller?.phase], [true, 'Abc12345', 'over']);
});

test('every method is taken, and HEAD gets a head', async (t) => {
  const server = await serveForward(t);
  for (const method of ['HEAD', 'OPTIONS', 'DELETE', 'PROPFIND', 'BREW']) {
    const answer = await ask(server, { method, target: '/forward/x', headers: {} });
    assert.equal(answer.status, 200, method);
    assert.equal(answer.body === '', method === 'HEAD', method);
  }
});
