import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { collect } from '../support/cli.ts';
import { tempDir } from '../support/temp-dir.ts';
import { until } from '../support/until.ts';

/** The folder of this repository. */
export const repository = fileURLToPath(new URL('../..', import.meta.url));

/** Makes a tarball of the package in the folder, as `npm publish` would; gives its path. */
export function pack(folder: string, destination: string): string {
  const words = ['pack', '--json', '--ignore-scripts', '--pack-destination', destination];
  const done = spawnSync('npm', words, { cwd: folder, encoding: 'utf8' });
  assert.equal(done.status, 0, done.stderr);
  const [{ filename }] = JSON.parse(done.stdout) as [{ filename: string }];
  return join(destination, filename);
}

/** An application of its own, in which nothing is installed but the packages that are named. */
export async function installInEmptyFolder({
  registry,
  packages,
}: {
  readonly registry: string;
  readonly packages: readonly string[];
}): Promise<string> {
  const folder = tempDir();
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const words = ['install', '--no-audit', '--no-fund', `--registry=${registry}/`];
  // The network is there for nobody: the registry on this machine and a cache of its own.
  const npm = spawn('npm', [...words, `--cache=${join(folder, '.npm')}`, ...packages], {
    cwd: folder,
    stdio: 'pipe',
  });
  const said = [collect(npm.stdout), collect(npm.stderr)];
  const [code] = (await once(npm, 'close')) as [number | null];
  assert.equal(code, 0, said.map((text) => text()).join('\n'));
  return folder;
}

/** Each major version of Node that the PATH leads to, from the given one on. */
export function nodesFrom(oldest: number): { readonly path: string; readonly version: string }[] {
  const found = new Map<number, { path: string; version: string }>();
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = join(folder, 'node');
    const done = spawnSync(path, ['--version'], { encoding: 'utf8' });
    const major = Number(/^v(\d+)/.exec(done.stdout ?? '')?.[1] ?? 0);
    if (major >= oldest && !found.has(major)) {
      found.set(major, { path, version: done.stdout.trim() });
    }
  }
  return [...found.values()];
}

/** A program that runs. */
export interface Program {
  /** Everything that it has said. */
  readonly text: () => string;
  /** Waits for what the pattern matches; gives its first group. */
  says(pattern: RegExp): Promise<string>;
  /** Returns when it has ended, whatever it has started included. */
  stop(): Promise<void>;
}

/** Starts a program and waits until it says that it is ready. Ended after the test. */
export async function startProgram(
  t: TestContext,
  command: { readonly words: readonly string[]; readonly cwd: string; readonly ready: RegExp },
  environment: Readonly<Record<string, string>> = {},
): Promise<Program> {
  const { words, cwd, ready } = command;
  const [file = '', ...args] = words;
  const child = spawn(file, args, {
    cwd,
    env: { ...process.env, ...environment },
    stdio: 'pipe',
    // A group of its own, so that what npx starts can be ended with it.
    detached: true,
  });
  const said = [collect(child.stdout), collect(child.stderr)];
  const text = () => said.map((part) => part()).join('');
  let hasEnded = false;
  const ended = once(child, 'close').then(() => {
    hasEnded = true;
  });
  const signal = (name: NodeJS.Signals) => {
    if (child.pid !== undefined && !hasEnded) process.kill(-child.pid, name);
  };
  t.after(async () => {
    signal('SIGKILL');
    await ended;
  });
  const says = async (pattern: RegExp): Promise<string> => {
    await until(`${words.join(' ')} says ${pattern}`, () => {
      if (hasEnded) throw new Error(`${words.join(' ')} ended: ${text()}`);
      return pattern.test(text());
    });
    return pattern.exec(text())?.[1] ?? '';
  };
  await says(ready);
  return {
    text,
    says,
    async stop() {
      signal('SIGTERM');
      await ended;
    },
  };
}
