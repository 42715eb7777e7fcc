import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createClient } from '../../src/clients/client.ts';
import type { Outcome, Screener } from '../../src/clients/outcome.ts';
import type { Policy } from '../../src/contract/policy.ts';
import { createScreener } from '../../src/screener.ts';
import { realSallyport } from './real-sallyport.ts';

const attack = { a: { q: "' OR 1=1 --" } };

/** An outcome without what differs from call to call. */
function comparable(outcome: Outcome): unknown {
  if (outcome.kind === 'failed') return outcome.failure.code;
  const { id, ...answer } = outcome.answer;
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/);
  return { ...answer, kind: outcome.kind };
}

const data: readonly Parameters<Screener['screen']>[0][] = [
  { username: 'ada', password: 'correct horse' },
  attack,
  JSON.stringify(attack),
  '{"q":"fine","q":"<svg onload=alert(1)>"}',
  { method: 'POST', 'header.host': 'a.test', 'header.sec-fetch-site': 'cross-site' },
  { text: 'Drop by on Friday; select a seat from the list.' },
  {},
  '[1]',
  'no JSON',
  '',
  { a: 'x'.repeat(1_100_000) },
];

describe('a screener in the same process', () => {
  it('says what a service says, on this thread and in threads of its own', async (t) => {
    const { url, key } = await realSallyport(t);
    const client = createClient({ url, key, timeoutMs: 30_000 });
    const inline = createScreener();
    const threaded = createScreener({ threads: 2, timeoutMs: 30_000 });
    t.after(() => Promise.all([client, inline, threaded].map((one) => one.close())));
    for (const one of data) {
      const expected = comparable(await client.screen(one));
      const shown = typeof one === 'string' ? one : JSON.stringify(one).slice(0, 60);
      assert.deepEqual(comparable(await inline.screen(one)), expected, shown);
      assert.deepEqual(comparable(await threaded.screen(one)), expected, shown);
    }
  });

  it('obeys its policy', async () => {
    const decide = async (policy: Partial<Policy>) => {
      const outcome = await createScreener({ policy }).screen(attack);
      return outcome.kind === 'allowed' ? (outcome.answer.would ?? 'allow') : outcome.kind;
    };
    assert.equal(await decide({}), 'blocked');
    assert.equal(await decide({ mode: 'off' }), 'allow');
    assert.equal(await decide({ mode: 'monitor' }), 'block');
    assert.equal(await decide({ categoriesOff: ['sqli'] }), 'allow');
  });

  it('obeys an exclusion for clients where the middleware describes the request', async () => {
    const made = { id: 'e', reason: 'ours', author: 'ada', createdAt: '2030-01-01T00:00:00Z' };
    const exclusion = { ...made, pointer: '/query.q', category: 'sqli', clients: ['192.0.2.0/24'] };
    const screener = createScreener({ policy: { exclusions: [exclusion] } as Partial<Policy> });
    const ask = async (chain: string, describesRequest: boolean) => {
      const described = { 'query.q': attack.a.q, 'header.x-forwarded-for': chain };
      return (await screener.screen(described, { describesRequest })).kind;
    };
    assert.equal(await ask('192.0.2.7', true), 'allowed');
    assert.equal(await ask('192.0.2.7, 198.51.100.1', true), 'blocked', 'the peer counts');
    assert.equal(await ask('192.0.2.7', false), 'blocked', 'the text may be that of a client');
  });

  it('obeys an exclusion until it expires', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2030-01-01T00:00:00Z') });
    const exclusion = {
      id: 'a',
      pointer: '/a/q',
      category: 'sqli',
      reason: 'r',
      author: 'ada',
    } as const;
    const times = { createdAt: '2029-01-01T00:00:00Z', expiresAt: '2030-01-02T00:00:00Z' };
    const screener = createScreener({ policy: { exclusions: [{ ...exclusion, ...times }] } });
    assert.equal((await screener.screen(attack)).kind, 'allowed');
    t.mock.timers.setTime(Date.parse(times.expiresAt));
    assert.equal((await screener.screen(attack)).kind, 'blocked');
  });

  it('refuses a policy that is none', () => {
    const rule = {
      id: 'custom.a',
      category: 'other',
      cwe: 'CWE-1',
      severity: 'low',
      score: 80,
      message: 'is an a',
      pattern: '(',
      examples: ['a'],
      lookalikes: ['b'],
    } as const;
    assert.throws(
      () => createScreener({ policy: { customRules: [rule] } }),
      /policy is not valid: .*customRules\/0\/pattern/,
    );
    const misspelt: object = { sensitivity: 9, categoryOff: ['sqli'] };
    assert.throws(() => createScreener({ policy: misspelt }), /policy is not valid: .*sensitivity/);
  });

  it('fails, and never throws, for what comes after its end', async () => {
    for (const threads of [0, 1]) {
      const screener = createScreener({ threads });
      await screener.close();
      assert.equal(comparable(await screener.screen(attack)), 'unavailable');
    }
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    assert.equal(comparable(await createScreener().screen(circle)), 'not-acceptable');
  });
});
