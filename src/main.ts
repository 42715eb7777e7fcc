import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { createAddressDirectory } from './access/address-directory.ts';
import type { KeyCache } from './access/key-cache.ts';
import { createKeyDirectory } from './access/key-directory.ts';
import { startRateLimits } from './access/rate-limits.ts';
import { type Admitting, startAdmitting } from './admitting.ts';
import { processEnvironment } from './config/load.ts';
import { packageInfo } from './config/package-info.ts';
import { secretOf } from './config/secrets.ts';
import type { Config } from './config/settings.ts';
import type { Management, ProcessState } from './contract/management.ts';
import type { LineLog, Log } from './contract/ports.ts';
import { pointerPattern } from './core/policy/pointer-pattern.ts';
import { scopeMatcher } from './core/policy/scope.ts';
import { describeRules } from './core/rules/describe.ts';
import { detectors } from './core/rules/registry.ts';
import { scoreOf } from './core/verdict/verdict.ts';
import { loadPages } from './dashboard/pages.ts';
import { serviceManagerOf } from './deploy/service-manager.ts';
import { createSqlEventStore } from './events/sql-event-store.ts';
import { forwardedClient, trustedProxiesOf } from './http/peer.ts';
import { startHttpServer } from './http/uws-server.ts';
import { type Notifying, startNotifying } from './notifying.ts';
import { startLearning } from './policies/learning.ts';
import { createSqlLearntStore } from './policies/learnt-store.ts';
import { createPolicies } from './policies/policies.ts';
import type { PolicyCache } from './policies/policy-cache.ts';
import { createShadow } from './policies/shadow.ts';
import { createLiveness } from './pool/liveness.ts';
import { createPooledScanner, type PooledScanner } from './pool/pooled-scanner.ts';
import { createRequestMapper } from './pool/request-mapper.ts';
import { type Closer, type Recording, startRecording } from './recording.ts';
import { createLearningThread, saltOf } from './shape/learn/learning-thread.ts';
import { createShapeReader } from './shape/shape-reader.ts';
import { writeOpenApi } from './shape/write-openapi.ts';
import { isStorageFault } from './storage/fault.ts';
import { openStores, type Stores } from './stores.ts';
import { type ClosableLog, createLog } from './telemetry/log/logger.ts';
import { createScanTimes } from './telemetry/metrics/scan-times.ts';

/** Where and how a Sallyport can be reached. */
export interface Reachable {
  /** Where it listens, as a URL or `unix:<path>`. */
  readonly address: string;
  /** Where the metrics are, if they have a port of their own. */
  readonly metricsAddress: string | undefined;
  /** What the first administrator is made with; undefined when there is one. */
  readonly setUpToken: string | undefined;
  /**
   * When the database was read that keys or policies come from, where it was unavailable at the
   * start: milliseconds since 1970, UTC.
   */
  readonly lastGoodOf: number | undefined;
}

/** A Sallyport that answers. */
export interface Running extends Reachable {
  /** Whether the screening threads answer; a process that is stuck does not say. */
  isAlive(): Promise<boolean>;
  /** Resolves when the keys and policies that were stored before the call are in force. */
  reload(): Promise<void>;
  /** Stops listening, answers what is in flight, writes what is buffered. */
  stop(): Promise<void>;
}

type Built = Omit<Running, 'stop'>;

const warmUpMsMax = 30_000;
const warmUpPollMs = 5;
/** npm passes the terminal's Ctrl+C on, so that one keystroke arrives twice. */
const signalEchoMs = 50;

/** Builds all parts and joins them. Resolves when requests are answered; rejects with advice. */
export async function startSallyport(config: Config, log: LineLog): Promise<Running> {
  const closers: Closer[] = [];
  const stop = async () => {
    for (const close of closers.toReversed()) await close();
    closers.length = 0;
  };
  try {
    return { ...(await buildParts(config, log, closers)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Adds each part to the closers as soon as it is there: they are closed in the reverse order. */
async function buildParts(config: Config, log: LineLog, closers: Closer[]): Promise<Built> {
  const clock = Date.now;
  const startedAt = clock();
  const times = createScanTimes();
  const { workers: threads } = config;
  const scanner = closedBy(closers, createPooledScanner({ threads, log, times }));
  const mapper = closedBy(closers, createRequestMapper({ threads, log }));
  const stores = await openStores({ config, explainer: scanner, log, clock }, closers);
  const { database, keys, policyCache, addresses, pepper, snapshots, revocations } = stores;
  const { policies, shadow, learning } = createPolicyParts(stores, scanner, { closers, log });
  const rateLimits = closedBy(closers, await startRateLimits({ redisUrl: config.redisUrl, log }));
  const notifying = await startNotifying({ config, stores, policies, log, clock }, closers);
  const cached = { keys, policyCache, addresses, snapshots, rateLimits };
  const recording = startRecording(
    { config, database, scanner, times, ...cached, notifying, log },
    closers,
  );
  const admitting = await startAdmitting({ config, database, pepper, log, clock });
  const told = { recording, notifying };
  const built = { config, clock, startedAt, scanner, stores, ...told, admitting };
  const management = managementOf({ ...built, policies, learnt: learning });

  await untilReady(() => scanner.isReady());
  const server = await startHttpServer({
    ...listeningOf(config),
    scanner,
    keys,
    addresses,
    ...recording.forServer,
    shadow,
    learning,
    rateLimits,
    mapper,
    log,
    pages: loadPages(join(packageInfo().root, 'dist/dashboard')),
    version: packageInfo().version,
    management,
  });
  closers.push(() => server.stop());
  const { address, metricsAddress } = server;
  const { setUpToken } = admitting.gate;
  const reload = async () => {
    await Promise.all([
      policyCache.refresh(),
      keys.refresh(),
      addresses.refresh(),
      revocations.refresh(),
    ]);
  };
  const lastGoodOf = keys.isOfStore() && policyCache.isOfStore() ? undefined : snapshots.savedAt();
  const reachable = { address, metricsAddress, setUpToken, lastGoodOf };
  return { ...reachable, isAlive: createLiveness(scanner), reload };
}

/** What the management API works with. */
function managementOf(parts: {
  readonly config: Config;
  readonly clock: () => number;
  readonly startedAt: number;
  readonly scanner: PooledScanner;
  readonly stores: Stores;
  readonly recording: Recording;
  readonly notifying: Notifying;
  readonly policies: Management['policies'];
  readonly learnt: Management['learnt'];
  readonly admitting: Admitting;
}): Management {
  const { config, clock, startedAt, scanner, stores, recording, policies, learnt } = parts;
  const trusted = trustedProxiesOf(config.trustedProxies);
  const { gate, people } = parts.admitting;
  const { keys, policyCache, addresses, audit, pepper, revocations } = stores;
  return {
    gate,
    singleSignOn: gate.singleSignOn,
    people,
    managerOf: (key, address) => keys.managerOf(key, address),
    lookUpKey: (key) => keys.lookUp(key),
    keys: createKeyDirectory({
      store: stores.keyStore,
      pepper,
      clock,
      onChange: () => keys.refresh(),
      revokeHere: (id, at) => revocations.revoke(id, at),
    }),
    policies,
    learnt,
    notifications: parts.notifying.channels,
    addresses: createAddressDirectory({
      store: stores.addressStore,
      hasPolicy: async (id) => (await policies.find(id)) !== undefined,
      clock,
      onChange: () => addresses.refresh(),
    }),
    ...recording.stored,
    audit,
    live: recording.live,
    keyUsage: recording.keyUsage,
    badKeys: recording.badKeys,
    unscreened: () =>
      recording.unscreened().map((one) => ({ ...one, keyName: keys.nameOf(one.keyId) })),
    explainer: scanner,
    rules: describeRules(detectors),
    core: { scoreOf, pointerPattern, scopeMatcher },
    clientOf: (forwardedFor) => forwardedClient(forwardedFor, trusted),
    state: () => ({
      ...stateOf({ config, startedAt, scanner, keys, policyCache, recording }),
      eventsDropped: recording.eventsDropped(),
    }),
    isStorageFault,
    clock,
  };
}

/** A part that is closed with the others. */
function closedBy<Part extends { close(): Promise<void> }>(closers: Closer[], part: Part): Part {
  closers.push(() => part.close());
  return part;
}

function listeningOf(config: Config) {
  const { host, port, socket, sharePort, tlsCert, tlsKey, metricsHost, metricsPort } = config;
  const { deadlineMs } = config;
  const metricsToken = secretOf(config, 'metricsToken');
  return {
    ...(metricsToken === undefined ? {} : { metricsToken }),
    trustedProxies: config.trustedProxies,
    deadlineMs,
    ...(metricsPort === undefined ? {} : { metricsAt: { host: metricsHost, port: metricsPort } }),
    host,
    port,
    sharePort: sharePort === 'yes',
    ...(socket === undefined ? {} : { socketPath: socket }),
    ...(tlsCert === undefined || tlsKey === undefined
      ? {}
      : { tls: { certFile: tlsCert, keyFile: tlsKey } }),
  };
}

/** What manages the policies, and what candidates would change. */
function createPolicyParts(
  { policyStore, policyCache, database, pepper }: Stores,
  explainer: PooledScanner,
  { closers, log }: { readonly closers: Closer[]; readonly log: Log },
) {
  const shadow = createShadow({ explainer, policies: policyCache });
  const policies = createPolicies({
    store: policyStore,
    explainer,
    shapes: closedBy(closers, createShapeReader()),
    clock: Date.now,
    refresh: () => policyCache.refresh(),
    shadow: (id) => shadow.report(id),
  });
  const learning = closedBy(
    closers,
    startLearning({
      // All nodes have the same pepper: digests of values can be merged, and tell nothing without it.
      thread: createLearningThread({ salt: saltOf(pepper), log }),
      store: createSqlLearntStore(database),
      events: createSqlEventStore(database),
      policies: policyCache,
      writeOpenApi,
      log,
      clock: Date.now,
    }),
  );
  return { policies, shadow, learning };
}

function stateOf(parts: {
  readonly config: Config;
  readonly startedAt: number;
  readonly scanner: PooledScanner;
  readonly keys: KeyCache;
  readonly policyCache: PolicyCache;
  readonly recording: Recording;
}): Omit<ProcessState, 'eventsDropped'> {
  const { requests, bytes, threadsReplaced } = parts.scanner.stats();
  const isRead = parts.keys.isReady();
  return {
    version: packageInfo().version,
    startedAt: parts.startedAt,
    workers: parts.config.workers,
    readiness: {
      keys: isRead,
      workers: parts.scanner.isReady(),
      database: isRead && parts.recording.isDatabaseWell(),
      policy: parts.policyCache.isReady(),
    },
    queue: { requests, bytes },
    threadsReplaced,
  };
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

/** Runs until SIGTERM or SIGINT and ends the process. `onReady` gets the address. */
export async function runSallyport(
  config: Config,
  onReady: (reachable: Reachable) => void = () => undefined,
  log: ClosableLog = createLog({ level: config.logLevel }),
): Promise<never> {
  collectWithoutHelpers();
  optimiseSooner();
  endOnDefect(log);
  let onReload: () => void = () => undefined;
  const signalled = firstSignal(log, () => onReload());
  const manager = serviceManagerOf(processEnvironment(), log);
  try {
    const running = await startSallyport(config, log);
    log.info(bannerOf(config, running), 'ready');
    onReady(running);
    onReload = () => void reload(running, log);
    void manager.ready(`listening on ${running.address}`, () => running.isAlive());
    const signal = await signalled;
    log.info({ signal }, 'stopping');
    void manager.stopping();
    await running.stop();
    log.info({}, 'stopped');
  } finally {
    await log.close();
  }
  process.exit(0);
}

/**
 * V8 divides a collection of young objects among helper threads and waits for each of them, also
 * for one that waits for a processor: on two busy cores half of the pauses of the thread that
 * answers took 6 ms, instead of 0.5. Hardly anything survives here, so there is nothing to share.
 */
function collectWithoutHelpers(): void {
  setFlagsFromString('--no-parallel-scavenge');
  setFlagsFromString('--no-concurrent-array-buffer-sweeping');
}

/**
 * V8 optimises what was called 3,000 times. A screening thread has hundreds of functions, most of
 * them called once a request at most, and would be slow for its first thousands of requests.
 */
function optimiseSooner(): void {
  setFlagsFromString('--invocation-count-for-turbofan=600');
}

function bannerOf(
  config: Config,
  { address, metricsAddress, lastGoodOf }: Reachable,
): Readonly<Record<string, unknown>> {
  const { workers, dataDir, mode, sensitivity } = config;
  const { version } = packageInfo();
  const node = process.version;
  const lastGood = lastGoodOf === undefined ? undefined : new Date(lastGoodOf).toISOString();
  return { lastGood, version, node, address, metricsAddress, workers, dataDir, mode, sensitivity };
}

/** What can change without a start: keys and policies. Settings are read at the start. */
async function reload(running: Running, log: Log): Promise<void> {
  await running.reload();
  log.info({}, 'keys and policies read anew; settings change with a restart');
}

/**
 * Resolves at the first signal to stop. The second one ends the process at once. SIGHUP stops only
 * what runs in a terminal, which has gone; else it asks for a reload.
 */
function firstSignal(log: ClosableLog, onReload: () => void): Promise<NodeJS.Signals> {
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
    process.on('SIGHUP', process.stdin.isTTY ? onSignal : onReload);
  });
}

/** After a defect the state is unknown: the supervisor starts a new process. */
function endOnDefect(log: ClosableLog): void {
  process.on('uncaughtException', (error) => {
    log.error({ err: error }, 'defect; the process ends');
    void log.close().then(() => process.exit(1));
  });
}
