import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { findTool } from '../../../test/support/require-tool.ts';
import { endWithUs } from '../../lib/children.ts';

/**
 * A program that writes a line when it is ready, then a line for each line of JSON that it reads.
 * An answer behind `!` says that the program is to be started again.
 */
export interface LineProgram {
  readonly command: string;
  readonly args: readonly string[];
  /** All of its environment but the locale, and a PATH that leads nowhere. */
  readonly env?: Readonly<Record<string, string>>;
  /** How long an answer may take; then the program is started again. Default 1,000. */
  readonly answerMs?: number;
}

type Child = ChildProcessByStdio<Writable, Readable, null>;

const startMs = 30_000;
const nobody = 65_534;
const ownPrograms = fileURLToPath(new URL('./', import.meta.url));
const folders = new Set<string>();

/** A program that runs in an empty folder, and is started again when it fails. */
export class LineProcess {
  readonly #program: LineProgram;
  // Node itself may be root's, and takes its rights away by other means.
  readonly #user: { uid?: number; gid?: number };
  readonly #folder: string;
  readonly #args: readonly string[];
  #copies: string | undefined;
  #child: Child | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #take: (line: string | undefined) => void = () => undefined;
  #isClosed = false;

  private constructor(program: LineProgram) {
    this.#program = program;
    const isNobody = process.getuid?.() === 0 && program.command !== process.execPath;
    this.#user = isNobody ? { uid: nobody, gid: nobody } : {};
    this.#folder = emptyFolder();
    if (isNobody) chownSync(this.#folder, nobody, nobody);
    this.#args = program.args.map((arg) =>
      isNobody && arg.startsWith(ownPrograms) ? this.#readable(arg) : arg,
    );
  }

  /** A copy of a program that others may read, whatever the checkout is in, with the files beside it. */
  #readable(path: string): string {
    this.#copies = emptyFolder();
    chmodSync(this.#copies, 0o755);
    cpSync(dirname(path), this.#copies, { recursive: true });
    return join(this.#copies, basename(path));
  }

  /** Throws where the program does not get ready. */
  static async started(program: LineProgram): Promise<LineProcess> {
    const running = new LineProcess(program);
    if (await running.#start()) return running;
    await running.close();
    throw new Error(`${program.command} does not start; run it by hand to see why.`);
  }

  /** The line that it answers, one question after the other; undefined when it died or was late. */
  ask(question: unknown): Promise<string | undefined> {
    const answer = this.#last.then(() => this.#askNow(question));
    this.#last = answer;
    return answer;
  }

  /** Ends the program; what was not answered yet never is. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#end();
    await this.#last;
    for (const folder of [this.#folder, this.#copies]) {
      if (folder === undefined) continue;
      folders.delete(folder);
      // A server of the program may still be on its way out, and write.
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
    }
  }

  async #askNow(question: unknown): Promise<string | undefined> {
    if (this.#child === undefined && !(await this.#start())) return undefined;
    this.#child?.stdin.write(`${JSON.stringify(question)}\n`);
    const line = await this.#line(this.#program.answerMs ?? 1000);
    if (line !== undefined && !line.startsWith('!')) return line;
    await this.#end();
    return line?.slice(1);
  }

  async #start(): Promise<boolean> {
    if (this.#isClosed) return false;
    const { command, env } = this.#program;
    const child: Child = spawn(findTool(command) ?? command, [...this.#args], {
      cwd: this.#folder,
      // Nothing of our own environment is for attacks to see.
      env: { PATH: '/nowhere', LC_ALL: 'C.UTF-8', ...env },
      stdio: ['pipe', 'pipe', 'ignore'],
      // In a separate group, which ends with it.
      detached: true,
      ...this.#user,
    });
    endWithUs(child);
    this.#child = child;
    child.once('error', () => this.#gone(child));
    child.once('close', () => this.#gone(child));
    // It may die while we write.
    child.stdin.on('error', () => undefined);
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (child === this.#child) this.#take(line);
    });
    if ((await this.#line(startMs)) !== undefined) return true;
    await this.#end();
    return false;
  }

  /** What it writes next; undefined where it ends, or writes nothing in time. */
  #line(ms: number): Promise<string | undefined> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#take(undefined), ms);
      this.#take = (line) => {
        clearTimeout(timer);
        this.#take = () => undefined;
        resolve(line);
      };
    });
  }

  #gone(child: Child): void {
    if (child !== this.#child) return;
    this.#child = undefined;
    this.#take(undefined);
  }

  async #end(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    this.#gone(child);
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has just ended by itself.
    }
    await ended;
  }
}

/** A folder that goes when its program is closed, or when this process ends. */
function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-redteam-'));
  if (folders.size === 0) process.once('exit', removeAll);
  folders.add(folder);
  return folder;
}

function removeAll(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}
