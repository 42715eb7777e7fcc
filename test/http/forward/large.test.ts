import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { defaultPolicy } from '../../../src/contract/policy.ts';
import type { Scanner } from '../../../src/contract/ports.ts';
import { createPooledScanner } from '../../../src/pool/pooled-scanner.ts';
import { createRequestMapper } from '../../../src/pool/request-mapper.ts';
import { FakeLog } from '../test-server.ts';
import { ask, type Question, serveForward } from './ask.ts';

function screening(t: TestContext): Scanner {
  const scanner = createPooledScanner({ threads: 2, log: new FakeLog() });
  t.after(() => scanner.close());
  return scanner;
}

function post(type: string, body: string): Question {
  return {
    method: 'POST',
    headers: {
      'x-forwarded-method': 'POST',
      'x-forwarded-uri': '/search',
      'content-type': type,
    },
    body,
  };
}

/** 976 KB that cost a reader much more than their length says. */
const hostile = post('application/json', '['.repeat(60) + '"a",'.repeat(250_000));
const form = (value: string): Question =>
  post('application/x-www-form-urlencoded', `text=${'word+'.repeat(1_200)}&q=${value}`);

test('a form gets its own verdict while large bodies are in work', async (t) => {
  const server = await serveForward(t, { scanner: screening(t) });
  assert.equal((await ask(server, form('tea'))).status, 200);
  const answered: string[] = [];
  const note = async (name: string, asked: Question): Promise<number> => {
    const { status } = await ask(server, asked);
    answered.push(name);
    return status;
  };
  const large = Array.from({ length: 3 }, () => note('large', hostile));
  assert.equal(await note('form', form('tea')), 200);
  assert.equal(await note('form', form("'+OR+1=1+--")), 403);
  assert.deepEqual(answered, ['form', 'form']);
  await Promise.all(large);
  assert.deepEqual(server.log.errors, []);
});

test('a request that cannot be written in time is an outage, and no defect', async (t) => {
  const log = new FakeLog();
  // No thread starts within a millisecond.
  const mapper = createRequestMapper({ threads: 2, log, msMax: 1 });
  t.after(() => mapper.close());
  const server = await serveForward(t, { mapper });
  for (const asked of [hostile, form('tea')]) {
    server.keys.policies.set('good-key', { ...defaultPolicy, onOutage: 'block' });
    assert.equal((await ask(server, asked)).status, 403);
    server.keys.policies.set('good-key', { ...defaultPolicy, onOutage: 'allow' });
    assert.equal((await ask(server, asked)).status, 200);
  }
  assert.deepEqual(server.scanner.inputs, []);
  assert.deepEqual([...server.log.errors, ...log.errors], []);
});
