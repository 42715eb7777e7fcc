import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { endWithUs } from '../../lib/children.ts';
import type { Context, Effect, RunningOracle } from '../contract.ts';

/** A program that answers each line of JSON, `{"context", "values"}`, with a line: the effect. */
export interface LineProgram {
  readonly command: string;
  readonly args: readonly string[];
  /** What is written instead of the context and the values. */
  readonly write?: (context: Context, values: readonly string[]) => object;
  /** What an answer says, where it is not the effect itself. */
  readonly read?: (line: string, context: Context, values: readonly string[]) => Effect;
}

/** The first answer may wait for a program that starts. */
const startMsMax = 30_000;
const judgeMsMax = 3_000;

/** Keeps a program running in an empty folder; one that hangs or ends is started anew. */
export class LineServer implements RunningOracle {
  readonly #program: LineProgram;
  readonly #folder = mkdtempSync(join(tmpdir(), 'sallyport-lines-'));
  #child: ChildProcess | undefined;
  #answer: ((line: string | undefined) => void) | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(program: LineProgram) {
    this.#program = program;
  }

  /** The answer to an honest value shows that the program runs. */
  static async started(program: LineProgram, context: Context): Promise<LineServer> {
    const server = new LineServer(program);
    const effect = await server.judge(context, context.honest);
    if (effect !== 'error') return server;
    await server.close();
    throw new Error(`${program.command} does not answer; run it by hand to see why.`);
  }

  judge(context: Context, values: readonly string[]): Promise<Effect> {
    const effect = this.#last.then(() => this.#ask(context, values));
    this.#last = effect;
    return effect;
  }

  async close(): Promise<void> {
    await this.#end();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #ask(context: Context, values: readonly string[]): Promise<Effect> {
    const { write, read } = this.#program;
    const line = JSON.stringify(write?.(context, values) ?? { context: context.name, values });
    const isNew = this.#child === undefined;
    const child = this.#child ?? this.#start();
    const answer = await new Promise<string | undefined>((resolve) => {
      const timer = setTimeout(resolve, isNew ? startMsMax : judgeMsMax, undefined);
      this.#answer = (text) => {
        clearTimeout(timer);
        resolve(text);
      };
      child.stdin?.write(`${line}\n`);
    });
    this.#answer = undefined;
    if (answer?.startsWith('{') && read) return read(answer, context, values);
    if (answer === 'effective' || answer === 'inert') return answer;
    if (answer !== 'error') await this.#end();
    return 'error';
  }

  #start(): ChildProcess {
    const child = spawn(this.#program.command, this.#program.args, {
      cwd: this.#folder,
      // Nothing of our own environment is for attacks to see.
      env: { PATH: '/nowhere', LANG: 'C.UTF-8' },
      stdio: ['pipe', 'pipe', 'ignore'],
      ...this.#nobody(),
    });
    endWithUs(child);
    this.#child = child;
    child.on('error', () => this.#answer?.(undefined));
    child.stdin.on('error', () => this.#answer?.(undefined));
    child.once('exit', () => {
      if (this.#child === child) this.#child = undefined;
      this.#answer?.(undefined);
    });
    createInterface({ input: child.stdout }).on('line', (line) => this.#answer?.(line));
    return child;
  }

  /** Without the rights of root, where it is root that measures; Node itself may be root's. */
  #nobody(): { uid?: number; gid?: number } {
    const isRoot = process.getuid?.() === 0;
    return isRoot && this.#program.command.startsWith('/usr/bin/')
      ? { uid: 65_534, gid: 65_534 }
      : {};
  }

  async #end(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
}
