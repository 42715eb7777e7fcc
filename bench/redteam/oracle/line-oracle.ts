import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { python } from '../../lib/installed.ts';
import type { Context, Effect, Oracle } from '../contract.ts';
import { LineProcess } from './line-process.ts';

/** What a program in `outside/` is asked, as one line of JSON. It answers with an effect. */
export interface Question {
  readonly context: string;
  readonly names: readonly string[];
  readonly values: readonly string[];
}

interface LineOracle extends Omit<Oracle, 'start'> {
  readonly command: string;
  readonly args: readonly string[];
  /** Default 1,000. */
  readonly answerMs?: number;
  /** What a judgement that takes too long says; by default that the input was no valid one. */
  readonly onTimeout?: Effect;
}

const folderOfPrograms = fileURLToPath(new URL('outside/', import.meta.url));

/** The command of a program in `outside/`. */
export const runs = {
  node: (file: string) => ({
    command: process.execPath,
    args: [
      '--max-old-space-size=256',
      '--import',
      import.meta.resolve('tsx'),
      `${folderOfPrograms}${file}`,
    ],
  }),
  php: (file: string) => ({
    command: 'php',
    args: ['-d', 'display_errors=0', '-d', 'memory_limit=256M', `${folderOfPrograms}${file}`],
  }),
  python: (file: string) => ({ command: python, args: ['-B', `${folderOfPrograms}${file}`] }),
  // Without gems fewer classes can be made from data.
  ruby: (file: string) => ({
    command: 'ruby',
    args: ['--disable-gems', `${folderOfPrograms}${file}`],
  }),
};

/** An oracle that is a program in `outside/`, kept running in an empty folder. */
export function lineOracle(options: LineOracle): Oracle {
  const { command, args, answerMs = 1000, onTimeout = 'error', ...oracle } = options;
  return {
    ...oracle,
    async start() {
      const cwd = emptyFolder();
      const running = new LineProcess({ command, args, cwd, answerMs });
      return {
        async judge(context, values, names = context.members): Promise<Effect> {
          const question: Question = { context: context.name, names, values };
          const answer = await running.ask(JSON.stringify(question));
          return answer === undefined ? onTimeout : effectOf(answer);
        },
        async close() {
          running.close();
          remove(cwd);
        },
      };
    },
  };
}

const folders = new Set<string>();

/** A folder that goes when its oracle is closed, or when this process ends. */
function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-redteam-'));
  if (folders.size === 0) process.once('exit', removeAll);
  folders.add(folder);
  return folder;
}

function remove(folder: string): void {
  folders.delete(folder);
  if (folders.size === 0) process.off('exit', removeAll);
  // A server of the program may still be on its way out, and write.
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
}

function removeAll(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

/** A context with one field. */
export function oneField(name: string, member: string, honest: string): Context {
  return { name, members: [member], honest: [honest] };
}

function effectOf(answer: string): Effect {
  return answer === 'effective' || answer === 'inert' ? answer : 'error';
}
