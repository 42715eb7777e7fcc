import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { endWithUs } from '../../lib/children.ts';

/** A program that writes a line when it is ready, then a line for each line that it reads. */
export interface LineProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** How long an answer may take; then the program is started again. */
  readonly answerMs: number;
}

interface Question {
  readonly line: string;
  readonly resolve: (answer: string | undefined) => void;
}

const startMs = 20_000;

/** A program that answers one question after the other, and is started again when it fails. */
export class LineProcess {
  readonly #program: LineProgram;
  readonly #waiting: Question[] = [];
  #child: ChildProcess | undefined;
  #isReady = false;
  #asked: Question | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(program: LineProgram) {
    this.#program = program;
  }

  /** The line that it answers; undefined when it died or took too long. */
  ask(line: string): Promise<string | undefined> {
    return new Promise((resolve) => {
      this.#waiting.push({ line, resolve });
      this.#next();
    });
  }

  /** Ends the program; what was not answered yet never is. */
  close(): void {
    for (const { resolve } of this.#waiting.splice(0)) resolve(undefined);
    this.#end();
  }

  #next(): void {
    if (this.#asked !== undefined) return;
    const question = this.#waiting[0];
    if (question === undefined) return;
    if (this.#child === undefined) this.#start();
    if (!this.#isReady) return;
    this.#waiting.shift();
    this.#asked = question;
    this.#child?.stdin?.write(`${question.line}\n`);
    this.#timer = setTimeout(() => this.#end(), this.#program.answerMs);
  }

  #start(): void {
    const { command, args, cwd, env = {} } = this.#program;
    const child = spawn(command, args, {
      cwd,
      env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C.UTF-8', ...env },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    endWithUs(child);
    this.#child = child;
    this.#isReady = false;
    child.once('error', () => this.#gone(child));
    child.once('exit', () => this.#gone(child));
    // It may die while we write.
    child.stdin?.on('error', () => undefined);
    createInterface({ input: child.stdout }).on('line', (line) => this.#line(child, line));
    this.#timer = setTimeout(() => this.#end(), startMs);
  }

  #line(child: ChildProcess, line: string): void {
    if (child !== this.#child) return;
    clearTimeout(this.#timer);
    const asked = this.#asked;
    this.#asked = undefined;
    this.#isReady = true;
    asked?.resolve(line);
    this.#next();
  }

  #end(): void {
    const child = this.#child;
    if (child === undefined) return;
    child.kill('SIGKILL');
    this.#gone(child);
  }

  #gone(child: ChildProcess): void {
    if (child !== this.#child) return;
    clearTimeout(this.#timer);
    this.#child = undefined;
    // A program that does not even start fails the first question, so that none waits for ever.
    const failed = this.#asked ?? (this.#isReady ? undefined : this.#waiting.shift());
    this.#asked = undefined;
    this.#isReady = false;
    failed?.resolve(undefined);
    this.#next();
  }
}
