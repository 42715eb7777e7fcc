import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Shape } from '../../../src/contract/shape.ts';
import { driftOf } from '../../../src/shape/learn/drift.ts';
import { scalarSchema } from '../../../src/shape/learn/field-schema.ts';
import { propose } from '../../../src/shape/learn/propose.ts';
import { newValue, observe } from '../../../src/shape/learn/summary.ts';
import { isMade, isPlainWord } from '../../../src/shape/learn/text-facts.ts';
import { readShape } from '../../../src/shape/read-shape.ts';
import { writeOpenApi } from '../../../src/shape/write-openapi.ts';
import { checkText, said, shapeFrom, shopDocument } from '../shop.ts';
import { learnRequests, learnTexts, noon, shopTraffic, textOfRequest, uuidOf } from './traffic.ts';

/** What is proposed for a field that had these values, again and again. */
function proposed(values: readonly unknown[], name = 'field', isTextual = false) {
  const observer = { now: noon, salt: 7, fieldsLeft: 100, bytes: 0 };
  const summary = newValue(observer);
  for (let at = 0; at < 240; at++) observe(summary, values[at % values.length], observer);
  return scalarSchema(summary, { name, isTextual });
}

const many = (make: (number: number) => unknown) =>
  Array.from({ length: 240 }, (_, at) => make(at));

describe('the schema of a field', () => {
  const table: readonly (readonly [string, readonly unknown[], object, boolean])[] = [
    ['integers', [1, 5, 40], { type: 'integer', minimum: 0, maximum: 1_000 }, true],
    ['numbers', [0.5, 2], { type: 'number', minimum: 0, maximum: 100 }, true],
    ['negative integers', [-3, 2], { type: 'integer', minimum: -100, maximum: 100 }, true],
    ['booleans', [true, false], { type: 'boolean' }, true],
    ['uuids', many(uuidOf), { type: 'string', format: 'uuid' }, true],
    ['dates', ['2026-01-02', '2025-12-31'], { type: 'string', format: 'date' }, true],
    [
      'moments',
      many((at) => new Date(noon + at).toISOString()),
      { type: 'string', format: 'date-time' },
      true,
    ],
    ['addresses', ['10.0.0.1', '192.168.7.9'], { type: 'string', format: 'ipv4' }, false],
    ['email', many((at) => `a${at}@example.com`), { type: 'string', format: 'email' }, false],
    ['few words', ['new', 'paid', 'sent'], { type: 'string', enum: ['new', 'paid', 'sent'] }, true],
    ['few words or null', ['new', null], { type: ['string', 'null'], enum: ['new', null] }, true],
    [
      'identifiers',
      many((at) => `ABC-${at}`),
      { type: 'string', maxLength: 16, pattern: '^[A-Za-z0-9]+([-][A-Za-z0-9]+)*$' },
      true,
    ],
    ['prose', many((at) => `It is ${at}, and it rains.`), { type: 'string', maxLength: 64 }, false],
    ['text or number', ['a b', 1], { type: ['integer', 'string'] }, false],
  ];
  for (const [name, values, schema, isClosed] of table) {
    it(`of ${name}`, () => {
      const found = proposed(values);
      assert.deepEqual([found?.schema, found?.isClosed], [schema, isClosed]);
      assert.match(found?.evidence ?? '', /^seen 240 times, /);
    });
  }

  it('reads numbers from texts of a query only', () => {
    assert.deepEqual(proposed(['1', '20'], 'page', true)?.schema, { type: 'integer' });
    assert.equal(Object(proposed(['1', '20'])?.schema)['type'], 'string');
  });

  it('never lists the names of a few people', () => {
    assert.equal(Object(proposed(['ada', 'grace'], 'userName')?.schema)['enum'], undefined);
  });

  it('is not proposed for too few values', () => {
    const observer = { now: noon, salt: 7, fieldsLeft: 100, bytes: 0 };
    const summary = newValue(observer);
    for (let at = 0; at < 49; at++) observe(summary, 1, observer);
    assert.equal(scalarSchema(summary, { name: 'a', isTextual: false }), undefined);
  });

  it('tells what is made from what is written', () => {
    for (const made of ['12', uuidOf(1), 'deadbeef0123', '2026-01-01', 'a1'.repeat(12), 'a@b.c']) {
      assert.ok(isMade(made), made);
    }
    for (const written of ['orders', 'v1', 'getting-started', 'app.js', 'sha256']) {
      assert.ok(!isMade(written), written);
    }
    assert.deepEqual(['paid', 'in_stock', 'v12'].map(isPlainWord), [true, true, true]);
    assert.deepEqual(['', 'a b', 'tok1234', "x'", '9a'].map(isPlainWord), Array(5).fill(false));
  });
});

describe('a proposed shape', () => {
  it('has the routes of the traffic, passes all of it and refuses what is not like it', async () => {
    const traffic = shopTraffic(2_000);
    const learnt = await learnRequests(traffic);
    const { shape, evidence, effect } = propose(learnt.passed);
    assert.ok(shape !== undefined);
    assert.deepEqual(
      shape.routes?.map(({ method, path }) => `${method} ${path}`),
      [
        'GET /v1/orders',
        'POST /v1/orders',
        'GET /v1/orders/{orderId}',
        'DELETE /v1/users/{userId}/sessions',
      ],
    );
    assert.deepEqual([shape.unlisted, shape.unknownParameters], ['refuse', 'refuse']);
    assert.ok(
      evidence.some((one) => one.field === 'path.orderId' && /always a uuid/.test(one.evidence)),
    );
    assert.ok(
      evidence.some((one) => one.field === 'body.password' && /secret/.test(one.constraint)),
    );
    assert.ok(effect.sparedValues > 0 && effect.sparedValues < effect.values);
    assert.equal(effect.refusedRequests, 0);
    const stored = shapeFrom(shape);
    assert.deepEqual(stored, shape, 'reading it again changes nothing');
    for (const one of [...traffic.slice(0, 200), ...shopTraffic(200, 9_000)]) {
      assert.deepEqual(said(checkText(stored, await textOfRequest(one))), [], JSON.stringify(one));
    }
    const order = Object(shopTraffic(3)[2]);
    const refused: readonly (readonly [object, string])[] = [
      [{ method: 'GET', url: '/admin' }, 'no-such-route /path'],
      [{ method: 'GET', url: '/v1/orders/1%20or%201=1' }, 'format /path'],
      [{ method: 'GET', url: '/v1/orders?page=x&sort=name' }, 'type /query.page'],
      [
        { method: 'GET', url: '/v1/orders?page=1&sort=name&debug=1' },
        'unknown-member /query.debug',
      ],
      [{ ...order, body: { ...order.body, isAdmin: true } }, 'unknown-member /body.isAdmin'],
      [{ ...order, body: { ...order.body, state: 'free' } }, 'not-listed /body.state'],
      [{ ...order, body: { ...order.body, password: { $ne: null } } }, 'type /body.password'],
    ];
    for (const [request, violation] of refused) {
      const report = checkText(stored, await textOfRequest(request as never));
      assert.ok(said(report).includes(violation), `${violation}: ${said(report)}`);
    }
  });

  it('says the same after a round trip through OpenAPI 3.1', async () => {
    const { shape } = propose((await learnRequests(shopTraffic(2_000))).passed);
    for (const one of [shape ?? {}, shapeFrom(shopDocument, { closed: true })]) {
      const outcome = readShape(JSON.stringify(writeOpenApi(one)), {});
      assert.deepEqual(outcome.kind === 'shape' ? outcome.shape : outcome, one);
    }
  });

  it('is one of whole bodies where no path is named', () => {
    const bodies = Array.from({ length: 300 }, (_, at) =>
      JSON.stringify({ user: `u${at}`, age: at }),
    );
    const { shape } = propose(learnTexts(bodies).passed);
    assert.deepEqual(Object.keys(Object(Object(shape?.body).properties)), ['age', 'user']);
    const outcome = readShape(JSON.stringify(writeOpenApi(shape ?? {})), {});
    assert.deepEqual(outcome.kind === 'shape' ? outcome.shape : outcome, shape);
  });

  it('is none after a few requests, and only screens what is rare', async () => {
    assert.equal(propose((await learnRequests(shopTraffic(40))).passed).shape, undefined);
    const few = propose((await learnRequests(shopTraffic(120))).passed).shape;
    assert.equal(few?.unlisted, 'screen');
    assert.equal(few?.unknownParameters, undefined);
  });

  it('makes one parameter of many names, and none of a few', async () => {
    const wiki = Array.from({ length: 400 }, (_, at) => ({
      method: 'GET',
      url: `/wiki/page-about-${'abcdefgh'[at % 8]}${'ijklmnop'[Math.floor(at / 8) % 8]}/history`,
    }));
    const docs = Array.from({ length: 100 }, (_, at) => ({
      method: 'GET',
      url: `/docs/${at % 2 ? 'a' : 'b'}`,
    }));
    const { shape } = propose((await learnRequests([...wiki, ...docs])).passed);
    assert.deepEqual(
      shape?.routes?.map(({ path }) => path),
      ['/docs/a', '/docs/b', '/wiki/{wikiId}/history'],
    );
  });

  it('reads forms and files, and never the fields of a file', async () => {
    const form = (at: number) => ({
      method: 'POST',
      url: '/login',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: { kind: 'raw' as const, bytes: Buffer.from(`user=ann${at}&age=${20 + (at % 30)}`) },
    });
    const texts = await Promise.all(
      Array.from({ length: 150 }, (_, at) => textOfRequest(form(at) as never)),
    );
    const { shape } = propose(learnTexts(texts).passed);
    const schema = Object(shape?.routes?.[0]?.body?.content['application/x-www-form-urlencoded']);
    assert.deepEqual(schema.properties?.age, { type: 'integer' });
    assert.deepEqual(said(checkText(shape ?? {}, texts[0] ?? '')), []);
  });
});

describe('drift', () => {
  it('shows what is new in traffic and what vanished', async () => {
    const declared: Shape = shapeFrom(
      propose((await learnRequests(shopTraffic(2_000))).passed).shape ?? {},
    );
    const later = shopTraffic(1_200).map((one) => {
      if (one.method !== 'POST')
        return { ...one, url: `${one.url}${one.url.includes('?') ? '&lang=en' : ''}` };
      const { state: _, ...body } = Object(one.body);
      return { ...one, body: { ...body, gift: true, id: 17, note: 'long '.repeat(100) } };
    });
    later.push({ method: 'GET', url: '/v2/orders' });
    const found = driftOf((await learnRequests(later, { declared })).passed, declared);
    const kinds = found.map(
      ({ kind, method, path, field }) => `${kind} ${method} ${path} ${field}`,
    );
    for (const wanted of [
      'new-route GET /v2/orders ',
      'new-parameter GET /v1/orders query.lang',
      'new-field POST /v1/orders body.gift',
      'new-type POST /v1/orders body.id',
      'longer POST /v1/orders body.note',
      'vanished POST /v1/orders body.state',
    ]) {
      assert.ok(kinds.includes(wanted), `${wanted} is not among\n${kinds.join('\n')}`);
    }
    assert.deepEqual(
      driftOf((await learnRequests(shopTraffic(1_200), { declared })).passed, declared).map(
        ({ message }) => message,
      ),
      [],
    );
    const before = (await learnRequests(shopTraffic(1_200))).passed;
    assert.deepEqual(driftOf(before, declared), [], 'a route was not declared when it was learnt');
    const first = found.find(({ kind }) => kind === 'new-field')?.first;
    assert.equal(first, noon + 2_000);
  });
});
