import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { unprivileged } from '../../../../test/support/database-server.ts';
import { endWithUs } from '../../../lib/children.ts';
import type { Context, RunningOracle } from '../../contract.ts';
import { Judge, type Shop } from './judge.ts';
import type { Shape } from './shape.ts';
import { shapesOf } from './shapes.ts';
import type { Dialect } from './shop.ts';

/** A program with a temporary folder, which is removed with it. */
export class Server {
  readonly folder: string;
  #child: ChildProcess | undefined;

  constructor(name: string) {
    this.folder = mkdtempSync(join(tmpdir(), `redteam-${name}-`));
    const { uid, gid } = unprivileged();
    if (uid !== undefined && gid !== undefined) chownSync(this.folder, uid, gid);
  }

  /** Runs a program to its end, as the user of the server. */
  async run(program: string, args: readonly string[]): Promise<void> {
    const child = this.#spawn(program, args);
    const said = collect(child);
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(`${program} failed: ${said()}`);
  }

  /** Starts the server; it is ready when `isReady` says so or no longer throws. */
  async start(
    program: string,
    args: readonly string[],
    isReady: () => Promise<void>,
  ): Promise<void> {
    const child = this.#spawn(program, args);
    const said = collect(child);
    this.#child = child;
    let reason: unknown;
    for (let tries = 0; tries < 600; tries += 1) {
      if (child.exitCode !== null) throw new Error(`${program} ended: ${said()}`);
      try {
        return await isReady();
      } catch (thrown) {
        reason = thrown;
        await delay(50);
      }
    }
    throw new Error(`${program} does not answer: ${reason}; ${said()}`);
  }

  async close(): Promise<void> {
    const child = this.#child;
    if (child !== undefined && child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      // What it holds is thrown away: there is nothing to finish.
      child.kill('SIGQUIT');
      const timer = setTimeout(() => child.kill('SIGKILL'), 1_000);
      await ended;
      clearTimeout(timer);
    }
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  #spawn(program: string, args: readonly string[]): ChildProcess {
    const child = spawn(program, args, {
      ...unprivileged(),
      cwd: this.folder,
      env: { PATH: process.env['PATH'] ?? '', HOME: this.folder, LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    endWithUs(child);
    return child;
  }
}

function collect(child: ChildProcess): () => string {
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said = `${said}${text}`.slice(-4_000);
    });
  }
  return () => said;
}

/** An oracle over a server: one judgement after the other, since each uses both connections. */
export function judging(
  dialect: Dialect,
  shop: Shop & { close(): Promise<void> },
  server: Server,
): RunningOracle {
  const judge = new Judge(shop);
  const shapes = new Map(shapesOf(dialect).map((shape) => [shape.name, shape]));
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>({ name }: Context, ask: (shape: Shape) => Promise<T>): Promise<T> => {
    const shape = shapes.get(name);
    if (shape === undefined) throw new Error(`${dialect} has no context ${name}.`);
    const asked = last.then(() => ask(shape));
    last = asked.catch(() => undefined);
    return asked;
  };
  return {
    judge: (context, values) => inTurn(context, (shape) => judge.judge(shape, values)),
    reply: (context, values) => inTurn(context, (shape) => judge.reply(shape, values)),
    async close() {
      await shop.close();
      await server.close();
    },
  };
}
