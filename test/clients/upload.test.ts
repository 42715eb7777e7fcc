import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type ClientRequest as HttpRequest, request as httpRequest } from 'node:http';
import { type ClientHttp2Stream, connect } from 'node:http2';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Block, GuardOptions, Outage } from '../../src/clients/guard.ts';
import { createScreener } from '../../src/screener.ts';
import { uploadApps } from './upload-apps.ts';

const screener = createScreener();
const attack = "' OR 1=1 --";
const contentType = 'multipart/form-data; boundary=frontier';
const field = (name: string, value: string) =>
  `--frontier\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const fileHead = (name: string) =>
  `--frontier\r\ncontent-disposition: form-data; name="f"; filename="${name}"\r\ncontent-type: image/png\r\n\r\n`;
const end = '--frontier--\r\n';
const mebibyte = randomBytes(1_048_576);

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** Bytes of buffers that are still in use. */
function bytesInUse(): number {
  collect();
  return process.memoryUsage().arrayBuffers;
}

type Piece = string | { readonly mebibytes: number };
const file = (mebibytes: number, name = 'a.png'): Piece[] => [
  fileHead(name),
  { mebibytes },
  '\r\n',
];

function* chunksOf(pieces: readonly Piece[]): Generator<Buffer> {
  for (const piece of pieces) {
    if (typeof piece === 'string') yield Buffer.from(piece);
    else for (let i = 0; i < piece.mebibytes; i += 1) yield mebibyte;
  }
}

function hashOfMebibytes(count: number): string {
  const hash = createHash('sha256');
  for (let i = 0; i < count; i += 1) hash.update(mebibyte);
  return hash.digest('hex');
}

async function writeAll(out: HttpRequest | ClientHttp2Stream, pieces: readonly Piece[]) {
  for (const chunk of chunksOf(pieces)) {
    if (out.destroyed) return;
    if (out.write(chunk)) continue;
    await new Promise<void>((resolve) => {
      const onMove = () => {
        out.off('drain', onMove).off('close', onMove);
        resolve();
      };
      out.on('drain', onMove).on('close', onMove);
    });
  }
  out.end();
}

/** The status of the answer, 0 where the connection ended without one. */
async function send(address: string, pieces: readonly Piece[], isHttp2: boolean) {
  if (isHttp2) {
    const session = connect(address);
    session.on('error', () => undefined);
    const headers = { ':method': 'POST', ':path': '/', 'content-type': contentType };
    const stream = session.request(headers);
    stream.on('error', () => undefined).resume();
    const answered = Promise.race([
      once(stream, 'response').then(([head]) => Number(head[':status'])),
      once(stream, 'close').then(() => 0),
    ]);
    await Promise.race([writeAll(stream, pieces), answered]);
    const status = await answered;
    // Fastify waits for its end.
    session.destroy();
    return status;
  }
  const req = httpRequest(address, { method: 'POST', headers: { 'content-type': contentType } });
  const answered = new Promise<number>((resolve) => {
    req.on('response', (res) => {
      res.resume();
      resolve(res.statusCode ?? 0);
    });
    req.on('error', () => resolve(0));
  });
  await Promise.race([writeAll(req, pieces), answered]);
  return answered;
}

interface Watched {
  readonly blocks: Block[];
  readonly outages: Outage[];
  readonly options: GuardOptions;
}

function watched(options: Partial<GuardOptions> = {}): Watched {
  const blocks: Block[] = [];
  const outages: Outage[] = [];
  const hooks = {
    onBlock: (block: Block) => void blocks.push(block),
    onError: (outage: Outage) => void outages.push(outage),
  };
  return { blocks, outages, options: { screener, ...hooks, ...options } };
}

for (const [name, start] of Object.entries(uploadApps)) {
  const isHttp2 = name.endsWith('HTTP/2');
  const mebibytes = name === 'Hono' ? 20 : 50;

  test(`${name}: a long upload comes through as it was sent, and costs no refusal`, async (t) => {
    const { options, blocks, outages } = watched();
    const { address, forms } = await start(t, options);
    const pieces = [
      ...[field('first', "O'Brien"), ...file(mebibytes), field('middle', 'x'.repeat(300_000))],
      ...[...file(2, 'b.png'), ...file(3, 'c.png'), field('last', 'a union of savings'), end],
    ];
    let most = 0;
    const before = bytesInUse();
    const timer = setInterval(() => {
      most = Math.max(most, bytesInUse());
    }, 300);
    const status = await send(address, pieces, isHttp2);
    clearInterval(timer);
    assert.equal(status, 200);
    assert.deepEqual(forms, [
      {
        fields: { first: "O'Brien", middle: 'x'.repeat(300_000), last: 'a union of savings' },
        files: [mebibytes, 2, 3].map(hashOfMebibytes),
      },
    ]);
    assert.deepEqual([blocks, outages], [[], []]);
    // Well below the whole, with what is on its way between both ends of this process.
    if (name !== 'Hono') assert.ok(most - before < 42_000_000, `${most - before} bytes`);
  });

  test(`${name}: an attack behind or between files never reaches the handler`, async (t) => {
    const { options, blocks } = watched();
    const { address, forms } = await start(t, options);
    const forms2: readonly (readonly Piece[])[] = [
      [...file(2), field('q', attack), end],
      [...file(2), field('q', attack), ...file(2), end],
      [...file(2), ...file(2, attack), end],
      [...file(2), field('q', attack), field('r', 'x')],
      [field('q', attack), ...file(2), end],
    ];
    for (const [index, pieces] of forms2.entries()) {
      const status = await send(address, pieces, isHttp2);
      assert.ok(status === 403 || status === 0, `${index}: ${status}`);
      if (index !== 3) assert.equal(status, 403, String(index));
      assert.ok(blocks.length > 0, String(index));
      blocks.length = 0;
    }
    assert.deepEqual(forms, []);
    assert.equal(await send(address, [...file(2), field('q', 'fine'), end], isHttp2), 200);
    assert.equal(forms.length, 1);
  });

  test(`${name}: fields beyond the bound are refused, and let pass where that is chosen`, async (t) => {
    const long = [...file(2), field('q', 'x'.repeat(1_100_000)), end];
    const strict = watched();
    const refusing = await start(t, strict.options);
    assert.equal(await send(refusing.address, long, isHttp2), 413);
    assert.deepEqual([refusing.forms, strict.outages[0]?.omission], [[], 'too-large']);
    const lax = watched({ onIncomplete: 'allow' });
    const allowing = await start(t, lax.options);
    const answered = await send(allowing.address, [...file(2), ...longFields(), end], isHttp2);
    assert.equal(answered, 200);
    assert.equal(lax.outages[0]?.omission, 'too-large');
    assert.equal(Object.keys(allowing.forms[0]?.fields ?? {}).length, 4);
  });
}

/** Together beyond the bound, each within what parsers take. */
function longFields(): string[] {
  return ['a', 'b', 'c', 'd'].map((name) => field(name, 'x'.repeat(300_000)));
}
