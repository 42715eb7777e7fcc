import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { exchangeAll } from '../clients/exchange.ts';
import { realSallyport } from '../clients/real-sallyport.ts';
import { conformanceRows, type Row } from '../clients/requests.ts';
import { connect, type RawAnswer } from '../http/raw-client.ts';
import { until } from '../support/until.ts';
import type { StartProxy } from './proxies.ts';
import { type SplitRow, splitRow } from './split-row.ts';
import { type Arrived, reachedMark, startUpstream, type Upstream } from './upstream.ts';

export interface ProxyTraits {
  /** How much of a body the proxy sends to be screened. */
  readonly bodyBytesMax: number;
  /** The same for a body in chunks, where it differs. */
  readonly chunkedBytesMax?: number;
  /** What a client is answered while Sallyport does not answer. */
  readonly awayStatus: number;
}

/** Everything that is asked of a proxy with its file of `src/deploy/proxies`. */
export async function judgeProxy(
  t: TestContext,
  start: StartProxy,
  traits: ProxyTraits,
): Promise<void> {
  const { url: sallyport, key, kill } = await realSallyport(t);
  const app = await startUpstream(t);
  const place = { sallyport, key, app: app.address };
  const proxy = await start(t, place);
  if (proxy === undefined) return;
  const open = await start(t, { ...place, failOpen: true });
  assert.ok(open !== undefined);
  const { address } = proxy;
  await startThreads(address, app, traits.bodyBytesMax);

  await t.test('a blocked request reaches nobody, an allowed one arrives as it was', () =>
    judgeRows(address, app, traits),
  );
  await t.test('headers of the client change nothing', () => judgeSpoofing(address, app, key));
  await t.test('a connection serves allowed and blocked requests in turn', () =>
    judgeKeepAlive(address, app),
  );
  await t.test('a WebSocket is opened, unless its handshake is an attack', () =>
    judgeUpgrade(address, app),
  );
  await t.test('the answers of the application are its own', async () => {
    const answer = await ask(address, 'GET /forbidden HTTP/1.1\r\nhost: app.test\r\n\r\n');
    assert.equal(answer.status, 403);
    assert.equal(answer.body, reachedMark);
    assert.equal(app.take().length, 1);
  });
  await t.test('a head that Sallyport cannot take lets no attack through', async () => {
    for (const at of [address, open.address]) await judgeHugeHeads(at, app);
  });
  await t.test('a large body arrives as it was', () => judgeLargeBodies(address, app, traits));

  await kill();
  await t.test('without Sallyport nothing passes, unless the file says so', async () => {
    const request = 'POST /x HTTP/1.1\r\nhost: app.test\r\ncontent-length: 3\r\n\r\na=b';
    for (let round = 1; round <= 12; round += 1) {
      const answer = await ask(address, request);
      assert.equal(answer.status, traits.awayStatus, `round ${round}`);
      assert.equal(app.take().length, 0);
      const passed = await ask(open.address, request);
      assert.equal(passed.status, 200, proxy.log());
      assert.equal(app.take()[0]?.body.toString(), 'a=b');
    }
  });
}

/** Large requests start threads, for which a proxy on a busy machine may not wait. */
async function startThreads(address: string, app: Upstream, bodyBytesMax: number): Promise<void> {
  for (const size of [10_000, 100_000].filter((one) => one <= bodyBytesMax)) {
    const head = `POST / HTTP/1.1\r\nhost: app.test\r\ncontent-length: ${size}\r\n\r\n`;
    const isTaken = async () => (await ask(address, head + 'a '.repeat(size / 2))).status === 200;
    await until('a large body is taken', isTaken);
  }
  app.take();
}

async function ask(address: string, request: string | Buffer): Promise<RawAnswer> {
  const client = await connect(address);
  client.send(request);
  try {
    return await client.answer();
  } finally {
    client.end();
  }
}

const rowHeader = 'x-row';

async function judgeRows(address: string, app: Upstream, traits: ProxyTraits): Promise<void> {
  const { bodyBytesMax } = traits;
  const rows = conformanceRows();
  const marked = rows.map((row, index) => {
    const lineEnd = row.bytes.indexOf('\r\n');
    const mark = Buffer.from(`\r\n${rowHeader}: ${index}`);
    const parts = [row.bytes.subarray(0, lineEnd), mark, row.bytes.subarray(lineEnd)];
    return { ...row, bytes: Buffer.concat(parts) };
  });
  const answers = await exchangeAll(address, marked);
  const arrived = new Map(app.take().map((one) => [headerOf(one, rowHeader), one]));
  let blocks = 0;
  for (const [index, row] of marked.entries()) {
    const { name } = row;
    const answer = answers[index];
    const there = arrived.get(String(index));
    if (isSeen(row, bodyBytesMax)) {
      assert.equal(there, undefined, `${name} reached the application`);
      // nginx itself refuses a path that leaves the root.
      if (answer?.status === 400 && row.pointer === '/path') continue;
      blocks += 1;
      assert.equal(answer?.status, 403, name);
      const id = answer.headers.get('x-decision-id') ?? '';
      assert.match(id, /^[0-9a-f-]{36}$/, name);
      if (row.method !== 'HEAD') assert.ok(answer.body.includes(id), name);
    } else if (isRowCut(row, traits)) {
      assert.equal(there, undefined, `${name} reached the application`);
      assert.equal(answer?.status, 403, name);
    } else {
      assert.equal(answer?.status, 200, name);
      assert.ok(there !== undefined, `${name} did not reach the application`);
      checkUnchanged(row, there);
    }
  }
  assert.ok(blocks >= 90, `${blocks}`);
}

/** Whether the attack of a row, if it has one, stands where the proxy lets it be seen. */
function isSeen(row: Row, bodyBytesMax: number): boolean {
  const { pointer } = row;
  if (pointer === undefined) return false;
  const bodyBytes = splitRow(row).body.length;
  const isInBody = pointer.startsWith('/body') || (pointer === '*' && bodyBytes > 0);
  return !isInBody || bodyBytes <= bodyBytesMax;
}

/** Whether a proxy that sends bodies sends a part of this one only: refused, whatever is in it. */
function isCut(bodyBytes: number, bodyBytesMax: number): boolean {
  return bodyBytesMax > 0 && bodyBytes > bodyBytesMax;
}

function isRowCut(
  row: Row,
  { bodyBytesMax, chunkedBytesMax = bodyBytesMax }: ProxyTraits,
): boolean {
  const { body, headers } = splitRow(row);
  const isChunked = headers.some(([name]) => name === 'transfer-encoding');
  return isCut(body.length, isChunked ? chunkedBytesMax : bodyBytesMax);
}

/** What proxies say of the connection, or of themselves. */
const ownOfProxies = new Set([
  ...['connection', 'content-length', 'transfer-encoding', 'accept-encoding'],
  ...['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'],
]);

function checkUnchanged(row: Row, there: Arrived): void {
  const { name } = row;
  const { line, headers, body } = splitRow(row);
  assert.equal(`${there.method} ${there.url} HTTP/1.1`, line, name);
  const theirs = (some: SplitRow['headers']) =>
    some
      .filter(([header]) => !ownOfProxies.has(header))
      .map(String)
      .sort();
  assert.deepEqual(theirs(there.headers), theirs(headers), name);
  assert.ok(there.body.equals(body), `${name}: the body`);
}

function headerOf({ headers }: Arrived, name: string): string {
  return headers.find(([header]) => header === name)?.[1] ?? '';
}

const attackTarget = "/search?q='%20OR%201=1%20--";

const spoofs = [
  'x-forwarded-uri: /harmless',
  'x-forwarded-uri: /harmless\r\nx-forwarded-uri: /harmless',
  'x-original-uri: /harmless',
  'x-original-url: /harmless',
  'x-original-url: https://app.test/harmless',
  'x-forwarded-method: OPTIONS',
  'x-original-method: OPTIONS',
  'x-forwarded-host: other.test',
  'x-forwarded-for: 127.0.0.1',
  'x-api-key: sp_live_00000000_00000000000000000000000000000000000000',
  'x-api-key:',
  'x-deadline-ms: 1',
  'x-envoy-auth-partial-body: true',
  'connection: x-api-key, x-forwarded-uri, x-forwarded-method',
  'content-encoding: gzip',
];

async function judgeSpoofing(address: string, app: Upstream, key: string): Promise<void> {
  for (const spoof of spoofs) {
    const head = `HTTP/1.1\r\nhost: app.test\r\n${spoof}\r\n\r\n`;
    const answer = await ask(address, `GET ${attackTarget} ${head}`);
    assert.ok(answer.status >= 400, `${spoof}: ${answer.status}`);
    assert.equal(app.take().length, 0, spoof);
    const honest = await ask(address, `GET /search?q=lamps ${head}`);
    const [there] = app.take();
    // It says of itself that its body goes on; some proxies take this away.
    if (spoof.startsWith('x-envoy-')) continue;
    // What nobody honest sends, and what proxies do not overwrite, is not clear.
    assert.equal(there === undefined, spoof.startsWith('x-original-'), `${spoof} ${honest.status}`);
    assert.equal(there?.headers.some(([, value]) => value.includes(key)) ?? false, false, spoof);
  }
}

async function judgeKeepAlive(address: string, app: Upstream): Promise<void> {
  const client = await connect(address);
  const json = 'host: app.test\r\ncontent-type: application/json';
  for (let round = 0; round < 10; round += 1) {
    const isAttack = round % 2 === 1;
    const target = isAttack ? attackTarget : `/page/${round}`;
    client.send(`POST ${target} HTTP/1.1\r\n${json}\r\ncontent-length: 7\r\n\r\n{"a":1}`);
    const answer = await client.answer();
    assert.equal(answer.status, isAttack ? 403 : 200, `round ${round}`);
    assert.deepEqual(
      app.take().map(({ url, body }) => [url, body.toString()]),
      isAttack ? [] : [[target, '{"a":1}']],
    );
  }
  client.end();
}

async function judgeUpgrade(address: string, app: Upstream): Promise<void> {
  const handshake = (target: string) =>
    `GET ${target} HTTP/1.1\r\nhost: app.test\r\nconnection: Upgrade\r\nupgrade: websocket\r\n` +
    'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';
  const client = await connect(address);
  client.send(handshake('/socket'));
  assert.equal((await client.answer()).status, 101);
  // Frames are not screened: these bytes are none, and nobody minds.
  client.send("' OR 1=1 --");
  while (client.rest.length < 11)
    await new Promise((resolve) => client.socket.once('data', resolve));
  assert.equal(client.rest, "' OR 1=1 --");
  client.end();
  assert.equal(app.take().length, 1);
  assert.equal((await ask(address, handshake(attackTarget))).status, 403);
  assert.equal(app.take().length, 0);
}

async function judgeHugeHeads(address: string, app: Upstream): Promise<void> {
  const fillers = [
    Array.from({ length: 3 }, (_, index) => `x-${index}: ${'a'.repeat(6_500)}`),
    Array.from({ length: 150 }, (_, index) => `x-${index}: a`),
  ];
  for (const lines of fillers) {
    const head = `host: app.test\r\n${lines.join('\r\n')}`;
    const answer = await ask(address, `GET ${attackTarget} HTTP/1.1\r\n${head}\r\n\r\n`);
    assert.ok(answer.status >= 400, `${answer.status}`);
    assert.equal(app.take().length, 0, `${lines.length} lines`);
  }
}

async function judgeLargeBodies(
  address: string,
  app: Upstream,
  { bodyBytesMax }: ProxyTraits,
): Promise<void> {
  const text = 'content-type: text/plain\r\nhost: app.test';
  const head = (target: string, length: number) =>
    Buffer.from(`POST ${target} HTTP/1.1\r\n${text}\r\ncontent-length: ${length}\r\n\r\n`);
  for (const size of [20_000, 100_000, 3_000_000]) {
    const body = Buffer.alloc(size, 'A paragraph of honest words, over and over. ');
    const answer = await ask(address, Buffer.concat([head('/upload', size), body]));
    const [there] = app.take();
    if (isCut(size, bodyBytesMax)) {
      assert.deepEqual([answer.status, there], [403, undefined], `${size}`);
    } else {
      assert.equal(answer.status, 200, `${size}`);
      assert.ok(there?.body.equals(body), `${size}`);
    }
    const refused = await ask(address, Buffer.concat([head(attackTarget, size), body]));
    assert.equal(refused.status, 403, `${size}`);
    body.write("'; DROP TABLE users; --\n", 10);
    const evil = await ask(address, Buffer.concat([head('/upload', size), body]));
    assert.equal(evil.status, bodyBytesMax > 0 ? 403 : 200, `${size}`);
    assert.equal(app.take().length, bodyBytesMax > 0 ? 0 : 1);
  }
}
