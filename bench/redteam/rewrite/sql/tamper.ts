import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { findTool } from '../../../../test/support/require-tool.ts';
import { endWithUs } from '../../../lib/children.ts';
import { python } from '../../../lib/installed.ts';

/** The folder of an installed sqlmap. */
export function sqlmapFolder(): string | undefined {
  const tool = findTool('sqlmap');
  const places = tool === undefined ? [] : [dirname(realpathSync(tool)), '/usr/share/sqlmap'];
  return places.find((place) => existsSync(join(place, 'tamper')));
}

/** The names of its tamper scripts. */
export function tamperScripts(): string[] {
  const folder = sqlmapFolder();
  if (folder === undefined) return [];
  return readdirSync(join(folder, 'tamper'))
    .filter((name) => name.endsWith('.py') && !name.startsWith('_'))
    .map((name) => name.slice(0, -3))
    .sort();
}

type Python = ChildProcessByStdio<Writable, Readable, null>;

let running: Python | undefined;
const waiting: ((value: string | null) => void)[] = [];

/** What a script makes of a value; undefined where it leaves it as it is. */
export async function tamper(
  script: string,
  value: string,
  seed: number,
): Promise<string | undefined> {
  const child = start();
  const made = await new Promise<string | null>((resolve) => {
    waiting.push(resolve);
    hold(child);
    child.stdin.write(`${JSON.stringify({ script, value, seed })}\n`);
  });
  return made === null || made === value ? undefined : made;
}

function start(): Python {
  if (running !== undefined) return running;
  const folder = sqlmapFolder();
  if (folder === undefined) throw new Error('sqlmap is not installed: apt-get install sqlmap');
  const program = fileURLToPath(new URL('tamper.py', import.meta.url));
  const child = spawn(python, [program, folder], { stdio: ['pipe', 'pipe', 'ignore'] });
  endWithUs(child);
  child.once('exit', () => {
    running = undefined;
    for (const resolve of waiting.splice(0)) resolve(null);
  });
  child.stdin.on('error', () => undefined);
  createInterface({ input: child.stdout }).on('line', (line) => {
    waiting.shift()?.((JSON.parse(line) as { readonly value: string | null }).value);
    if (waiting.length === 0) release(child);
  });
  running = child;
  return child;
}

/** The process keeps us alive only while it is asked something. */
function hold(child: Python): void {
  for (const one of [child, child.stdin, child.stdout]) (one as { ref?(): void }).ref?.();
}

function release(child: Python): void {
  for (const one of [child, child.stdin, child.stdout]) (one as { unref?(): void }).unref?.();
}
