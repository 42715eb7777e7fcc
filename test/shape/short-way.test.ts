import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isSameBothWays, waysOf } from '../../bench/fuzz/shape.ts';
import { Random } from '../../bench/lib/random.ts';
import { prose } from '../../bench/shape/prose.ts';
import { requestFor, textsOf } from '../../bench/shape/requests.ts';
import { Values } from '../../bench/shape/values.ts';
import { noContext } from '../../src/contract/request.ts';
import type { JsonSchema, MemberValue } from '../../src/contract/shape.ts';
import { readRequest } from '../../src/core/extract/read-request.ts';
import { compileShape } from '../../src/shape/compile.ts';
import { id, shapeFrom, shopDocument } from './shop.ts';

const keys = [
  ...[
    'method',
    'path',
    'route',
    'query.page',
    'query.q[1]',
    'query.tag',
    'header.content-type',
    'body',
  ],
  ...['body.id', 'body.items', 'body.items[0]', 'body.items[0].sku', 'body.items[1].sku'],
  ...['body.items[0].qty', 'body.note', 'body.note.$ne', 'body.amount', 'body.codes[0]', 'body.x'],
  ...['body.user', 'body.age', 'body.age[]', 'body.news', 'body.user[1]', 'body.photo.filename'],
  ...['body.codes[]', 'body.parent.id', 'body.__proto__.x', 'body.items[7].qty', 'header.x-tenant'],
];
const others = [
  'true',
  '0x10',
  null,
  true,
  7,
  -1,
  0.5,
  '',
  '1',
  'paid',
  'ABC-1',
  'x'.repeat(30),
  {},
  [],
  { a: 1 },
];

describe('the short way of a request', () => {
  for (const closed of [true, false]) {
    it(`reports what the long way reports, ${closed ? 'closed' : 'open'}`, async () => {
      const shape = shapeFrom(shopDocument, { closed });
      const random = new Random(5);
      const values = new Values(shape, random, prose);
      const ways = waysOf(shape);
      for (let count = 0; count < 400; count++) {
        for (const text of await textsOf(
          requestFor(random.pick(shape.routes ?? []), values, random),
        )) {
          const body = random.chance(70) ? changed(text, random) : text;
          assert.ok(isSameBothWays(ways, { body, context: noContext }), body);
        }
      }
    });
  }

  it('takes JSON, forms and parameters as declared, and parses no body again', () => {
    const note = { type: 'string', minLength: 1 };
    const lines = {
      type: 'array',
      items: { type: 'object', properties: { n: { type: 'integer' } } },
    };
    const form = 'application/x-www-form-urlencoded';
    const content = {
      'application/json': { type: 'object', required: ['note'], properties: { note, lines } },
      [form]: { type: 'object', required: ['note'], properties: { note } },
    };
    const page = { in: 'query', name: 'page', schema: { type: 'integer' } } as const;
    const user = { in: 'path', name: 'user', schema: { format: 'uuid' } } as const;
    const checker = compileShape({
      routes: [{ method: 'PUT', path: '/{user}', parameters: [page, user], body: { content } }],
    });
    const own = { method: 'PUT', path: `/${id}` };
    for (const [isShort, members] of [
      [true, { 'query.page': '2', 'body.note': 'a', 'body.lines[0].n': 1, 'body.lines[1].n': 2 }],
      [true, { 'header.content-type': form, 'body.note': 'a', body: 'note=a' }],
      [true, { route: '/{user}', 'body.note': 'a' }],
      [true, { route: '/elsewhere', 'body.note': 'a' }],
      [false, { 'query.page': 'two', 'body.note': 'a' }],
      [false, { 'body.lines[0].n': 1 }],
      [false, { 'header.content-type': form, 'body.note': '' }],
    ] as const) {
      const request = { body: JSON.stringify({ ...own, ...members }), context: noContext };
      const values: MemberValue[] = [];
      const fields = readRequest(request, values) ?? [];
      // Only the long way reads the text of the body.
      const check = () => checker.check({ ...request, body: 'no JSON' }, fields, values);
      if (isShort) assert.deepEqual(check().violations, []);
      else assert.throws(check, SyntaxError, request.body);
    }
  });

  it('reads texts of parameters and forms as the long way does', () => {
    const schemas: readonly JsonSchema[] = [
      ...['integer', 'number', 'boolean', 'string', 'null'].map((type) => ({ type })),
      ...[
        ['integer', 'null'],
        ['boolean', 'integer'],
        ['string', 'integer'],
        ['array', 'string'],
      ].map((type) => ({ type })),
      ...[{ type: 'integer', enum: [1, 2] }, { enum: ['1', 'a', true, 2] }, { const: '0x10' }],
      ...[{ type: 'number', minimum: 1, maximum: 2 }, { minimum: 5, minLength: 2 }, { const: 1 }],
      ...['uuid', 'date-time', 'date', 'int32', 'email'].map((format) => ({ format })),
      ...['^[a-z0-9-]+$', '^[0-9]{1,3}$', 'a'].map((pattern) => ({ type: 'string', pattern })),
      { type: 'integer', format: 'int32' },
    ];
    const texts = [
      ...['', ' ', '1', '2', '6', '-0', '0x10', '1e2', '1e400', '1.5', '1 ', '9007199254740993'],
      ...['true', 'false', 'TRUE', 'null', 'a', 'a-b', 'a--b', '--', 'NaN', 'Infinity', '１', '😀'],
      ...['9e9', id, id.toUpperCase(), `urn:uuid:${id}`, '2026-02-30', '2026-02-28', 'a@b.example'],
      ...['2026-02-28T10:00:00Z', '2026-02-28t10:00:00z', 'a'.repeat(200), '0'.repeat(5_000)],
    ];
    const media = 'application/x-www-form-urlencoded';
    schemas.forEach((schema, at) => {
      for (const required of [[], ['v']]) {
        const content = { [media]: { type: 'object', properties: { v: schema }, required } };
        const places = ['query', 'path', 'header'] as const;
        const isRequired = required.length > 0;
        const parameters = places.map((place) => ({
          ...{ in: place, name: 'v', schema },
          required: isRequired,
        }));
        const ways = waysOf({
          routes: [
            { method: 'GET', path: '/{v}', parameters },
            { method: 'POST', path: '/', body: { content } },
          ],
        });
        for (const text of texts) {
          const own = { 'query.v': text, 'header.v': text };
          const path = `/${encodeURIComponent(text === '' ? '1' : text)}`;
          const form = { 'header.content-type': media, 'body.v': text, body: `v=${text}` };
          for (const members of [
            { method: 'GET', path, ...own },
            { method: 'POST', path: '/', ...form },
          ]) {
            const body = JSON.stringify(members);
            const isSame = isSameBothWays(ways, { body, context: noContext });
            assert.ok(isSame, `schema ${at}: ${body}`);
          }
        }
      }
    });
  });

  it('has items in their order, and names as they are declared', () => {
    const item = { type: 'object', properties: { n: { type: 'integer' } } };
    const properties = {
      list: { type: 'array', maxItems: 2, items: item },
      'list[]': { enum: ['a'] },
      v: { type: ['array', 'string'], enum: ['a'] },
    };
    const schema: JsonSchema = { type: 'object', properties };
    const content = { 'application/json': schema, 'application/x-www-form-urlencoded': schema };
    const ways = waysOf({ routes: [{ method: 'PUT', path: '/', body: { content } }] });
    for (const type of Object.keys(content)) {
      for (const own of [
        { 'body.list[0].n': 1, 'body.list[1].n': 1 },
        { 'body.list[0].n': 1, 'body.list[7].n': 1 },
        { 'body.list[1].n': 1, 'body.list[0].n': 1 },
        { 'body.list[]': 'too long' },
        { 'body.v': 'a' },
        { 'body.v': 'b' },
      ]) {
        const members = { method: 'PUT', path: '/', 'header.content-type': type, ...own };
        const body = JSON.stringify(members);
        assert.ok(isSameBothWays(ways, { body, context: noContext }), body);
      }
    }
  });

  it('reports of JSON beside context headers what the long way reports', () => {
    const shape = shapeFrom(shopDocument, { closed: true });
    const ways = waysOf(shape);
    const context = { ...noContext, method: 'POST', uri: '/v1/orders' };
    const items = [{ sku: 'ABC-1', qty: 1 }];
    for (const body of [
      { id, items },
      { id },
      { items },
      { id: 'x', items },
      { id, items: [...items, ...items, ...items] },
      { id, items: [{ sku: 'abc' }] },
      { id, items: { 0: {} } },
      { id, items, more: 1 },
      { id, items, note: null, state: 'new', amount: 0.5, codes: [1, 2] },
      { id, items, codes: [1, '2'] },
    ]) {
      const request = { body: JSON.stringify(body), context };
      assert.ok(isSameBothWays(ways, request), request.body);
    }
    for (const uri of [`/v1/orders/${id}`, '/v1/orders/1', '/files/a.png', '/files/%61.png?a=1']) {
      const request = { body: '{}', context: { ...noContext, method: 'GET', uri } };
      assert.ok(isSameBothWays(ways, request), uri);
    }
  });

  it('takes JSON beside context headers without Ajv', () => {
    const properties = { n: { type: 'integer' }, never: { $ref: '#/schemas/none' } };
    const content = { 'application/json': { type: 'object', properties } };
    const checker = compileShape({ routes: [{ method: 'PUT', path: '/', body: { content } }] });
    const check = (body: string) => {
      const request = { body, context: { ...noContext, method: 'PUT', uri: '/' } };
      const values: MemberValue[] = [];
      return checker.check(request, readRequest(request, values) ?? [], values);
    };
    assert.deepEqual(check('{"n":1}').violations, []);
    // Ajv compiles the whole schema, in which one is missing.
    assert.throws(() => check('{"n":"a"}'), /none/);
  });

  it('counts characters as the long way does', () => {
    const note = { type: 'string', minLength: 2, maxLength: 3 };
    const content = { 'application/json': { type: 'object', properties: { note } } };
    const ways = waysOf({ routes: [{ method: 'PUT', path: '/', body: { content } }] });
    for (const text of ['a', '😀', '😀a', '\ud83d\ud83d', '😀😀😀', '😀😀😀😀', 'abcd', '']) {
      const body = JSON.stringify({ method: 'PUT', path: '/', 'body.note': text });
      assert.ok(isSameBothWays(ways, { body, context: noContext }), text);
    }
  });

  it('sees a name that comes again, though the tables of names began anew in between', () => {
    const parameters = ['q', 'tag'].map(
      (name) => ({ in: 'query', name, required: true, schema: { type: 'string' } }) as const,
    );
    const ways = waysOf({ routes: [{ method: 'GET', path: '/', parameters }] });
    for (let count = 0; count < 210; count++) {
      const others = Array.from({ length: 100 }, (_, at) => `"query.n${count * 100 + at}":"x"`);
      const members = ['"query.q":"a"', ...others, '"query.q":"b"'];
      const body = `{"method":"GET","path":"/",${members.join(',')}}`;
      assert.ok(isSameBothWays(ways, { body, context: noContext }), `request ${count}`);
    }
  });
});

/** One member more, one less, or one with another value; the same name may come again. */
function changed(text: string, random: Random): string {
  const members = Object.entries(JSON.parse(text) as object).map(
    ([key, value]) => [key, value] as const,
  );
  const at = random.below(members.length);
  const one = [random.pick(keys), random.pick<unknown>(others)] as const;
  if (random.chance(30)) members.splice(at, 1);
  else if (random.chance(50)) members.splice(at, 0, one);
  else members[at] = [members[at]?.[0] ?? '', one[1]];
  const written = members.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
  return `{${written.join(',')}}`;
}
