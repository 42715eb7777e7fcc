import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bodyStrings, isBlocked, raw, read, sql } from './reading.ts';

const file = (content: string, disposition: string, head = 'Content-Type: image/png\r\n'): string =>
  `--B\r\nContent-Disposition: form-data; ${disposition}\r\n${head}\r\n${content}\r\n--B--\r\n`;

const parts: Readonly<Record<string, string>> = {
  'an empty file name': file(sql, 'name="q"; filename=""'),
  'a file name of dots': file(sql, 'name="q"; filename="../"'),
  'only an extended file name': file(sql, `name="q"; filename*=utf-8''x.png`),
  'an upper-case parameter': file(sql, 'name="q"; FileName="x.png"'),
  'a file name without a type': file(sql, 'name="q"; filename="x.png"', ''),
  'a type that is none': file(sql, 'name="q"; filename="x.png"', 'Content-Type: ;\r\n'),
  'two types': file(
    sql,
    'name="q"; filename="x.png"',
    'Content-Type: image/png\r\nContent-Type: text/plain\r\n',
  ),
  'a lone line feed in the head': file(
    sql,
    'name="q"; filename="x.png"',
    'Content-Type: a/b\nX: y\r\n',
  ),
  'a boundary behind a lone line feed': file(
    `x\n--B\nContent-Disposition: form-data; name="q"\n\n${sql}\n--B--`,
    'name="f"; filename="x.png"',
  ),
  'a type that is an attack': file(
    'x',
    'name="f"; filename="x.png"',
    'Content-Type: image/png; x=<svg onload=alert(1)>\r\n',
  ),
  'a boundary that strict parsers take for none': file(
    `1' UNION/*\r\n--B*/SELECT password FROM users --`,
    'name="q"',
    '',
  ),
  'quoted-printable': file(
    '=27 OR 1=3D1 --',
    'name="q"',
    'Content-Transfer-Encoding: quoted-printable\r\n',
  ),
  'a disposition that is none': `\r\n--B\r\nContent-Disposition:z"\r\n\r\n;id|nc e.test 4444\r\n--B--`,
  'base64 without a disposition': file(
    'JyBPUiAxPTEgLS0=',
    'x="',
    'Content-Transfer-Encoding: base64\r\n',
  ),
  'UTF-16 without a disposition': file(
    Buffer.from(sql, 'utf16le').toString('latin1'),
    'x="',
    'Content-Type: a/b; charset=utf-16le\r\n',
  ),
  'a file name in pieces': file('x', `name="f"; filename*0="' OR 1"; filename*1="=1 --"`),
  'a file name on three lines': file(
    'x',
    `name="f"; filename="' UNI\r\nON SEL\r\nECT password FROM users --"`,
  ),
  'a folded line below the file name': file('x', 'name="f"; filename=$\r\n (id)'),
  'a head beyond the boundary': file(
    'x',
    `name="f"; filename="1' UNION/*\r\n--B\r\n*/SEL\r\nECT password FROM users --"`,
  ),
  'a head without an end': `--B\nContent-Disposition: x; filename=1'\n OR 1\n=1 --\n`,
  'an extended name of an unknown charset': file('x', "name*=x-1'en'x%26whoami"),
  'a name in brackets': file('x', 'name="a[x&whoami]"', ''),
  'the name of a file that is an attack': file('x', 'name="x&whoami"; filename="t.png"'),
  'base64 of a short text': file(
    Buffer.from('$(id)').toString('base64'),
    'name="q"',
    'Content-Transfer-Encoding: base64\r\n',
  ),
};

describe('an attack in a form with files', () => {
  it('is found behind base64 with the highest bit set', async () => {
    const base64 = Buffer.from(Buffer.from(sql).toString('base64')).map((one) => one | 0x80);
    const [before = '', behind = ''] = file(
      '?',
      'name="q"',
      'Content-Transfer-Encoding: base64\r\n',
    ).split('?');
    const body = raw(Buffer.concat([Buffer.from(before), base64, Buffer.from(behind)]));
    const members = await read(body, { 'content-type': 'multipart/form-data; boundary=B' });
    assert.ok(isBlocked(members), members.texts.join('\n'));
  });

  for (const [name, body] of Object.entries(parts)) {
    it(`is found behind ${name} of a part`, async () => {
      const headers = { 'content-type': 'multipart/form-data; boundary=B' };
      const members = await read(raw(body), headers);
      assert.ok(isBlocked(members), members.texts.join('\n'));
    });
  }
});

describe('a form with more boundaries than are read', () => {
  it('is incomplete', async () => {
    const type = `multipart/form-data; ${[1, 2, 3, 4, 5].map((at) => `boundary=B${at}`).join('; ')}`;
    const members = await read(raw(`--B5\r\n\r\n${sql}\r\n--B5--`), { 'content-type': type });
    assert.equal(members.omission, 'too-many');
  });
});

describe('a part without a disposition', () => {
  it('has its content by itself, from the first byte behind the empty line', async () => {
    const body = raw('--B\r\nX-A: b\r\n\r\ntea\r\n--B--\r\n');
    const members = await read(body, { 'content-type': 'multipart/form-data; boundary=B' });
    assert.ok(bodyStrings(members).includes('tea'), members.texts.join('\n'));
  });
});

describe('a long head of a part', () => {
  it('is read up to 16,384 characters', async () => {
    const start = 'Content-Disposition: form-data; name="q"\r\nX-A: ';
    const isField = async (chars: number) => {
      const head = start.padEnd(chars, 'x');
      const body = raw(`--B\r\n${head}\r\n\r\ntea\r\n--B--\r\n`);
      const { texts } = await read(body, { 'content-type': 'multipart/form-data; boundary=B' });
      return texts.some((text) => JSON.parse(text)['body.q'] === 'tea');
    };
    assert.deepEqual([await isField(16_384), await isField(16_385)], [true, false]);
  });
});

describe('base64 in a form', () => {
  const typed = { 'content-type': 'multipart/form-data; boundary=B' };
  const encoded = (text: string): string =>
    file(text, 'name="q"', 'Content-Transfer-Encoding: base64\r\n');

  it('is read whole with line breaks', async () => {
    const members = await read(raw(encoded('YSBiZW5p\r\nZ24gdGV4dA==')), typed);
    assert.equal(members.isComplete, true);
    assert.ok(bodyStrings(members).includes('a benign text'));
  });

  for (const [name, text] of [
    ['a foreign character', 'YSBi!ZW5p'],
    ['digits behind its end', 'YQ==YQ=='],
    ['a boundary with a blank behind it', 'YSBi\r\n--B \r\nZW5p'],
  ] as const) {
    it(`is incomplete with ${name}: decoders differ`, async () => {
      assert.equal((await read(raw(encoded(text)), typed)).omission, 'coding');
    });
  }
});

describe('a benign form', () => {
  it('of fields and files has no other texts than these', async () => {
    const field = '--B\r\nContent-Disposition: form-data; name="a"\r\n\r\none\r\n\r\ntwo\r\n';
    const body = `${field}${file('x\n\ny', 'name="f"; filename="my cat.png"')}`;
    const members = await read(raw(body), { 'content-type': 'multipart/form-data; boundary=B' });
    assert.deepEqual(bodyStrings(members), ['one\r\n\r\ntwo', 'my cat.png']);
  });

  it('with a text in front of its first boundary has that text once', async () => {
    const field = '--B\r\nContent-Disposition: form-data; name="a"\r\n\r\none\r\n--B--\r\n';
    const body = raw(`pre: x\r\n\r\namble\r\n${field}`);
    const members = await read(body, { 'content-type': 'multipart/form-data; boundary=B' });
    const texts = ['pre: x\r\n\r\namble', 'amble', 'pre: x', 'pre:x', 'one'];
    assert.deepEqual(bodyStrings(members), texts);
  });

  it('of several files with a charset beside the boundary keeps its files unread', async () => {
    const body = file(sql, 'name="f"; filename="x.png"');
    for (const type of ['charset=utf-8; boundary=B', 'boundary="B"; charset=ISO-8859-1']) {
      const members = await read(raw(body), { 'content-type': `multipart/form-data; ${type}` });
      assert.deepEqual(bodyStrings(members), ['x.png']);
    }
  });
});
