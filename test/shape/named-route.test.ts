import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { defaultPolicy } from '../../src/contract/policy.ts';
import { noContext } from '../../src/contract/request.ts';
import type { Shape } from '../../src/contract/shape.ts';
import { createEngine } from '../../src/core/engine.ts';
import { detectors } from '../../src/core/rules/registry.ts';
import { compileShape } from '../../src/shape/compile.ts';
import { checkText, said } from './shop.ts';

const id = { in: 'path', name: 'id', required: true, schema: { type: 'integer' } } as const;
const page = { in: 'query', name: 'page', schema: { type: 'integer' } } as const;
const file = { in: 'path', name: 'file', schema: { type: 'string' } } as const;
const note = { type: 'object', properties: { note: { type: 'string', maxLength: 5 } } };
const shape: Shape = {
  unknownParameters: 'refuse',
  routes: [
    { method: 'GET', path: '/users', parameters: [page] },
    { method: 'GET', path: '/users/{id}', parameters: [id, page] },
    { method: 'PUT', path: '/users/{id}', parameters: [id], body: jsonOf(note) },
    { method: 'GET', path: '/files/{file}', parameters: [file] },
    { method: 'GET', path: '/near/{lat}-{long}' },
    { method: 'GET', path: '/near/{place}' },
    { method: 'GET', path: '/{lang}/docs' },
    { method: 'GET', path: '/users/me' },
    { method: 'GET', path: '/' },
  ],
};

function jsonOf(schema: object) {
  return { content: { 'application/json': { ...schema } } };
}

const own = (path: string, route: unknown, more: object = {}, method = 'GET') =>
  JSON.stringify({ method, path, route, ...more });
const violations = (...request: Parameters<typeof own>) => said(checkText(shape, own(...request)));
const refused = ['no-such-route /path'];

describe('a route that the router of the application named', () => {
  const found: readonly (readonly [path: string, route: string])[] = [
    ['/USERS/7', '/users/:id'],
    ['/Users/7/', '/users/{userId}'],
    ['/users//7', '/users/:id(\\d+)'],
    ['//users/7', '/users/:id?'],
    ['//users', '/users/:id?'],
    ['/USERS', '/users{/:id}'],
    ['/api/v1/users/7', '/users/:id'],
    ['/files/a%2fb', '/files/:file'],
    ['/NEAR/1-2', '/near/:lat-:long'],
    ['///', '/'],
  ];
  for (const [path, route] of found) {
    it(`${path} is ${route}`, () => {
      assert.deepEqual(violations(path, undefined), refused, 'by itself it is none');
      assert.deepEqual(violations(path, route), []);
    });
  }

  it('has its parameters and its body checked', () => {
    const more = { 'query.page': 'x', 'query.debug': '1' };
    assert.deepEqual(violations('/USERS/x', '/users/:id', more), [
      'type /path',
      'type /query.page',
      'unknown-member /query.debug',
    ]);
    const json = { 'header.content-type': 'application/json', 'body.note': 'too long' };
    assert.deepEqual(violations('/USERS/7', '/users/:id', json, 'PUT'), ['too-long /body.note']);
    assert.deepEqual(violations('/p/users/1%20or%201', '/users/:id'), ['type /path']);
  });

  it('loosens nothing that method and path find', () => {
    assert.deepEqual(violations('/users/x', '/files/:file'), ['type /path']);
    const more = { 'query.page': '1' };
    assert.deepEqual(violations('/users/me', '/users/:id', more), ['unknown-member /query.page']);
    assert.deepEqual(violations('/users/7', '/nowhere', { 'query.page': 'x' }), [
      'type /query.page',
    ]);
  });

  it('is checked where requests without a route are only screened', () => {
    const open: Shape = { ...shape, unlisted: 'screen' };
    const text = own('/USERS/7', '/users/:id', { 'query.page': 'x' });
    assert.deepEqual(said(checkText(open, text)), ['type /query.page']);
    assert.deepEqual(said(checkText(open, own('/USERS/7', '/nowhere'))), []);
  });

  const none: readonly (readonly [path: string, route: unknown])[] = [
    ['/USERS/7', '/accounts/:id'],
    ['/USERS/7', '/users/*'],
    ['/USERS/7', '/users/:id+'],
    ['/USERS/7', '^/users/(\\d+)$'],
    ['/USERS/7', ''],
    ['/USERS/7', 7],
    ['/USERS/7', ['/users/:id']],
    ['/USERS/7', { path: '/users/:id' }],
    // The words of the name must be in the path, so that no parameter goes unchecked.
    ['/elsewhere/7', '/users/:id'],
    ['/users/x;/users-7', '/users/:id'],
    // A parameter with slashes, or a path that is cut at a `;`: more of it is read than is checked.
    ['/files/1;drop/files/c', '/files/:file(.*)'],
    ['/FILES/x;/files/c', '/files/:file'],
    ['/users;page=x/users', '/users'],
    ['/users%2f1%20or%201/users/7', '/users/:id'],
    ['/x;drop/en/docs', '/:lang(.*)/docs'],
    // A more particular route is declared, and may be the one that runs.
    ['/USERS/me', '/users/:id'],
    ['/users//Me', '/users/:id'],
    ['/NEAR/1-2', '/near/:place'],
    ['/login', '/'],
    ['/USERS', '/users/:id/:id'],
    // These lead elsewhere when they are resolved.
    ['/files/..%2fadmin', '/files/:file'],
    ['/files/a%2f..%2f..%2fadmin', '/files/:file'],
    ['/public/../users/7', '/users/:id'],
    ['/x/%2e%2e/users/7', '/users/:id'],
    ['/x\\users/7', '/users/:id'],
    ['/FILES/a%5cb', '/files/:file'],
    ['/FILES/a%00', '/files/:file'],
    ['/FILES/%zz', '/files/:file'],
    [`/FILES/${'a'.repeat(9_000)}`, '/files/:file'],
  ];
  for (const [path, route] of none) {
    it(`${path.slice(0, 40)} is not ${JSON.stringify(route)}`, () => {
      assert.deepEqual(violations(path, route), refused);
    });
  }

  it('counts with its method only', () => {
    assert.deepEqual(violations('/USERS/7', '/users/:id', {}, 'POST'), refused);
    assert.deepEqual(violations('/USERS/7', '/users/:id', {}, 'HEAD'), []);
    assert.deepEqual(violations('/users/7', '/users/:id', {}, 'POST'), ['no-such-method /method']);
  });

  it('counts once only, at the top level, and never for the body of a client', () => {
    const twice = '{"method":"GET","path":"/USERS/7","route":"/nowhere","route":"/users/:id"}';
    assert.deepEqual(said(checkText(shape, twice)), refused);
    const nested = JSON.stringify({
      method: 'GET',
      path: '/USERS/7',
      body: { route: '/users/:id' },
    });
    assert.deepEqual(said(checkText(shape, nested)), refused);
    const context = { method: 'GET', uri: '/USERS/7' };
    assert.deepEqual(said(checkText(shape, '{"route":"/users/:id"}', context)), refused);
  });

  it('makes no closed value of the path', () => {
    const read = (path: string, route?: string) => checkText(shape, own(path, route)).closed;
    assert.deepEqual(read('/users/7', '/users/{id}'), ['GET', '/users/7', '/users/{id}']);
    assert.deepEqual(read('/users/7', '/users/:id'), ['GET', '/users/7']);
    assert.deepEqual(read('/USERS/7', '/users/{id}'), ['GET', '/users/{id}']);
  });
});

describe('what is written into a route', () => {
  const engine = createEngine(detectors, compileShape);
  const findings = (path: string, route: string, sensitivity: 1 | 2 | 3 | 4, given?: Shape) => {
    const policy = { ...defaultPolicy, sensitivity, ...(given ? { shape: given } : {}) };
    const result = engine.screen({ body: own(path, route), context: noContext }, policy);
    assert.ok(result.kind === 'verdict');
    const { decision, findings } = result.verdict;
    return decision === 'block' ? findings.map(({ rule, pointer }) => `${rule} ${pointer}`) : [];
  };

  it('is no attack where a developer wrote it', () => {
    const templates = [
      ...['/files/*', '/users/:id(\\d+)', '/a/{id}', '/:lang(en|de)/x', '/users{/:id}', '/*', '*'],
      ...['/at/:hour(^\\d{2})h:minute(^\\d{2})m', '/:id{[0-9]+}', '/posts/:name{.+\\.png}'],
      ...['/:id([0-9a-f]{24})', '/:slug([^/]+)', '/a/<int:id>', '/a/[id]', '/a(bc)?d', '/ab+cd'],
      ...['/{id}/{file}.json', '/{exec}/:eval', '/v1/things::batch', '/(.*)', '/:id(?!new)'],
    ];
    for (const sensitivity of [1, 2, 3, 4] as const) {
      for (const route of templates)
        assert.deepEqual(findings('/x', route, sensitivity), [], route);
    }
  });

  it('is found where it is one, with and without a shape', () => {
    for (const attack of ["/' OR 1=1 --", '/<script>alert(1)</script>', '/../../../etc/passwd']) {
      for (const given of [undefined, shape]) {
        for (const sensitivity of [1, 2, 3, 4] as const) {
          const all = findings('/users/7', attack, sensitivity, given);
          assert.ok(
            all.some((one) => one.endsWith(' /route')),
            attack,
          );
        }
      }
    }
  });

  it('does not hide what stands in a path that it found', () => {
    const all = findings("/FILES/'%20OR%201=1%20--", '/files/:file', 2, shape);
    assert.ok(
      all.some((one) => one.startsWith('sqli.') && one.endsWith(' /path')),
      all.join(),
    );
  });
});
