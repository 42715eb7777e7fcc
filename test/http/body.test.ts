import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { limits } from '../../src/contract/limits.ts';
import {
  allowed,
  blocked,
  checkAnswer,
  checkProblem,
  controlRequest,
  serve,
  until,
} from './test-server.ts';

const login = '{"username":"o\'brien","password":"x"}';
const chunkedHead = controlRequest('', {
  'content-length': undefined,
  'transfer-encoding': 'chunked',
});

/** A JSON object of exactly so many bytes. */
function bodyOf(bytes: number): string {
  return `{"a":"${'x'.repeat(bytes - 8)}"}`;
}

function chunk(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5));
}

describe('bodies in pieces', () => {
  test('single bytes, head and body', async (t) => {
    const to = await serve(t);
    const client = await to.open();
    for (const char of controlRequest(login)) {
      client.send(char);
      await new Promise((resolve) => setImmediate(resolve));
    }
    checkAnswer(await client.answer(), 200);
    assert.equal(Buffer.from(to.scanner.inputs[0]?.body ?? []).toString(), login);
  });

  test('chunked, in pieces that cut the chunks', async (t) => {
    const to = await serve(t);
    const client = await to.open();
    const bytes = `${chunk('{"a":')}${chunk('"é€😀"')}${chunk('}')}0\r\n\r\n`;
    client.send(chunkedHead);
    for (const byte of Buffer.from(bytes)) {
      client.send(Buffer.of(byte));
      await new Promise((resolve) => setImmediate(resolve));
    }
    checkAnswer(await client.answer(), 200);
    assert.equal(Buffer.from(to.scanner.inputs[0]?.body ?? []).toString(), '{"a":"é€😀"}');
  });

  test('chunked and empty is 400', async (t) => {
    const to = await serve(t);
    const client = await to.open();
    client.send(`${chunkedHead}0\r\n\r\n`);
    checkProblem(await client.answer(), 400, 'body-empty');
  });

  test('no length and no chunks is an empty body', async (t) => {
    const to = await serve(t);
    const client = await to.open();
    client.send(controlRequest('', { 'content-length': undefined }));
    checkProblem(await client.answer(), 400, 'body-empty');
  });

  test('the bytes given to the scanner stay as they came', async (t) => {
    const to = await serve(t);
    const client = await to.open();
    const bodies = [login, bodyOf(40_000)];
    for (const body of bodies) {
      const request = controlRequest(body);
      client.send(request.slice(0, -20));
      await pause();
      client.send(request.slice(-20));
      checkAnswer(await client.answer(), 200);
      client.send(request);
      checkAnswer(await client.answer(), 200);
    }
    assert.equal(to.scanner.inputs.length, 4);
    for (const [index, input] of to.scanner.inputs.entries()) {
      const body = bodies[index < 2 ? 0 : 1] ?? '';
      assert.equal(Buffer.from(input.body).toString(), body);
    }
  });

  test('Expect: 100-continue is answered with 100 before the body', async (t) => {
    const to = await serve(t);
    const client = await to.open();
    const request = controlRequest(login, { expect: '100-continue' });
    client.send(request.slice(0, -login.length));
    assert.equal((await client.answer()).status, 100);
    client.send(login);
    checkAnswer(await client.answer(), 200);
  });
});

describe('413', () => {
  for (const how of ['content-length', 'chunked']) {
    test(`a body of exactly the limit passes (${how})`, async (t) => {
      const to = await serve(t);
      const client = await to.open();
      const body = bodyOf(limits.bodyBytesMax);
      client.send(
        how === 'chunked' ? `${chunkedHead}${chunk(body)}0\r\n\r\n` : controlRequest(body),
      );
      checkAnswer(await client.answer(), 200);
      assert.equal(to.scanner.inputs[0]?.body.length, limits.bodyBytesMax);
    });
  }

  test('a large one is given back once it was answered, one that is blocked is kept', async (t) => {
    const to = await serve(t);
    const bodies: Uint8Array[] = [];
    to.scanner.scanAs = ({ body }) => {
      bodies.push(body);
      return bodies.length === 2 ? blocked : allowed(body.length);
    };
    const client = await to.open();
    for (const [bytes, status] of [
      [100_000, 200],
      [100_000, 403],
      [100, 200],
    ] as const) {
      client.send(controlRequest(bodyOf(bytes)));
      assert.equal((await client.answer()).status, status);
    }
    assert.deepEqual(
      bodies.map(({ length }) => length),
      [0, 100_000, 100],
    );
  });

  test('one byte over is refused by content-length at once, before any of the body', async (t) => {
    const to = await serve(t);
    const client = await to.open();
    client.send(controlRequest('', { 'content-length': String(limits.bodyBytesMax + 1) }));
    const answer = await client.answer();
    checkProblem(answer, 413, 'body-too-large');
    assert.equal(answer.headers.get('connection'), 'close');
    client.send(bodyOf(limits.bodyBytesMax + 1));
    assert.equal(await client.closed, undefined);
    assert.equal(client.rest, '');
  });

  test('one byte over is refused while streaming, and the connection closed', async (t) => {
    const to = await serve(t);
    const client = await to.open();
    client.send(chunkedHead);
    const half = 'x'.repeat(limits.bodyBytesMax / 2);
    client.send(chunk(half));
    client.send(chunk(half));
    client.send('1\r\nx');
    const answer = await client.answer();
    checkProblem(answer, 413, 'body-too-large');
    assert.equal(answer.headers.get('connection'), 'close');
    client.send('\r\n0\r\n\r\n');
    assert.equal(await client.closed, undefined);
    assert.equal(to.scanner.inputs.length, 0);
  });

  test('a client that sends all before it reads still gets the answer', async (t) => {
    const to = await serve(t);
    const client = await to.open();
    client.socket.pause();
    client.send(controlRequest(bodyOf(limits.bodyBytesMax * 3)));
    await new Promise<void>((resolve) => client.socket.write('', () => resolve()));
    client.socket.resume();
    checkProblem(await client.answer(), 413, 'body-too-large');
    assert.equal(await client.closed, undefined);
  });

  test('a client that never stops sending is cut off', async (t) => {
    const to = await serve(t, { bodyReceiveMs: 50 });
    const client = await to.open();
    client.send(chunkedHead);
    const part = chunk('x'.repeat(65_536));
    let isOver = false;
    client.closed.then(() => {
      isOver = true;
    });
    const answer = client.answer();
    for (let sent = 0; sent < 100_000 && !isOver; sent += 1) {
      client.send(part);
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal((await answer).status, 413);
    await client.closed;
  });
});

describe('408', () => {
  const whole = controlRequest(login);
  const starts = {
    'a head alone': whole.slice(0, -login.length),
    'half a body': whole.slice(0, -10),
    'a chunked head alone': chunkedHead,
    'half a chunk': `${chunkedHead}10\r\n{"a":`,
  };
  for (const [name, start] of Object.entries(starts)) {
    test(`${name}: answered, then closed`, async (t) => {
      const to = await serve(t, { bodyReceiveMs: 50 });
      const client = await to.open();
      client.send(start);
      const answer = await client.answer();
      checkProblem(answer, 408, 'body-timeout');
      assert.equal(answer.headers.get('connection'), 'close');
      assert.equal(await client.closed, undefined);
      assert.equal(to.scanner.inputs.length, 0);
    });
  }

  test('a head in two pieces and no body', async (t) => {
    const to = await serve(t, { bodyReceiveMs: 50 });
    const client = await to.open();
    client.send(whole.slice(0, 40));
    await pause();
    client.send(whole.slice(40, -login.length));
    checkProblem(await client.answer(), 408, 'body-timeout');
  });

  test('drips do not keep a request alive', async (t) => {
    const to = await serve(t, { bodyReceiveMs: 60 });
    const client = await to.open();
    client.send(controlRequest('', { 'content-length': '100000' }));
    const dripping = setInterval(() => client.send('x'), 10);
    t.after(() => clearInterval(dripping));
    checkProblem(await client.answer(), 408, 'body-timeout');
    await client.closed;
  });

  test('a slow scan is not a slow body', async (t) => {
    const to = await serve(t, { bodyReceiveMs: 40 });
    let release: () => void = () => undefined;
    to.scanner.scanAs = async () => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return allowed(1);
    };
    const client = await to.open();
    client.send(whole.slice(0, -10));
    await pause();
    client.send(whole.slice(-10));
    await until(() => to.scanner.inputs.length === 1);
    await new Promise((resolve) => setTimeout(resolve, 150));
    release();
    checkAnswer(await client.answer(), 200);
  });
});
