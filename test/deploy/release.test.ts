import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { copyRelease, planRelease } from '../../src/deploy/release.ts';
import { tempDir } from '../support/temp-dir.ts';

/** Writes files; those that end in `package.json` hold what is given as JSON. */
function writeTree(folder: string, files: Readonly<Record<string, object | string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    writeFileSync(join(folder, path), text);
  }
}

/** A package that was installed into an application, its dependencies beside it and below it. */
function makeApplication(): string {
  const folder = tempDir();
  writeTree(folder, {
    'node_modules/sallyport/package.json': {
      dependencies: { beside: '1', below: '1' },
      optionalDependencies: { elsewhere: '1' },
    },
    'node_modules/sallyport/dist/src/cli/bin.js': 'program',
    'node_modules/sallyport/dist/test/a.js': 'test',
    'node_modules/sallyport/node_modules/below/package.json': { dependencies: { beside: '2' } },
    'node_modules/sallyport/node_modules/below/node_modules/beside/package.json': {},
    'node_modules/beside/package.json': { dependencies: { deep: '1' } },
    'node_modules/beside/index.js': 'beside 1',
    'node_modules/deep/package.json': { dependencies: { beside: '1' } },
    'node_modules/not-ours/package.json': {},
    node: 'a Node',
  });
  return folder;
}

function plan(folder: string) {
  const root = join(folder, 'node_modules/sallyport');
  return planRelease({ root, node: join(folder, 'node'), version: '1.2.3' });
}

test('a release has the package, what it depends on, and Node; nothing else', () => {
  const release = plan(makeApplication());
  const places = release.files.map(({ to }) => to).toSorted();
  const ours = 'tree/node_modules/sallyport';
  assert.deepEqual(places, [
    'bin/node',
    'tree/node_modules/beside/index.js',
    'tree/node_modules/beside/package.json',
    'tree/node_modules/deep/package.json',
    `${ours}/dist/src/cli/bin.js`,
    `${ours}/node_modules/below/node_modules/beside/package.json`,
    `${ours}/node_modules/below/package.json`,
    `${ours}/package.json`,
  ]);
  assert.match(release.name, /^1\.2\.3-[0-9a-f]{8}$/);
});

test('the name of a release stands for its content', () => {
  const folder = makeApplication();
  const { name } = plan(folder);
  assert.equal(plan(folder).name, name);
  writeFileSync(join(folder, 'node_modules/beside/index.js'), 'beside 2');
  assert.notEqual(plan(folder).name, name);
});

test('a copy is there as a whole or not at all', (t) => {
  const target = mkdtempSync(join(tmpdir(), 'sallyport-release-'));
  t.after(() => rmSync(target, { recursive: true, force: true }));
  const folder = makeApplication();
  const release = { ...plan(folder), path: join(target, 'r') };
  copyRelease(release);
  assert.ok(existsSync(join(target, 'r/package/dist/src/cli/bin.js')));
  assert.ok(existsSync(join(target, 'r/bin/node')));
  rmSync(join(folder, 'node_modules/deep'), { recursive: true });
  assert.throws(() => copyRelease({ ...release, path: join(target, 'broken') }), /ENOENT/);
  assert.deepEqual(readdirSync(target), ['broken.partial', 'r']);
});

test('a dependency that is missing is named', () => {
  const folder = makeApplication();
  rmSync(join(folder, 'node_modules/deep'), { recursive: true });
  assert.throws(() => plan(folder), /The package deep is missing: run `npm ci`/);
});
