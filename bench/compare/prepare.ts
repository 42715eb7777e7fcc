import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Target } from '../lib/plan.ts';

/** A commit, checked out and built apart from the working files. */
export interface Prepared {
  readonly commit: string;
  readonly target: Target;
  remove(): void;
}

/**
 * Checks a commit out into a temporary folder and builds it. The installed packages are shared when
 * its lock file is the same, else installed there.
 */
export function prepareCommit(repository: string, commit: string): Prepared {
  const hash = git(repository, ['rev-parse', '--short', '--verify', `${commit}^{commit}`]);
  const parent = mkdtempSync(join(tmpdir(), 'sallyport-bench-commit-'));
  const folder = join(parent, hash);
  const remove = () => {
    git(repository, ['worktree', 'remove', '--force', folder]);
    rmSync(parent, { recursive: true, force: true });
  };
  git(repository, ['worktree', 'add', '--detach', folder, hash]);
  try {
    if (haveSameLock(repository, folder)) {
      symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'), 'dir');
    } else {
      runNpm(folder, ['ci', '--no-audit', '--no-fund']);
    }
    runNpm(folder, ['run', 'build']);
  } catch (error) {
    remove();
    throw error;
  }
  const target: Target = { root: join(folder, 'dist'), ending: '.js', nodeFlags: [] };
  return { commit: hash, target, remove };
}

/**
 * The working files as they are now. A copy of the build: another build must not change what is
 * being measured.
 */
export function prepareWorkingFiles(repository: string): Prepared {
  runNpm(repository, ['run', 'build']);
  const parent = mkdtempSync(join(tmpdir(), 'sallyport-bench-files-'));
  cpSync(join(repository, 'dist'), join(parent, 'dist'), { recursive: true });
  cpSync(join(repository, 'package.json'), join(parent, 'package.json'));
  if (existsSync(join(repository, 'node_modules'))) {
    symlinkSync(join(repository, 'node_modules'), join(parent, 'node_modules'), 'dir');
  }
  return {
    commit: 'working files',
    target: { root: join(parent, 'dist'), ending: '.js', nodeFlags: [] },
    remove: () => rmSync(parent, { recursive: true, force: true }),
  };
}

function haveSameLock(a: string, b: string): boolean {
  const [lockA, lockB] = [a, b].map((folder) => join(folder, 'package-lock.json'));
  if (lockA === undefined || lockB === undefined || !existsSync(lockA) || !existsSync(lockB)) {
    return false;
  }
  return readFileSync(lockA, 'utf8') === readFileSync(lockB, 'utf8');
}

function git(folder: string, args: readonly string[]): string {
  return execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim();
}

function runNpm(folder: string, args: readonly string[]): void {
  execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
}
