import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endWithUs } from '../../lib/children.ts';
import type { Route } from './route.ts';

/** One run of a tool against a site. */
export interface ToolAttack {
  /** Such as `sqlmap/between`. */
  readonly name: string;
  /** The paths that it goes for. */
  readonly target: string;
  /** Runs it for a limited time; gives its own findings. */
  run(site: string, seconds: number): Promise<readonly string[]>;
}

/** A tool that is installed, or is left out. */
export interface Tool {
  readonly name: string;
  readonly tools: readonly string[];
  /** Whether it has anything for a route. */
  fits(route: Route): boolean;
  /** Those on routes that fit. */
  attacks(routes: readonly Route[]): readonly ToolAttack[];
}

/** Its own name alone would be refused. */
export const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';

/** An empty folder as long as it is used: the home of a tool. */
export async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'range-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Runs a tool with a folder as its home, and ends it after some time. What it printed. */
export async function runTool(
  program: string,
  args: readonly string[],
  { folder, seconds }: { readonly folder: string; readonly seconds: number },
): Promise<string> {
  const child = spawn(program, args, {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, XDG_DATA_HOME: folder, LC_ALL: 'C.UTF-8' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  endWithUs(child);
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  const timer = setTimeout(() => child.kill('SIGKILL'), seconds * 1_000);
  await once(child, 'close');
  clearTimeout(timer);
  return printed;
}
