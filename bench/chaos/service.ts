import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { packageInfo } from '../../src/config/package-info.ts';
import { freePort } from '../lib/free-port.ts';
import type { Target } from '../lib/plan.ts';
import { residentMb } from '../lib/process-usage.ts';
import { createKey, readyAddress, type Started, startProcess } from '../lib/server.ts';

/** A value with this text hangs the thread that screens it. */
export const poison = '@chaos-hangs-a-thread@';

/** A Sallyport that is killed, replaced and watched. It keeps its port and its data. */
export class Service {
  readonly dataFolder: string;
  readonly #folder: string;
  readonly #command: readonly string[];
  #port = 0;
  #current: Running | undefined;

  constructor(target: Target, folder: string, dataFolder: string) {
    this.#folder = folder;
    this.dataFolder = dataFolder;
    this.#command = [...target.nodeFlags, poisonedProgram(target, join(folder, 'program'))];
  }

  get port(): number {
    return this.#port;
  }

  get pid(): number {
    return this.#current?.pids[0] ?? 0;
  }

  async start(): Promise<void> {
    if (this.#port === 0) this.#port = await freePort();
    this.#current = await this.#startOne();
  }

  createKey(name: string): string {
    return createKey(this.#command, this.dataFolder, name);
  }

  /** SIGKILL, and a start afterwards. */
  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.#current?.stop();
    await this.start();
  }

  /** SIGTERM, and a start afterwards. */
  async restart(): Promise<void> {
    await terminated(this.#current);
    await this.start();
  }

  /** A new process shares the port before the old one is ended. */
  async handOver(): Promise<void> {
    const old = this.#current;
    this.#current = await this.#startOne();
    await terminated(old);
  }

  async stop(): Promise<void> {
    const { pid } = this;
    if (pid !== 0 && isAlive(pid)) this.signal('SIGCONT');
    await this.#current?.stop();
    this.#current = undefined;
  }

  signal(signal: NodeJS.Signals): void {
    if (this.pid !== 0) process.kill(this.pid, signal);
  }

  /** What the process holds at the moment; undefined without `/proc`. */
  usage(): Usage | undefined {
    const residentMbNow = residentMb(this.pid);
    if (residentMbNow === undefined) return undefined;
    const descriptors = readdirSync(`/proc/${this.pid}/fd`).length;
    return { pid: this.pid, residentMb: residentMbNow, descriptors };
  }

  /** Whether the process that should run does. */
  isAlive(): boolean {
    return isAlive(this.pid);
  }

  #startOne(): Promise<Running> {
    const args = ['serve', '--port', String(this.#port), '--share-port', 'yes', '--workers', '2'];
    const stored = ['--data-dir', this.dataFolder, '--events-max-mb', '4'];
    return startProcess(process.execPath, [...this.#command, ...args, ...stored], {
      folder: this.#folder,
      addressIn: readyAddress,
    });
  }
}

type Running = Pick<Started, 'pids' | 'stop'>;

/** Memory and descriptors of a process. */
export interface Usage {
  readonly pid: number;
  readonly residentMb: number;
  readonly descriptors: number;
}

/** Longer than a service waits for connections that it hands over, and for what is in flight. */
const stopMsMax = 60_000;

/** SIGTERM, and the time to end by itself. */
async function terminated(running: Running | undefined): Promise<void> {
  const [pid] = running?.pids ?? [];
  if (running === undefined || pid === undefined) return;
  process.kill(pid, 'SIGTERM');
  const giveUpAt = performance.now() + stopMsMax;
  while (isAlive(pid)) {
    if (performance.now() > giveUpAt) throw new Error('The service did not end after SIGTERM.');
    await delay(20);
  }
  await running.stop();
}

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** A copy of the program whose screening threads hang on `poison`; the path of its command. */
function poisonedProgram({ root, ending }: Target, folder: string): string {
  mkdirSync(folder, { recursive: true });
  for (const part of ['src', 'workers']) {
    cpSync(join(root, part), join(folder, part), { recursive: true });
  }
  const { root: whole } = packageInfo();
  cpSync(join(whole, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(whole, 'node_modules'), join(folder, 'node_modules'));
  const worker = join(folder, `workers/screen${ending}`);
  const text = readFileSync(worker, 'utf8');
  const changed = text.replace(`core/engine${ending}`, `core/poisoned-engine${ending}`);
  if (changed === text) throw new Error('workers/screen does not import the engine any more.');
  writeFileSync(worker, changed);
  writeFileSync(join(folder, `src/core/poisoned-engine${ending}`), poisonedEngine(ending));
  return join(folder, `src/cli/bin${ending}`);
}

function poisonedEngine(ending: string): string {
  return `import { createEngine as createPlain } from './engine${ending}';
export function createEngine() {
  const engine = createPlain();
  const screen = (request, policy) => {
    if (request.body.includes('${poison}')) for (;;);
    return engine.screen(request, policy);
  };
  return { ...engine, screen };
}
`;
}
