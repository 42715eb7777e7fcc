import assert from 'node:assert/strict';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Log } from '../../src/contract/ports.ts';
import type { Finding } from '../../src/contract/verdict.ts';
import { type BlockLine, createDecisionLog } from '../../src/log/decision-log.ts';
import { createLog } from '../../src/log/logger.ts';
import { redactFields, secretNames } from '../../src/log/redact.ts';
import { tempDir } from '../support/temp-dir.ts';

const key = `sp_live_AbCdEf12_${'s'.repeat(32)}c12345`;
const marker = 'MARKER-9f3b';

/** What a log writes, line by line. */
async function written(
  path: string,
  write: (log: Log) => void,
): Promise<readonly Record<string, unknown>[]> {
  const log = createLog({ level: 'info', destination: openSync(path, 'w') });
  write(log);
  await log.close();
  log.info({}, 'after the end');
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}

function finding(overrides: Partial<Finding> = {}): Finding {
  return {
    category: 'sqli',
    rule: 'sqli.tautology',
    cwe: 'CWE-89',
    severity: 'critical',
    pointer: '/filters/3/q',
    where: 'value',
    decoded: ['percent', 'base64'],
    span: [0, marker.length],
    evidence: marker,
    score: 92,
    message: 'always true',
    ...overrides,
  };
}

function block(findings: readonly Finding[], monitored = false): BlockLine {
  return {
    decisionId: 'd-1',
    requestId: 'r-1',
    keyId: 'AbCdEf12',
    monitored,
    verdict: {
      decision: 'block',
      score: 94,
      threshold: 70,
      findings,
      coverage: { complete: true, bytes: 1, reasons: [] },
    },
  };
}

test('lines are JSON objects with time, level and message', async (t) => {
  const lines = await written(join(tempDir(t), 'log'), (log) => {
    log.debug({}, 'too small');
    log.info({ a: 1 }, 'first');
    log.warn({}, 'second');
    log.error({}, 'third');
  });
  assert.deepEqual(
    lines.map(({ level, msg }) => [level, msg]),
    [
      ['info', 'first'],
      ['warn', 'second'],
      ['error', 'third'],
    ],
  );
  assert.equal(lines[0]?.['a'], 1);
  assert.match(String(lines[0]?.['time']), /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/);
});

test('a line break in a field does not begin a new line', async (t) => {
  const lines = await written(join(tempDir(t), 'log'), (log) =>
    log.info({ a: 'x\n{"b":1}' }, 'm\nn'),
  );
  assert.equal(lines.length, 1);
});

test('a field that is named like a secret never shows its value, at any depth', () => {
  const spelled = fc
    .tuple(fc.constantFrom(...secretNames), fc.constantFrom('', 'x-', 'db_', 'User.'))
    .map(([name, before]) => before + name);
  const cased = fc.tuple(spelled, fc.boolean()).map(([n, up]) => (up ? n.toUpperCase() : n));
  const secret = fc.oneof(
    fc.constant(marker),
    fc.constant([marker]),
    fc.constant({ deep: { marker } }),
    fc.constant(Buffer.from(marker)),
    fc.constant(new Error(marker)),
  );
  const path = fc.array(fc.string({ maxLength: 5 }), { maxLength: 8 });
  fc.assert(
    fc.property(path, cased, secret, (above, name, value) => {
      let fields: Record<string, unknown> = { [name]: value };
      for (const outer of above) fields = { [outer]: [fields] };
      assert.ok(!JSON.stringify(redactFields(fields)).includes(marker));
    }),
  );
  assert.deepEqual(redactFields({ 'x-api-key': 'a', Authorization: 'b', keyId: 'c', score: 1 }), {
    'x-api-key': '[redacted]',
    Authorization: '[redacted]',
    keyId: 'c',
    score: 1,
  });
});

test('an API key never shows, wherever it strays', async (t) => {
  const path = join(tempDir(t), 'log');
  const error = Object.assign(new Error(`refused ${key}`, { cause: new Error(key) }), {
    code: key,
  });
  await written(path, (log) => {
    log.info({ text: `a ${key} b`, list: [key], [key]: 1 }, `message ${key}`);
    log.error({ err: error }, 'failed');
  });
  const text = readFileSync(path, 'utf8');
  assert.ok(!text.includes('ssss'));
  assert.ok(text.includes('sp_live_AbCdEf12_'), 'the public id may stay');
  assert.ok(text.includes('refused'));
});

test('odd values do not break the log', async (t) => {
  const round: Record<string, unknown> = {};
  round['self'] = round;
  const lines = await written(join(tempDir(t), 'log'), (log) => {
    log.info({ round, big: 10n, call: () => 1, none: undefined, nothing: null }, 'odd');
    log.info({ long: 'x'.repeat(100_000) }, 'long');
  });
  assert.equal(lines.length, 2);
  assert.equal(lines[0]?.['big'], '10');
  assert.ok(String(lines[1]?.['long']).length < 5_000);
});

test('a block is one line that says where and why and holds no value', async (t) => {
  const path = join(tempDir(t), 'log');
  const [line, ...others] = await written(path, (log) => {
    createDecisionLog(log).blocked(block([finding(), finding({ rule: 'sqli.union', score: 80 })]));
  });
  assert.equal(others.length, 0);
  const { time, ...fields } = line ?? {};
  assert.equal(typeof time, 'string');
  assert.deepEqual(fields, {
    level: 'info',
    decisionId: 'd-1',
    requestId: 'r-1',
    keyId: 'AbCdEf12',
    score: 94,
    findings: 2,
    category: 'sqli',
    rule: 'sqli.tautology',
    pointer: '/filters/3/q',
    decodings: ['percent', 'base64'],
    msg: 'blocked',
  });
  assert.ok(!readFileSync(path, 'utf8').includes(marker));
});

test('a member name that is evidence is not written', async (t) => {
  const path = join(tempDir(t), 'log');
  const lines = await written(path, (log) => {
    const decisions = createDecisionLog(log);
    decisions.blocked(block([finding({ where: 'name', pointer: `/a/${marker}` })]));
    const names = [`/${marker}`, `/${marker}/b/${marker}`];
    const others = names.map((pointer) => finding({ where: 'name', pointer, score: 1 }));
    decisions.blocked(block([finding({ pointer: `/${marker}/b/${marker}/c` }), ...others]));
    decisions.blocked(block([finding({ pointer: `/${'p'.repeat(10_000)}` })]));
  });
  assert.ok(!readFileSync(path, 'utf8').includes(marker));
  assert.equal(lines[0]?.['pointer'], '/a/[name]');
  assert.equal(lines[1]?.['pointer'], '/[name]/b/[name]/c');
  assert.ok(String(lines[2]?.['pointer']).length <= 201);
});

test('monitor mode does not say blocked, and a block without finding is told', async (t) => {
  const [monitored, incomplete] = await written(join(tempDir(t), 'log'), (log) => {
    const decisions = createDecisionLog(log);
    decisions.blocked(block([finding()], true));
    const record = block([]);
    const coverage = { complete: false, bytes: 1, reasons: ['tokens' as const] };
    decisions.blocked({ ...record, verdict: { ...record.verdict, coverage } });
  });
  assert.equal(monitored?.['msg'], 'would block');
  assert.deepEqual(incomplete?.['incomplete'], ['tokens']);
});
