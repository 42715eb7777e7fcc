import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { limits } from '../../src/contract/limits.ts';
import { createInlineScanner } from '../../src/pool/inline-scanner.ts';
import { checkAnswer, checkProblem, controlRequest, exchange, serve } from './test-server.ts';

/** White space that makes a body as long as the last that the front end parses, or longer. */
const padded = (body: string, over: 0 | 1): string =>
  body + ' '.repeat(limits.bodyInlineBytesMax + over - Buffer.byteLength(body));

const cases = [
  { name: 'not JSON', body: '{"a":', status: 400, code: 'body-not-json' },
  { name: 'text after the object', body: '{} x', status: 400, code: 'body-not-json' },
  { name: 'NaN', body: '{"a":NaN}', status: 400, code: 'body-not-json' },
  { name: 'a trailing comma', body: '{"a":1,}', status: 400, code: 'body-not-json' },
  { name: 'a comment', body: '{"a":1}/**/', status: 400, code: 'body-not-json' },
  { name: 'a byte order mark', body: '\ufeff{}', status: 400, code: 'body-not-json' },
  { name: 'an array', body: '[1]', status: 422, code: 'body-not-object' },
  { name: 'null', body: 'null', status: 422, code: 'body-not-object' },
  { name: 'a string', body: '"a"', status: 422, code: 'body-not-object' },
  // The core stops at its bound of nesting; the other reader goes on to the end.
  { name: 'open brackets', body: `{"a":${'['.repeat(99)}`, status: 400, code: 'body-not-json' },
];

for (const over of [0, 1] as const) {
  describe(over === 0 ? 'the longest small body' : 'the shortest large body', () => {
    for (const { name, body, status, code } of cases) {
      test(`${name}: ${status} ${code}`, async (t) => {
        const to = await serve(t, { scanner: createInlineScanner() });
        checkProblem(await exchange(to, controlRequest(padded(body, over))), status, code);
      });
    }

    test('an object: 200', async (t) => {
      const to = await serve(t, { scanner: createInlineScanner() });
      const body = '{"username":"anna","username":"o\'brien","n":1e999}';
      checkAnswer(await exchange(to, controlRequest(padded(body, over))), 200);
    });
  });
}

for (const { name, body, status, code } of cases) {
  test(`${name}: a small body is refused before it is dispatched`, async (t) => {
    const to = await serve(t);
    checkProblem(await exchange(to, controlRequest(body)), status, code);
    assert.equal(to.scanner.inputs.length, 0);
  });
}
