import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { MappedRequest, ProxiedRequest, RequestMapper } from '../../src/contract/ports.ts';
import { mapRequest } from '../../src/pool/map-request.ts';
import { createRequestMapper } from '../../src/pool/request-mapper.ts';
import { keepLog } from '../access/key-fixture.ts';

function start(t: TestContext, msMax = 30_000): RequestMapper {
  const mapper = createRequestMapper({ threads: 2, log: keepLog(), msMax });
  t.after(() => mapper.close());
  return mapper;
}

function request(body: string | Buffer, headers: ProxiedRequest['headers'] = {}): ProxiedRequest {
  const all = { host: ['app.test'], 'content-type': ['application/json'], ...headers };
  return {
    method: 'POST',
    url: '/a?b=c',
    headers: all,
    body: Buffer.from(body),
    isBodyComplete: true,
  };
}

async function mapped(mapper: RequestMapper, one: ProxiedRequest): Promise<MappedRequest> {
  return (await mapper.map(one)) ?? assert.fail('There was no capacity.');
}

const texts = ({ bodies }: { readonly bodies: readonly Uint8Array[] }) =>
  bodies.map((body) => Buffer.from(body).toString());

test('a thread writes what this one would', async (t) => {
  const mapper = start(t);
  const large = JSON.stringify({ rows: Array.from({ length: 12_000 }, (_, id) => `row ${id}`) });
  const packed = { 'content-encoding': ['gzip'] };
  for (const one of [
    request('{"a":1}'),
    request(large),
    request('{"a":1}', { cookie: ['a=b; '.repeat(2_000)] }),
    request(gzipSync(large), packed),
    request(brotliCompressSync('{"a":"b"}'), { 'content-encoding': ['br'] }),
    { ...request(large), isBodyComplete: false },
  ]) {
    const [there, here] = await Promise.all([mapped(mapper, one), mapRequest(one)]);
    assert.deepEqual(texts(there), texts(here));
    assert.equal(there.isComplete, here.isComplete);
    assert.ok(one.body.length > 0, 'the body of the caller is still there');
  }
});

test('what cannot be unpacked, or grows too large, is left out and said', async (t) => {
  const mapper = start(t);
  const bomb = gzipSync(Buffer.alloc(64_000_000));
  for (const [body, coding] of [
    [bomb, 'gzip'],
    [Buffer.from('no gzip'), 'gzip'],
    [Buffer.from('anything'), 'unheard-of'],
  ] as const) {
    const { bodies, isComplete } = await mapped(
      mapper,
      request(body, { 'content-encoding': [coding] }),
    );
    assert.equal(isComplete, false);
    assert.deepEqual(JSON.parse(texts({ bodies })[0] ?? '').path, '/a');
  }
});

test('more than there is room for is refused, and later there is room again', async (t) => {
  const mapper = start(t);
  const body = 'a'.repeat(1_048_576);
  const many = Array.from({ length: 80 }, () => mapper.map(request(body)));
  const refused = (await Promise.all(many)).filter((outcome) => outcome === undefined);
  assert.ok(refused.length > 0 && refused.length < 80, `${refused.length} refused`);
  assert.equal((await mapped(mapper, request(body))).isComplete, true);
});

/** Costs a mapper much more than its length says: a deep array of many strings. */
const hostile = `${'['.repeat(60)}${'"a",'.repeat(240_000)}"a"${']'.repeat(60)}`;

test('a form does not wait for large bodies, neither for a thread nor for room', async (t) => {
  const mapper = start(t);
  const form = request(`q=${'a'.repeat(6_000)}`, {
    'content-type': ['application/x-www-form-urlencoded'],
  });
  await mapped(mapper, form);
  // As many as there is room for.
  const large = Array.from({ length: 80 }, () => mapper.map(request(hostile)));
  let largeDone = 0;
  for (const one of large) void one.then((outcome) => (largeDone += outcome === undefined ? 0 : 1));
  const { bodies } = await mapped(mapper, form);
  assert.match(texts({ bodies })[0] ?? '', /"body\.q":"a{6000}"/);
  assert.equal(largeDone, 0);
});

/** A request of this many bytes, with its URL. */
function sized(bytes: number): ProxiedRequest {
  return request(JSON.stringify({ t: 'a'.repeat(bytes - '/a?b=c{"t":""}'.length) }));
}

test('up to 64 KiB there is other room than for more', async (t) => {
  const mapper = start(t);
  const filling = Array.from({ length: 80 }, () => mapper.map(request(hostile)));
  filling.push(...Array.from({ length: 20 }, () => mapper.map(sized(65_537))));
  assert.equal(await mapper.map(sized(65_537)), undefined);
  const { bodies } = await mapped(mapper, sized(65_536));
  assert.match(texts({ bodies })[0] ?? '', /"body\.t":"a+"/);
  await mapper.close();
  await Promise.all(filling);
});

test('up to 4 KiB there is always room', async (t) => {
  const mapper = start(t);
  const filling = Array.from({ length: 1_100 }, () => mapper.map(sized(65_536)));
  assert.equal(await mapper.map(sized(4_097)), undefined);
  const { bodies } = await mapped(mapper, sized(4_096));
  assert.match(texts({ bodies })[0] ?? '', /"body\.t":"a+"/);
  await mapper.close();
  await Promise.all(filling);
});

test('the smallest of those that wait goes first', async (t) => {
  const mapper = start(t);
  const order: number[] = [];
  const sizes = [300_000, 900_000, 200_000, 100_000];
  await Promise.all(
    sizes.map(async (size) => {
      await mapped(mapper, request(JSON.stringify({ text: 'a'.repeat(size) })));
      order.push(size);
    }),
  );
  assert.deepEqual(order, [300_000, 100_000, 200_000, 900_000]);
});

test('what is not written in time is refused, and what comes later is written', async (t) => {
  const mapper = start(t, 100);
  // More than any machine writes in this time.
  const flood = Array.from({ length: 60 }, () => mapper.map(request(hostile)));
  const outcomes = await Promise.all(flood);
  assert.ok(outcomes.includes(undefined), 'all were written');
  let later: MappedRequest | undefined;
  // A thread needs some time to come up again.
  for (let tries = 0; tries < 200 && later === undefined; tries += 1) {
    later = await mapper.map(request(JSON.stringify({ text: 'a'.repeat(70_000) })));
  }
  assert.match(
    texts(later ?? assert.fail('nothing was written'))[0] ?? '',
    /"body\.text":"a{70000}"/,
  );
});

test('a mapper that closes refuses what it holds', async (t) => {
  const mapper = start(t);
  const held = Array.from({ length: 5 }, () => mapper.map(request(hostile)));
  await mapper.close();
  assert.deepEqual(await Promise.all(held), Array.from({ length: 5 }));
  assert.equal(await mapper.map(request(hostile)), undefined);
});
