import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paintFor } from '../../../src/cli/paint.ts';
import { createReadableLog } from '../../../src/telemetry/log/readable-log.ts';

const block = {
  event: { kind: 'alert', action: 'block', id: 'd-1' },
  sallyport: { key_id: 'AbCdEf12', pointer: '/name' },
  rule: { id: 'sqli.tautology' },
};

/** The fields of a line as the log gets them. */
function membersOf(fields: object): string {
  return JSON.stringify(fields).slice(1, -1);
}

/** The lines without their times, each of which is checked. */
function written(level: string, hasColours = false) {
  const lines: string[] = [];
  const log = createReadableLog({
    level,
    paint: paintFor(hasColours),
    clock: () => new Date(2026, 0, 2, 3, 4, 5).getTime(),
    write(text) {
      assert.match(text, /^03:04:05 {2}.*\n$/);
      lines.push(text.slice(10, -1));
    },
  });
  return { log, lines };
}

test('a block is one line with decision, rule, place, client, request and id', () => {
  const { log, lines } = written('info');
  const client = {
    source: { ip: '203.0.113.7' },
    http: { request: { method: 'POST' } },
    url: { domain: 'shop.test', path: '/login' },
  };
  log.line(membersOf(block), 'blocked');
  log.line(membersOf({ ...block, ...client }), 'would block');
  assert.deepEqual(lines, [
    'blocked      sqli.tautology  at /name  id d-1',
    'would block  sqli.tautology  at /name  from 203.0.113.7  (POST shop.test/login)  id d-1',
  ]);
});

test('other lines have their level, message and fields, and levels are kept', () => {
  const { log, lines } = written('warn');
  log.debug({}, 'too small');
  log.info({}, 'too small');
  log.line(membersOf(block), 'blocked');
  log.warn({ part: 'keys', none: undefined }, 'cannot be read');
  log.error({ err: new Error('disk full') }, 'defect');
  assert.deepEqual(lines, [
    'warn         cannot be read  part=keys',
    'error        defect  err=disk full',
  ]);
  const silent = written('silent');
  silent.log.error({}, 'nothing');
  silent.log.line(membersOf(block), 'blocked');
  assert.deepEqual(silent.lines, []);
});

test('what a stranger wrote steers no terminal, and no secret shows', () => {
  const { log, lines } = written('info');
  const pointer = '/\u001b[2J\u009b2J\n\u202e';
  log.line(membersOf({ ...block, sallyport: { pointer } }), 'blocked');
  log.warn(
    { user: 'a\u0007b', password: 'hush', text: `sp_live_AbCdEf12_${'s'.repeat(38)}` },
    'x\r',
  );
  assert.deepEqual(lines, [
    'blocked      sqli.tautology  at /\\u{1b}[2J\\u{9b}2J\\u{a}\\u{202e}  id d-1',
    'warn         x\\u{d}  user=a\\u{7}b  password=[redacted]  text=sp_live_AbCdEf12_[redacted]',
  ]);
});

test('colours stand around the first word only', () => {
  const { log, lines } = written('info', true);
  log.line(membersOf(block), 'blocked');
  assert.equal(lines[0], '\u001b[1mblocked    \u001b[22m  sqli.tautology  at /name  id d-1');
});
