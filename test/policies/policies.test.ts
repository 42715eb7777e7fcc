import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import type { Policies } from '../../src/contract/policies.ts';
import { defaultPolicy } from '../../src/contract/policy.ts';
import { noContext } from '../../src/contract/request.ts';
import { createEngine } from '../../src/core/engine.ts';
import { createPolicies } from '../../src/policies/policies.ts';
import { startPolicyCache } from '../../src/policies/policy-cache.ts';
import type { PolicyStore } from '../../src/policies/policy-store.ts';
import { seedDefaultPolicy } from '../../src/policies/seed.ts';
import { createShadow } from '../../src/policies/shadow.ts';
import { createSqlPolicyStore } from '../../src/policies/sql-policy-store.ts';
import { createPooledScanner } from '../../src/pool/pooled-scanner.ts';
import { inlineShapeReader } from '../../src/shape/inline-reader.ts';
import { keepLog } from '../access/key-fixture.ts';
import { describeOnEachDatabase, type TestDatabase } from '../support/databases.ts';
import { until } from '../support/until.ts';

const engine = createEngine();
const explainer = {
  checkPolicy: async (policy: Parameters<typeof engine.checkPolicy>[0]) =>
    engine.checkPolicy(policy),
};

/** One node on a database: cache and management as the product joins them. */
async function startNode(t: TestContext, fresh: TestDatabase, clock: () => number = Date.now) {
  const opened = await fresh.open();
  const { database, feed } = opened;
  const store = createSqlPolicyStore(database);
  const log = keepLog();
  await seedDefaultPolicy({ store, policy: defaultPolicy, now: 0, log });
  const cache = await startPolicyCache({
    store,
    feed,
    explainer,
    fallback: { ...defaultPolicy, sensitivity: 1 },
    log,
    clock,
  });
  t.after(async () => {
    await cache.close();
    await opened.close();
  });
  const policies = createPolicies({
    shapes: inlineShapeReader,
    store,
    explainer,
    refresh: () => cache.refresh(),
    shadow: () => undefined,
    clock,
  });
  return { database, store, cache, policies, log };
}

async function made(policies: Policies, document: unknown): Promise<string> {
  const outcome = await policies.create({ name: 'Shop', document, comment: '', by: 'ada' });
  assert.ok(outcome.kind === 'done', JSON.stringify(outcome));
  return outcome.policy.id;
}

describeOnEachDatabase('policies', (make) => {
  it('begin with a default one that the settings made', async (t) => {
    const fresh = await make(t);
    if (fresh === undefined) return;
    const { cache, policies } = await startNode(t, fresh);
    const { policy, ...rest } = cache.inForce('default');
    assert.deepEqual([rest, policy], [{ id: 'default', version: 1 }, defaultPolicy]);
    assert.equal((await policies.find('default'))?.updatedBy, 'settings');
    assert.equal(cache.inForce('no such policy').id, 'default');
    assert.equal(await policies.remove('default'), 'is-default');
  });

  it('are read from the store when something changed there, not each time it is asked', async (t) => {
    const fresh = await make(t);
    if (fresh === undefined) return;
    const { cache, policies, store } = await startNode(t, fresh);
    const list = t.mock.method(store, 'list');
    await cache.refresh();
    await cache.refresh();
    assert.equal(list.mock.callCount(), 0);
    await made(policies, defaultPolicy);
    assert.ok(list.mock.callCount() > 0);
  });

  it('are made, changed, rolled back and removed, each change at once in force', async (t) => {
    const fresh = await make(t);
    if (fresh === undefined) return;
    const { cache, policies } = await startNode(t, fresh);
    const id = await made(policies, { mode: 'monitor' });
    assert.equal(cache.inForce(id).policy.mode, 'monitor');
    const change = { id, document: { mode: 'off' }, baseVersion: 1, comment: 'c', by: 'bob' };
    assert.equal((await policies.change({ ...change, name: 'New' })).kind, 'done');
    assert.equal(cache.inForce(id).policy.mode, 'off');
    assert.deepEqual(await policies.change(change), { kind: 'stale', version: 2 });
    assert.deepEqual(await policies.change({ ...change, id: 'gone' }), { kind: 'unknown' });
    const back = await policies.rollBack({ id, version: 1, comment: 'back', by: 'ada' });
    assert.ok(back.kind === 'done');
    assert.deepEqual([back.policy.version, back.policy.name], [3, 'New']);
    assert.equal(cache.inForce(id).policy.mode, 'monitor');
    const versions = (await policies.versions(id)) ?? [];
    assert.deepEqual(
      versions.map(({ version, by, document }) => [version, by, document.mode]),
      [
        [3, 'ada', 'monitor'],
        [2, 'bob', 'off'],
        [1, 'ada', 'monitor'],
      ],
    );
    assert.equal(await policies.remove(id), 'removed');
    assert.equal(cache.inForce(id).id, 'default');
  });

  it('are refused as a whole when anything in them is wrong', async (t) => {
    const fresh = await make(t);
    if (fresh === undefined) return;
    const { cache, policies } = await startNode(t, fresh);
    const rule = {
      id: 'custom.word',
      category: 'other',
      cwe: 'CWE-20',
      severity: 'high',
      score: 80,
      message: 'holds a word',
      pattern: 'a+b',
      examples: ['aab', 'aac'],
      lookalikes: ['aad'],
    };
    const outcome = await policies.change({
      id: 'default',
      document: { mode: 'monitor', customRules: [rule] },
      baseVersion: 1,
      comment: '',
      by: 'ada',
    });
    assert.ok(outcome.kind === 'not-valid');
    assert.deepEqual(
      outcome.problems.map(({ pointer }) => pointer),
      ['/customRules/0/examples/1'],
    );
    assert.deepEqual(cache.inForce('default').policy, defaultPolicy);
    assert.equal((await policies.find('default'))?.version, 1);
  });

  it('keep their candidate through a change, a roll-back and an exclusion', async (t) => {
    const fresh = await make(t);
    if (fresh === undefined) return;
    const { policies } = await startNode(t, fresh);
    const id = await made(policies, {});
    await policies.setCandidate({ id, document: { sensitivity: 4 } });
    const by = 'ada';
    const change = { id, document: { mode: 'off' }, baseVersion: 1, comment: '', by };
    const exclusion = { pointer: '/q', rule: 'sqli.tautology', reason: 'a search' };
    for (const work of [
      () => policies.change(change),
      () => policies.rollBack({ id, version: 1, comment: '', by }),
      () => policies.exclude({ id, exclusion, by }),
    ]) {
      const outcome = await work();
      assert.ok(outcome.kind === 'done', JSON.stringify(outcome));
      assert.equal(outcome.policy.candidate?.document.sensitivity, 4);
    }
  });

  it('take an exclusion again after a lost race, five times in all', async (t) => {
    const fresh = await make(t);
    if (fresh === undefined) return;
    const { store } = await startNode(t, fresh);
    let tries = 0;
    const losing: PolicyStore = {
      ...store,
      append: async () => {
        tries += 1;
        return { kind: 'stale', version: 1 };
      },
    };
    const policies = createPolicies({
      shapes: inlineShapeReader,
      store: losing,
      explainer,
      refresh: async () => undefined,
      shadow: () => undefined,
      clock: Date.now,
    });
    const exclusion = { pointer: '/q', rule: 'sqli.tautology', reason: 'a search' };
    const outcome = await policies.exclude({ id: 'default', exclusion, by: 'ada' });
    assert.deepEqual([outcome, tries], [{ kind: 'stale', version: 1 }, 5]);
  });

  it('take an exclusion, which counts until it expires', async (t) => {
    const fresh = await make(t);
    if (fresh === undefined) return;
    let now = Date.parse('2026-01-01T00:00:00Z');
    const { cache, policies } = await startNode(t, fresh, () => now);
    const exclusion = {
      pointer: '/q',
      rule: 'sqli.tautology',
      reason: 'a console',
      expiresAt: '2026-01-01T01:00:00Z',
    };
    const outcome = await policies.exclude({ id: 'default', exclusion, by: 'ada' });
    assert.ok(outcome.kind === 'done');
    const [stored] = outcome.policy.document.exclusions;
    assert.deepEqual(
      { ...stored, id: '' },
      {
        ...exclusion,
        id: '',
        author: 'ada',
        createdAt: '2026-01-01T00:00:00.000Z',
      },
    );
    assert.equal(cache.inForce('default').policy.exclusions.length, 1);
    let told = 0;
    cache.onChange(() => {
      told += 1;
    });
    now += 3_600_000;
    await until('the exclusion expires', () => told > 0);
    assert.equal(cache.inForce('default').policy.exclusions.length, 0);
    assert.equal((await policies.find('default'))?.document.exclusions.length, 1);
  });

  it('take exclusions that come at the same time, each in a version of its own', async (t) => {
    const fresh = await make(t);
    if (fresh === undefined) return;
    const { policies } = await startNode(t, fresh);
    const outcomes = await Promise.all(
      ['/a', '/b', '/c'].map((pointer) =>
        policies.exclude({
          id: 'default',
          exclusion: { pointer, category: 'sqli', reason: 'test' },
          by: 'ada',
        }),
      ),
    );
    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ['done', 'done', 'done'],
    );
    const found = await policies.find('default');
    assert.deepEqual(found?.document.exclusions.map(({ pointer }) => pointer).sort(), [
      '/a',
      '/b',
      '/c',
    ]);
    assert.equal(found?.version, 4);
  });

  it('reach every node', async (t) => {
    const fresh = await make(t);
    if (fresh === undefined) return;
    const here = await startNode(t, fresh);
    const there = await startNode(t, fresh);
    const id = await made(here.policies, { mode: 'monitor' });
    await until('the policy arrives', () => there.cache.inForce(id).policy.mode === 'monitor');
  });

  it('that cannot be used leave the last good one in force, and say so', async (t) => {
    const fresh = await make(t);
    if (fresh === undefined) return;
    const { database, store, cache, log } = await startNode(t, fresh);
    const spoil = { id: 'default', name: undefined, at: 0, by: 'eve', comment: '' };
    const document = { mode: 'off', rules: 'none' };
    await store.append({ ...spoil, document, baseVersion: 1, endsCandidate: false });
    await cache.refresh();
    assert.deepEqual(cache.inForce('default').policy, defaultPolicy);
    assert.equal(cache.isReady(), false);
    assert.equal(log.lines.filter(({ level }) => level === 'error').length, 1);
    // A node that starts now has no last good one: what the settings say counts.
    const late = await startNode(t, fresh);
    assert.equal(late.cache.inForce('default').policy.sensitivity, 1);
    assert.equal(late.cache.isReady(), false);
    await store.append({ ...spoil, document: {}, baseVersion: 2, endsCandidate: false });
    await cache.refresh();
    assert.equal(cache.isReady(), true);
    assert.equal(cache.inForce('default').version, 3);
    await database.updateTable('policy_version').set({ document: '{' }).execute();
    await store.append({ ...spoil, document: {}, baseVersion: 3, endsCandidate: false });
    await cache.refresh();
    assert.equal(cache.isReady(), true);
  });

  it('follow the settings until somebody edits the default one', async (t) => {
    const fresh = await make(t);
    if (fresh === undefined) return;
    const { store, policies, cache, log } = await startNode(t, fresh);
    const seed = async (mode: 'block' | 'monitor' | 'off') => {
      await seedDefaultPolicy({ store, policy: { ...defaultPolicy, mode }, now: 1, log });
      await cache.refresh();
      return cache.inForce('default').policy.mode;
    };
    assert.equal(await seed('monitor'), 'monitor');
    assert.equal(cache.inForce('default').version, 2);
    await policies.change({ id: 'default', document: {}, baseVersion: 2, comment: '', by: 'ada' });
    assert.equal(await seed('monitor'), 'block');
    assert.deepEqual(log.lines, []);
    assert.equal(await seed('off'), 'block');
    assert.equal(log.lines.filter(({ level }) => level === 'warn').length, 1);
  });

  it('let a candidate run in their shadow and count what it would change', async (t) => {
    const fresh = await make(t);
    if (fresh === undefined) return;
    const { cache, policies } = await startNode(t, fresh);
    const scanner = createPooledScanner({ threads: 1, log: keepLog() });
    t.after(() => scanner.close());
    const shadow = createShadow({ explainer: scanner, policies: cache });
    const attack = "' OR 1=1 --";
    const candidate = { categoriesOff: ['xss'], sensitivity: 4 };
    const set = await policies.setCandidate({ id: 'default', document: candidate });
    assert.ok(set.kind === 'done' && set.policy.candidate?.document.sensitivity === 4);
    assert.equal(cache.inForce('default').policy.sensitivity, 2);
    const bodies = [
      { q: '<script>alert(1)</script>' },
      { q: attack },
      { q: 'honest' },
      { q: '<b>' },
    ];
    for (const body of bodies) {
      const text = JSON.stringify(body);
      const result = engine.screen({ body: text, context: noContext }, defaultPolicy);
      assert.ok(result.kind === 'verdict');
      shadow.screened({
        policyId: 'default',
        decisionId: `id of ${body.q}`,
        body: Buffer.from(text),
        context: noContext,
        verdict: result.verdict,
      });
    }
    await until('all are screened', () => shadow.report('default')?.screened === bodies.length);
    const report = shadow.report('default');
    assert.deepEqual([report?.dropped, report?.newlyBlocked], [0, []]);
    const [freed] = report?.newlyFreed ?? [];
    assert.deepEqual(
      [freed?.pointer, freed?.category, freed?.count, freed?.lastEventId],
      ['/q', 'xss', 1, `id of ${bodies[0]?.q}`],
    );
    const promoted = await policies.promoteCandidate({
      id: 'default',
      baseVersion: 1,
      comment: 'tried',
      by: 'ada',
    });
    assert.ok(promoted.kind === 'done' && promoted.policy.candidate === undefined);
    assert.equal(cache.inForce('default').policy.sensitivity, 4);
    assert.equal(shadow.report('default'), undefined);
    assert.equal((await policies.dropCandidate('gone')).kind, 'unknown');
  });
});
