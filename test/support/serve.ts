import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { collect, spawnCli } from './cli.ts';
import { until } from './until.ts';

/** A Sallyport in a process of its own. */
export interface Served {
  readonly address: string;
  /** Its working directory; its data lie in `d` below. */
  readonly cwd: string;
  readonly child: ChildProcess;
  /** Everything on standard output so far. */
  readonly out: () => string;
  /** Everything on standard error so far. */
  readonly err: () => string;
  /** The exit code, once the process has ended. */
  readonly ended: Promise<number | null>;
}

/** Starts `serve` or `up` on a free port, or on that of the environment, and waits until it is ready. Ended after the test. */
export async function startServing(
  t: TestContext,
  cwd: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  prefix: readonly string[] = [],
): Promise<Served> {
  const port = environment['SALLYPORT_PORT'] === undefined ? ['--port', '0'] : [];
  const child = spawnCli([...args, ...port, '--data-dir', 'd', '--workers', '1'], {
    cwd,
    environment,
    prefix,
  });
  const [out, err] = [collect(child.stdout), collect(child.stderr)];
  const ended = once(child, 'close').then(([code]) => code as number | null);
  t.after(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  await until('the server is ready', () => {
    if (child.exitCode !== null) throw new Error(`The server ended: ${out()}${err()}`);
    return out().includes('"message":"ready"');
  });
  const ready = out()
    .split('\n')
    .find((line) => line.includes('"message":"ready"'));
  return { address: JSON.parse(ready ?? '{}').service.address, cwd, child, out, err, ended };
}

/** Runs a shell script to its end and gives its standard output. */
export function shell(script: string): string {
  return spawnSync('sh', ['-c', script], { encoding: 'utf8' }).stdout;
}
