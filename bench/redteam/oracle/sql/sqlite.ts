import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { endWithUs } from '../../../lib/children.ts';
import { ownTarget } from '../../../lib/plan.ts';
import type { Context, Effect, Oracle, Reply, RunningOracle } from '../../contract.ts';
import { shapesOf } from './shapes.ts';
import type { Case } from './sqlite-job.ts';

/** SQLite in memory, in a process that is ended when a statement does not end. */
export const sqlite: Oracle = {
  name: 'sqlite',
  category: 'sqli',
  language: 'sql',
  tools: [],
  contexts: shapesOf('sqlite'),
  start: async () => new SqliteProcess(),
};

/** A statement takes microseconds; a process takes its time to start. */
const limitMs = 1_000;
const startMs = 20_000;

/** A time limit may be passed for other reasons once; a delay passes it again. */
const triesMax = 2;

interface Waiting extends Case {
  tries: number;
  readonly resolve: (reply: Reply) => void;
}

class SqliteProcess implements RunningOracle {
  #child: ChildProcess | undefined;
  #timer: NodeJS.Timeout | undefined;
  #count = 0;
  /** In the order in which the process takes them. */
  readonly #waiting = new Map<number, Waiting>();

  async judge(context: Context, values: readonly string[]): Promise<Effect> {
    return (await this.#ask(context, values, false)).effect;
  }

  reply(context: Context, values: readonly string[]): Promise<Reply> {
    return this.#ask(context, values, true);
  }

  #ask(context: Context, values: readonly string[], isShown: boolean): Promise<Reply> {
    return new Promise((resolve) => {
      const id = ++this.#count;
      const waiting = { id, context: context.name, values, isShown, tries: 0, resolve };
      this.#waiting.set(waiting.id, waiting);
      if (this.#child === undefined) this.#start();
      else {
        this.#child.send(caseOf(waiting));
        if (this.#waiting.size === 1) this.#watch(limitMs);
      }
    });
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  #start(): void {
    const { nodeFlags, ending } = ownTarget();
    const child = fork(fileURLToPath(new URL(`./sqlite-job${ending}`, import.meta.url)), {
      execArgv: [...nodeFlags, '--no-warnings', '--max-old-space-size=512'],
    });
    endWithUs(child);
    this.#child = child;
    child.on('message', (message) => {
      if (child !== this.#child) return;
      if (message === 'ready') return this.#watch(limitMs);
      const { id, reply } = message as { readonly id: number; readonly reply: Reply };
      this.#waiting.get(id)?.resolve(reply);
      this.#waiting.delete(id);
      this.#watch(limitMs);
    });
    // Ended for its time, it takes no more; what waits is sent to the next.
    child.on('error', () => undefined);
    child.once('exit', () => this.#restart(child));
    for (const waiting of this.#waiting.values()) child.send(caseOf(waiting));
    this.#watch(startMs);
  }

  /** The first that waits is the one that runs. */
  #watch(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#waiting.size === 0) return;
    this.#timer = setTimeout(() => this.#child?.kill('SIGKILL'), ms);
  }

  #restart(ended: ChildProcess): void {
    if (ended !== this.#child) return;
    this.#child = undefined;
    const [running] = this.#waiting.values();
    if (running !== undefined) {
      running.tries += 1;
      if (running.tries >= triesMax) {
        running.resolve({ effect: 'effective', text: '', isSlow: true });
        this.#waiting.delete(running.id);
      }
    }
    if (this.#waiting.size > 0) this.#start();
  }
}

function caseOf({ id, context, values, isShown }: Waiting): Case {
  return { id, context, values, isShown };
}
