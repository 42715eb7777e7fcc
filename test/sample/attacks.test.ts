import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { type OpenShop, openGuardedShop, openShop } from './two-shops.ts';

interface Exchange {
  readonly path: string;
  readonly init?: RequestInit;
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly location: string | null;
}

async function ask(shop: OpenShop, { path, init }: Exchange): Promise<Answer> {
  const answer = await fetch(`${shop.url}${path}`, { redirect: 'manual', ...init });
  const { status, headers } = answer;
  return { status, text: await answer.text(), location: headers.get('location') };
}

function form(path: string, members: Readonly<Record<string, string>>): Exchange {
  return { path, init: { method: 'POST', body: new URLSearchParams(members) } };
}

/** A server that only this machine can reach, with something to hide. */
async function innerServer(t: TestContext): Promise<number> {
  const server = createServer((_req, res) => res.end('inner secret')).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

const encoded = encodeURIComponent;

/** Two ways to an inner server. */
function attacksOn(port: number): readonly (readonly [string, Exchange, RegExp])[] {
  const [plain, disguised] = [`http://127.0.0.1:${port}/admin`, `http://2130706433:${port}/`];
  return [
    ['a request to an inner server', { path: `/picture?url=${encoded(plain)}` }, /inner secret/],
    ['its address as a number', { path: `/picture?url=${encoded(disguised)}` }, /inner secret/],
  ];
}

/** Each attack, and what it comes to where nothing stops it. */
const attacks: readonly (readonly [string, Exchange, RegExp])[] = [
  [
    'a log-in without a password',
    form('/login', { name: "admin' --", password: 'x' }),
    /Welcome, admin/,
  ],
  [
    'passwords in the place of products',
    { path: `/products?category=${encoded('0 UNION SELECT name, password FROM users')}` },
    /kept-from-everybody/,
  ],
  [
    'a second statement',
    form('/newsletter', { mail: "a'); UPDATE subscribers SET mail = 'changed'; --" }),
    /We shall write to changed/,
  ],
  [
    'a file outside of the folder',
    { path: `/manual?file=${encoded('../../../package.json')}` },
    /"sallyport"/,
  ],
  [
    'a file by its encoded path',
    { path: '/manual?file=..%2f..%2F%2e%2e/package.json' },
    /"sallyport"/,
  ],
  ['a command', { path: `/lookup?host=${encoded('localhost; echo $((40 + 2))')}` }, /^42$/m],
  [
    'a command in a substitution',
    { path: `/lookup?host=${encoded('$(printf local)host')}` },
    /localhost/,
  ],
  [
    'code in a template',
    { path: `/card?text=${encoded('{{shop.constructor.constructor("return 6*7")()}}')}` },
    /^42$/m,
  ],
  ['a redirect to another host', { path: '/leave?next=//evil.example' }, /^\/\/evil/],
  [
    'a redirect in disguise',
    { path: `/leave?next=${encoded('/\\evil.example/login')}` },
    /^\/\\evil|^\/%5Cevil/,
  ],
];

test('attacks succeed without Sallyport and are refused with it', async (t) => {
  const [open, guarded] = [await openShop(t), await openGuardedShop(t)];
  for (const [name, attack, effect] of [...attacks, ...attacksOn(await innerServer(t))]) {
    const without = await ask(open, attack);
    assert.match(`${without.location ?? ''}\n${without.text}`, effect, name);
    const behind = await ask(guarded, attack);
    assert.equal(behind.status, 403, name);
    assert.match(behind.text, /^Forbidden\n/, name);
  }
  assert.deepEqual(guarded.statements, [], 'nothing reached the database');
  assert.deepEqual(guarded.outages, []);
});

const honest: readonly (readonly [Exchange, RegExp])[] = [
  [{ path: '/' }, /Deliberately vulnerable/],
  [{ path: '/products?category=2' }, /Union Jack mug/],
  [{ path: '/products/5' }, /Select teas/],
  [{ path: '/catalogue?sort=price' }, /^\[\{"name":"Order book"/],
  [{ path: `/search?q=${encoded('Union Jack')}` }, /<li>Union Jack mug/],
  [{ path: `/search?q=${encoded('Drop-leaf table')}` }, /<li>Drop-leaf table/],
  [{ path: '/parcel?token=cGFyY2VsLTIwNDE=' }, /on its way/],
  [{ path: '/manual?file=desk-lamp.txt' }, /40 W/],
  [{ path: '/lookup?host=localhost' }, /localhost/],
  [{ path: '/leave?next=/comments' }, /\/comments/],
  [{ path: `/card?text=${encoded('Greetings from {{shop}}')}` }, /The Corner Shop$/],
  [form('/login', { name: 'anna', password: 'correct horse battery staple' }), /Welcome, anna/],
  [form('/newsletter', { mail: 'anna+shop@example.com' }), /write to anna\+shop@/],
  [
    form('/comments', { author: "Conan O'Brien", text: 'Good tea; and the pot? Fine.' }),
    /comments/,
  ],
  [
    form('/comments', {
      author: 'db-fan',
      text: "At work I'd select teas from a list where price < 20, or drop by the shop. 1 = best!",
    }),
    /comments/,
  ],
  [{ path: `/comments?by=${encoded("O'Brien")}` }, /<b>Conan O'Brien<\/b>: Good tea/],
];

test('honest requests are answered the same with and without Sallyport', async (t) => {
  const [open, guarded] = [await openShop(t), await openGuardedShop(t)];
  for (const [request, expected] of honest) {
    const [without, behind] = [await ask(open, request), await ask(guarded, request)];
    assert.match(without.text, expected, request.path);
    assert.deepEqual(behind, without, request.path);
  }
  const cookie = { path: '/basket', init: { headers: { cookie: 'basket=7' } } };
  assert.deepEqual(await ask(guarded, cookie), await ask(open, cookie));
  assert.deepEqual(guarded.outages, []);
});
