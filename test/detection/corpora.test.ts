import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { evaluate } from '../../bench/detection/evaluate.ts';
import type { Finding } from '../../src/contract/verdict.ts';
import { createEngine } from '../../src/core/engine.ts';
import { replay } from '../../src/core/normalise/replay.ts';

const folder = '../shared/corpora';

/** Lowest share of blocked attacks, per cent by category, and highest of blocked honest items. */
interface Floors {
  readonly attacks: Readonly<Record<string, number>>;
  readonly benignMax: number;
}

const floors = JSON.parse(
  readFileSync(new URL('../../bench/detection/floors.json', import.meta.url), 'utf8'),
) as Floors;

test('no category falls below its recorded floor, and every finding can be replayed', async (t) => {
  if (!existsSync(folder)) {
    if (process.env['SALLYPORT_TEST_ALL'] !== '1') return t.skip(`no corpora at ${folder}`);
    assert.fail(`no corpora at ${folder}; put them there, they are not part of the project`);
  }
  const unexplained: string[] = [];
  const all = { limit: 0 };
  const report = await evaluate(createEngine(), folder, all, (item, verdict) => {
    for (const finding of verdict.findings) {
      if (!isReplayed(item.body, finding)) unexplained.push(`${item.id} ${finding.rule}`);
    }
  });
  assert.deepEqual(unexplained.slice(0, 10), []);
  for (const [category, row] of report.categories) {
    const rate = (100 * row.blocked[1]) / row.items;
    const said = `${category}: ${rate.toFixed(3)} % of ${row.items} blocked`;
    t.diagnostic(said);
    if (category === 'benign') assert.ok(rate <= floors.benignMax, said);
    else assert.ok(rate >= (floors.attacks[category] ?? 100), said);
  }
});

/** Pointer, decodings and span lead from the stored body to the evidence. */
function isReplayed(body: unknown, finding: Finding): boolean {
  const path = finding.pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
  const raw = finding.where === 'name' ? path.at(-1) : valueAt(body, path);
  if (typeof raw !== 'string') return false;
  const [start, end] = finding.span;
  return replay(raw, finding.decoded)?.slice(start, end) === finding.evidence;
}

function valueAt(body: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined),
    body,
  );
}
