import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { defaultPolicy } from '../../src/contract/policy.ts';
import { createInlineScanner } from '../../src/pool/inline-scanner.ts';
import {
  blocked,
  checkAnswer,
  checkProblem,
  controlRequest,
  exchange,
  finding,
  serve,
  verdict,
} from './test-server.ts';

const login = '{"username":"o\'brien","password":"x"}';

describe('200', () => {
  test('an allow has every member', async (t) => {
    const to = await serve(t);
    const answer = await exchange(to, controlRequest(login));
    const body = checkAnswer(answer, 200);
    assert.equal(answer.headers.get('content-type'), 'application/json');
    assert.deepEqual(body, {
      id: answer.headers.get('x-decision-id'),
      decision: 'allow',
      score: 0,
      findings: [],
      coverage: { complete: true, bytes: login.length, reasons: [] },
    });
    assert.equal(Buffer.from(to.scanner.inputs[0]?.body ?? []).toString(), login);
    assert.equal(to.scanner.inputs[0]?.deadline, Number.POSITIVE_INFINITY);
    assert.equal(to.blocks.length, 0);
  });

  test('an incomplete allow says so', async (t) => {
    const to = await serve(t);
    const coverage = { complete: false, bytes: 9, reasons: ['views'] } as const;
    to.scanner.scanAs = () => ({ kind: 'verdict', verdict: verdict({ coverage, score: 3 }) });
    const body = checkAnswer(await exchange(to, controlRequest(login)), 200);
    assert.deepEqual(body['coverage'], coverage);
    assert.equal(body['score'], 3);
    assert.deepEqual(body['findings'], []);
  });

  test('a monitored block says what it would do, and is recorded as monitored', async (t) => {
    const to = await serve(t);
    to.keys.policies.set('monitor-key', { ...defaultPolicy, mode: 'monitor' });
    to.scanner.scanAs = () => blocked;
    const request = controlRequest(login, { 'x-api-key': 'monitor-key' });
    const answer = await exchange(to, request);
    assert.deepEqual(checkAnswer(answer, 200), {
      id: answer.headers.get('x-decision-id'),
      decision: 'allow',
      would: 'block',
      score: 92,
      findings: [JSON.parse(JSON.stringify(finding))],
      coverage: { complete: true, bytes: 12, reasons: [] },
    });
    assert.equal(to.blocks[0]?.monitored, true);
  });

  test('a key that is switched off is answered without a scan', async (t) => {
    const to = await serve(t);
    to.keys.policies.set('off-key', { ...defaultPolicy, mode: 'off' });
    const body = checkAnswer(
      await exchange(to, controlRequest(login, { 'x-api-key': 'off-key' })),
      200,
    );
    assert.equal(body['decision'], 'allow');
    assert.deepEqual(body['coverage'], { complete: false, bytes: 0, reasons: [] });
    assert.equal(to.scanner.inputs.length, 0);
  });
});

describe('403', () => {
  const cases = [
    { detail: 'full', shown: Object.keys(finding) },
    {
      detail: 'standard',
      shown: Object.keys(finding).filter((name) => name !== 'span' && name !== 'evidence'),
    },
  ] as const;
  for (const { detail, shown } of cases) {
    test(`a block with the detail "${detail}"`, async (t) => {
      const to = await serve(t);
      to.keys.policies.set('good-key', { ...defaultPolicy, detail });
      to.scanner.scanAs = () => blocked;
      const answer = await exchange(to, controlRequest(login, { 'x-request-id': 'req-1' }));
      const { findings, ...body } = checkAnswer(answer, 403);
      assert.equal(answer.headers.get('content-type'), 'application/problem+json');
      assert.deepEqual(body, {
        type: 'urn:sallyport:problem:threat-detected',
        title: 'Threat detected',
        status: 403,
        detail: 'SQL injection in /filters/3/q',
        id: answer.headers.get('x-decision-id'),
        decision: 'block',
        score: 92,
        threshold: 70,
        coverage: { complete: true, bytes: 12, reasons: [] },
      });
      assert.ok(Array.isArray(findings));
      assert.equal(findings.length, 1);
      assert.deepEqual(Object.keys(findings[0]), shown);
      assert.equal(to.blocks.length, 1);
      const { decisionId, requestId, keyId, policyVersion, monitored } = to.blocks[0] ?? {};
      assert.deepEqual([decisionId, requestId, keyId], [body['id'], 'req-1', 'Abc12345']);
      assert.deepEqual([policyVersion, monitored], [1, false]);
    });
  }

  test('a block with the detail "minimal" does not say where', async (t) => {
    const to = await serve(t);
    to.keys.policies.set('good-key', { ...defaultPolicy, detail: 'minimal' });
    to.scanner.scanAs = () => blocked;
    const body = checkAnswer(await exchange(to, controlRequest(login)), 403);
    const names = ['type', 'title', 'status', 'detail', 'id', 'decision', 'score'];
    assert.deepEqual(Object.keys(body), names);
    assert.doesNotMatch(String(body['detail']), /filters/);
  });

  test('a block for want of coverage says which bound was reached', async (t) => {
    const to = await serve(t);
    const coverage = { complete: false, bytes: 9, reasons: ['views', 'tokens'] } as const;
    to.scanner.scanAs = () => ({
      kind: 'verdict',
      verdict: verdict({ decision: 'block', coverage }),
    });
    const body = checkAnswer(await exchange(to, controlRequest(login)), 403);
    assert.match(String(body['detail']), /views, tokens/);
    assert.deepEqual(body['findings'], []);
    assert.deepEqual(body['coverage'], coverage);
  });

  test('a sink that throws does not spoil the answer', async (t) => {
    const to = await serve(t, {
      decisions: {
        answered: () => undefined,
        keyRefused: () => undefined,
        listed: () => undefined,
        screenedInPart: () => undefined,
        blocked: () => {
          throw new Error('sink');
        },
      },
    });
    to.scanner.scanAs = () => blocked;
    const client = await to.open();
    for (let round = 0; round < 2; round += 1) {
      client.send(controlRequest(login));
      checkAnswer(await client.answer(), 403);
    }
    assert.equal(to.log.errors.length, 2);
  });
});

describe('400 and 422', () => {
  const large = 'x'.repeat(20_000);
  const cases = [
    { name: 'empty body', body: '', status: 400, code: 'body-empty' },
    { name: 'not JSON', body: '{"a":', status: 400, code: 'body-not-json' },
    { name: 'text after the object', body: '{} x', status: 400, code: 'body-not-json' },
    { name: 'an array', body: '[1]', status: 422, code: 'body-not-object' },
    { name: 'null', body: 'null', status: 422, code: 'body-not-object' },
    { name: 'a string', body: '"a"', status: 422, code: 'body-not-object' },
  ];
  for (const { name, body, status, code } of cases) {
    test(`${name}: ${status} ${code}`, async (t) => {
      const to = await serve(t, { scanner: createInlineScanner() });
      checkProblem(await exchange(to, controlRequest(body)), status, code);
    });

    test(`${name}, with a key that is switched off: ${status} ${code}`, async (t) => {
      const to = await serve(t);
      to.keys.policies.set('off-key', { ...defaultPolicy, mode: 'off' });
      const request = controlRequest(body, { 'x-api-key': 'off-key' });
      checkProblem(await exchange(to, request), status, code);
    });
  }

  test('the answer says where a small body stops being JSON, nested too deep or not', async (t) => {
    const to = await serve(t, { scanner: createInlineScanner() });
    for (const start of ['{"a":1,', `{"a":${'['.repeat(99)}1`]) {
      const answer = await exchange(to, controlRequest(`${start}x`));
      const detail = checkProblem(answer, 400, 'body-not-json');
      assert.ok(detail.endsWith(` fails at character ${start.length}.`), detail);
    }
  });

  for (const size of ['small', 'large']) {
    test(`a ${size} body that is not UTF-8: 400 body-not-utf8`, async (t) => {
      const to = await serve(t, { scanner: createInlineScanner() });
      const client = await to.open();
      const filler = size === 'large' ? large : '';
      const bytes = Buffer.from(`{"a":"${filler}\u00ff"}`, 'latin1');
      client.send(controlRequest('', { 'content-length': String(bytes.length) }));
      client.send(bytes);
      checkProblem(await client.answer(), 400, 'body-not-utf8');
    });
  }

  test('a compressed body is refused with the advice not to compress', async (t) => {
    const to = await serve(t, { scanner: createInlineScanner() });
    const client = await to.open();
    const bytes = gzipSync(login);
    client.send(controlRequest('', { 'content-length': String(bytes.length) }));
    client.send(bytes);
    assert.match(checkProblem(await client.answer(), 400, 'body-not-utf8'), /compressed/);
  });

  for (const fault of ['body-too-deep', 'body-too-many-members', 'body-not-json'] as const) {
    test(`the scanner rejects with ${fault}`, async (t) => {
      const to = await serve(t);
      to.scanner.scanAs = () => ({ kind: 'rejected', fault });
      checkProblem(await exchange(to, controlRequest(login)), 400, fault);
    });
  }

  test('a large body goes to the scanner unparsed, whose 422 is passed on', async (t) => {
    const to = await serve(t);
    to.scanner.scanAs = () => ({ kind: 'rejected', fault: 'body-not-object' });
    const answer = await exchange(to, controlRequest(`["${large}"]`));
    checkProblem(answer, 422, 'body-not-object');
    assert.equal(to.scanner.inputs.length, 1);
  });

  for (const value of ['0', '-1', '1.5', '3600001', 'soon', '0x10', '1e3']) {
    test(`x-deadline-ms: ${value} is 400 header-not-valid`, async (t) => {
      const to = await serve(t);
      const answer = await exchange(to, controlRequest(login, { 'x-deadline-ms': value }));
      assert.match(checkProblem(answer, 400, 'header-not-valid'), /x-deadline-ms/);
      assert.equal(to.scanner.inputs.length, 0);
    });
  }

  test('a body of bare bytes that repeats a name is passed on as it came', async (t) => {
    const to = await serve(t);
    const body = '{ "a" : 1, "a" : 2 }';
    checkAnswer(await exchange(to, controlRequest(body)), 200);
    assert.equal(Buffer.from(to.scanner.inputs[0]?.body ?? []).toString(), body);
  });
});

describe('401', () => {
  for (const key of [undefined, '', 'unknown-key']) {
    test(`key ${key}`, async (t) => {
      const to = await serve(t);
      const answer = await exchange(to, controlRequest(login, { 'x-api-key': key }));
      checkProblem(answer, 401, 'key-not-valid');
      assert.equal(answer.headers.get('www-authenticate'), 'ApiKey, Bearer');
      assert.equal(to.scanner.inputs.length, 0);
    });
  }

  test('is said before any fault of type, length or header', async (t) => {
    const to = await serve(t);
    const headers = {
      'x-api-key': 'no',
      'content-type': 'text/plain',
      'content-length': '2000000',
      'x-deadline-ms': 'x',
    };
    checkProblem(await exchange(to, controlRequest('', headers)), 401, 'key-not-valid');
  });

  test('an unknown key is not called bad while the keys cannot be read', async (t) => {
    const to = await serve(t);
    to.keys.ready = false;
    const answer = await exchange(to, controlRequest(login, { 'x-api-key': 'no' }));
    checkProblem(answer, 503, 'overloaded');
    assert.equal(answer.headers.get('retry-after'), '1');
    const revoked = await exchange(to, controlRequest(login, { 'x-api-key': 'revoked-key' }));
    checkProblem(revoked, 401, 'key-not-valid');
  });
});

describe('404 and 405', () => {
  for (const target of ['/control/', '/Control', '/control/x', '/%63ontrol', '/livez/']) {
    test(`${target} is not found`, async (t) => {
      const to = await serve(t);
      const request = controlRequest(login).replace('/control', target);
      checkProblem(await exchange(to, request), 404, 'not-found');
    });
  }

  const cases = [
    { method: 'GET', path: '/control/report', allow: 'POST' },
    { method: 'PUT', path: '/control', allow: 'GET, HEAD, POST' },
    { method: 'post', path: '/control', allow: 'GET, HEAD, POST' },
    { method: 'BREW', path: '/control', allow: 'GET, HEAD, POST' },
    { method: 'POST', path: '/livez', allow: 'GET, HEAD' },
    { method: 'DELETE', path: '/readyz', allow: 'GET, HEAD' },
  ];
  for (const { method, path, allow } of cases) {
    test(`${method} ${path} is 405`, async (t) => {
      const to = await serve(t);
      const answer = await exchange(to, `${method} ${path} HTTP/1.1\r\nhost: a\r\n\r\n`);
      checkProblem(answer, 405, 'method-not-allowed');
      assert.equal(answer.headers.get('allow'), allow);
    });
  }

  test('HEAD /control/report is 405 without a body, and the connection goes on', async (t) => {
    const to = await serve(t);
    const client = await to.open();
    client.send('HEAD /control/report HTTP/1.1\r\nhost: a\r\n\r\n');
    const answer = await client.answer({ headOnly: true });
    assert.equal(answer.status, 405);
    assert.equal(answer.headers.get('allow'), 'POST');
    assert.ok(Number(answer.headers.get('content-length')) > 0);
    client.send(controlRequest(login));
    checkAnswer(await client.answer(), 200);
  });

  test('OPTIONS says what is allowed', async (t) => {
    const to = await serve(t);
    const client = await to.open();
    client.send('OPTIONS /control HTTP/1.1\r\nhost: a\r\n\r\n');
    const answer = await client.answer();
    assert.equal(answer.status, 204);
    assert.equal(answer.headers.get('allow'), 'GET, HEAD, POST');
    assert.equal(answer.headers.get('content-length'), undefined);
    client.send(controlRequest(login));
    checkAnswer(await client.answer(), 200);
  });
});

describe('415', () => {
  for (const type of [undefined, 'text/plain', 'application/jsonx', 'application/x-json']) {
    test(`content-type ${type} is refused`, async (t) => {
      const to = await serve(t);
      const answer = await exchange(to, controlRequest(login, { 'content-type': type }));
      checkProblem(answer, 415, 'content-type-not-supported');
      assert.equal(to.scanner.inputs.length, 0);
    });
  }
  for (const type of ['application/json;charset=utf-8', 'Application/JSON ; charset="UTF-8"']) {
    test(`content-type ${type} is taken`, async (t) => {
      const to = await serve(t);
      checkAnswer(await exchange(to, controlRequest(login, { 'content-type': type })), 200);
    });
  }
});

describe('503 and 500', () => {
  for (const reason of ['overloaded', 'draining', 'deadline-too-short', 'worker-lost'] as const) {
    test(`the scanner refuses: ${reason}`, async (t) => {
      const to = await serve(t);
      to.scanner.scanAs = () => ({ kind: 'refused', reason });
      const answer = await exchange(to, controlRequest(login));
      checkProblem(answer, 503, reason);
      assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    });
  }

  const faults = [
    { name: 'fails', scanAs: () => ({ kind: 'failed', detail: 'secret fault' }) as const },
    { name: 'rejects', scanAs: () => Promise.reject(new Error('secret fault')) },
    {
      name: 'throws',
      scanAs: () => {
        throw new Error('secret fault');
      },
    },
  ];
  for (const { name, scanAs } of faults) {
    test(`a scan that ${name} is 500 with the id, and the log has the fault`, async (t) => {
      const to = await serve(t);
      to.scanner.scanAs = scanAs;
      const client = await to.open();
      client.send(controlRequest(login));
      const answer = await client.answer();
      checkProblem(answer, 500, 'internal-error');
      assert.doesNotMatch(answer.body, /secret/);
      assert.equal(to.log.errors.length, 1);
      assert.equal(to.log.errors[0]?.['decisionId'], answer.headers.get('x-decision-id'));
      assert.match(String(to.log.errors[0]?.['err']), /secret fault/);
      to.scanner.scanAs = () => blocked;
      client.send(controlRequest(login));
      checkAnswer(await client.answer(), 403);
    });
  }

  test('a verifier that throws is 500', async (t) => {
    const to = await serve(t, {
      keys: {
        verify: () => {
          throw new Error('secret fault');
        },
        lookUp: () => undefined,
        isVoid: () => false,
        isReady: () => true,
      },
    });
    checkProblem(await exchange(to, controlRequest(login)), 500, 'internal-error');
    assert.equal(to.log.errors.length, 1);
  });
});
