import assert from 'node:assert/strict';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import type { LineLog } from '../../../src/contract/ports.ts';
import type { Finding, Verdict } from '../../../src/contract/verdict.ts';
import { lineTexts } from '../../../src/telemetry/log/block-line.ts';
import { createDecisionLog } from '../../../src/telemetry/log/decision-log.ts';
import { createLog } from '../../../src/telemetry/log/logger.ts';
import { redactFields, secretNames } from '../../../src/telemetry/log/redact.ts';
import { tempDir } from '../../support/temp-dir.ts';

const key = `sp_live_AbCdEf12_${'s'.repeat(32)}c12345`;
const marker = 'MARKER-9f3b';

/** What a log writes, line by line. */
async function written(
  path: string,
  write: (log: LineLog) => void,
): Promise<readonly Record<string, unknown>[]> {
  const log = createLog({ level: 'info', destination: openSync(path, 'w') });
  write(log);
  await log.close();
  log.info({}, 'after the end');
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}

/** What a line says beyond ECS. */
function ownFields(line: Readonly<Record<string, unknown>> | undefined): Record<string, unknown> {
  return (line?.['sallyport'] ?? {}) as Record<string, unknown>;
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

function verdictOf(findings: readonly Finding[]): Verdict {
  return {
    decision: 'block',
    score: 94,
    threshold: 70,
    findings,
    coverage: { complete: true, bytes: 1, reasons: [] },
  };
}

const unknown = { method: '', domain: '', urlPath: '' };

/** Logs a block as the screening thread and the front end do it together. */
function logBlock(
  log: LineLog,
  verdict: Verdict,
  how: { readonly monitored?: boolean; readonly client?: string } & Partial<typeof unknown> = {},
  ids: { readonly requestId?: string; readonly traceId?: string } = {},
): void {
  const { monitored = false, client = '', ...request } = how;
  const record = {
    decisionId: 'd-1',
    requestId: 'r-1',
    keyId: 'AbCdEf12',
    policyId: 'default',
    policyVersion: 3,
    monitored,
    ...ids,
  };
  const texts = lineTexts(verdict, { monitored }, { ...unknown, ...request });
  const others = { answerHead: '', answerTail: '', forwardedFor: '' };
  createDecisionLog(log).blocked(record, { ...texts, ...others }, client);
}

test('lines are JSON objects with the fields that ECS asks for', async () => {
  const lines = await written(join(tempDir(), 'log'), (log) => {
    log.debug({}, 'too small');
    log.info({ a: 1 }, 'first');
    log.warn({}, 'second');
    log.error({}, 'third');
  });
  assert.deepEqual(
    lines.map((line) => [line['log.level'], line['message']]),
    [
      ['info', 'first'],
      ['warn', 'second'],
      ['error', 'third'],
    ],
  );
  const { '@timestamp': at, ...rest } = lines[0] ?? {};
  assert.match(String(at), /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/);
  assert.deepEqual(rest, {
    'log.level': 'info',
    'ecs.version': '8.17.0',
    service: { name: 'sallyport' },
    process: { pid: process.pid },
    sallyport: { a: 1 },
    message: 'first',
  });
});

test('a line break in a field does not begin a new line', async () => {
  const lines = await written(join(tempDir(), 'log'), (log) =>
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

test('an API key never shows, wherever it strays', async () => {
  const path = join(tempDir(), 'log');
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

test('odd values do not break the log', async () => {
  const round: Record<string, unknown> = {};
  round['self'] = round;
  const error = new Error('round');
  Object.assign(error, { code: error, cause: error });
  const lines = await written(join(tempDir(), 'log'), (log) => {
    log.info({ round, big: 10n, call: () => 1, none: undefined, nothing: null }, 'odd');
    log.info({ long: 'x'.repeat(100_000) }, 'long');
    log.info({ error }, 'odd');
  });
  assert.equal(lines.length, 3);
  assert.equal(ownFields(lines[0])['big'], '10');
  assert.ok(String(ownFields(lines[1])['long']).length < 5_000);
});

test('a block is one line that says where and why and holds no value', async () => {
  const path = join(tempDir(), 'log');
  const [line, ...others] = await written(path, (log) => {
    logBlock(log, verdictOf([finding(), finding({ rule: 'sqli.union', score: 80 })]));
  });
  assert.equal(others.length, 0);
  const { event, rule, http, sallyport, message } = line ?? {};
  assert.deepEqual(
    { event, rule, http, sallyport, message },
    {
      event: {
        id: 'd-1',
        kind: 'alert',
        category: ['intrusion_detection'],
        type: ['denied'],
        action: 'block',
        outcome: 'success',
        risk_score: 94,
      },
      rule: {
        id: 'sqli.tautology',
        category: 'sqli',
        description: 'always true',
        reference: 'https://cwe.mitre.org/data/definitions/89.html',
      },
      http: { request: { id: 'r-1' } },
      sallyport: {
        key_id: 'AbCdEf12',
        policy_id: 'default',
        policy_version: 3,
        findings: 2,
        pointer: '/filters/3/q',
        decodings: ['percent', 'base64'],
      },
      message: 'blocked',
    },
  );
  assert.ok(!readFileSync(path, 'utf8').includes(marker));
});

test('a member name that is evidence is not written', async () => {
  const path = join(tempDir(), 'log');
  const lines = await written(path, (log) => {
    logBlock(log, verdictOf([finding({ where: 'name', pointer: `/a/${marker}` })]));
    const names = [`/${marker}`, `/${marker}/b/${marker}`];
    const others = names.map((pointer) => finding({ where: 'name', pointer, score: 1 }));
    logBlock(log, verdictOf([finding({ pointer: `/${marker}/b/${marker}/c` }), ...others]));
    for (const length of [199, 10_000]) {
      logBlock(log, verdictOf([finding({ pointer: `/${'p '.repeat(length).slice(0, length)}` })]));
    }
  });
  assert.ok(!readFileSync(path, 'utf8').includes(marker));
  assert.equal(ownFields(lines[0])['pointer'], '/a/[name]');
  assert.equal(ownFields(lines[1])['pointer'], '/[name]/b/[name]/c');
  const lengths = lines.slice(2).map((line) => String(ownFields(line)['pointer']));
  assert.deepEqual(
    lengths.map((text) => [text.length, text.endsWith('…')]),
    [
      [200, false],
      [201, true],
    ],
  );
});

test('monitor mode does not say blocked, and a block without finding is told', async () => {
  const [monitored, incomplete] = await written(join(tempDir(), 'log'), (log) => {
    logBlock(log, verdictOf([finding()]), { monitored: true });
    const coverage = { complete: false, bytes: 1, reasons: ['tokens' as const] };
    logBlock(log, { ...verdictOf([]), coverage });
  });
  assert.equal(monitored?.['message'], 'would block');
  const { action, type } = (monitored?.['event'] ?? {}) as Record<string, unknown>;
  assert.deepEqual([action, type], ['would-block', ['allowed']]);
  assert.deepEqual(ownFields(incomplete)['incomplete'], ['tokens']);
});

test('the line of a block says who sent what, and a key in it is redacted', async () => {
  const path = join(tempDir(), 'log');
  const [line, bare] = await written(path, (log) => {
    const request = { method: 'POST', domain: 'shop.test', urlPath: `/a"\n\u2028${key}` };
    const how = { client: '203.0.113.7', ...request };
    logBlock(log, verdictOf([finding()]), how, { requestId: key, traceId: 't-1' });
    logBlock(log, verdictOf([finding()]));
  });
  const { http, source, url, trace } = line ?? {};
  assert.deepEqual(
    { http, source, url, trace },
    {
      http: { request: { id: 'sp_live_AbCdEf12_[redacted]', method: 'POST' } },
      source: { ip: '203.0.113.7' },
      url: { domain: 'shop.test', path: '/a"\n\u2028sp_live_AbCdEf12_[redacted]' },
      trace: { id: 't-1' },
    },
  );
  for (const name of ['source', 'url', 'trace']) assert.ok(!(name in (bare ?? {})), name);
  assert.ok(!readFileSync(path, 'utf8').includes('ssss'));
});

test('a line that is written already has what every line has, and its level', async () => {
  const lines = await written(join(tempDir(), 'log'), (log) => {
    log.info({}, 'first');
    log.line('"rule":{"id":"x"}', 'second');
  });
  const [first, second] = lines.map(({ '@timestamp': at, ...rest }) => {
    assert.match(String(at), /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/);
    return rest;
  });
  assert.deepEqual(second, { ...first, rule: { id: 'x' }, message: 'second' });
  const path = join(tempDir(), 'quiet');
  const quiet = createLog({ level: 'warn', destination: openSync(path, 'w') });
  quiet.line('"a":1', 'too small');
  await quiet.close();
  quiet.line('"a":1', 'after the end');
  assert.equal(readFileSync(path, 'utf8'), '');
});

test('a fault has the fields of ECS, with what caused it', async () => {
  const [line] = await written(join(tempDir(), 'log'), (log) => {
    const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    const err = new TypeError('no database', { cause });
    log.error({ decisionId: 'd-1', requestId: 'r-1', traceId: 't-1', err }, 'failed');
  });
  const { event, http, trace, error } = line ?? {};
  assert.deepEqual(
    [event, http, trace],
    [{ id: 'd-1' }, { request: { id: 'r-1' } }, { id: 't-1' }],
  );
  const { type, message, stack_trace, cause } = error as Record<string, unknown>;
  assert.deepEqual([type, message], ['TypeError', 'no database']);
  assert.match(String(stack_trace), /TypeError: no database\n {4}at /);
  assert.equal((cause as Record<string, unknown>)['code'], 'ECONNREFUSED');
});
