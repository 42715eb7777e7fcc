import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Mutation, mutated } from './mutations.ts';

/** How a test file ended. */
export interface TestEnd {
  readonly outcome: 'passed' | 'failed' | 'timed out';
  readonly ms: number;
  /** The first test that failed. */
  readonly failed: string;
}

/** The files of a checkout, as git knows them, with those that are new. */
export function filesOf(root: string): readonly string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', '-z'];
  const text = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 });
  return text.split('\0').filter((path) => path !== '');
}

/** A copy of a checkout, in which files are changed and tests run. */
export class Tree {
  readonly folder: string;
  /** Temporary files of its tests: what a test that was stopped leaves goes with the copy. */
  readonly #temporary: string;

  constructor(root: string, files: readonly string[], folder: string) {
    this.folder = folder;
    // One for all copies: what a test has compiled is not compiled again.
    this.#temporary = join(dirname(folder), 'tmp');
    // Open to others: the PostgreSQL of a test runs as another user.
    mkdirSync(this.#temporary, { recursive: true, mode: 0o755 });
    for (const path of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      cpSync(join(root, path), join(folder, path));
    }
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    // Tests that look at pages need them built.
    const pages = join(root, 'dist/dashboard');
    if (existsSync(pages)) {
      mkdirSync(join(folder, 'dist'), { recursive: true });
      symlinkSync(pages, join(folder, 'dist/dashboard'));
    }
  }

  /** Does something while a mutation stands in the copy. */
  async with<T>(mutation: Mutation, work: () => Promise<T>): Promise<T> {
    const path = join(this.folder, mutation.path);
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, mutated(text, mutation));
    try {
      return await work();
    } finally {
      writeFileSync(path, text);
    }
  }

  /** Writes a file of the copy. */
  write(path: string, text: string): void {
    writeFileSync(join(this.folder, path), text);
  }

  /** Runs one test file until its end, its first failure or the end of its time. */
  async runTest(
    test: string,
    msMax: number,
    environment: Readonly<Record<string, string>> = {},
  ): Promise<TestEnd> {
    const startedAt = performance.now();
    const child = this.#start(['--test-reporter=tap', test], environment);
    let output = '';
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      stop(child);
    }, msMax);
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (failure.test(output)) stop(child);
    });
    const [code] = (await once(child, 'close')) as [number | null];
    clearTimeout(timer);
    // Servers that the test started may outlive it.
    stop(child);
    const failed = failure.exec(output)?.[1] ?? (code === 0 ? '' : 'its process ended');
    const outcome = isLate ? 'timed out' : failed === '' ? 'passed' : 'failed';
    return { outcome, ms: performance.now() - startedAt, failed };
  }

  #start(args: readonly string[], environment: Readonly<Record<string, string>>): ChildProcess {
    const child = spawn(process.execPath, args, {
      cwd: this.folder,
      env: { ...process.env, ...environment, TMPDIR: this.#temporary },
      stdio: ['ignore', 'pipe', 'ignore'],
      // A separate group, so that it ends with all that it has started.
      detached: true,
    });
    groups.add(child);
    child.once('exit', () => groups.delete(child));
    return child;
  }
}

const failure = /^\s*not ok \d+ - (.*)$/m;

const groups = new Set<ChildProcess>();

function stop({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // The whole group has ended.
  }
}

process.once('exit', () => groups.forEach(stop));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
