import assert from 'node:assert/strict';
import { once } from 'node:events';
import { it } from 'node:test';
import type { StoredEvent } from '../../src/contract/event.ts';
import { createSqlEventStore } from '../../src/events/sql-event-store.ts';
import { collect, spawnCli } from '../support/cli.ts';
import { describeOnEachDatabase } from '../support/databases.ts';
import { storedEvent } from '../support/stored-event.ts';
import { until } from '../support/until.ts';
import { cliOver } from './stored.ts';

const minute = 60_000;
const now = Date.now();

/** An event of some minutes ago. */
function eventAgo(minutes: number, parts: Partial<StoredEvent> = {}): StoredEvent {
  const at = Math.round(now - minutes * minute);
  return storedEvent({ at, number: minutes, order: Math.round(10_000 - minutes) }, parts);
}

const stored = [
  eventAgo(1, { method: 'POST', path: '/shop/cart', client: '203.0.113.9' }),
  eventAgo(90, { decision: 'would-block', category: 'xss', rule: 'xss.script', pointer: '/bio' }),
  eventAgo(3_000, { path: '/shop', client: '2001:db8::9', evidence: 'a\u001b[31m\u202eb' }),
];

/** The evidence of whole events, one a line. */
function evidenceIn(lines: string): string[] {
  const all = lines.trimEnd().split('\n');
  return all.filter((line) => line !== '').map((line) => JSON.parse(line).evidence);
}

describeOnEachDatabase('events of the command line', (make) => {
  it('are listed and exported, newest first, and filtered', async (t) => {
    const over = await cliOver(make, t);
    if (over === undefined) return;
    await createSqlEventStore(over.database).insert(stored);
    const exported = await over.cli(['events', 'export']);
    assert.equal(exported.code, 0, exported.err);
    assert.deepEqual(
      exported.out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
      stored,
    );
    const cases: readonly (readonly [readonly string[], readonly number[]])[] = [
      [['--limit', '1'], [0]],
      [['--since', '1h'], [0]],
      [['--since', '2h', '--until', '1h'], [1]],
      [['--decision', 'would-block'], [1]],
      [
        ['--category', 'sqli'],
        [0, 2],
      ],
      [['--rule', 'xss.script'], [1]],
      [['--pointer', '/bio'], [1]],
      [['--path', '/shop'], [2]],
      [
        ['--path', '/shop*'],
        [0, 2],
      ],
      [['--client', '203.0.113.9'], [0]],
      [['--client', '2001:DB8:0::0009'], [2]],
      [['--method', 'post', '--path', '/shop/*'], [0]],
      [['--search', 'or 90='], [1]],
      [['--key', 'Zzz99999'], []],
    ];
    for (const [args, expected] of cases) {
      const { code, out, err } = await over.quick(['events', 'list', '--json', ...args]);
      assert.equal(code, 0, err);
      const wanted = expected.map((index) => stored[index]?.evidence);
      assert.deepEqual(evidenceIn(out), wanted, args.join(' '));
    }
    const table = await over.cli(['events', 'list']);
    assert.match(
      table.out,
      /TIME +DECISION +SCORE.*\n.* block +95 +sqli\.tautology +\/q +POST \/shop/,
    );
    assert.ok(!/[\u001b\u202e]/.test(table.out), 'a terminal is not told what an attacker wrote');
    for (const wrong of [
      ['--category', 'sql'],
      ['--since', 'x'],
      ['--limit', '0'],
    ]) {
      const { code, out, err } = await over.quick(['events', 'list', ...wrong]);
      assert.deepEqual([code, out], [2, ''], err);
    }
  });

  it('are followed as they come', async (t) => {
    const over = await cliOver(make, t);
    if (over === undefined) return;
    const store = createSqlEventStore(over.database);
    await store.insert(stored);
    const args = ['events', 'tail', '--json', '--lines', '1', '--category', 'sqli'];
    const tail = spawnCli(args, over.options);
    const [out, err] = [collect(tail.stdout), collect(tail.stderr)];
    const ended = once(tail, 'close');
    t.after(() => tail.kill('SIGKILL'));
    const shown = () => {
      assert.equal(tail.exitCode, null, err());
      return evidenceIn(out().slice(0, out().lastIndexOf('\n') + 1));
    };
    await until('the last event is shown', () => shown().length > 0);
    const [newest] = stored;
    await store.insert([eventAgo(0, { evidence: 'new' }), eventAgo(0.5, { evidence: 'late' })]);
    await store.insert([eventAgo(0.1, { id: 'f-other', category: 'xss', rule: 'xss.script' })]);
    await until('both are shown', () => shown().length === 3);
    await store.insert([eventAgo(-0.1, { evidence: 'last' })]);
    await until('the last one is shown', () => shown().length === 4);
    assert.deepEqual(shown(), [newest?.evidence, 'late', 'new', 'last']);
    tail.kill('SIGINT');
    assert.deepEqual(await ended, [0, null]);
  });

  it('end when nobody reads them any more', async (t) => {
    const over = await cliOver(make, t);
    if (over === undefined) return;
    await createSqlEventStore(over.database).insert(stored);
    const tail = spawnCli(['events', 'tail', '--json'], over.options);
    const ended = once(tail, 'close');
    t.after(() => tail.kill('SIGKILL'));
    await once(tail.stdout, 'data');
    tail.stdout.destroy();
    let number = 0;
    const store = createSqlEventStore(over.database);
    await until('the command has ended', async () => {
      number += 1;
      await store.insert([eventAgo(-number / 60)]);
      return tail.exitCode !== null;
    });
    assert.deepEqual(await ended, [0, null]);
  });
});
