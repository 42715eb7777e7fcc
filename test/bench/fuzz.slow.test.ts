import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { extname } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkAnswer } from '../../bench/fuzz/content.ts';
import { checkAnswers } from '../../bench/fuzz/raw.ts';
import { fuzzRepeats } from '../../bench/fuzz/repeats.ts';
import { Report } from '../../bench/fuzz/report.ts';
import { fuzzShape } from '../../bench/fuzz/shape.ts';

const ending = extname(import.meta.url);
const program = fileURLToPath(new URL(`../../bench/fuzz/run${ending}`, import.meta.url));
const nodeFlags = process.execArgv.filter((flag) => !flag.startsWith('--test'));

test('the fuzzers find nothing in a thousand requests each', () => {
  const args = [...nodeFlags, program, '--requests', '1000'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  assert.equal(status, 0, stdout + stderr);
  assert.match(stdout, /^raw: .*\b200 \d/m);
  assert.match(stdout, /^content: .*\b403 \d/m);
  assert.match(stdout, /sent again 1\d\d/);
});

test('schemas, documents and requests of a generator are read and checked in bounded time', async () => {
  const report = await fuzzShape({ requests: 300, seed: 5 });
  assert.deepEqual(report.failures, [], report.text);
  for (const what of ['schema shape', 'schema not-valid', 'document shape', 'document not-valid']) {
    assert.ok(report.counted(what) > 5, report.text);
  }
  assert.ok(
    report.counted('request block') > 5 && report.counted('request allow') > 5,
    report.text,
  );
});

test('tokens of the grammars over and over are screened without an error, in linear work', async () => {
  const report = await fuzzRepeats({ requests: 150, seed: 5 });
  assert.deepEqual(report.failures, [], report.text);
  for (const grammar of ['script', 'sql', 'shell', 'html', 'path', 'lookup']) {
    assert.ok(report.counted(grammar) > 0, report.text);
  }
});

describe('the fuzzers notice', () => {
  test('repeats: an error, and work that grows faster than the text', async () => {
    const deep = await fuzzRepeats({ requests: 1, seed: 1 }, () => {
      throw new RangeError('Maximum call stack size exceeded');
    });
    assert.deepEqual(deep.failures, ['threw Maximum call stack size exceeded']);
    const steep = await fuzzRepeats({ requests: 1, seed: 1 }, (body) => body.length ** 2);
    assert.match(steep.failures.join(), /^\d+ steps become \d+$/);
    const linear = await fuzzRepeats({ requests: 20, seed: 1 }, (body) => body.length);
    assert.deepEqual(linear.failures, []);
  });

  const request = 'POST /control HTTP/1.1\r\nx-api-key: KEY\r\nx-request-id: rq1n5e\r\n\r\n';
  const allowed = '{"id":"1","decision":"allow"}';
  const answer = (status: number, body: string, id = 'rq1n5e') =>
    `HTTP/1.1 ${status} A\r\nx-request-id: ${id}\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  const rows: readonly (readonly [what: RegExp, sent: string, cameBack: string])[] = [
    [/answered 500/, request, answer(500, '')],
    [/text of another request/, request, answer(200, allowed, 'rq1n6e')],
    [/answer to another/, request, answer(200, allowed, 'x')],
    [/without a key/, request.replace('KEY', 'K'), answer(200, allowed)],
    [/a verdict with 400/, request, answer(400, allowed)],
    [/403 instead of 200/, request, answer(403, '')],
    [/2 answers/, request, answer(200, allowed) + answer(200, allowed)],
    [/no answer of HTTP/, request, `${answer(200, allowed)}left over`],
    [/sound request has no answer/, request, ''],
  ];
  for (const [what, sent, cameBack] of rows) {
    test(`raw: ${what.source}`, () => {
      const report = new Report('raw');
      const pieces = [Buffer.from(sent)];
      const back = { bytes: Buffer.from(cameBack), isClosed: true };
      const about = { key: 'KEY', tag: 'rq1n5e', cameBack: back };
      checkAnswers(report, { request: { pieces, status: 200 }, ...about });
      assert.ok(
        report.failures.some((failure) => what.test(failure)),
        report.text,
      );
    });
  }

  test('raw: nothing in what is right', () => {
    const report = new Report('raw');
    const pieces = [Buffer.from(request)];
    const cameBack = { bytes: Buffer.from(answer(200, allowed)), isClosed: false };
    checkAnswers(report, { request: { pieces, status: 200 }, key: 'KEY', tag: 'rq1n5e', cameBack });
    assert.deepEqual(report.failures, []);
  });

  const contents: readonly (readonly [what: RegExp, status: number, id: string, body: string])[] = [
    [/answered 500/, 500, 'a', '{}'],
    [/answer to another/, 200, 'b', allowed],
    [/not JSON/, 200, 'a', '{'],
    [/text of another/, 403, 'a', '{"decision":"block","pointer":"/tq1n8e"}'],
    [/200 with block/, 200, 'a', '{"decision":"block"}'],
    [/403 with allow/, 403, 'a', allowed],
    [/Retry-After/, 503, 'a', '{}'],
  ];
  for (const [what, status, id, body] of contents) {
    test(`content: ${what.source}`, () => {
      const report = new Report('content');
      const control = { status, headers: { 'x-request-id': id }, body };
      checkAnswer(report, { body: Buffer.from('{"tq1n7e":1}'), id: 'a', answer: control });
      assert.ok(
        report.failures.some((failure) => what.test(failure)),
        report.text,
      );
    });
  }
});
