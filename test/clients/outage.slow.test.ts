import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createGuard, type GuardOptions, type Outage } from '../../src/clients/guard.ts';
import { type BuildApp, frameworks, reachedHeader } from './apps.ts';
import { exchangeAll } from './exchange.ts';
import { deadAddress, falseSallyport, garbage } from './false-sallyport.ts';
import { realSallyport } from './real-sallyport.ts';
import { conformanceRows, type Row } from './requests.ts';

const key = 'sp_live_any';
const chosen = ['SQL injection', 'a name'];
const rows = conformanceRows().filter(
  ({ name, method }) =>
    method !== 'OPTIONS' &&
    chosen.some((kind) => name.includes(`: ${kind} in `)) &&
    /in (?:query|JSON, deep|form|multipart field|text)$/.test(name),
);

/**
 * Every request asks, so that each meets the fault itself and not the circuit breaker; and what
 * becomes of it is for `onOutage` alone.
 */
const stubborn = { key, failuresMax: 1e9, inlineOnOutage: false };

/** No limit that a busy machine could reach. */
const patient = { timeoutMs: 30_000 };

test('without a Sallyport, every framework does as it is told', async (t) => {
  assert.ok(rows.length > 20, `${rows.length} requests`);
  const dead = deadAddress;
  const silent = await falseSallyport(t, () => undefined);
  const served = await realSallyport(t);
  await served.kill();
  const outages: readonly (readonly [string, GuardOptions, ReadonlySet<Outage['code']>])[] = [
    ['nobody listens', { url: dead, ...stubborn, ...patient }, new Set(['unreachable'])],
    [
      'killed',
      { url: served.url, key: served.key, inlineOnOutage: false, ...patient },
      new Set(['unreachable', 'circuit-open']),
    ],
    ['never answers', { url: silent, ...stubborn, timeoutMs: 30 }, new Set(['timeout'])],
    [
      'the breaker',
      { url: dead, key, inlineOnOutage: false },
      new Set(['unreachable', 'circuit-open']),
    ],
  ];
  for (const [name, build] of Object.entries(frameworks)) {
    for (const [outage, options, codes] of outages) {
      await t.test(`${name}: ${outage}`, (t) => doesAsTold(t, build, options, codes));
    }
  }
});

test('garbage for an answer neither allows nor blocks', async (t) => {
  const kinds = Object.values(garbage);
  let asked = 0;
  const url = await falseSallyport(t, (socket) => {
    kinds[asked % kinds.length]?.(socket);
    asked += 1;
  });
  const options = { url, ...stubborn, ...patient };
  const codes = new Set(['not-understood', 'unavailable', 'unreachable'] as const);
  for (const [name, build] of Object.entries(frameworks)) {
    await t.test(name, (t) => doesAsTold(t, build, options, codes));
  }
  assert.ok(asked > kinds.length * 5, `${asked} questions`);
});

test('an application that asks for no word of an outage is warned, once', async (t) => {
  const url = 'http://127.0.0.1:2';
  const warnings: Error[] = [];
  // Middleware of earlier tests may still ask for its own Sallyport.
  const onWarning = (warning: Error) => {
    const isOwn = warning.message.includes(`${url}. `) || warning.message.includes('onError');
    if (isOwn) warnings.push(warning);
  };
  process.on('warning', onWarning);
  t.after(() => process.off('warning', onWarning));
  const { 'Express 5': build } = frameworks;
  const app = await build?.({ url, key, ...patient, inlineOnOutage: false });
  assert.ok(app !== undefined);
  t.after(() => app.close());
  const answers = await exchangeAll(app.address, rows);
  assert.ok(answers.some(({ headers }) => headers.has(reachedHeader)));
  assert.deepEqual(
    warnings.map(({ name }) => name),
    ['SallyportWarning', 'SallyportWarning'],
  );
  const [atStart, ofRequest] = warnings
    .map(({ message }) => message)
    .toSorted()
    .toReversed();
  assert.match(String(atStart), /not reachable at .*check that Sallyport runs.*pass unscreened/);
  assert.match(String(ofRequest), /not screened.*check that Sallyport runs.*onError/);
});

test('a choice that is none is refused at the start, and lets nothing pass later', async (t) => {
  const deny = 'deny' as 'block';
  for (const wrong of [{ onOutage: deny }, { onIncomplete: deny }]) {
    assert.throws(() => createGuard({ url: deadAddress, key, ...wrong }), /must be 'allow'/);
  }
  const { 'Koa 3': build } = frameworks;
  const app = await build?.({ url: deadAddress, key, ...patient, onOutage: () => deny });
  assert.ok(app !== undefined);
  t.after(() => app.close());
  const answers = await exchangeAll(app.address, rows.slice(0, 3));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([503]));
});

/** Open: all pass, as if nothing stood there. Closed: none does. By route: as the path says. */
async function doesAsTold(
  t: TestContext,
  build: BuildApp,
  options: GuardOptions,
  codes: ReadonlySet<Outage['code']>,
): Promise<void> {
  const outages: Outage[] = [];
  const onError = (outage: Outage) => void outages.push(outage);
  const start = async (given: GuardOptions | undefined) => {
    const app = await build(given);
    t.after(() => app.close());
    return app;
  };
  const bare = await start(undefined);
  const open = await start({ ...options, onError });
  const closed = await start({
    ...options,
    onOutage: ({ method }) => (method === 'PUT' ? 'allow' : 'block'),
  });
  const watching = await start({ ...options, monitor: true, onOutage: 'block' });
  const expected = await exchangeAll(bare.address, rows);
  const answers = {
    open: await exchangeAll(open.address, rows),
    watching: await exchangeAll(watching.address, rows),
    closed: await exchangeAll(closed.address, rows),
  };
  for (const [index, row] of rows.entries()) {
    const free = expected[index];
    assert.ok(free !== undefined);
    const same = [free.status, free.headers.get(reachedHeader), free.body];
    const shown = (answer = free) => [
      answer.status,
      answer.headers.get(reachedHeader),
      answer.body,
    ];
    assert.deepEqual(shown(answers.open[index]), same, `open, ${row.name}`);
    assert.deepEqual(shown(answers.watching[index]), same, `monitor, ${row.name}`);
    const refused = answers.closed[index];
    // What a framework answers by itself never came to a guard.
    if (row.method === 'PUT' || !free.headers.has(reachedHeader)) continue;
    assert.equal(refused?.status, 503, row.name);
    assert.ok(refused.headers.has('retry-after') && !refused.headers.has(reachedHeader));
  }
  assert.ok(outages.length >= expected.filter(({ headers }) => headers.has(reachedHeader)).length);
  for (const { code, message } of outages) assert.ok(codes.has(code), `${code}: ${message}`);
  assert.equal(closed.reached(), reachedBy(rows, answers.closed));
}

function reachedBy(
  sent: readonly Row[],
  answers: readonly { readonly headers: ReadonlyMap<string, string> }[],
): number {
  return sent.filter((_, index) => answers[index]?.headers.has(reachedHeader)).length;
}
