import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { ask, type Question, scanned, serveForward, told } from './ask.ts';

const uri = '/a%20b/c?q=1&q=%27x';
const common = { 'user-agent': 'agent', cookie: 'a=b' };

/** One client's request, as each proxy tells of it. */
const shapes: Readonly<Record<string, Question>> = {
  'Traefik, Caddy, HAProxy': {
    headers: {
      ...common,
      'x-forwarded-method': 'PUT',
      'x-forwarded-uri': uri,
      'x-forwarded-host': 'app.test',
      'x-forwarded-proto': 'https',
      'x-forwarded-for': '203.0.113.9',
      host: 'sallyport.internal:8080',
    },
  },
  nginx: {
    headers: {
      ...common,
      'x-original-method': 'PUT',
      'x-original-uri': uri,
      'x-forwarded-proto': 'https',
      'x-forwarded-for': '203.0.113.9',
    },
  },
  'ingress-nginx': {
    headers: {
      ...common,
      'x-original-method': 'PUT',
      'x-original-url': `https://app.test${uri}`,
      'x-forwarded-proto': 'https',
      'x-forwarded-for': '203.0.113.9',
    },
  },
  Envoy: {
    method: 'PUT',
    target: `/forward${uri}`,
    headers: { ...common, 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.9' },
  },
  'all of them at once, and of one mind': {
    method: 'PUT',
    target: `/forward${uri}`,
    headers: {
      ...common,
      'x-original-method': 'PUT',
      'x-original-uri': uri,
      'x-forwarded-method': 'PUT',
      'x-forwarded-uri': uri,
      'x-forwarded-proto': 'https',
      'x-forwarded-for': '203.0.113.9',
    },
  },
};

test('the request of the client is the same, whoever tells of it', async (t) => {
  for (const [name, asked] of Object.entries(shapes)) {
    const server = await serveForward(t);
    const answer = await ask(server, asked);
    assert.equal(answer.status, 200, name);
    const id = answer.headers.get('x-decision-id');
    assert.deepEqual(JSON.parse(answer.body), { id, decision: 'allow' });
    assert.deepEqual(
      scanned(server),
      [
        {
          method: 'PUT',
          path: '/a%20b/c',
          'path[1]': 'a%20b',
          'header.host': 'app.test',
          'header.user-agent': 'agent',
          'header.x-forwarded-proto': 'https',
          'header.x-forwarded-for': '203.0.113.9',
          'cookie.a': 'b',
          'query.q': '1',
          'query.q[1]': "'x",
          'query.q[]': "1,'x",
        },
      ],
      name,
    );
  }
});

test('a URL in the place of a path is screened as it came', async (t) => {
  const server = await serveForward(t);
  const whole = 'http://other.test/a?b=c';
  await ask(server, { headers: { ...told, 'x-forwarded-uri': whole } });
  assert.equal(scanned(server)[0]?.['path'], 'http://other.test/a');
});

const form = 'application/x-www-form-urlencoded';
const bodies: readonly (readonly [type: string, body: string, members: object])[] = [
  ['application/json', '{"a":{"b":["c"]}}', { 'body.a.b[0]': 'c' }],
  [form, 'a=1&b=%27', { 'body.a': '1', 'body.b': "'" }],
  ['text/plain', 'words', { body: 'words' }],
  [
    'multipart/form-data; boundary=x',
    '--x\r\ncontent-disposition: form-data; name="f"; filename="a.txt"\r\ncontent-type: image/png\r\n\r\nabc\r\n--x--\r\n',
    { 'body.f.filename': 'a.txt' },
  ],
];

test('a body that the proxy sends is read as its type says, small or large', async (t) => {
  const server = await serveForward(t);
  for (const [type, body, members] of bodies) {
    for (const filler of ['', 'x'.repeat(8_000)]) {
      server.scanner.inputs.length = 0;
      const headers = { ...told, 'content-type': type, cookie: `a=${filler}` };
      assert.equal((await ask(server, { method: 'POST', headers, body })).status, 200);
      const expected = {
        method: 'GET',
        path: '/',
        'header.host': 'app.test',
        'header.content-type': type,
        'cookie.a': filler,
        ...members,
      };
      assert.deepEqual(scanned(server), [expected]);
    }
  }
});

test('a packed body is unpacked, a large one is split, an endless one is cut', async (t) => {
  const server = await serveForward(t);
  const json = { ...told, 'content-type': 'application/json' };
  const packed = { ...json, 'content-encoding': 'gzip' };
  await ask(server, { headers: packed, body: gzipSync('{"a":"b"}') });
  assert.equal(scanned(server)[0]?.['body.a'], 'b');
  const many = JSON.stringify(Object.fromEntries(Array.from({ length: 9_500 }, (_, i) => [i, ''])));
  server.scanner.inputs.length = 0;
  assert.equal((await ask(server, { headers: json, body: many })).status, 200);
  assert.equal(server.scanner.inputs.length, 2);
  for (const part of scanned(server)) assert.equal(part['method'], 'GET');
  server.scanner.inputs.length = 0;
  const client = await server.open();
  const text = `content-type: text/plain\r\nx-forwarded-uri: /\r\nx-forwarded-method: POST`;
  const head = `POST /forward HTTP/1.1\r\nhost: a\r\nx-api-key: good-key\r\n${text}\r\n`;
  for (const round of [1, 2]) {
    client.send(`${head}content-length: 3000000\r\n\r\n${'word '.repeat(600_000)}`);
    assert.equal((await client.answer()).status, 403, `on the same connection, round ${round}`);
  }
  const seen = server.scanner.inputs.reduce((sum, { body }) => sum + body.length, 0);
  assert.ok(seen > 2 * 1_048_576 && seen < 2 * 1_200_000, `${seen}`);
});
