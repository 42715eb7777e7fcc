import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { defaultPolicy } from '../../src/contract/policy.ts';
import { runCli } from '../support/cli.ts';
import { freshPostgres, restartPostgres, stopPostgres } from '../support/postgres.ts';
import { type Served, startServing } from '../support/serve.ts';
import { tempDir } from '../support/temp-dir.ts';
import { until } from '../support/until.ts';

type Environment = Readonly<Record<string, string>>;

/** A node, and what is needed to talk to it. */
interface Node {
  readonly served: Served;
  /** Sends a body to `/control`; the status of the answer. */
  control(body: unknown): Promise<number>;
  api(method: string, path: string, body?: unknown): Promise<{ status: number; json: Answer }>;
}

interface Answer {
  readonly policy: { readonly version: number; readonly document: object };
  readonly candidate: { readonly screened: number; readonly newlyFreed: readonly object[] };
}

async function startNode(
  t: TestContext,
  cwd: string,
  environment: Environment,
  keys: { readonly live: string; readonly admin: string },
): Promise<Node> {
  const served = await startServing(t, cwd, ['serve'], environment);
  const send = (method: string, path: string, key: string, body?: unknown) =>
    fetch(`${served.address}${path}`, {
      method,
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return {
    served,
    async control(body) {
      const answer = await send('POST', '/control', keys.live, body);
      await answer.arrayBuffer();
      return answer.status;
    },
    async api(method, path, body) {
      const answer = await send(method, `/api${path}`, keys.admin, body);
      return { status: answer.status, json: (await answer.json()) as Answer };
    },
  };
}

async function makeKey(cwd: string, environment: Environment, ...more: string[]): Promise<string> {
  const args = ['keys', 'create', '--name', 'shop', '--data-dir', 'd', ...more];
  const made = await runCli(args, { cwd, environment });
  assert.equal(made.code, 0, made.err);
  return made.out.trimEnd();
}

async function makeKeys(cwd: string, environment: Environment) {
  const live = await makeKey(cwd, environment);
  return { live, admin: await makeKey(cwd, environment, '--admin') };
}

const attack = { q: "' OR 1=1 --" };
const exclusion = { pointer: '/q', category: 'sqli', reason: 'a console for analysts' };

/** From a block over its exclusion to a roll-back, while requests go on. */
async function exerciseOneNode(t: TestContext, environment: Environment): Promise<void> {
  const cwd = tempDir();
  const node = await startNode(t, cwd, environment, await makeKeys(cwd, environment));
  assert.equal(await node.control(attack), 403);

  let isOver = false;
  const seen = new Set<number>();
  const traffic = Array.from({ length: 4 }, async () => {
    while (!isOver) seen.add(await node.control(attack));
  });
  const excluded = await node.api('POST', '/policies/default/exclusions', exclusion);
  assert.equal(excluded.status, 200, JSON.stringify(excluded.json));
  assert.equal(await node.control(attack), 200);
  assert.equal(await node.control({ other: attack.q }), 403);
  const back = await node.api('POST', '/policies/default/rollback', { version: 1, comment: 'x' });
  assert.equal(back.json.policy.version, 3);
  assert.equal(await node.control(attack), 403);
  isOver = true;
  await Promise.all(traffic);
  assert.deepEqual(
    [...seen].filter((status) => status !== 200 && status !== 403),
    [],
  );

  const candidate = { ...defaultPolicy, categoriesOff: ['sqli'] };
  await node.api('PUT', '/policies/default/candidate', { document: candidate });
  assert.equal(await node.control(attack), 403);
  await until('the candidate has seen it', async () => {
    const { json } = await node.api('GET', '/policies/default/candidate');
    return json.candidate.screened > 0 && json.candidate.newlyFreed.length > 0;
  });

  const bad = await node.api('PUT', '/policies/default', {
    document: { ...defaultPolicy, mode: 'blok' },
    baseVersion: 3,
    comment: 'a slip',
  });
  assert.equal(bad.status, 422, JSON.stringify(bad.json));
  const limited = await node.api('PUT', '/policies/default', {
    document: { ...defaultPolicy, rateLimit: { requests: 1, perSeconds: 3_600 } },
    baseVersion: 3,
    comment: 'one an hour',
  });
  assert.equal(limited.status, 200, JSON.stringify(limited.json));
  assert.deepEqual([await node.control({ a: 1 }), await node.control({ a: 1 })], [200, 429]);
}

describe('policies over HTTP', () => {
  it('change at once what is blocked, on SQLite', (t) => exerciseOneNode(t, {}));

  it('change at once what is blocked, on PostgreSQL', async (t) => {
    const url = await freshPostgres(t);
    if (url !== undefined) await exerciseOneNode(t, { SALLYPORT_DATABASE_URL: url });
  });

  it('reach other nodes, and hold while the database is away', async (t) => {
    const url = await freshPostgres(t);
    if (url === undefined) return;
    const environment = { SALLYPORT_DATABASE_URL: url };
    const cwd = tempDir();
    const keys = await makeKeys(cwd, environment);
    const here = await startNode(t, cwd, environment, keys);
    const there = await startNode(t, cwd, environment, keys);
    assert.equal(await there.control(attack), 403);
    await here.api('POST', '/policies/default/exclusions', exclusion);
    await until('the exclusion arrives', async () => (await there.control(attack)) === 200);

    await stopPostgres();
    const degraded = async (node: Node) => {
      const answer = await fetch(`${node.served.address}/readyz`);
      assert.equal(answer.status, 200);
      return ((await answer.json()) as { degraded: readonly string[] }).degraded;
    };
    await until('the outage is reported', async () => (await degraded(there)).length === 3);
    assert.deepEqual(await degraded(there), ['keys', 'policies', 'database']);
    assert.equal(await there.control(attack), 200);
    assert.equal(await there.control({ other: attack.q }), 403);

    await restartPostgres();
    await until('both have caught up', async () => {
      const all = await Promise.all([here, there].map(degraded));
      return all.every((parts) => parts.length === 0);
    });
    await here.api('POST', '/policies/default/rollback', { version: 1, comment: 'back' });
    await until('the roll-back arrives', async () => (await there.control(attack)) === 403);
  });
});
