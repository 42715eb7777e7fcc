import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { defaultPolicy } from '../../src/contract/policy.ts';
import { createEngine } from '../../src/core/engine.ts';
import { startPolicyCache } from '../../src/policies/policy-cache.ts';
import { seedDefaultPolicy } from '../../src/policies/seed.ts';
import { createSqlPolicyStore } from '../../src/policies/sql-policy-store.ts';
import { closeDatabase, openDatabase } from '../../src/storage/database.ts';
import { keepLog } from '../access/key-fixture.ts';
import { tempDir } from '../support/temp-dir.ts';

const engine = createEngine();
const rule = {
  ...{ id: 'custom.word', category: 'other', cwe: 'CWE-20', severity: 'high', score: 80 },
  ...{ message: 'holds a word', pattern: 'a+b', examples: ['aab'], lookalikes: ['b'] },
};

/** A store that takes documents unchecked, as those of another version may be. */
async function start(t: TestContext, isSeeded = true) {
  const opened = await openDatabase({ dataDir: tempDir(), busyTimeoutMs: 2_000 });
  const store = createSqlPolicyStore(opened.database);
  const log = keepLog();
  if (isSeeded) await seedDefaultPolicy({ store, policy: defaultPolicy, now: 0, log });
  const cache = await startPolicyCache({
    store,
    feed: opened.feed,
    explainer: { checkPolicy: async (policy) => engine.checkPolicy(policy) },
    fallback: defaultPolicy,
    log,
    clock: () => 0,
  });
  t.after(async () => {
    await cache.close();
    await closeDatabase(opened);
  });
  let baseVersion = 1;
  const append = async (document: unknown) => {
    const wish = { id: 'default', name: undefined, document, at: 0, by: 'x', comment: '' };
    const version = { ...wish, baseVersion, endsCandidate: false };
    const outcome = await store.append(version);
    assert.equal(outcome.kind, 'appended');
    baseVersion += 1;
    await cache.refresh();
  };
  const reported = (level: string, what: RegExp) =>
    log.lines.filter((line) => line.level === level && what.test(line.message)).length;
  return { cache, append, reported };
}

test('a stored policy that is not valid leaves the last good one in force', async (t) => {
  const { cache, append, reported } = await start(t);
  await append({ ...defaultPolicy, mode: 'monitor' });
  assert.deepEqual([cache.inForce('default').policy.mode, cache.isReady()], ['monitor', true]);
  for (const document of [
    { ...defaultPolicy, mode: 'sometimes' },
    { ...defaultPolicy, customRules: [{ ...rule, pattern: '(a' }] },
  ]) {
    await append(document);
    assert.deepEqual([cache.inForce('default').policy.mode, cache.isReady()], ['monitor', false]);
  }
  assert.equal(reported('error', /not fit for use/), 2);
  await cache.refresh();
  assert.equal(reported('error', /not fit for use/), 2, 'it is reported once');
  await append({ ...defaultPolicy, mode: 'off' });
  assert.deepEqual([cache.inForce('default').policy.mode, cache.isReady()], ['off', true]);
});

test('a custom rule that no longer fits its examples stays in force, and is reported', async (t) => {
  const { cache, append, reported } = await start(t);
  await append({ ...defaultPolicy, customRules: [rule] });
  assert.equal(reported('warn', /examples/), 0);
  await append({ ...defaultPolicy, customRules: [{ ...rule, examples: ['c'] }] });
  assert.deepEqual(cache.inForce('default').policy.customRules[0]?.examples, ['c']);
  assert.equal(reported('warn', /examples/), 1);
  assert.ok(cache.isReady());
});

test('a store without a policy is read all the same, and the fallback is in force', async (t) => {
  const { cache } = await start(t, false);
  assert.ok(cache.isOfStore());
  assert.deepEqual(cache.inForce('default').policy, defaultPolicy);
});
