import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { defaultPolicy } from '../../src/contract/policy.ts';
import { type Receiving, Reception } from '../../src/http/reception.ts';
import { until } from '../support/until.ts';
import { serveForward } from './forward/ask.ts';
import type { RawClient } from './raw-client.ts';
import {
  checkAnswer,
  checkProblem,
  controlRequest,
  serve,
  type TestServer,
} from './test-server.ts';

function receiving(keyId: string): Receiving {
  return { keyId, heldBytes: 0 };
}

describe('the memory of bodies that have not come whole', () => {
  test('a key alone may hold half', () => {
    const reception = new Reception(1_000);
    const [one, two] = [receiving('a'), receiving('a')];
    assert.ok(reception.hold(one, 400));
    assert.ok(reception.hold(two, 100));
    assert.equal(reception.hold(two, 101), false);
    assert.deepEqual([two.heldBytes, reception.bytes], [100, 500]);
  });

  test('there is always room for another key, and all together stay within the bound', () => {
    const reception = new Reception(1_000);
    const shares: number[] = [];
    for (const key of 'abcdefgh') {
      const body = receiving(key);
      let share = 0;
      while (reception.hold(body, share + 1)) share += 1;
      shares.push(share);
    }
    assert.deepEqual(shares, [500, 250, 125, 62, 31, 16, 8, 4]);
  });

  test('what is given back is free for all', () => {
    const reception = new Reception(1_000);
    const body = receiving('a');
    assert.ok(reception.hold(body, 500));
    assert.equal(reception.hold(receiving('a'), 1), false);
    assert.ok(reception.hold(body, 0));
    assert.equal(reception.bytes, 0);
    assert.ok(reception.hold(receiving('b'), 500));
  });
});

const announced = 100_000;
const start = `{"a":"${'x'.repeat(announced / 2)}`;
const rest = `${'x'.repeat(announced - start.length - 2)}"}`;
/** What a body holds from its first piece on is what was announced: its first half, doubled. */
const receptionBytesMax = announced * 6;
const login = '{"username":"anna","password":"x"}';

async function begin(to: TestServer, key = 'good-key'): Promise<RawClient> {
  const client = await to.open();
  const headers = { 'content-length': String(announced), 'x-api-key': key };
  client.send(controlRequest('', headers) + start);
  return client;
}

/** The one of several that is answered first, and its answer. */
async function firstAnswered(clients: readonly RawClient[]) {
  return Promise.race(clients.map(async (client) => ({ client, answer: await client.answer() })));
}

describe('a key that has too many bodies on their way', () => {
  test('gets 503 for the next one, and nothing else is touched', async (t) => {
    const to = await serve(t, { receptionBytesMax });
    to.keys.policies.set('other-key', defaultPolicy);
    const clients = await Promise.all([begin(to), begin(to), begin(to), begin(to)]);
    const { client: refused, answer } = await firstAnswered(clients);
    assert.match(checkProblem(answer, 503, 'overloaded'), /bodies are being received/);
    assert.equal(answer.headers.get('retry-after'), '1');

    const small = await to.open();
    small.send(controlRequest(login));
    checkAnswer(await small.answer(), 200);
    const other = await begin(to, 'other-key');
    other.send(rest);
    checkAnswer(await other.answer(), 200);

    // What was refused may still be sent; its connection is good for another request.
    refused.send(rest);
    refused.send(controlRequest(login));
    checkAnswer(await refused.answer(), 200);
  });

  test('holds eight times what has come of a body, and no more than was announced', async (t) => {
    const to = await serve(t, { receptionBytesMax: 20_000 });
    const sent = async (piece: number, length: number): Promise<RawClient> => {
      const client = await to.open();
      client.send(controlRequest('', { 'content-length': String(length) }));
      client.send(login.padEnd(piece));
      return client;
    };
    // A key may hold half of the room.
    checkProblem(await (await sent(1_300, 100_000)).answer(), 503, 'overloaded');
    const fits = await sent(1_200, 9_000);
    fits.send(' '.repeat(7_800));
    checkAnswer(await fits.answer(), 200);
    const short = await sent(5_000, 9_500);
    short.send(' '.repeat(4_500));
    checkAnswer(await short.answer(), 200);
  });

  test('may send again once the others have come whole', async (t) => {
    const to = await serve(t, { receptionBytesMax });
    for (let round = 0; round < 3; round += 1) {
      const clients = await Promise.all([begin(to), begin(to), begin(to)]);
      for (const client of clients) {
        client.send(rest);
        checkAnswer(await client.answer(), 200);
      }
    }
    const bodies = to.scanner.inputs.map(({ body }) => Buffer.from(body).toString());
    assert.deepEqual(bodies, new Array(9).fill(start + rest));
  });

  for (const [how, headers] of [
    ['ended', {}],
    ['timed out', {}],
    ['been too large', { 'content-length': undefined, 'transfer-encoding': 'chunked' }],
  ] as const) {
    test(`may send again once the others have ${how}`, async (t) => {
      const to = await serve(t, { receptionBytesMax, bodyReceiveMs: 400 });
      to.keys.policies.set('good-key', { ...defaultPolicy, limits: { bodyBytes: announced } });
      const clients = await Promise.all([1, 2, 3].map(() => to.open()));
      for (const client of clients) {
        const length = String(announced);
        const head = controlRequest('', { 'content-length': length, ...headers });
        client.send(how === 'been too large' ? `${head}${chunkOf(start)}` : head + start);
        if (how === 'ended') client.end();
        if (how === 'timed out') checkProblem(await client.answer(), 408, 'body-timeout');
        if (how !== 'been too large') continue;
        client.send(chunkOf(rest));
        client.send(chunkOf('x'));
        checkProblem(await client.answer(), 413, 'body-too-large');
      }
      // The server may learn of an end only now.
      for (let look = 0; ; look += 1) {
        const client = await begin(to);
        client.send(rest);
        const { status } = await client.answer();
        if (status === 200) break;
        assert.ok(status === 503 && look < 500, `${status}`);
      }
    });
  }
});

function chunkOf(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n`;
}

test('bodies of keys that are looked up count as well', async (t) => {
  const to = await serve(t, { receptionBytesMax });
  const { promise: known, resolve: answerOfStore } = Promise.withResolvers<void>();
  to.keys.lookUpAs = () => known;
  const clients = await Promise.all(Array.from({ length: 7 }, () => begin(to, 'new-key')));
  // Held as they come, in pieces: half of what is announced.
  const { answer } = await firstAnswered(clients);
  checkProblem(answer, 503, 'overloaded');
  to.keys.policies.set('new-key', defaultPolicy);
  answerOfStore();
});

const field = '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n';
const file =
  '--b\r\ncontent-disposition: form-data; name="f"; filename="f"\r\n' +
  'content-type: application/octet-stream\r\n\r\n';
const end = '\r\n--b--\r\n';

/** Sends all but the end of an upload of one part. */
async function upload(to: TestServer, part: string, bytes: number): Promise<RawClient> {
  const client = await to.open();
  client.send(
    'POST /forward HTTP/1.1\r\nhost: app.test\r\nx-api-key: good-key\r\n' +
      'x-forwarded-method: POST\r\nx-forwarded-uri: /\r\n' +
      'content-type: multipart/form-data; boundary=b\r\n' +
      `content-length: ${part.length + bytes + end.length}\r\n\r\n${part}${'x'.repeat(bytes)}`,
  );
  return client;
}

test('uploads through a proxy count by what is kept of them', async (t) => {
  const to = await serveForward(t, { receptionBytesMax });
  // Content of files is not kept: these hold next to nothing.
  const files = await Promise.all(Array.from({ length: 5 }, () => upload(to, file, 200_000)));
  const fields = await Promise.all(Array.from({ length: 4 }, () => upload(to, field, announced)));
  const { answer } = await firstAnswered(fields);
  assert.equal(answer.status, 403, answer.body);
  for (const client of files) {
    client.send(end);
    assert.equal((await client.answer()).status, 200);
  }
});

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** Bytes of buffers that are still in use. */
function bytesInUse(): number {
  collect();
  return process.memoryUsage().arrayBuffers;
}

test('an upload that is refused takes no memory while the rest of it has not come', async (t) => {
  const bytes = 600_000;
  const to = await serveForward(t, { receptionBytesMax: 3 * bytes });
  const before = bytesInUse();
  const clients = await Promise.all(Array.from({ length: 40 }, () => upload(to, field, bytes)));
  let refused = 0;
  const countRefused = ({ status }: { readonly status: number }): void => {
    if (status === 403) refused += 1;
  };
  for (const client of clients) client.answer().then(countRefused, () => undefined);
  await until('all are refused but the one that there is room for', () => refused === 39);
  // Long before their connections are closed as idle.
  await until('their memory is free', () => bytesInUse() - before < bytes * 5, 50);
});
