import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { promisify } from 'node:util';
import { endWithUs } from '../../../lib/children.ts';

/** What a jail holds; `jail.c` says how it works. */
export interface JailPlan {
  /** Files and variables of the environment hold it: a command that shows it has reached them. */
  readonly secret: string;
  /** Programs that really run: path in the jail to a file outside of `/tmp`. */
  readonly copies: Readonly<Record<string, string>>;
  /** Folders and devices of this machine that are seen, read-only. */
  readonly shown: readonly string[];
  readonly links: Readonly<Record<string, string>>;
  /** Names of programs that only record how they were called. */
  readonly stubs: readonly string[];
  /** Below `/var`: all that can be written to. */
  readonly files: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
}

/** What a command did. */
export interface JailReport {
  /** A file with the secret was read, by any program. */
  readonly wasRead: boolean;
  readonly filesChanged: boolean;
  /** A connection or a datagram to any address. */
  readonly connected: boolean;
  /** The secret came out, or went into a recording program. */
  readonly secretShown: boolean;
  readonly timedOut: boolean;
  readonly status: number;
  /** The begin of what came out, without zero bytes. */
  readonly output: string;
  /** The argv of each recording program, in the order of the calls. */
  readonly calls: readonly (readonly string[])[];
}

/** A jail that runs one command after the other. */
export interface Jail {
  /** Runs a program of the jail: its path, then its argv. Undefined where it cannot be run. */
  run(command: readonly string[]): Promise<JailReport | undefined>;
  close(): Promise<void>;
}

/** Programs that a jail needs on this machine. */
export const jailTools: readonly string[] = ['gcc', 'unshare', 'setpriv'];

const source = new URL('jail.c', import.meta.url).pathname;
// Longer arguments are refused by the kernel.
const argumentMax = 100_000;

/** Builds the jail and starts it. Throws where the machine allows no user namespaces. */
export async function startJail(plan: JailPlan): Promise<Jail> {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-jail-'));
  // The first process of the jail may be another user than we are.
  chmodSync(folder, 0o755);
  const program = join(folder, 'jail');
  try {
    await promisify(execFile)('gcc', ['-O1', '-static', '-o', program, source]);
    const jail = new RunningJail(spawnJail(program, plan));
    await jail.run(['/bin/true', 'true']);
    return jail;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

function spawnJail(program: string, plan: JailPlan): Child {
  const pairs = (kind: string, table: Readonly<Record<string, string>>) =>
    Object.entries(table).flatMap(([name, value]) => [kind, `${name}=${value}`]);
  const args = [
    ...['--user', '--map-root-user', '--mount', '--pid', '--net', '--ipc', '--uts'],
    ...['--fork', '--kill-child', program, plan.secret],
    ...plan.shown.flatMap((path) => ['show', path]),
    ...pairs('copy', plan.copies),
    ...pairs('link', plan.links),
    ...plan.stubs.flatMap((name) => ['stub', name]),
    ...pairs('file', plan.files),
    ...pairs('env', plan.env),
  ];
  // Limits on the number of processes do not hold for root, whatever the namespace.
  const isRoot = process.getuid?.() === 0;
  const asNobody = ['--reuid=65534', '--regid=65534', '--clear-groups', 'unshare'];
  const child = spawn(isRoot ? 'setpriv' : 'unshare', isRoot ? [...asNobody, ...args] : args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] },
  });
  endWithUs(child);
  return child;
}

class RunningJail implements Jail {
  readonly #child: Child;
  readonly #ended: Promise<void>;
  #received = Buffer.alloc(0);
  #waiting: { resolve: (report: JailReport) => void; reject: (error: Error) => void }[] = [];
  #complaint = '';
  #hasEnded = false;

  constructor(child: Child) {
    this.#child = child;
    this.#ended = new Promise((resolve) => {
      child.once('close', () => {
        this.#hasEnded = true;
        const error = new Error(`The jail ended: ${this.#complaint.slice(0, 500)}`);
        for (const one of this.#waiting.splice(0)) one.reject(error);
        resolve();
      });
    });
    child.stdin.on('error', () => undefined);
    child.stderr.on('data', (chunk: Buffer) => {
      this.#complaint += chunk.toString();
    });
    child.stdout.on('data', (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#takeReports();
    });
  }

  async run(command: readonly string[]): Promise<JailReport | undefined> {
    if (command.some((part) => part.includes('\0') || Buffer.byteLength(part) > argumentMax)) {
      return undefined;
    }
    if (this.#hasEnded) throw new Error(`The jail ended: ${this.#complaint.slice(0, 500)}`);
    const line = Buffer.from(command.map((part) => `${part}\0`).join(''));
    const head = Buffer.alloc(4);
    head.writeUInt32LE(line.length);
    this.#child.stdin.write(Buffer.concat([head, line]));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
    });
  }

  async close(): Promise<void> {
    this.#child.stdin.end();
    this.#child.kill('SIGKILL');
    await this.#ended;
  }

  #takeReports(): void {
    while (this.#received.length >= 4) {
      const end = 4 + this.#received.readUInt32LE(0);
      if (this.#received.length < end) return;
      const report = readReport(this.#received.subarray(4, end).toString());
      this.#received = this.#received.subarray(end);
      this.#waiting.shift()?.resolve(report);
    }
  }
}

function readReport(text: string): JailReport {
  const [flags = '', status = '', output = '', ...rest] = text.split('\0');
  const calls: string[][] = [];
  for (let at = 0; at < rest.length - 1; ) {
    const count = Number(rest[at]);
    calls.push(rest.slice(at + 1, at + 1 + count));
    at += 1 + count;
  }
  return {
    wasRead: flags.includes('r'),
    filesChanged: flags.includes('w'),
    connected: flags.includes('n'),
    secretShown: flags.includes('s'),
    timedOut: flags.includes('t'),
    status: Number(status),
    output,
    calls,
  };
}
