import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { MappedRequest, ProxiedRequest, RequestMapper } from '../../src/contract/ports.ts';
import { mapRequest } from '../../src/pool/map-request.ts';
import { createRequestMapper } from '../../src/pool/request-mapper.ts';
import { keepLog } from '../keys/key-fixture.ts';

function start(t: TestContext): RequestMapper {
  const mapper = createRequestMapper({ log: keepLog() });
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
