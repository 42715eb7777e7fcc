import { fileURLToPath } from 'node:url';
import { python } from '../../lib/installed.ts';
import type { Context, Effect, Oracle, Reply, RunningOracle } from '../contract.ts';
import { LineProcess, type LineProgram } from './line-process.ts';

/** What a program is asked, as one line of JSON. It answers with an effect. */
export interface Question {
  readonly context: string;
  readonly names: readonly string[];
  readonly values: readonly string[];
}

/** A program that judges. */
export interface JudgingProgram extends LineProgram {
  /** What is asked instead of a `Question`. */
  readonly write?: (context: Context, values: readonly string[]) => object;
  /** What an answer in JSON says. */
  readonly read?: (line: string, context: Context, values: readonly string[]) => Effect;
  /** What the application shows of such an answer. */
  readonly show?: (line: string) => string;
}

const folderOfPrograms = fileURLToPath(new URL('outside/', import.meta.url));

/** The command of a program in `outside/`. */
export const runs = {
  node: (file: string) => ({
    command: process.execPath,
    args: ['--max-old-space-size=256', `${folderOfPrograms}${file}`],
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

/** Throws where the program does not get ready. */
export async function startJudging(program: JudgingProgram): Promise<RunningOracle> {
  const { write, read, show } = program;
  const running = await LineProcess.started(program);
  const replyTo = async (
    context: Context,
    values: readonly string[],
    names = context.members,
  ): Promise<Reply> => {
    const question: Question = { context: context.name, names, values };
    const answer = await running.ask(write?.(context, values) ?? question);
    if (read && answer?.startsWith('{')) {
      return { effect: read(answer, context, values), text: show?.(answer) ?? '' };
    }
    const isEffect = answer === 'effective' || answer === 'inert';
    return { effect: isEffect ? answer : 'error', text: '' };
  };
  return {
    judge: async (context, values, names) => (await replyTo(context, values, names)).effect,
    ...(show && { reply: (context, values) => replyTo(context, values) }),
    close: () => running.close(),
  };
}

/** An oracle that is a program in `outside/`. */
export function lineOracle(options: Omit<Oracle, 'start'> & LineProgram): Oracle {
  return { ...options, start: () => startJudging(options) };
}

/** A context with one field. */
export function oneField(name: string, member: string, benign: string): Context {
  return { name, members: [member], benign: [benign] };
}
