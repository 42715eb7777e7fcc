import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { prepareCommit } from '../../bench/compare/prepare.ts';
import { compareTargets } from '../../bench/compare/run.ts';
import { ownTarget } from '../../bench/lib/plan.ts';
import { requireTool } from '../support/require-tool.ts';
import { tempDir } from '../support/temp-dir.ts';

test('a commit is checked out and built apart, and leaves nothing behind', (t) => {
  if (!requireTool(t, 'git')) return;
  const repository = tempDir();
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
      cwd: repository,
      encoding: 'utf8',
      stdio: 'pipe',
    });
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(repository, name)), { recursive: true });
    writeFileSync(join(repository, name), text);
  };
  git('init', '-q');
  write('package.json', '{"name":"x","scripts":{"build":"node build.mjs"}}');
  write('package-lock.json', '{"lockfileVersion":3,"packages":{}}');
  write(
    'build.mjs',
    "import { cpSync } from 'node:fs';\ncpSync('src', 'dist/src', { recursive: true });",
  );
  write('.gitignore', 'node_modules\ndist\n');
  write('src/a.js', 'old');
  git('add', '.');
  git('commit', '-q', '-m', 'first');
  write('src/a.js', 'new');
  write('node_modules/b/index.js', 'shared');

  const { target, commit, remove } = prepareCommit(repository, 'HEAD');
  assert.equal(commit, git('rev-parse', '--short', 'HEAD').trim());
  assert.equal(readFileSync(join(target.root, 'src/a.js'), 'utf8'), 'old');
  const shared = join(target.root, '../node_modules/b/index.js');
  assert.equal(readFileSync(shared, 'utf8'), 'shared', 'the same lock file: packages are shared');
  remove();
  assert.equal(existsSync(target.root), false);
  assert.equal(git('worktree', 'list').trim().split('\n').length, 1);
  assert.equal(readFileSync(join(repository, 'src/a.js'), 'utf8'), 'new');
  assert.ok(existsSync(join(repository, 'node_modules/b/index.js')));

  assert.throws(() => prepareCommit(repository, 'no-such-commit'));
});

test('two trees are measured in turn', async () => {
  const target = ownTarget();
  const plan = { smoke: true, scale: 1, chaos: { minutes: 1, seed: 1 }, peers: undefined, target };
  const measures = await compareTargets(plan, target, target);
  const names = measures.map(({ name, input }) => `${name} ${input}`);
  for (const name of ['engine login', 'engine attacks', 'http login', 'http article-16k']) {
    assert.ok(names.includes(name), `${name} is not compared`);
  }
  for (const { median, repeats, input } of measures) {
    assert.ok(median > 0, `${input}: ${median}`);
    assert.equal(repeats, 1);
  }
});
