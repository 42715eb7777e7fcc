import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Measured } from '../http/load.ts';
import { endWithUs } from './children.ts';
import type { Target } from './plan.ts';

/** A server in a process of its own. */
export interface Started extends Measured {
  /** From the start of the process to the line that says that it is ready. */
  readonly readyMs: number;
  stop(): Promise<void>;
}

/** The service, which has keys. */
export interface StartedService extends Started {
  /** Makes a further key. */
  newKey(): string;
}

const pollMs = 5;
/** A busy machine takes its time. */
const startMsMax = 120_000;
/** Characters of a failed server's output that are shown. */
const outputShown = 2_000;

/** Starts the service of a tree with its own command, on a free port, with a key of its own. */
export async function startService(
  target: Target,
  args: readonly string[],
): Promise<StartedService> {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-bench-'));
  const program = join(target.root, `src/cli/bin${target.ending}`);
  const command = [...target.nodeFlags, program];
  try {
    const newKey = () => createKey(command, folder, 'bench');
    const key = newKey();
    const serve = ['serve', '--port', '0', '--data-dir', folder, ...args];
    const started = await startProcess(process.execPath, [...command, ...serve], {
      folder,
      addressIn: readyAddress,
    });
    return {
      ...started,
      key,
      newKey,
      statuses: { allow: 200, block: 403 },
      stop: async () => {
        await started.stop();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Makes a key by the command of a service. */
export function createKey(command: readonly string[], dataFolder: string, name: string): string {
  const args = ['keys', 'create', '--name', name, '--data-dir', dataFolder];
  return execFileSync(process.execPath, [...command, ...args], {
    encoding: 'utf8',
    env: ownEnvironment(),
    stdio: 'pipe',
  }).trim();
}

/** Settings of whoever runs the suite are not for the servers that it measures. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env);
  return Object.fromEntries(entries.filter(([name]) => !name.startsWith('SALLYPORT_')));
}

/** The address in the log line of a server that is ready. */
export function readyAddress(output: string): URL | undefined {
  // Older builds, which are compared with, wrote `msg` and `address`.
  const line = output.split('\n').find((text) => /"(?:message|msg)":"ready"/.test(text));
  if (line === undefined) return undefined;
  const { service, address } = JSON.parse(line);
  return new URL(service?.address ?? address);
}

/**
 * Starts a process that says where it listens, and waits until it does. The output goes to a file:
 * to read a pipe would cost the processor time that is to be measured.
 */
export async function startProcess(
  program: string,
  args: readonly string[],
  how: {
    /** Where the output goes. */
    readonly folder: string;
    /** The address, once the output so far says that the process is ready. */
    readonly addressIn: (output: string) => URL | undefined | Promise<URL | undefined>;
  },
): Promise<Pick<Started, 'host' | 'port' | 'pids' | 'readyMs' | 'stop'>> {
  const path = join(how.folder, `output-${process.hrtime.bigint()}`);
  const file = openSync(path, 'w');
  const startedAt = performance.now();
  const child = spawn(program, args, {
    stdio: ['ignore', file, file],
    env: ownEnvironment(),
  });
  endWithUs(child);
  closeSync(file);
  const ended = once(child, 'exit');
  const { pid } = child;
  try {
    const address = await untilReady(child, () => how.addressIn(readFileSync(path, 'utf8')));
    if (address === undefined || pid === undefined) {
      throw new Error(
        `The server did not start:\n${readFileSync(path, 'utf8').slice(-outputShown)}`,
      );
    }
    const readyMs = performance.now() - startedAt;
    const stop = () => end(child, ended);
    return { host: address.hostname, port: Number(address.port), pids: [pid], readyMs, stop };
  } catch (error) {
    await end(child, ended);
    throw error;
  }
}

async function untilReady(
  child: ChildProcess,
  ask: () => URL | undefined | Promise<URL | undefined>,
): Promise<URL | undefined> {
  const giveUpAt = performance.now() + startMsMax;
  for (;;) {
    const address = await ask();
    if (address !== undefined) return address;
    if (child.exitCode !== null || performance.now() > giveUpAt) return undefined;
    await delay(pollMs);
  }
}

const stopMsMax = 15_000;

/** Ends a server the polite way, and by force when it does not go. */
async function end(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), stopMsMax);
  await ended;
  clearTimeout(timer);
}
