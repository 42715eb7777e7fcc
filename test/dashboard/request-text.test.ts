import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldsOf } from '../../src/dashboard/web/pages/request-fields.ts';
import { looksLikeRequest, readPasted } from '../../src/dashboard/web/pages/request-text.ts';

/** What is screened of a pasted text; the message of its fault. */
function read(text: string): unknown {
  const pasted = readPasted(text);
  return pasted.kind === 'fault' ? pasted.message : { ...fieldsOf(pasted.request) };
}

const rows: readonly (readonly [text: string, fields: object])[] = [
  [
    "curl 'https://shop.example/s?q=%27+OR+1%3D1&q=b#top'",
    { method: 'GET', path: '/s', 'query.q': ["' OR 1=1", 'b'], 'header.host': 'shop.example' },
  ],
  [
    `$ curl -sSL -XPUT --header "X-A: \\"b\\"" --cookie 'a=1; b=2' shop.example/x \\\n --json '{"a":{"b":1}}'`,
    {
      method: 'PUT',
      path: '/x',
      'header.x-a': '"b"',
      'cookie.a': '1',
      'cookie.b': '2',
      'header.host': 'shop.example',
      'header.content-type': 'application/json',
      'body.a': { b: 1 },
    },
  ],
  [
    String.raw`curl http://a/ -d x=1 --data-urlencode $'q=it\'s \x3cb\u003e' -o out --max-time=3`,
    {
      method: 'POST',
      path: '/',
      'header.host': 'a',
      'header.content-type': 'application/x-www-form-urlencoded',
      'body.x': '1',
      'body.q': "it's <b>",
    },
  ],
  [
    'curl -G http://u:p@a/%2e%2e/x -d q=1',
    { method: 'GET', path: '/%2e%2e/x', 'query.q': '1', 'header.host': 'a' },
  ],
  [
    'POST /p?x=1 HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\nCookie: s=1\r\n\r\nplain\n\ntext',
    {
      method: 'POST',
      path: '/p',
      'query.x': '1',
      'header.host': 'a',
      'cookie.s': '1',
      body: 'plain\n\ntext',
    },
  ],
];

test('a curl command and a raw request become the fields that a middleware hands over', () => {
  for (const [text, fields] of rows) {
    assert.ok(looksLikeRequest(text), text);
    assert.deepEqual(read(text), fields, text);
  }
});

test('JSON is not taken for a request, and what cannot be read says why', () => {
  for (const text of ['{"curl":"x"}', 'curly', '', 'hello world and more']) {
    assert.equal(looksLikeRequest(text), false, text);
  }
  assert.equal(read("curl 'http://a"), 'A quotation mark is not closed.');
  assert.equal(read('curl -s'), 'The command has no address.');
  assert.match(String(read(`curl ${'a'.repeat(300_000)}`)), /at most/);
});

test('hostile texts never throw', () => {
  const pieces = [
    'curl ',
    "'",
    '"',
    '\\',
    '$',
    '-H',
    '-d',
    ' ',
    '\n',
    '=',
    '\ud800',
    '\0',
    '__proto__=1',
    '@',
  ];
  for (let round = 0; round < 3_000; round += 1) {
    const parts = Array.from(
      { length: 12 },
      (_, at) => pieces[(round * 7 + at * at * (round % 11)) % pieces.length],
    );
    read(`curl ${parts.join('')}`);
    read(`GET ${parts.join('')}`);
  }
  assert.deepEqual(read('curl http://a/?__proto__=1'), {
    method: 'GET',
    path: '/',
    'query.__proto__': '1',
    'header.host': 'a',
  });
});
