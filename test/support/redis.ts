import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { freePort, isListening } from './ports.ts';
import { requireTool } from './require-tool.ts';
import { tempDir } from './temp-dir.ts';
import { until } from './until.ts';

/** A Redis of one test, on a loopback port. */
export interface TestRedis {
  readonly url: string;
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** Starts a Redis that ends with the test; undefined when the test was skipped. */
export async function freshRedis(t: TestContext): Promise<TestRedis | undefined> {
  if (!requireTool(t, 'redis-server')) return undefined;
  const port = await freePort();
  const folder = tempDir();
  let child: ChildProcess | undefined;
  const start = async () => {
    const options = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder];
    child = spawn('redis-server', ['--port', String(port), ...options], { stdio: 'ignore' });
    await until('Redis answers', () => isListening(port));
  };
  const stop = async () => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  t.after(stop);
  await start();
  return { url: `redis://127.0.0.1:${port}`, stop, start };
}
