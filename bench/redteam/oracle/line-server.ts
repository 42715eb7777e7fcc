import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { endWithUs } from '../../lib/children.ts';

/** A program that answers each line of JSON on its stdin with a line on its stdout, in order. */
export interface LineServer {
  /** The answer; undefined where none came in time: the program is started again. */
  ask(question: unknown): Promise<string | undefined>;
  close(): Promise<void>;
}

/** How a program is started: it must not end of itself. */
export interface LineProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** For one answer. */
  readonly limitMs: number;
}

type Child = ChildProcessByStdio<Writable, Readable, null>;

/** Starts the program and asks it something that it can answer. Throws where no answer comes. */
export async function startLineServer(program: LineProgram, first: unknown): Promise<LineServer> {
  const server = lineServer(program);
  const answer = await server.ask(first);
  if (answer !== undefined && answer !== '') return server;
  await server.close();
  throw new Error(`${program.command} does not answer.`);
}

function lineServer(program: LineProgram): LineServer {
  let child: Child | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const take = { line: (_: string | undefined): void => undefined };
  const start = (): Child => {
    const started: Child = spawn(program.command, [...program.args], {
      stdio: ['pipe', 'pipe', 'inherit'],
      cwd: program.cwd,
      env: { PATH: process.env['PATH'], ...program.env },
    });
    endWithUs(started);
    started.stdin.on('error', () => undefined);
    started.once('error', () => {
      if (child === started) take.line(undefined);
    });
    createInterface({ input: started.stdout }).on('line', (line) => {
      if (child === started) take.line(line);
    });
    started.once('close', () => {
      if (child === started) take.line(undefined);
    });
    return started;
  };
  const stop = async (): Promise<void> => {
    const old = child;
    child = undefined;
    if (old === undefined || old.exitCode !== null || old.signalCode !== null) return;
    const ended = new Promise((resolve) => old.once('close', resolve));
    old.kill('SIGKILL');
    await ended;
  };
  const ask = async (question: unknown): Promise<string | undefined> => {
    child ??= start();
    const { stdin } = child;
    const answer = await new Promise<string | undefined>((resolve) => {
      // The first answer waits for the start of the program.
      const timer = setTimeout(() => resolve(undefined), program.limitMs);
      take.line = (line) => {
        clearTimeout(timer);
        resolve(line);
      };
      stdin.write(`${JSON.stringify(question)}\n`);
    });
    take.line = () => undefined;
    if (answer === undefined) await stop();
    return answer;
  };
  return {
    ask: (question) => {
      const answer = last.then(() => ask(question));
      last = answer;
      return answer;
    },
    close: async () => {
      await last;
      await stop();
    },
  };
}
