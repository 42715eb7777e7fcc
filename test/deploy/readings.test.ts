import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { realSallyport } from '../clients/real-sallyport.ts';
import { connect } from '../http/raw-client.ts';
import type { StartProxy } from './proxies.ts';
import { startCaddy, startHaproxy, startNginx, startNginxAuthRequest } from './proxies.ts';
import { type ReadingApp, startReadingApp } from './reading-app.ts';

/** A request that carries an attack in a reading of its own. */
interface Row {
  readonly name: string;
  readonly request: Buffer;
  /** What the application reads of it. */
  readonly attack: string;
}

const sql = "' OR 1=1 --";
const jndi = '${'.concat('jndi:ldap://x.test/a}');
const union = '0/*,*/union/*,*/select/*,*/password/*,*/from/*,*/users';

function get(target: string, header = 'accept: */*'): Buffer {
  return Buffer.from(`GET ${target} HTTP/1.1\r\nhost: app.test\r\n${header}\r\n\r\n`);
}

function post(target: string, headers: string, body: Buffer | string): Buffer {
  const length = Buffer.byteLength(body);
  const head = `POST ${target} HTTP/1.1\r\nhost: app.test\r\n${headers}\r\n`;
  return Buffer.concat([
    Buffer.from(`${head}content-length: ${length}\r\n\r\n`),
    Buffer.from(body),
  ]);
}

function part(disposition: string, content: Buffer | string, type = ''): Buffer {
  const head = `--line\r\nContent-Disposition: form-data; ${disposition}\r\n${type}\r\n`;
  return Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from('\r\n')]);
}

function upload(...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat([...parts, Buffer.from('--line--\r\n')]);
  return post('/upload', 'content-type: multipart/form-data; boundary=line', body);
}

const file = (bytes: number): Buffer =>
  part('name="file"; filename="a.jpg"', Buffer.alloc(bytes, 7), 'Content-Type: image/jpeg\r\n');

/** In the head: every proxy asks about it. */
const headRows: readonly Row[] = [
  {
    name: 'repeated parameters that the framework joins',
    request: get(
      `/query?${union
        .split(',')
        .map((one) => `id=${one}`)
        .join('&')}`,
    ),
    attack: union,
  },
  ...['x-api-version', 'accept', 'authorization', 'x-request-id', 'if-none-match', 'x-api-key'].map(
    (name) => ({
      name: `a look-up in ${name}`,
      request: get('/headers', `${name}: ${jndi}`),
      attack: jndi,
    }),
  ),
];

const json = (headers: string, body: Buffer | string): Buffer => post('/json', headers, body);
const object = JSON.stringify({ q: sql });

/** In the body: asked about by the proxies that send it. */
const bodyRows: readonly Row[] = [
  {
    name: 'a name twice, the attack first',
    request: json('content-type: application/json', `{"q":"${sql}","q":"tea"}`),
    attack: sql,
  },
  ...['gzip', 'br', 'zstd', 'unheard-of', 'gzip, gzip'].map((coding) => ({
    name: `plain JSON that says it is ${coding}`,
    request: json(`content-type: application/json\r\ncontent-encoding: ${coding}`, object),
    attack: sql,
  })),
  ...['utf-16', 'utf-16le', 'utf-16be'].flatMap((charset) =>
    [object, `${object} `].map((body) => ({
      name: `UTF-8 of ${body.length} bytes that says it is ${charset}`,
      request: json(`content-type: application/json; charset=${charset}`, body),
      attack: sql,
    })),
  ),
  {
    name: 'JSON that says it is a form',
    request: json('content-type: application/x-www-form-urlencoded', object),
    attack: sql,
  },
  ...['image/png', 'application/octet-stream', 'application/pdf'].map((type) => ({
    name: `JSON with a byte that is no UTF-8, as ${type}`,
    request: json(`content-type: ${type}`, Buffer.from(`{"q":"${sql}","pad":"\xff"}`, 'latin1')),
    attack: sql,
  })),
  {
    name: 'a file name that is empty',
    request: upload(part('name="q"; filename=""', sql)),
    attack: sql,
  },
  {
    name: 'a field behind a small file',
    request: upload(file(10), part('name="q"', sql)),
    attack: sql,
  },
  {
    name: 'a field behind 1.1 MB of file',
    request: upload(file(1_100_000), part('name="q"', sql)),
    attack: sql,
  },
];

async function send(address: string, request: Buffer): Promise<number> {
  const client = await connect(address);
  client.send(request);
  const { status } = await client.answer();
  client.end();
  return status;
}

/** The control: without a proxy, the application reads the attack of each row. */
async function judgeApp(app: ReadingApp, rows: readonly Row[]): Promise<void> {
  for (const { name, request, attack } of rows) {
    await send(`http://${app.address}`, request);
    assert.ok(app.take().includes(attack), `${name}: the application does not read it`);
  }
}

async function judge(t: TestContext, start: StartProxy, rows: readonly Row[]): Promise<void> {
  const { url: sallyport, key } = await realSallyport(t);
  const app = await startReadingApp(t);
  const proxy = await start(t, { sallyport, key, app: app.address });
  if (proxy === undefined) return;
  await judgeApp(app, rows);
  const benign = [
    get('/query?id=tea&id=milk', 'x-api-version: 2'),
    json('content-type: application/json', '{"q":"tea"}'),
    upload(file(20_000), part('name="q"', 'tea')),
  ];
  for (const request of benign) assert.equal(await send(proxy.address, request), 200);
  assert.ok(app.take().join().includes('tea'));
  for (const { name, request, attack } of rows) {
    await t.test(name, async () => {
      const status = await send(proxy.address, request);
      assert.ok(!app.take().includes(attack), `the application read the attack: ${status}`);
      assert.equal(status, 403);
    });
  }
}

const all = [...headRows, ...bodyRows];

test('nginx with njs: no reading passes', (t) => judge(t, startNginx, all));
test('HAProxy: no reading passes', (t) => judge(t, startHaproxy, all));
test('nginx without a module: no reading of a head passes', (t) =>
  judge(t, startNginxAuthRequest, headRows));
test('Caddy: no reading of a head passes', (t) => judge(t, startCaddy, headRows));
