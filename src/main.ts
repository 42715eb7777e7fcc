import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { policyOf } from './config/load.ts';
import { packageInfo } from './config/package-info.ts';
import type { Config } from './config/settings.ts';
import type { Log } from './contract/ports.ts';
import { loadPages } from './dashboard/pages.ts';
import { startHttpServer } from './http/uws-server.ts';
import { startKeyCache } from './keys/key-cache.ts';
import { pepperMark } from './keys/key-digest.ts';
import { loadPepper } from './keys/pepper.ts';
import { createSqlKeyStore } from './keys/sql-key-store.ts';
import { createDecisionLog } from './log/decision-log.ts';
import { type ClosableLog, createLog } from './log/logger.ts';
import { createPooledScanner } from './pool/pooled-scanner.ts';
import { openDatabase } from './storage/database.ts';

/** A Sallyport that answers. */
export interface Running {
  /** Where it listens, as a URL or `unix:<path>`. */
  readonly address: string;
  /** Stops listening, answers what is in flight, writes what is buffered. */
  stop(): Promise<void>;
}

type Closer = () => Promise<void>;

/** The thread that answers requests waits with SQLite, so it must not wait long. */
const busyTimeoutMs = 100;
const warmUpMsMax = 30_000;
const warmUpPollMs = 5;
/** npm passes the terminal's Ctrl+C on, so that one keystroke arrives twice. */
const signalEchoMs = 50;

/** Builds all parts and joins them. Resolves when requests are answered; rejects with advice. */
export async function startSallyport(config: Config, log: Log): Promise<Running> {
  const closers: Closer[] = [];
  const stop = async () => {
    for (const close of closers.toReversed()) await close();
    closers.length = 0;
  };
  try {
    return { address: await buildParts(config, log, closers), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Adds each part to the closers as soon as it is there: they are closed in the reverse order. */
async function buildParts(config: Config, log: Log, closers: Closer[]): Promise<string> {
  const scanner = createPooledScanner({ threads: config.workers, log });
  closers.push(() => scanner.close());

  const { database } = await openDatabase({ dataDir: config.dataDir, busyTimeoutMs });
  closers.push(() => database.destroy());
  const store = createSqlKeyStore(database);
  const pepper = loadPepper(config, (path) => log.info({ path }, 'key file made; back it up'));
  await store.bindPepper(pepperMark(pepper));
  const keys = await startKeyCache({
    store,
    pepper,
    policy: policyOf(config),
    log,
    clock: Date.now,
  });
  closers.push(() => keys.close());

  await untilReady(() => scanner.isReady());
  const { tlsCert, tlsKey, socket } = config;
  const server = await startHttpServer({
    host: config.host,
    port: config.port,
    ...(socket === undefined ? {} : { socketPath: socket }),
    ...(tlsCert === undefined || tlsKey === undefined
      ? {}
      : { tls: { certFile: tlsCert, keyFile: tlsKey } }),
    scanner,
    keys,
    log,
    decisions: createDecisionLog(log),
    pages: loadPages(join(packageInfo().root, 'dist/dashboard')),
  });
  closers.push(() => server.stop());
  return server.address;
}

async function untilReady(isReady: () => boolean): Promise<void> {
  const giveUpAt = performance.now() + warmUpMsMax;
  while (!isReady()) {
    if (performance.now() > giveUpAt) {
      throw new Error(
        'The screening threads did not start; the log says why. Try fewer with --workers.',
      );
    }
    await delay(warmUpPollMs);
  }
}

/** Runs until SIGTERM or SIGINT and ends the process. `onReady` is told the address. */
export async function runSallyport(
  config: Config,
  onReady: (address: string) => void = () => undefined,
): Promise<never> {
  const log = createLog({ level: config.logLevel });
  endOnDefect(log);
  const signalled = firstSignal(log);
  try {
    const running = await startSallyport(config, log);
    log.info(bannerOf(config, running.address), 'ready');
    onReady(running.address);
    const signal = await signalled;
    log.info({ signal }, 'stopping');
    await running.stop();
    log.info({}, 'stopped');
  } finally {
    await log.close();
  }
  process.exit(0);
}

function bannerOf(config: Config, address: string): Readonly<Record<string, unknown>> {
  const { workers, dataDir, mode, sensitivity } = config;
  const { version } = packageInfo();
  return { version, node: process.version, address, workers, dataDir, mode, sensitivity };
}

/** Resolves at the first signal. The second one ends the process at once. */
function firstSignal(log: ClosableLog): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let firstAt: number | undefined;
    const onSignal = (signal: NodeJS.Signals) => {
      if (firstAt === undefined) {
        firstAt = performance.now();
        resolve(signal);
      } else if (performance.now() - firstAt > signalEchoMs) {
        log.warn({ signal }, 'stopped at once by a second signal');
        void log.close().then(() => process.exit(1));
      }
    };
    process.on('SIGTERM', onSignal);
    process.on('SIGINT', onSignal);
  });
}

/** After a defect the state is unknown: whoever supervises the process starts a new one. */
function endOnDefect(log: ClosableLog): void {
  process.on('uncaughtException', (error) => {
    log.error({ err: error }, 'defect; the process ends');
    void log.close().then(() => process.exit(1));
  });
}
