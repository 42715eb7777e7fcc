import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Baselines } from '../../bench/mutation/baselines.ts';
import { Compiler } from '../../bench/mutation/compiler.ts';
import { draw } from '../../bench/mutation/draw.ts';
import { readEquivalents, staleEquivalents } from '../../bench/mutation/equivalents.ts';
import { type Mutation, mutated } from '../../bench/mutation/mutations.ts';
import { killedShare, reportOf } from '../../bench/mutation/report.ts';
import { Tree } from '../../bench/mutation/tree.ts';
import { Trial, type Tried } from '../../bench/mutation/try-mutation.ts';
import { WhichTests } from '../../bench/mutation/which-tests.ts';
import { tempDir } from '../support/temp-dir.ts';

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));

const sample = `export interface Named {
  readonly one: 1;
}

export function choose(a: number, b?: number): boolean {
  if (a < 3) return true;
  const { 404: name, ...names } = { 404: \`\${a}\` + 'x', 405: '' };
  return !(a === (b ?? 7)) && names[405] !== name;
}

export function unseen(): boolean {
  return false;
}
`;

const sampleTest = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choose } from '../../src/pool/sample.ts';

test('chooses', () => {
  assert.equal(choose(2), true);
  assert.equal(choose(4), true);
  assert.equal(choose(7), false);
});
`;

const config = {
  compilerOptions: {
    ...{ target: 'es2023', module: 'nodenext', strict: true, noEmit: true, types: [] },
    allowImportingTsExtensions: true,
  },
  include: ['src'],
};

const files: Readonly<Record<string, string>> = {
  'package.json': '{"type":"module"}',
  'tsconfig.json': JSON.stringify(config),
  'src/pool/sample.ts': sample,
  'test/pool/sample.test.ts': sampleTest,
  'test/pool/other.test.ts': "import { test } from 'node:test';\ntest('passes', () => {});\n",
  'test/clients/far.test.ts': "import '../support/helper.ts';\n",
  'test/clients/strange.test.ts': 'export {};\n',
  'test/support/helper.ts': "import '../../src/pool/sample.ts';\n",
};

/** A small repository, with the packages of this one. */
function makeRoot(): string {
  const root = tempDir();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  symlinkSync(modules, join(root, 'node_modules'));
  return root;
}

function compilerOf(t: TestContext, root: string): Compiler {
  const compiler = new Compiler(root);
  t.after(() => compiler.close());
  return compiler;
}

const path = 'src/pool/sample.ts';

test('what runs is mutated, types and names are not', (t) => {
  const all = compilerOf(t, makeRoot()).mutationsIn([path]);
  const changes = all.map(({ change, line }) => `${line} ${change.replace(/→ \d+/, '→ n')}`);
  assert.deepEqual(changes, [
    '6 early exit dropped',
    '6 < → <=',
    '6 3 → n',
    '6 true → false',
    '7 + → -',
    '8 && → ||',
    '8 ! dropped',
    '8 === → !==',
    '8 ?? dropped',
    '8 7 → n',
    '8 !== → ===',
    '8 405 → n',
    '12 false → true',
  ]);
  const texts = all.map((mutation) => mutated(sample, mutation).split('\n')[mutation.line - 1]);
  assert.equal(texts[0]?.trim(), '');
  assert.equal(texts[1]?.trim(), 'if (a <= 3) return true;');
  assert.equal(texts[6]?.trim(), 'return (a === (b ?? 7)) && names[405] !== name;');
  assert.equal(texts[8]?.trim(), 'return !(a === (b)) && names[405] !== name;');
});

test('the compiler refuses some, and leaves the file as it was', (t) => {
  const root = makeRoot();
  const compiler = compilerOf(t, root);
  const refused = compiler
    .mutationsIn([path])
    .filter((mutation) => !compiler.takes(mutation))
    .map(({ change }) => change.replace(/→ \d+/, '→ n'));
  assert.deepEqual(refused, ['+ → -', '405 → n']);
  assert.equal(readFileSync(join(root, path), 'utf8'), sample);
});

test('a mutation is tried with the tests that come to it', { timeout: 120_000 }, async (t) => {
  const root = makeRoot();
  const all = compilerOf(t, root).mutationsIn([path]);
  const copies = tempDir();
  const [plain, probed, tree] = ['plain', 'probed', 'tree'].map(
    (name) => new Tree(root, Object.keys(files), join(copies, name)),
  );
  assert.ok(plain !== undefined && probed !== undefined && tree !== undefined);
  const store = join(copies, 'out', 'baselines.ndjson');
  const parts = { plain, probed, files: Object.keys(files), all, store };
  const baselines = new Baselines(parts);
  const [own, other] = ['test/pool/sample.test.ts', 'test/pool/other.test.ts'] as const;
  const { passes, reached } = await baselines.of(own);
  assert.ok(passes);
  const names = all.map((mutation, number) => [mutation.change, reached?.has(number)]);
  assert.deepEqual(names.at(-1), ['false → true', false]);
  assert.ok(names.slice(0, -1).every(([, isReached]) => isReached));
  assert.equal((await baselines.of(other)).reached?.size, 0);

  const sources = Object.keys(files).filter((one) => one.endsWith('.ts'));
  const trial = new Trial(baselines, new WhichTests(root, sources));
  const tried = async (change: string) => {
    const number = all.findIndex((one) => one.change === change);
    const { outcome, by } = await trial.try(tree, all[number] ?? assert.fail(), number);
    return `${outcome} ${by}`;
  };
  assert.match(await tried('=== → !=='), new RegExp(`^killed ${own}: `));
  assert.equal(await tried('< → <='), 'survived 1 test files');
  assert.equal(await tried('false → true'), 'survived no test comes to it');
  assert.equal(readFileSync(join(tree.folder, path), 'utf8'), sample);

  // The next run knows them, unless what they could see has changed.
  plain.write(other, "import { test } from 'node:test';\ntest('fails', () => Promise.reject());\n");
  probed.write(other, readFileSync(join(plain.folder, other), 'utf8'));
  const next = new Baselines(parts);
  assert.ok(next.msTo(own, 0) !== undefined);
  assert.equal(next.msTo(own, all.length - 1), undefined, 'it does not come to it');
  assert.equal(next.msTo(other, 0), undefined);
  assert.equal((await next.of(other)).passes, false);
  plain.write(path, `${sample}\n`);
  assert.equal(new Baselines(parts).msTo(own, 0), undefined);
});

test('a test that does not take the probes counts as coming to every place', async (t) => {
  const root = makeRoot();
  const all = compilerOf(t, root).mutationsIn([path]);
  const copies = tempDir();
  const [plain, probed] = ['plain', 'probed'].map(
    (name) => new Tree(root, Object.keys(files), join(copies, name)),
  );
  assert.ok(plain !== undefined && probed !== undefined);
  const other = 'test/pool/other.test.ts';
  const store = join(copies, 'baselines.ndjson');
  const parts = { plain, probed, files: Object.keys(files), all, store };
  probed.write(other, 'throw new Error();\n');
  const { passes, reached } = await new Baselines(parts).of(other);
  assert.deepEqual([passes, reached], [true, undefined]);
  assert.ok(new Baselines(parts).msTo(other, all.length - 1) !== undefined);
});

test('a test that never ends is stopped', { timeout: 60_000 }, async () => {
  const root = makeRoot();
  const tree = new Tree(root, Object.keys(files), join(tempDir(), 'tree'));
  tree.write('test/pool/other.test.ts', 'for (;;);\n');
  assert.equal((await tree.runTest('test/pool/other.test.ts', 3_000)).outcome, 'timed out');
});

test('the tests of a file are those of its folder, and those that import it', () => {
  const paths = Object.keys(files).filter((one) => one.endsWith('.ts'));
  assert.deepEqual(new WhichTests(makeRoot(), paths).testsOf(path), [
    'test/pool/sample.test.ts',
    'test/pool/other.test.ts',
    'test/clients/far.test.ts',
  ]);
});

function mutationAt(path: string, line: number): Mutation {
  const place = { from: 0, to: 1 };
  return { path, ...place, reached: place, replacement: '', change: 'x', line, lineText: 'a' };
}

test('the same seed draws the same, the same number from each folder', () => {
  const of = (folder: string, count: number) =>
    Array.from({ length: count }, (_, line) => mutationAt(`src/${folder}/a.ts`, line));
  const all = [...of('pool', 50), ...of('http', 50), ...of('storage', 2)];
  const plan = { mutations: 12, seed: 3, folders: ['pool', 'http', 'storage'] };
  const drawn = draw(all, plan);
  assert.deepEqual(drawn, draw(all, plan));
  assert.notDeepEqual(drawn, draw(all, { ...plan, seed: 4 }));
  const count = (folder: string) =>
    drawn.filter((one) => one.path.startsWith(`src/${folder}/`)).length;
  assert.deepEqual([count('pool'), count('http'), count('storage')], [5, 5, 2]);
  const alone = draw(all, { mutations: 5, seed: 3, folders: ['http'] });
  assert.deepEqual(
    drawn.filter((one) => alone.includes(one)),
    alone,
  );
});

test('the report counts what could be noticed, and names the survivors', () => {
  const outcomes: readonly Tried['outcome'][] = [
    ...(['killed', 'killed', 'timed out', 'survived', 'not compiled', 'equivalent'] as const),
  ];
  const tried = outcomes.map((outcome, line) => ({
    ...{ mutation: mutationAt('src/pool/a.ts', line), outcome, by: '' },
  }));
  assert.equal(killedShare(tried), 0.75);
  const report = reportOf(tried);
  assert.match(report, /\| src\/pool \| 6 \| 2 \| 1 \| 1 \| 1 \| 1 \| 75 % \|/);
  assert.match(report, /- src\/pool\/a\.ts:3 `x` in `a`/);
});

test('what is called equivalent has a reason, and is found by its line', () => {
  const list = readEquivalents();
  for (const { path, line, change, reason } of list) {
    assert.ok(reason.length > 20 && change !== '' && line !== '', `${path}: ${line}`);
  }
  const entry = { path: 'src/pool/a.ts', line: 'a', change: 'x', reason: '' };
  assert.deepEqual(staleEquivalents([entry], ['pool'], [mutationAt('src/pool/a.ts', 9)]), []);
  assert.deepEqual(staleEquivalents([entry], ['pool'], []), [entry]);
  assert.deepEqual(staleEquivalents([entry], ['http'], []), []);
});

test('advice comes with a wrong option', () => {
  const program = fileURLToPath(new URL('../../bench/mutation/run.ts', import.meta.url));
  const args = [program, '--folders', 'pol'];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  assert.equal(status, 2);
  assert.match(stderr, /choose from access, client-request/);
});
