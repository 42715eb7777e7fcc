import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { noContext } from '../../src/contract/request.ts';
import {
  allowed,
  blocked,
  checkAnswer,
  checkProblem,
  controlRequest,
  exchange,
  serve,
  type TestServer,
  until,
} from './test-server.ts';

const login = '{"username":"o\'brien","password":"x"}';
const livez = 'GET /livez HTTP/1.1\r\nhost: a\r\n\r\n';

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5));
}

/** Makes scans wait; the returned function lets them all go. */
function holdScans(to: TestServer): () => void {
  const waiting: (() => void)[] = [];
  to.scanner.scanAs = async (input) => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    return allowed(input.body.length);
  };
  return () => {
    for (const release of waiting.splice(0)) release();
  };
}

describe('what the scanner is given', () => {
  test('the context of the x-forwarded headers', async (t) => {
    const to = await serve(t);
    await exchange(
      to,
      controlRequest(login, {
        'x-forwarded-method': 'PUT',
        'x-forwarded-proto': 'https',
        'x-forwarded-host': 'app.example',
        'x-forwarded-uri': '/a?b=c',
        'x-forwarded-for': '192.0.2.1',
        'x-forwarded-origin': 'https://else.example',
        'x-forwarded-referer': 'https://else.example/page',
        'x-forwarded-sec-fetch-site': 'cross-site',
        'x-forwarded-content-type': 'text/plain',
        'X-Forwarded-Cookie': 'a=b; c=d',
      }),
    );
    assert.deepEqual(to.scanner.inputs[0]?.context, {
      method: 'PUT',
      proto: 'https',
      host: 'app.example',
      uri: '/a?b=c',
      for: '192.0.2.1',
      origin: 'https://else.example',
      referer: 'https://else.example/page',
      secFetchSite: 'cross-site',
      contentType: 'text/plain',
      cookie: 'a=b; c=d',
    });
  });

  test('all lines of the chain of addresses, of others the first', async (t) => {
    const to = await serve(t);
    const request = controlRequest(login, {
      'x-forwarded-for': '192.0.2.1\r\nx-forwarded-for: 192.0.2.2, 192.0.2.3',
      'x-forwarded-host': 'a.example\r\nx-forwarded-host: b.example',
    });
    await exchange(to, request);
    const { for: chain, host } = to.scanner.inputs[0]?.context ?? noContext;
    assert.deepEqual([chain, host], ['192.0.2.1, 192.0.2.2, 192.0.2.3', 'a.example']);
  });

  test('the shared empty context without them, and no mixing between requests', async (t) => {
    const to = await serve(t);
    const client = await to.open();
    client.send(controlRequest(login, { 'x-forwarded-method': 'PUT' }));
    await client.answer();
    client.send(controlRequest(login));
    await client.answer();
    assert.deepEqual(to.scanner.inputs[0]?.context, { ...noContext, method: 'PUT' });
    assert.equal(to.scanner.inputs[1]?.context, noContext);
  });

  test('a head of nearly 16 KiB', async (t) => {
    const to = await serve(t);
    const cookie = 'c'.repeat(15_000);
    const answer = await exchange(to, controlRequest(login, { 'x-forwarded-cookie': cookie }));
    checkAnswer(answer, 200);
    assert.equal(to.scanner.inputs[0]?.context.cookie, cookie);
  });

  test('the deadline as a time', async (t) => {
    const to = await serve(t);
    const before = performance.now();
    await exchange(to, controlRequest(login, { 'x-deadline-ms': '3600000' }));
    const after = performance.now();
    const deadline = to.scanner.inputs[0]?.deadline ?? 0;
    assert.ok(deadline >= before + 3_600_000 && deadline <= after + 3_600_000, String(deadline));
    assert.equal(to.scanner.inputs[0]?.isPatient, false);
  });

  test('the longest wait of the service, where the caller says none, and whose key it was', async (t) => {
    const to = await serve(t, { deadlineMs: 900 });
    const before = performance.now();
    await exchange(to, controlRequest(login));
    const after = performance.now();
    const { deadline = 0, isPatient, owner } = to.scanner.inputs[0] ?? {};
    assert.ok(deadline >= before + 900 && deadline <= after + 900, String(deadline));
    assert.deepEqual([isPatient, owner], [true, 'Abc12345']);
  });
});

describe('ids', () => {
  const sane = ['abc', 'A.b_c~d:e/f+g=h-1', 'x'.repeat(128)];
  for (const id of sane) {
    test(`x-request-id of ${id.length} sane characters is echoed`, async (t) => {
      const to = await serve(t);
      const answer = await exchange(to, controlRequest(login, { 'x-request-id': id }));
      checkAnswer(answer, 200);
      assert.equal(answer.headers.get('x-request-id'), id);
    });
  }
  for (const id of ['a b', '<script>', 'é', 'x'.repeat(129)]) {
    test(`x-request-id ${id.slice(0, 10)} (${id.length}) is replaced`, async (t) => {
      const to = await serve(t);
      const answer = await exchange(to, controlRequest(login, { 'x-request-id': id }));
      checkAnswer(answer, 200);
      assert.match(answer.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
    });
  }

  test('decision ids do not repeat, and sort by time', async (t) => {
    const to = await serve(t);
    const client = await to.open();
    const ids = new Set<string>();
    for (let round = 0; round < 50; round += 1) {
      client.send(livez);
      ids.add((await client.answer()).headers.get('x-decision-id') ?? '');
    }
    assert.equal(ids.size, 50);
    const times = [...ids].map((id) => id.slice(0, 13));
    assert.deepEqual(times, [...times].sort());
  });
});

describe('answers before the body has come', () => {
  const cases = [
    { name: '401', headers: { 'x-api-key': 'no' }, status: 401, code: 'key-not-valid' },
    {
      name: '415',
      headers: { 'content-type': 'text/plain' },
      status: 415,
      code: 'content-type-not-supported',
    },
    {
      name: '400',
      headers: { 'x-deadline-ms': 'x' },
      status: 400,
      code: 'header-not-valid',
    },
  ];
  for (const { name, headers, status, code } of cases) {
    for (const framing of ['content-length', 'chunked']) {
      test(`${name}, ${framing}: at once, and the connection stays usable`, async (t) => {
        const to = await serve(t);
        const client = await to.open();
        const hexLength = login.length.toString(16);
        const wire = framing === 'chunked' ? `${hexLength}\r\n${login}\r\n0\r\n\r\n` : login;
        const chunked = { 'content-length': undefined, 'transfer-encoding': 'chunked' };
        const sized = { 'content-length': String(login.length) };
        client.send(
          controlRequest('', { ...headers, ...(framing === 'chunked' ? chunked : sized) }),
        );
        checkProblem(await client.answer(), status, code);
        client.send(wire.slice(0, 10));
        await pause();
        client.send(wire.slice(10));
        await pause();
        client.send(controlRequest(login));
        checkAnswer(await client.answer(), 200);
        assert.equal(client.rest, '');
        assert.equal(to.scanner.inputs.length, 1);
      });
    }

    test(`${name} to a client that will close: its body is read away first`, async (t) => {
      const to = await serve(t);
      const client = await to.open();
      const length = String(login.length);
      client.send(
        controlRequest('', { ...headers, connection: 'close', 'content-length': length }),
      );
      checkProblem(await client.answer(), status, code);
      client.send(login.slice(0, 10));
      await pause();
      client.send(login.slice(10));
      assert.equal(await client.closed, undefined);
      assert.equal(client.rest, '');
    });
  }

  test('404 with a body in the same segment, then the next request', async (t) => {
    const to = await serve(t);
    const client = await to.open();
    client.send(controlRequest(login).replace('/control', '/nowhere'));
    checkProblem(await client.answer(), 404, 'not-found');
    client.send(controlRequest(login));
    checkAnswer(await client.answer(), 200);
  });

  test('a content-length that no number holds is refused', async (t) => {
    const to = await serve(t);
    const client = await to.open();
    client.send(controlRequest('', { 'content-length': '9'.repeat(30) }));
    await client.closed;
    assert.equal(to.scanner.inputs.length, 0);
    checkAnswer(await exchange(to, controlRequest(login)), 200);
  });
});

describe('connections', () => {
  test('keep-alive: many requests in turn', async (t) => {
    const to = await serve(t);
    const client = await to.open();
    for (let round = 0; round < 20; round += 1) {
      client.send(controlRequest(`{"n":${round}}`));
      checkAnswer(await client.answer(), 200);
    }
    assert.equal(to.scanner.inputs.length, 20);
  });

  test('connection: close is honoured after the answer', async (t) => {
    const to = await serve(t);
    const client = await to.open();
    client.send(controlRequest(login, { connection: 'close' }));
    checkAnswer(await client.answer(), 200);
    assert.equal(await client.closed, undefined);
  });

  test('pipelined requests with answers at once are answered in order', async (t) => {
    const to = await serve(t);
    const client = await to.open();
    const badKey = controlRequest(login, { 'x-api-key': 'no' });
    client.send(livez + badKey + livez);
    assert.equal((await client.answer()).status, 200);
    checkProblem(await client.answer(), 401, 'key-not-valid');
    assert.equal((await client.answer()).status, 200);
  });

  test('a request sent before the scan of the last one is done ends the connection', async (t) => {
    const to = await serve(t);
    const release = holdScans(to);
    const client = await to.open();
    client.send(controlRequest(login) + controlRequest(login));
    await client.closed;
    assert.equal(client.rest, '');
    release();
    to.scanner.scanAs = () => allowed(1);
    checkAnswer(await exchange(to, controlRequest(login)), 200);
    assert.deepEqual(to.log.errors, []);
  });

  test('an aborted upload: no scan, no fault', async (t) => {
    const to = await serve(t);
    for (const cut of [-170, -60, -login.length, -login.length + 3, -1]) {
      const client = await to.open();
      client.send(controlRequest(login).slice(0, cut));
      await pause();
      client.end();
      await client.closed;
    }
    checkAnswer(await exchange(to, controlRequest(login)), 200);
    assert.equal(to.scanner.inputs.length, 1);
    assert.deepEqual(to.log.errors, []);
  });

  test('a client that leaves during the scan: no answer, yet the block is recorded', async (t) => {
    const to = await serve(t);
    let release: () => void = () => undefined;
    to.scanner.scanAs = async () => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return blocked;
    };
    const client = await to.open();
    client.send(controlRequest(login));
    await until(() => to.scanner.inputs.length === 1);
    client.socket.resetAndDestroy();
    await client.closed;
    await pause();
    release();
    await until(() => to.blocks.length === 1);
    to.scanner.scanAs = () => allowed(1);
    checkAnswer(await exchange(to, controlRequest(login)), 200);
    assert.deepEqual(to.log.errors, []);
  });

  test('many connections at once get their own answers', async (t) => {
    const to = await serve(t);
    to.scanner.scanAs = async (input) => {
      await new Promise((resolve) => setTimeout(resolve, Number(input.body.at(-2)) % 7));
      return allowed(input.body.length);
    };
    const answers = Array.from({ length: 40 }, async (_, index) => {
      const body = `{"a":"${'x'.repeat(index)}"}`;
      const answer = checkAnswer(await exchange(to, controlRequest(body)), 200);
      assert.deepEqual(answer['coverage'], { complete: true, bytes: body.length, reasons: [] });
    });
    await Promise.all(answers);
  });
});
