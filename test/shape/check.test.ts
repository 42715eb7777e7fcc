import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Shape } from '../../src/contract/shape.ts';
import { checkText, id, reportOf, said, shapeFrom, shopDocument } from './shop.ts';

const shape = shapeFrom(shopDocument);
const closed = shapeFrom(shopDocument, { closed: true });
const tenant = { headers: { 'x-tenant': 'north' } };
const form = (text: string) =>
  ({ kind: 'raw', bytes: Buffer.from(text), isComplete: true }) as const;

describe('a request from our clients', () => {
  it('passes where it is as declared, and its closed values need no look', async () => {
    const url = `/v1/orders/${id}?page=2&tag=a&tag=b&sort=name,price&q=x`;
    const read = await reportOf(closed, { method: 'GET', url, ...tenant });
    assert.deepEqual(said(read), []);
    assert.ok(read.closed.includes('2') && read.closed.includes('a') && read.closed.includes('b'));
    assert.ok(!read.closed.includes('x'), 'free text is screened');
    const order = { id, items: [{ sku: 'ABC-1', qty: 3, $kind: 'a' }], note: null, state: 'paid' };
    const sent = await reportOf(
      closed,
      { method: 'POST', url: '/v1/orders' },
      { ...order, amount: 3, codes: [1, 2], picture: 'aGk=', html: '<p>hi</p>' },
    );
    assert.deepEqual(said(sent), []);
    assert.deepEqual(sent.closed.slice(2), [id, 'ABC-1', 'a', 'paid']);
    assert.ok(sent.roles.includes('html'));
  });

  it('has no object in the place of a text', async () => {
    for (const note of [{ $ne: null }, { $gt: '' }, { a: {} }, ['x']]) {
      const request = { method: 'POST', url: '/v1/orders' };
      const report = await reportOf(shape, request, { id, items: [], note });
      assert.deepEqual(said(report), ['type /body.note'], JSON.stringify(note));
    }
  });

  it('is told where it is not, each place with its rule', async () => {
    const order = {
      ...{ id: '1', items: [{ sku: 'x', qty: 'a' }, {}, {}], note: 'a'.repeat(30), state: 'x' },
      ...{ amount: 0, evil: { $where: '1' }, parent: { id, items: ['a'] }, codes: [1, 'x'] },
    };
    const report = await reportOf(closed, { method: 'POST', url: '/v1/orders' }, order);
    assert.deepEqual(said(report).sort(), [
      'format /body.id',
      'not-listed /body.state',
      'pattern /body.items[0].sku',
      'range /body.amount',
      'too-long /body.items',
      'too-long /body.note',
      'type /body.codes[1]',
      'type /body.items[0].qty',
      'type /body.parent.items[0]',
      'unknown-member /body.evil',
    ]);
    const long = report.violations.find(({ path }) => path[0] === 'body.note');
    assert.equal(long?.message, 'has 30 characters, at most 20 are declared');
    assert.equal(long?.evidence, 'a'.repeat(30));
  });

  it('may hold more than is declared, unless the shape is closed', async () => {
    const order = { id, items: [], more: 1 };
    const request = { method: 'POST', url: '/v1/orders' };
    assert.deepEqual(said(await reportOf(shape, request, order)), []);
    assert.deepEqual(said(await reportOf(closed, request, order)), ['unknown-member /body.more']);
  });

  const rows: readonly (readonly [method: string, url: string, expected: readonly string[]])[] = [
    ['GET', '/v1/orders/latest', []],
    ['GET', '/v1/orders/latest/', []],
    ['HEAD', '/v1/orders/latest', []],
    ['OPTIONS', '/v1/orders', []],
    ['GET', '/v1/files/a.png', []],
    ['GET', '/v1/files/a.b.jpg', ['not-listed /path']],
    ['GET', '/v1/files/.png', ['no-such-route /path']],
    ['GET', '/orders/latest', ['no-such-route /path']],
    ['GET', '/v1//orders/latest', ['no-such-route /path']],
    ['GET', '/v1/x/../orders/latest', ['no-such-route /path']],
    ['GET', '/v1/orders/%2e%2e', ['no-such-route /path']],
    ['GET', '/v1/files/a%2fb.png', ['no-such-route /path']],
    ['DELETE', '/v1/orders', ['no-such-method /method']],
    ['GET', '/v1/orders/12', ['format /path', 'required /header.x-tenant']],
    ['POST', '/v1/orders', ['required /body']],
  ];
  for (const [method, url, expected] of rows) {
    it(`${method} ${url} ${expected.join(', ') || 'is declared'}`, async () => {
      assert.deepEqual(said(await reportOf(shape, { method, url })), expected);
    });
  }

  it('has parameters as declared', async () => {
    const ask = async (query: string) =>
      said(await reportOf(closed, { method: 'GET', url: `/v1/orders/${id}?${query}`, ...tenant }));
    assert.deepEqual(await ask('page='), []);
    assert.deepEqual(await ask('page=1e3'), []);
    assert.deepEqual(await ask('page=0'), ['range /query.page']);
    assert.deepEqual(await ask("page=1'--"), ['type /query.page']);
    assert.deepEqual(await ask('page=1&page=2'), ['repeated /query.page[1]']);
    assert.deepEqual(await ask('page=1&page=x'), [
      'type /query.page[1]',
      'repeated /query.page[1]',
    ]);
    assert.deepEqual(await ask('tag=a&tag=B'), ['pattern /query.tag[1]']);
    assert.deepEqual(await ask('sort=name,size'), ['not-listed /query.sort']);
    assert.deepEqual(await ask('debug=1'), ['unknown-member /query.debug']);
  });

  it('has a form as declared, or a file', async () => {
    const urlencoded = { 'content-type': 'application/x-www-form-urlencoded' };
    const post = (headers: Record<string, string>, text: string) =>
      reportOf(closed, { method: 'POST', url: '/v1/login', headers }, form(text));
    assert.deepEqual(said(await post(urlencoded, 'user=ada&age=36&news=true')), []);
    assert.deepEqual(said(await post(urlencoded, 'user=ada&age=x&admin=1')).sort(), [
      'type /body.age',
      'unknown-member /body.admin',
    ]);
    assert.deepEqual(said(await post(urlencoded, 'user=ada')), ['required /body.age']);
    const type = 'multipart/form-data; boundary=b';
    const file = 'content-disposition: form-data; name="photo"; filename="a.png"';
    const part = `--b\r\n${file}\r\ncontent-type: image/png\r\n\r\n\x89PNG\r\n--b--\r\n`;
    assert.deepEqual(said(await post({ 'content-type': type }, part)), []);
    const field = '--b\r\ncontent-disposition: form-data; name="user"\r\n\r\nada\r\n--b--\r\n';
    assert.deepEqual(said(await post({ 'content-type': type }, field)), ['required /body.photo']);
    const json = { 'content-type': 'application/json' };
    assert.deepEqual(said(await post(json, '{"user":"ada"}')), ['media-type /header.content-type']);
  });

  it('has a form explained as it came, where an alternative reads its value otherwise', async () => {
    const flag = { anyOf: [{ type: 'boolean' }, { type: 'integer', minimum: 5 }] };
    const content = { 'application/x-www-form-urlencoded': { properties: { flag } } };
    const alternatives: Shape = { routes: [{ method: 'POST', path: '/flags', body: { content } }] };
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const post = (text: string) =>
      reportOf(alternatives, { method: 'POST', url: '/flags', headers }, form(text));
    for (const text of ['flag=true', 'flag=7']) assert.deepEqual(said(await post(text)), []);
    for (const text of ['flag=1', 'flag=3']) {
      assert.deepEqual(said(await post(text)), ['alternative /body.flag'], text);
    }
  });

  it('has each reading of a repeated member checked', async () => {
    const json = { 'content-type': 'application/json' };
    const text = `{"id":"${id}","items":[],"state":"new","state":"x"}`;
    const request = { method: 'POST', url: '/v1/orders', headers: json };
    assert.deepEqual(said(await reportOf(shape, request, form(text))), ['not-listed /body.state']);
  });

  it('has no second method and no second path that is closed', () => {
    const evil = ['<script>alert(1)</script>', "x'; drop table users"];
    const text = `{"method":"${evil[0]}","path":"/v1/orders/${id}","method":"GET","path":"${evil[1]}"}`;
    for (const body of [text, text.replace(`,"method":"GET","path":"${evil[1]}"`, '')]) {
      assert.ok(!checkText(closed, body).closed.some((one) => evil.includes(one)), body);
    }
    const other = `{"method":"GET","path":"${evil[1]}","path":"/v1/orders/${id}"}`;
    assert.ok(!checkText(closed, other).closed.includes(evil[1] ?? ''));
  });

  it('keeps what is not written out of the question', async () => {
    // Numbers in lists, empty objects and null are one to our clients.
    const order = { id, items: [], codes: [1, 2, 3], note: null };
    const request = { method: 'POST', url: '/v1/orders' };
    assert.deepEqual(said(await reportOf(closed, request, order)), []);
    const empty = await reportOf(closed, request, {});
    assert.deepEqual(said(empty), ['required /body.id', 'required /body.items']);
  });

  it('is no request of a client when a middleware sends it at its start', async () => {
    const sample = { headers: { accept: '*/*', 'user-agent': 'sallyport' } };
    const ask = async (url: string) =>
      said(await reportOf(shape, { method: 'GET', url, ...sample }));
    assert.deepEqual(await ask('/?q=sallyport-warm-up'), []);
    assert.deepEqual(await ask('/?q=sallyport-warm-up&x=1'), ['no-such-route /path']);
  });

  it('does not show what a secret holds', async () => {
    const secret = shapeFrom({
      routes: [
        {
          ...{ method: 'POST', path: '/in' },
          body: {
            content: {
              'application/json': { properties: { password: { type: 'string', maxLength: 3 } } },
            },
          },
        },
      ],
    });
    const report = await reportOf(secret, { method: 'POST', url: '/in' }, { password: 'hunter2' });
    assert.deepEqual(report.violations[0]?.evidence, '');
  });
});

describe('a request with its context in headers', () => {
  const context = { method: 'POST', uri: '/v1/orders?x=1', contentType: 'application/json' };

  it('has the body of the client as its body', () => {
    const order = JSON.stringify({ id, items: [{ sku: 'abc', qty: 1 }], codes: [1, 'a'] });
    const report = checkText(closed, order, context);
    assert.deepEqual(said(report).sort(), [
      'pattern /items/0/sku',
      'type /codes/1',
      'unknown-member /path',
    ]);
    assert.deepEqual(report.closed, [id]);
  });

  it('has no member twice', () => {
    const report = checkText(shape, `{"id":"${id}","items":[],"items":[]}`, context);
    assert.deepEqual(said(report), ['repeated /items']);
  });

  it('is held against the schema of whole bodies, where there is one', () => {
    const whole = shapeFrom({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { user: { type: 'string', maxLength: 3 }, age: { $ref: '#/$defs/age' } },
      $defs: { age: { type: 'integer' } },
      required: ['user'],
    });
    assert.deepEqual(said(checkText(whole, '{"user":"ada","age":3}')), []);
    assert.deepEqual(said(checkText(whole, '{"user":"long","age":"3"}')), [
      'too-long /user',
      'type /age',
    ]);
  });

  it('may name a member twice, by itself and by a pattern: both hold', () => {
    const whole = shapeFrom(
      JSON.stringify({
        type: 'object',
        properties: { note_a: { type: 'string', minLength: 2 } },
        patternProperties: { '^note_': { type: 'string', maxLength: 4 } },
      }),
    );
    assert.deepEqual(said(checkText(whole, '{"note_a":"abc"}')), []);
    assert.deepEqual(said(checkText(whole, '{"note_a":"a"}')), ['too-short /note_a']);
    assert.deepEqual(said(checkText(whole, '{"note_a":"abcde"}')), ['too-long /note_a']);
  });

  it('is no route without a path, unless others are only screened', () => {
    assert.deepEqual(said(checkText(shape, '{"a":"b"}')), ['no-such-route /path']);
    const open = shapeFrom(shopDocument, { unlisted: 'screen' });
    assert.deepEqual(said(checkText(open, '{"a":"b"}')), []);
  });
});
