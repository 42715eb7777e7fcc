import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { membersOf, type RequestBody } from '../../src/client-request/request-members.ts';
import { defaultPolicy } from '../../src/contract/policy.ts';
import { noContext } from '../../src/contract/request.ts';
import { createEngine } from '../../src/core/engine.ts';

type Headers = Readonly<Record<string, string | readonly string[]>>;

const none: RequestBody = { kind: 'none' };
const raw = (text: string | Buffer, isComplete = true): RequestBody => ({
  kind: 'raw',
  bytes: Buffer.from(text),
  isComplete,
});
const parsed = (value: unknown, files?: unknown): RequestBody => ({ kind: 'parsed', value, files });

/** The members as pairs, in their order, without the method and the path. */
async function pairs(
  body: RequestBody,
  { url = '/', headers = {} }: { url?: string; headers?: Headers } = {},
): Promise<{ members: [string, unknown][]; isComplete: boolean; texts: readonly string[] }> {
  const request = { method: 'POST', url, headers, address: '' };
  const { texts, isComplete } = await membersOf(request, body, ['x-own']);
  const members = texts.flatMap((text) => Object.entries(JSON.parse(text) as object));
  return { members: members.slice(2), isComplete, texts };
}

async function bodyPairs(body: RequestBody, type: string, coding = ''): Promise<unknown[]> {
  const headers = {
    'content-type': type,
    ...(coding === '' ? {} : { 'content-encoding': coding }),
  };
  const { members, isComplete } = await pairs(body, { headers });
  const found = members.filter(([name]) => name.startsWith('body'));
  return isComplete ? found : [...found, 'incomplete'];
}

const membersOfBody = (body: RequestBody) =>
  membersOf(
    { method: 'POST', url: '/', headers: { 'content-type': 'application/json' }, address: '' },
    body,
  );

const engine = createEngine();
const blocks = (text: string): boolean => {
  const result = engine.screen({ body: text, context: noContext }, defaultPolicy);
  return result.kind === 'verdict' && result.verdict.decision === 'block';
};

describe('the members of a request', () => {
  it('are method, path, headers, cookies, query and body', async () => {
    const { texts } = await membersOf(
      {
        method: 'PUT',
        url: '/a%20b?q=1%2B1&q=2&empty&=x',
        headers: {
          host: ['shop.test', 'other.test'],
          cookie: 'a=1; b="2=3"; c',
          authorization: 'Bearer secret',
          'x-own': 'mine',
          'x-forwarded-for': '198.51.100.7',
          'content-type': 'application/json',
        },
        address: '192.0.2.1',
      },
      parsed({ a: { b: 'c' } }),
      ['x-own'],
    );
    assert.deepEqual(
      texts.map((text) => Object.entries(JSON.parse(text) as object)),
      [
        [
          ['method', 'PUT'],
          ['path', '/a%20b'],
          ['header.host', 'shop.test'],
          ['header.host[1]', 'other.test'],
          ['header.host[2]', 'shop.test, other.test'],
          ['header.host[3]', 'shop.test,other.test'],
          ['header.content-type', 'application/json'],
          ['header.x-forwarded-for', '198.51.100.7, 192.0.2.1'],
          ['path[1]', 'a%20b'],
          ['header.x-own', 'mine'],
          ['cookie.a', '1'],
          ['cookie.b', '"2=3"'],
          ['cookie.b[1]', '2=3'],
          ['cookie.', 'c'],
          ['header.cookie', 'a=1; b="2=3"; c'],
          ['query.q', '1+1'],
          ['query.q[1]', '2'],
          ['query.empty', ''],
          ['query.', 'x'],
          ['query.q[]', '1+1,2'],
          ['body.a.b', 'c'],
        ],
      ],
    );
  });

  it('are read with a fragment as part of the query, as a query, and cut off', async () => {
    const queryOf = async (url: string) =>
      (await pairs(none, { url })).members.filter(([name]) => name.startsWith('query'));
    assert.deepEqual(await queryOf('/a?p=1#q=2'), [
      ['query.p', '1#q=2'],
      ['query.q', '2'],
      ['query.p[1]', '1'],
    ]);
    assert.deepEqual(await queryOf('/a#q=2'), [['query.q', '2']]);
    assert.deepEqual(await queryOf('?q=2'), [['query.q', '2']], 'also where no path comes first');
    assert.deepEqual(await queryOf('/a#f?p=1'), [
      ['query.p', '1'],
      ['query.f?p', '1'],
    ]);
  });

  it('keep bytes that are no UTF-8 as they came, in the query and in a form', async () => {
    const evasion = 'a=%c0%ae%c0%ae/+%2e&b=%&&c=%E2%82%AC';
    const expected = [
      ['a', '%c0%ae%c0%ae/ %2e'],
      ['a[1]', '%c0%ae%c0%ae/ .'],
      ['a[2]', '\ufffd\ufffd\ufffd\ufffd/ .'],
      ['b', '%'],
      ['c', '€'],
    ];
    const { members } = await pairs(none, { url: `/?${evasion}` });
    assert.deepEqual(
      members,
      expected.map(([name, value]) => [`query.${name}`, value]),
    );
    assert.deepEqual(
      await bodyPairs(raw(evasion), 'application/x-www-form-urlencoded'),
      expected.map(([name, value]) => [`body.${name}`, value]),
    );
    const { texts } = await pairs(none, { url: '/?file=%c0%ae%c0%ae/%c0%ae%c0%ae/etc/passwd' });
    assert.ok(texts.some(blocks));
  });

  it('of a parsed body are named by the way to them', async () => {
    const body = JSON.parse(
      '{"a":[{"b":"c"},[1,"d"],7],"n":null,"t":true,"e":{},"l":[],"__proto__":{"x":"y"}}',
    );
    const { members, isComplete } = await pairs(parsed(body));
    assert.deepEqual(members, [
      ['body.a[0].b', 'c'],
      ['body.a[1][1]', 'd'],
      ['body.a[1][]', '1,d'],
      ['body.a[]', '[object Object],1,d,7'],
      ['body.n', null],
      ['body.t', true],
      ['body.e', null],
      ['body.l', null],
      ['body.__proto__.x', 'y'],
    ]);
    assert.ok(isComplete);
    assert.deepEqual((await pairs(parsed('word'))).members, [['body', 'word']]);
    assert.deepEqual((await pairs(parsed(['w']))).members, [['body[0]', 'w']]);
  });

  it('keep both of two names that become one', async () => {
    const { members } = await pairs(parsed({ 'a.b': '1', a: { b: '2' } }));
    assert.deepEqual(members, [
      ['body.a.b', '1'],
      ['body.a.b[1]', '2'],
    ]);
  });

  it('are all there for what is deep, circular, or of an unusual kind', async () => {
    let deep: unknown = JSON.parse('{"__proto__":{"x":"y"}}');
    for (let i = 0; i < 5_000; i += 1) deep = { a: deep };
    const { members, isComplete } = await pairs(parsed(deep));
    assert.ok(isComplete);
    assert.ok(members.some(([name, value]) => name.endsWith('.__proto__.x') && value === 'y'));
    const circle: Record<string, unknown> = { a: 'b' };
    circle['self'] = circle;
    assert.deepEqual(await pairs(parsed(circle)).then((one) => one.members), [['body.a', 'b']]);
    const map = new Map<string, unknown>([['b', new Set(['c'])]]);
    assert.deepEqual((await pairs(parsed({ a: map }))).members, [['body.a.b[0]', 'c']]);
    class Given {
      readonly q = 'r';
    }
    assert.deepEqual((await pairs(parsed({ a: new Given() }))).members, [['body.a.q', 'r']]);
    assert.deepEqual((await pairs(parsed({ "a'b": [1, 2] }))).members, [["body.a'b", null]]);
  });

  it('are incomplete for what is deeper than any data, or gone', async () => {
    let deep: unknown = 'x';
    for (let i = 0; i < 20_000; i += 1) deep = [deep];
    assert.equal((await membersOfBody(parsed(deep))).omission, 'too-deep');
    const text = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    assert.equal((await membersOfBody(raw(text))).omission, 'too-deep');
    assert.equal((await membersOfBody({ kind: 'gone' })).omission, 'gone');
    assert.equal((await membersOfBody(none)).isComplete, true);
  });

  it('of parsed uploads are fields, and what is said of files', async () => {
    const files = [{ fieldname: 'doc', originalname: 'a.pdf', buffer: Buffer.from('x') }];
    assert.deepEqual((await pairs(parsed({ q: 'a' }, files))).members, [
      ['body.q', 'a'],
      ['body.doc.filename', 'a.pdf'],
    ]);
    const byField = { doc: [{ originalFilename: 'b.pdf' }, { originalFilename: 'c.pdf' }] };
    assert.deepEqual((await pairs(parsed(undefined, byField))).members, [
      ['body.doc.filename', 'b.pdf'],
      ['body.doc.filename[1]', 'c.pdf'],
    ]);
    const odd = [{ fieldname: 'f', originalname: 'a', mimetype: 'a/b; <svg onload=alert(1)>' }];
    assert.deepEqual((await pairs(parsed({}, odd))).members, [
      ['body.f.filename', 'a'],
      ['body.f.mimetype', 'a/b; <svg onload=alert(1)>'],
    ]);
    // As @fastify/multipart attaches them: each part leads back to the body.
    const body: Record<string, unknown> = {};
    body['q'] = { fieldname: 'q', mimetype: 'text/plain', value: 'v', fields: body };
    body['f'] = { fieldname: 'f', mimetype: 'a/b', filename: 'd.pdf', file: process.stdin };
    assert.deepEqual((await pairs(parsed(body))).members, [
      ['body.q', 'v'],
      ['body.f.fieldname', 'f'],
      ['body.f.mimetype', 'a/b'],
      ['body.f.filename', 'd.pdf'],
      ['body.f.file', null],
    ]);
    assert.deepEqual((await pairs(parsed({ f: new File(['x'], 'e.pdf') }))).members, [
      ['body.f.filename', 'e.pdf'],
      ['body.f.type', ''],
    ]);
  });
});

describe('a raw body', () => {
  it('is read by its type', async () => {
    const json = 'application/vnd.api+json; charset=utf-8';
    assert.deepEqual(await bodyPairs(raw('{"a":{"b":"c"}}'), json), [['body.a.b', 'c']]);
    assert.deepEqual(await bodyPairs(raw('\ufeff{"a":"b"}'), 'application/json'), [
      ['body.a', 'b'],
    ]);
    assert.deepEqual(await bodyPairs(raw('{"a":'), 'application/json'), [['body', '{"a":']]);
    assert.deepEqual(
      await bodyPairs(raw('a=1&a=2+3&b%5B%5D=%C3%A9'), 'application/x-www-form-urlencoded'),
      [
        ['body.a', '1'],
        ['body.a[1]', '2 3'],
        ['body.b[]', 'é'],
        ['body.a[]', '1,2 3'],
      ],
    );
    assert.deepEqual(await bodyPairs(raw('<a/>'), 'application/xml'), [['body', '<a/>']]);
    assert.deepEqual(await bodyPairs(raw('{"a":"b'), 'text/plain'), [
      ['body.a', 'b'],
      ['body', '{"a":"b'],
    ]);
    assert.deepEqual(await bodyPairs(raw('{"a":"="}\r\n'), 'text/plain'), [
      ['body.a', '='],
      ['body', '{"a":"="}\r\n'],
      ['body.{"a":"', '"}'],
    ]);
    assert.deepEqual(await bodyPairs(raw(''), 'application/json'), []);
  });

  it('is screened as text where bytes are broken', async () => {
    const broken = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('b"}')]);
    const members = [
      ['body.a', '\ufffdb'],
      ['body', '{"a":"\ufffdb"}'],
    ];
    assert.deepEqual(await bodyPairs(raw(broken), 'application/json'), members.slice(0, 1));
    assert.deepEqual(await bodyPairs(raw(broken), ''), members);
    assert.deepEqual(await bodyPairs(raw(broken), 'image/png'), members);
  });
});

describe('a multipart body', () => {
  const type = 'multipart/form-data; boundary=B';
  const field = (head: string, content: string) => `--B\r\n${head}\r\n\r\n${content}\r\n`;
  const disposition = 'Content-Disposition: form-data; ';
  const q = `${disposition}name="q"`;
  const sql = "' OR 1=1 --";

  it('is fields and names of files', async () => {
    const body = [
      field(q, 'a\r\nb'),
      field(`${disposition}name="f"; filename="x y.txt"\r\nContent-Type: text/plain`, sql),
      field(`${disposition}name=g; filename=plain.txt`, sql),
      field(`content-disposition: form-data;name="h";filename*=UTF-8''%e2%82%ac.txt`, sql),
      field(q, ''),
      '--B--\r\n',
    ];
    assert.deepEqual(await bodyPairs(raw(body.join('')), type), [
      ['body.q', 'a\r\nb'],
      ['body.f.filename', 'x y.txt'],
      ['body.g.filename', 'plain.txt'],
      ['body.g', sql],
      ['body.h.filename', "UTF-8''%e2%82%ac.txt"],
      ['body.h', sql],
      ['body.q[1]', ''],
      ['body.q[]', 'a\r\nb,'],
    ]);
  });

  it('that is cut off gives what it has', async () => {
    const cut = `${field(q, 'a')}--B\r\n${disposition}name="f"; filename="big.bin"\r\nContent-Type: image/png\r\n\r\nxx`;
    assert.deepEqual(await bodyPairs(raw(cut, false), type), [
      ['body.q', 'a'],
      ['body.f.filename', 'big.bin'],
      'incomplete',
    ]);
  });

  // Each hides a field from a parser that is not the one of the application.
  const evasions: Readonly<Record<string, readonly [body: string, type?: string]>> = {
    'a boundary inside of a line': [
      `${field(q, `x--B\r\n${disposition}name="f"; filename="a"\r\n\r\n${sql}`)}--B--`,
    ],
    'a longer boundary': [
      `${field(`${disposition}name="f"; filename="a"`, 'x')}--Bx\r\n${q}\r\n\r\n${sql}\r\n--B--`,
    ],
    'a name twice': [`${field(`${disposition}name="f"; filename="a"; name="q"`, sql)}--B--`],
    'an unknown parameter': [`${field(`${disposition}name="q"; x="; filename="a"`, sql)}--B--`],
    'a disposition twice': [`${field(`${disposition}name="f"; filename="a"\r\n${q}`, sql)}--B--`],
    'a folded line': [`${field(`${q};\r\n filename="a"`, sql)}--B--`],
    'no name': [`${field(`${disposition}filename="a"`, sql)}--B--`],
    'no head': [`--B\r\n\r\n${sql}\r\n--B--`],
    'before the first boundary': [`${sql}\r\n${field(q, 'x')}--B--`],
    'behind the last boundary': [`${field(q, 'x')}--B--\r\n${sql}`],
    'two boundaries in the type': [
      `--A\r\n${disposition}name="f"; filename="a"\r\n\r\n${field(q, sql)}--B--`,
      'multipart/form-data; boundary=A; boundary=B',
    ],
    'a boundary in a quoted parameter': [
      `--A\r\n${disposition}name="f"; filename="a"\r\n\r\n${field(q, sql)}--B--`,
      'multipart/form-data; x="; boundary=A"; boundary=B',
    ],
    'no boundary in the type': [`${field(q, sql)}--B--`, 'multipart/form-data'],
    'no multipart at all': [JSON.stringify({ q: sql })],
  };
  for (const [name, [body, given = type]] of Object.entries(evasions)) {
    it(`hides nothing by ${name}`, async () => {
      const { texts } = await pairs(raw(body), { headers: { 'content-type': given } });
      assert.ok(texts.some(blocks), texts.join('\n'));
    });
  }
});
