import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultPolicy, type Exclusion } from '../../../src/contract/policy.ts';
import { noContext, type RequestContext } from '../../../src/contract/request.ts';
import { createEngine } from '../../../src/core/engine.ts';
import { scopeMatcher } from '../../../src/core/policy/scope.ts';

const engine = createEngine();
const attack = "' OR 1=1 --";

function decisionOn(
  body: unknown,
  context: Partial<RequestContext>,
  scope: Pick<Exclusion, 'method' | 'path' | 'clients'>,
): string {
  const fixed = { id: 'e', reason: 'r', author: 'a', createdAt: '2026-01-01T00:00:00Z' };
  const exclusions: Exclusion[] = [{ ...fixed, pointer: '/**', category: 'sqli', ...scope }];
  const request = { body: JSON.stringify(body), context: { ...noContext, ...context } };
  const result = engine.screen(request, { ...defaultPolicy, exclusions });
  assert.ok(result.kind === 'verdict');
  return result.verdict.decision;
}

test('an exclusion for a method and a path counts there and nowhere else', () => {
  const scope = { method: 'POST', path: '/articles/**' };
  const at = (context: Partial<RequestContext>) => decisionOn({ q: attack }, context, scope);
  assert.equal(at({ method: 'POST', uri: '/articles/7/edit?draft=1' }), 'allow');
  assert.equal(at({ method: 'post', uri: '/articles' }), 'allow');
  assert.equal(at({ method: 'PUT', uri: '/articles/7' }), 'block');
  assert.equal(at({ method: 'POST', uri: '/users/7' }), 'block');
  // What is not known does not fit.
  for (const part of [{}, { method: 'POST' }, { uri: '/articles/7' }])
    assert.equal(at(part), 'block');
  assert.equal(decisionOn({ q: attack }, { uri: '/articles/7' }, { path: '/articles/*' }), 'allow');
  assert.equal(decisionOn({ q: attack }, { method: 'POST' }, { method: 'POST' }), 'allow');
});

test('a path that may lead elsewhere fits no pattern', () => {
  const fits = scopeMatcher({ path: '/articles/**' });
  const at = (path: string) => fits({ method: 'GET', path, client: undefined });
  assert.equal(at('/articles/a%20b/c'), true);
  const detours = ['/articles/../admin', '/articles/..', '/articles//x', '/articles/%2e%2e/admin'];
  const more = ['/articles/..%2fadmin', '/articles/a;b', '/articles\\..\\admin', '/articles/./x'];
  for (const path of [...detours, ...more, 'articles/x', '', '/articles/%252e']) {
    assert.equal(at(path), false, path);
  }
});

test('only the names of our own clients say the target', () => {
  const scope = { path: '/articles' };
  const at = (body: object) => decisionOn(body, {}, scope);
  const own = { method: 'POST', path: '/articles', 'header.host': 'a.example', 'body.q': attack };
  assert.equal(at(own), 'allow');
  assert.equal(at({ ...own, path: '/other' }), 'block');
  assert.equal(at({ ...own, extra: 'x' }), 'block', 'not a body of our clients');
  assert.equal(at({ q: attack, path: '/articles' }), 'block', 'a member of the caller');
  const doubled = `{"path":"/articles","path":"/other","body.q":"${attack}"}`;
  const policy = { ...defaultPolicy, exclusions: [] };
  assert.equal(engine.screen({ body: doubled, context: noContext }, policy).kind, 'verdict');
  assert.equal(decisionOn(own, { uri: '/other' }, scope), 'block', 'the header goes first');
});

test('an exclusion for clients counts for their addresses and for no unknown one', () => {
  const clients = ['203.0.113.0/24', '2001:db8::/32', '198.51.100.7'];
  const from = (client: string | undefined) => {
    return decisionOn({ q: attack }, client === undefined ? {} : { client }, { clients });
  };
  for (const one of ['203.0.113.9', '::ffff:203.0.113.9', '2001:db8:1::5', '198.51.100.7']) {
    assert.equal(from(one), 'allow', one);
  }
  for (const one of ['203.0.114.1', '198.51.100.8', '2001:db9::1', '', 'unknown', undefined]) {
    assert.equal(from(one), 'block', one);
  }
  // Fields of a request do not name its client.
  const fields = { 'header.x-forwarded-for': '203.0.113.9', 'query.q': attack };
  assert.equal(decisionOn(fields, { for: '203.0.113.9' }, { clients }), 'block');
  const both = { clients, method: 'POST' };
  const client = '203.0.113.9';
  assert.equal(decisionOn({ q: attack }, { client, method: 'POST' }, both), 'allow');
  assert.equal(decisionOn({ q: attack }, { client, method: 'GET' }, both), 'block');
  assert.equal(decisionOn({ q: attack }, { client }, { clients: ['no network'] }), 'block');
});
