import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { JsonSchema } from '../../src/contract/shape.ts';
import type { ShapeOptions } from '../../src/contract/shape-reader.ts';
import { compileAll } from '../../src/shape/compile.ts';
import { readShape, shapeOf } from '../../src/shape/read-shape.ts';
import { checkText, said, shapeFrom, shopDocument } from './shop.ts';

/** The problems of a document, as `pointer message`. */
function problemsOf(document: string | object, options: ShapeOptions = {}): string[] {
  const text = typeof document === 'string' ? document : JSON.stringify(document);
  const outcome = readShape(text, options);
  if (outcome.kind === 'shape') return [];
  return outcome.problems.map(({ pointer, message }) => `${pointer} ${message}`);
}

function schemaOf(schema: unknown, version = '3.1.0'): JsonSchema | undefined {
  const content = { 'application/json': { schema } };
  const paths = { '/a': { post: { requestBody: { content } } } };
  return shapeFrom({ openapi: version, paths }).routes?.[0]?.body?.content['application/json'];
}

describe('documents', () => {
  it('are read as YAML and as JSON alike, and a shape again as itself', () => {
    const shape = shapeFrom(shopDocument, { closed: true });
    assert.equal(shape.title, 'Shop');
    assert.equal(shape.routes?.length, 6);
    assert.deepEqual(shapeFrom(shape), shape);
    assert.deepEqual(shapeFrom(JSON.stringify(shape)), shape);
    assert.equal([...compileAll(shape)].length, 6);
  });

  it('of OpenAPI 3.0 become JSON Schema 2020-12', () => {
    assert.deepEqual(schemaOf({ type: 'string', nullable: true }, '3.0.3'), {
      type: ['string', 'null'],
    });
    assert.deepEqual(schemaOf({ minimum: 1, exclusiveMinimum: true }, '3.0.3'), {
      exclusiveMinimum: 1,
    });
    assert.deepEqual(schemaOf({ minimum: 1, exclusiveMinimum: false }, '3.0.3'), { minimum: 1 });
    assert.deepEqual(schemaOf({ type: 'string', enum: ['a'], nullable: true }, '3.0.3'), {
      type: ['string', 'null'],
      enum: ['a', null],
    });
    assert.deepEqual(schemaOf({ allOf: [{ type: 'object' }], nullable: true }, '3.0.3'), {
      anyOf: [{ allOf: [{ type: 'object' }] }, { type: 'null' }],
    });
    assert.deepEqual(schemaOf({ exclusiveMinimum: 1 }, '3.1.0'), { exclusiveMinimum: 1 });
  });

  it('do not require of requests what only answers have', () => {
    const schema = {
      properties: { id: { type: 'string', readOnly: true }, a: {} },
      required: ['id', 'a'],
    };
    assert.deepEqual(Reflect.get(Object(schemaOf(schema)), 'required'), ['a']);
  });

  it('close objects that are composed as a whole', () => {
    const shape = shapeFrom(
      {
        body: { allOf: [{ $ref: '#/schemas/a' }, { properties: { b: {} } }] },
        schemas: { a: { properties: { a: {} } } },
      },
      { closed: true },
    );
    assert.deepEqual(said(checkText(shape, '{"a":1,"b":2}')), []);
    assert.deepEqual(said(checkText(shape, '{"a":1,"b":2,"c":3}')), ['unknown-member /c']);
  });

  it('keep the credentials of security schemes out of what is unknown', () => {
    const { routes } = shapeFrom({
      openapi: '3.1.0',
      security: [{ key: [] }],
      paths: { '/a': { get: {} } },
      components: { securitySchemes: { key: { type: 'apiKey', in: 'query', name: 'api_key' } } },
    });
    assert.equal(routes?.[0]?.parameters?.[0]?.name, 'api_key');
  });
});

const base = { openapi: '3.1.0', info: {} };
const body = (schema: unknown) => ({
  ...base,
  paths: { '/a': { post: { requestBody: { content: { 'application/json': { schema } } } } } },
});
const at = '/paths/~1a/post/requestBody/content/application~1json/schema';

const refused: readonly (readonly [name: string, document: string | object, problem: RegExp])[] = [
  ['no document', '', /is empty/],
  ['a list', '[]', /must be an OpenAPI document/],
  ['broken YAML', 'a: [', /neither JSON nor YAML: .*line 1/],
  ['OpenAPI 2', { swagger: '2.0' }, /convert/],
  ['OpenAPI 4', { openapi: '4.0.0', paths: {} }, /3\.0 and 3\.1/],
  ['nothing to do', { ...base, paths: {} }, /no operation/],
  ['a path without a slash', { ...base, paths: { a: { get: {} } } }, /slash/],
  ['an open brace', { ...base, paths: { '/{a': { get: {} } } }, /without its }/],
  ['two parameters in a row', { ...base, paths: { '/{a}{b}': { get: {} } } }, /text between/],
  ['a reference to the network', body({ $ref: 'https://x.example/a.json' }), /bundle/],
  ['a reference to a file', body({ $ref: 'file:///etc/passwd' }), /bundle/],
  ['a reference to nothing', body({ $ref: '#/components/schemas/X' }), /leads to nothing/],
  [
    'a reference round itself',
    { body: { $ref: '#/schemas/a' }, schemas: { a: { $ref: '#/schemas/a' } } },
    /circle/,
  ],
  [
    'a schema that holds itself in place',
    { body: { $ref: '#/schemas/a' }, schemas: { a: { anyOf: [{ $ref: '#/schemas/a' }, {}] } } },
    /\/schemas\/a refers to itself/,
  ],
  ['look-ahead', body({ pattern: '^(?=a)b' }), new RegExp(`${at}/pattern .*look-around.*lenient`)],
  ['a keyword that is none', body({ maxLenght: 3 }), /maxLenght is no keyword/],
  ['a bound that is no number', body({ maxLength: '3' }), /whole number/],
  ['a dynamic reference', body({ $dynamicRef: '#a' }), /not supported/],
  ['a tuple of 2019', body({ items: [{}] }), /prefixItems/],
  ['a role that is none', body({ 'x-sallyport': { is: 'poem' } }), /prose, html/],
  ['an endless enum', body({ enum: Array.from({ length: 1_001 }, (_, one) => one) }), /pattern/],
  [
    'too many operations',
    {
      ...base,
      paths: Object.fromEntries(
        Array.from({ length: 2_001 }, (_, one) => [`/a${one}`, { get: {} }]),
      ),
    },
    /2000 operations/,
  ],
  ['a deep document', `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`, /deeper than 64/],
  ['a very deep document', '['.repeat(100_000), /neither JSON|too deep/],
  ['a long document', `{"a":"${'a'.repeat(1_000_001)}"}`, /1,000,000 bytes/],
  [
    'laughs by the billion',
    `a: &a [x, x, x, x, x, x, x, x, x]\n${[...'bcdefghi'].map((name, i) => `${name}: &${name} [${`*${'abcdefghi'[i]}, `.repeat(9)}]`).join('\n')}`,
    /alias|values/i,
  ],
];

describe('a document is refused with advice', () => {
  for (const [name, document, problem] of refused) {
    it(name, () => assert.match(problemsOf(document).join('\n'), problem));
  }

  it('or read without what cannot be enforced, which is noted', () => {
    const outcome = readShape(JSON.stringify(body({ pattern: '^(?=a)b', type: 'string' })), {
      lenient: true,
    });
    assert.equal(outcome.kind, 'shape');
    if (outcome.kind !== 'shape') return;
    assert.match(outcome.notes[0]?.message ?? '', /left out/);
  });
});

describe('hostile schemas', () => {
  it('cost a request no more than its share', () => {
    // Each level asks twice for the next: 2^60 without a bound.
    const tree = { anyOf: [{ $ref: '#/schemas/b' }, { $ref: '#/schemas/b' }], type: 'object' };
    const b = { properties: { a: { $ref: '#/schemas/a' } }, required: ['never'] };
    const shape = shapeFrom({ body: { $ref: '#/schemas/a' }, schemas: { a: tree, b } });
    const deep = `${'{"a":'.repeat(60)}{}${'}'.repeat(60)}`;
    assert.equal(checkText(shape, deep).isComplete, false);
  });

  it('with unique items look at each item once', () => {
    const shape = shapeFrom({ body: { properties: { a: { type: 'array', uniqueItems: true } } } });
    const items = Array.from({ length: 9_000 }, (_, one) => ({ one: [one] }));
    assert.deepEqual(said(checkText(shape, JSON.stringify({ a: items }))), []);
    const twice = JSON.stringify({ a: [...items, { one: [1] }] });
    assert.deepEqual(said(checkText(shape, twice)), ['repeated /a']);
  });

  it('cannot make code of their own', () => {
    const evil = `x"];globalThis.broken=1;["\`\${globalThis.broken=1}'*/`;
    const shape = shapeFrom({
      body: {
        properties: { [evil]: { const: evil, enum: [evil] } },
        required: [evil],
        dependentRequired: { [evil]: [evil] },
      },
      schemas: { [evil]: { type: 'string' } },
    });
    [...compileAll(shape)];
    assert.deepEqual(said(checkText(shape, JSON.stringify({ [evil]: evil }))), []);
    assert.equal(Reflect.get(globalThis, 'broken'), undefined);
  });

  it('never throw, whatever they are', () => {
    const words = ['type', 'object', 'properties', '$ref', '#/schemas/a', 'anyOf', 'items', 'a'];
    const text = fc.oneof(fc.constantFrom(...words, '__proto__', 'constructor'), fc.string());
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        text,
        fc.constantFrom<unknown>(1, -1, true, false, null, 'string', 'array'),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(text, tie('value'), { maxKeys: 4 }),
      ),
    }));
    let taken = 0;
    fc.assert(
      fc.property(value, value, fc.boolean(), (schema, other, isClosed) => {
        const given = { body: schema, schemas: { a: other } };
        const outcome = shapeOf(JSON.parse(JSON.stringify(given)), {
          closed: isClosed,
          lenient: true,
        });
        if (outcome.kind === 'not-valid') return;
        taken += 1;
        [...compileAll(outcome.shape)];
        assert.deepEqual(shapeFrom(outcome.shape), outcome.shape);
        checkText(outcome.shape, JSON.stringify({ a: schema }));
      }),
      { numRuns: 1_500 },
    );
    assert.ok(taken > 40, `${taken} schemas were taken`);
  });
});
