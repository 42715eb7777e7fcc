import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import express from 'express';
import { sallyport } from '../../src/clients/express.ts';
import type { Block, GuardOptions, Outage } from '../../src/clients/guard.ts';
import { InlineScreener, inlineCharsMax } from '../../src/clients/inline-screener.ts';
import { deadAddress, falseSallyport, httpAnswer } from './false-sallyport.ts';
import { realSallyport } from './real-sallyport.ts';

const key = 'sp_live_any';
const attack = { filter: "x' UNION SELECT name,password FROM users --" };
const benign = { filter: 'the best of the union' };
/** Costs the screening far more than it costs whoever sends it. */
const heavy = (strings: number) => ({ pad: Array.from({ length: strings }, () => ''), ...attack });

interface GuardedApp {
  readonly handled: unknown[];
  readonly blocks: Block[];
  readonly outages: Outage[];
  /** The status of the answer. */
  send(body: object): Promise<number>;
}

/** Express in the order of the guide; it notes what reaches its handler. */
async function startApp(t: TestContext, options: GuardOptions): Promise<GuardedApp> {
  const handled: unknown[] = [];
  const blocks: Block[] = [];
  const outages: Outage[] = [];
  const app = express();
  app.use(express.json({ limit: '1mb' }));
  app.use(
    sallyport({
      ...options,
      onBlock: (block) => void blocks.push(block),
      onError: (outage) => void outages.push(outage),
    }),
  );
  app.use((req, res) => {
    handled.push(req.body);
    res.end('handled');
  });
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/filter`;
  const headers = { 'content-type': 'application/json' };
  const send = async (body: object) => {
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    await answer.arrayBuffer();
    return answer.status;
  };
  return { handled, blocks, outages, send };
}

test('heavy bodies do not open the gate, neither for themselves nor for others', async (t) => {
  const { url, key } = await realSallyport(t);
  const app = await startApp(t, { url, key });
  const many = Array.from({ length: 8 }, () => app.send(heavy(32_000)));
  const plain = Array.from({ length: 3 }, () => app.send(attack));
  const late: number[] = [];
  for (let i = 0; i < 3; i += 1) late.push(await app.send(attack));
  const long = await app.send(heavy(70_000));
  const statuses = [...(await Promise.all([...many, ...plain])), ...late, long];
  assert.deepEqual(new Set(statuses), new Set([403]), String(statuses));
  assert.equal(app.handled.length, 0);
  assert.equal(app.blocks.length, 15);
  const codes = app.outages.map(({ code }) => code);
  assert.ok(!codes.includes('circuit-open') && !codes.includes('unreachable'), String(codes));
  assert.equal(await app.send(benign), 200);
  assert.deepEqual(app.handled, [benign]);
});

test('without a Sallyport attacks are found inline, and benign requests pass', async (t) => {
  const served = await realSallyport(t);
  const app = await startApp(t, { url: served.url, key: served.key });
  assert.equal(await app.send(attack), 403);
  assert.equal(app.blocks[0]?.inline, undefined);
  await served.kill();
  const statuses = await Promise.all([
    ...Array.from({ length: 8 }, () => app.send(attack)),
    ...Array.from({ length: 8 }, () => app.send(benign)),
    app.send(heavy(32_000)),
    app.send(heavy(70_000)),
  ]);
  const expected = [...Array(8).fill(403), ...Array(8).fill(200), 403, 403];
  assert.deepEqual(statuses, expected);
  assert.equal(app.handled.length, 8);
  for (const block of app.blocks.slice(1)) {
    assert.deepEqual([block.inline, block.enforced], [true, true]);
    assert.equal(block.findings[0]?.category, 'sqli');
    assert.match(block.id, /^[0-9a-f-]{36}$/);
  }
  assert.equal(app.outages.length, 18);
  assert.deepEqual(new Set(app.outages.map(({ inline }) => inline)), new Set([true]));
});

test('inline screening is left out where it is not wanted', async (t) => {
  const open = await startApp(t, { url: deadAddress, key, inlineOnOutage: false });
  assert.equal(await open.send(attack), 200);
  assert.equal(open.outages[0]?.inline, undefined);
  const closed = await startApp(t, { url: deadAddress, key, onOutage: 'block' });
  assert.equal(await closed.send(benign), 503);
  const watching = await startApp(t, { url: deadAddress, key, monitor: true });
  assert.equal(await watching.send(attack), 200);
  assert.equal(watching.blocks[0]?.enforced, false);
});

test('a key that does not block is not made to by an outage', async (t) => {
  const answers = {
    monitor: '{"id":"0190","decision":"allow","would":"allow","score":0,"findings":[]}',
    off: '{"id":"0190","decision":"allow","score":0,"findings":[],"coverage":{"complete":false,"bytes":0,"reasons":[]}}',
  };
  for (const [mode, answer] of Object.entries(answers)) {
    let isUp = true;
    const url = await falseSallyport(t, (socket) =>
      socket.write(isUp ? httpAnswer(200, answer) : httpAnswer(503, '{"detail":"overloaded"}')),
    );
    const app = await startApp(t, { url, key, timeoutMs: 30_000 });
    assert.equal(await app.send(benign), 200);
    isUp = false;
    assert.equal(await app.send(attack), 200, mode);
    assert.deepEqual([app.blocks[0]?.enforced, app.blocks[0]?.inline], [false, true], mode);
  }
});

test('short requests do not wait for long ones, and no request is beyond its bounds', async () => {
  const screener = new InlineScreener();
  const long = JSON.stringify({ q: 'a b '.repeat(200_000) });
  const order: string[] = [];
  const note = (name: string) => () => void order.push(name);
  await Promise.all([
    screener.screen([long]).then(note('long')),
    screener.screen([long]).then(note('long')),
    screener.screen([JSON.stringify(attack)]).then(note('short')),
  ]);
  assert.deepEqual(order, ['short', 'long', 'long']);
  assert.equal(await screener.screen(['x'.repeat(inlineCharsMax + 1)]), undefined);
  assert.equal(await screener.screen(['no JSON']), undefined);
  assert.equal((await screener.screen([JSON.stringify(attack)]))?.decision, 'block');
});

test('where the thread cannot start it says so once, and the choice is left to onOutage', async (t) => {
  const warnings: Error[] = [];
  // Node warns of other things as well.
  const onWarning = (warning: Error) => {
    if (warning.message.includes('screening inline')) warnings.push(warning);
  };
  process.on('warning', onWarning);
  t.after(() => process.off('warning', onWarning));
  const screener = new InlineScreener(pathToFileURL('/nonexistent/inline.js'));
  for (let i = 0; i < 3; i += 1) assert.equal(await screener.screen(['{}']), undefined);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(warnings.length, 1);
  assert.match(String(warnings[0]?.message), /No screening inline: .*onOutage/);
});
