import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { partNames } from '../../bench/lib/measure.ts';
import type { BenchRecord } from '../../bench/lib/record.ts';
import { tempDir } from '../support/temp-dir.ts';

const ending = extname(import.meta.url);
const program = fileURLToPath(new URL(`../../bench/run${ending}`, import.meta.url));
/** Chaos has a separate test. */
const parts = partNames.filter((name) => name !== 'chaos');
const nodeFlags = process.execArgv.filter((flag) => !flag.startsWith('--test'));

test('every benchmark of the suite runs, checks its results and is recorded', () => {
  const folder = tempDir();
  const args = ['--smoke', '--only', parts.join(), '--out', folder];
  const run = spawnSync(process.execPath, [...nodeFlags, program, ...args], { encoding: 'utf8' });
  assert.equal(run.status, 0, run.stdout + run.stderr);

  const files = readdirSync(folder).sort();
  assert.deepEqual(files.map((name) => extname(name)).sort(), ['.html', '.json']);
  const [page = '', json = ''] = files;
  const record: BenchRecord = JSON.parse(readFileSync(join(folder, json), 'utf8'));
  assert.deepEqual(Object.keys(record.parts), parts);
  assert.equal(record.circumstances.node, process.version);
  for (const name of parts) checkPart(name, record);
  checkPage(readFileSync(join(folder, page), 'utf8'), record);
});

/** What each part must at least have measured. */
const wanted: Readonly<Record<string, readonly RegExp[]>> = {
  micro: [/^prefilter$/, /^decoder percent$/, /^tokeniser sql$/, /^detector csrf$/, /^key check$/],
  engine: [/^screen$/, /^fields$/, /^allocated$/, /^time\(2n\)\/time\(n\)/, /^adversarial speed/],
  pool: [/^scan$/, /^batches\/single$/],
  http: [/^screened$/, /^bare$/, /^screened\/bare$/, /^login p99$/, /^login p99\/bare$/],
  blocks: [/^saturation$/, /^CPU of front end$/, /^p99 with blocks\/without$/],
  scaling: [/^worker threads, one front end: 2$/, /^front ends with one thread each: 2$/],
  events: [/^ceiling, with steps$/, /^stored$/, /^stored\/blocked$/, /^login beside, p99$/],
  edges: [/^resident, highest$/, /^\/livez, longest$/, /^small request, slowest$/],
  shape: [/^with\/without$/, /^attacks missed with shape$/, /^benign blocked with shape$/],
  memory: [/^start to ready$/],
  overload: [/^goodput$/, /^generator late, p99$/, /^recovery$/, /^small p99 beside 64 of 1 MiB$/],
};

function checkPart(name: (typeof parts)[number], record: BenchRecord): void {
  const measures = record.parts[name]?.measures ?? [];
  for (const measure of measures) {
    const said = `${name}: ${JSON.stringify(measure)}`;
    assert.equal(measure.part, name, said);
    assert.ok(Number.isFinite(measure.median) && measure.median >= 0, said);
    assert.ok(measure.low <= measure.median && measure.median <= measure.high, said);
    assert.ok(measure.repeats >= 1, said);
  }
  for (const pattern of wanted[name] ?? []) {
    assert.ok(
      measures.some((measure) => pattern.test(measure.name)),
      `${name} did not measure ${pattern}`,
    );
  }
}

function checkPage(page: string, record: BenchRecord): void {
  const charts = parts.flatMap((name) => record.parts[name]?.charts ?? []);
  assert.ok(charts.length >= 6);
  assert.equal(page.match(/<svg /g)?.length, charts.length);
  assert.doesNotMatch(page, /NaN|Infinity|undefined/, 'a number is missing in the page');
  assert.doesNotMatch(page, /<script|<link|https?:|@import|url\(/, 'the page needs something else');
}

test('--only runs nothing else, and a wrong name is refused with the right ones', () => {
  const folder = tempDir();
  const args = ['--smoke', '--only', 'pool', '--out', folder];
  const run = spawnSync(process.execPath, [...nodeFlags, program, ...args], { encoding: 'utf8' });
  assert.equal(run.status, 0, run.stdout + run.stderr);
  const json = readdirSync(folder).find((name) => name.endsWith('.json')) ?? '';
  const record: BenchRecord = JSON.parse(readFileSync(join(folder, json), 'utf8'));
  assert.deepEqual(Object.keys(record.parts), ['pool']);

  const wrong = spawnSync(process.execPath, [...nodeFlags, program, '--only', 'poll'], {
    encoding: 'utf8',
  });
  assert.notEqual(wrong.status, 0);
  assert.match(wrong.stderr, /choose from micro, engine, pool/);
});
