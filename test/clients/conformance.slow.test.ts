import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Block, GuardOptions, Outage } from '../../src/clients/guard.ts';
import { createScreener } from '../../src/screener.ts';
import { connect, type RawAnswer } from '../http/raw-client.ts';
import { type BuildApp, frameworks, reachedHeader } from './apps.ts';
import { exchangeAll } from './exchange.ts';
import { realSallyport } from './real-sallyport.ts';
import { conformanceRows, type Row } from './requests.ts';

const rows = conformanceRows();

/** No limit that a busy machine could reach: what is tested here is what is decided. */
const patient = { timeoutMs: 30_000, headers: ['X-Tenant'] };

test('every framework lets the same requests pass, unchanged, and no other', async (t) => {
  assert.ok(rows.length > 300, `${rows.length} requests`);
  const { url, key } = await realSallyport(t);
  for (const [name, build] of Object.entries(frameworks)) {
    await t.test(name, (t) => conforms(t, build, { url, key, ...patient }));
  }
});

test('a screener in the same process decides alike', async (t) => {
  for (const threads of [0, 1]) {
    await t.test(`with ${threads} threads`, async (t) => {
      const screener = createScreener({ threads, timeoutMs: patient.timeoutMs });
      t.after(() => screener.close());
      await conforms(t, frameworks['Express 5'] as BuildApp, { screener, ...patient });
    });
  }
});

test('requests behind one another on one connection are answered in their order', async (t) => {
  const { url, key } = await realSallyport(t);
  const chosen = ['a name', 'SQL injection'].flatMap((kind) =>
    ['query', 'cookie', 'JSON', 'form'].flatMap((place) =>
      rows.filter((row) => row.name.endsWith(`: ${kind} in ${place}`)),
    ),
  );
  assert.ok(chosen.length > 16, `${chosen.length} requests`);
  for (const [name, build] of Object.entries(frameworks)) {
    await t.test(name, async (t) => {
      const app = await build({ url, key, ...patient });
      t.after(() => app.close());
      const client = await connect(app.address);
      client.send(Buffer.concat(chosen.map(({ bytes }) => bytes)));
      for (const row of chosen) {
        const answer = await client.answer({ headOnly: row.method === 'HEAD' });
        const expected = row.pointer === undefined ? 200 : 403;
        assert.equal(answer.status, expected, `${row.name}: ${answer.body}`);
      }
      assert.equal(client.rest, '');
      client.end();
    });
  }
});

/** Sends all requests to the application with a guard, and to the same without one. */
async function conforms(t: TestContext, build: BuildApp, options: GuardOptions): Promise<void> {
  const blocks = new Map<string, Block>();
  const outages: Outage[] = [];
  const bare = await build(undefined);
  const guarded = await build({
    ...options,
    onBlock: (block) => void blocks.set(block.id, block),
    onError: (outage) => void outages.push(outage),
  });
  t.after(() => Promise.all([bare.close(), guarded.close()]));
  const expected = await exchangeAll(bare.address, rows);
  const answers = await exchangeAll(guarded.address, rows);
  const complaints = rows.flatMap((row, index) => {
    const [free, answer] = [expected[index], answers[index]];
    assert.ok(free !== undefined && answer !== undefined);
    const complaint = complaintOn(row, free, answer, blocks);
    return complaint === undefined ? [] : [`${row.name}: ${complaint}`];
  });
  assert.deepEqual(complaints, []);
  assert.deepEqual(outages, []);
  const handled = answers.filter(({ headers }) => headers.has(reachedHeader));
  assert.equal(guarded.reached(), handled.length, 'requests that reached the handler');
}

function complaintOn(
  row: Row,
  free: RawAnswer,
  answer: RawAnswer,
  blocks: ReadonlyMap<string, Block>,
): string | undefined {
  if (row.pointer === undefined) {
    if (answer.status !== free.status) return `${answer.status} instead of ${free.status}`;
    if (answer.headers.get(reachedHeader) !== free.headers.get(reachedHeader)) return 'not handled';
    // Error pages differ by their stack traces.
    const isSame = answer.body === free.body || free.status >= 400;
    return isSame ? undefined : `${answer.body.slice(0, 200)}\n${free.body.slice(0, 200)}`;
  }
  // What a framework refuses before any middleware could see it needs no guard.
  if (!free.headers.has(reachedHeader) && answer.status === free.status) return undefined;
  // Some frameworks show the body of a GET to nobody.
  if (row.method === 'GET' && free.body.includes('"body":""') && answer.body === free.body) {
    return undefined;
  }
  return complaintOnBlock(row, answer, blocks);
}

function complaintOnBlock(
  row: Row,
  answer: RawAnswer,
  blocks: ReadonlyMap<string, Block>,
): string | undefined {
  if (answer.status !== 403) return `${answer.status}, although it is an attack`;
  const id = answer.headers.get('x-decision-id') ?? '';
  if (row.method !== 'HEAD' && !answer.body.includes(id)) return `no id in ${answer.body}`;
  const block = blocks.get(id);
  if (block === undefined) return 'onBlock was not told';
  if (row.pointer === undefined || row.pointer === '*') return undefined;
  const pointers = block.findings.map(({ pointer }) => pointer);
  return pointers.includes(row.pointer)
    ? undefined
    : `found at ${pointers.join(', ')} instead of ${row.pointer}`;
}
