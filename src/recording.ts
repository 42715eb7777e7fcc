import type { Kysely } from 'kysely';
import type { AddressCache } from './access/address-cache.ts';
import type { KeyCache } from './access/key-cache.ts';
import { type KeyUsageWriter, startKeyUsage } from './access/key-usage.ts';
import type { RateLimiting } from './access/rate-limits.ts';
import { packageInfo } from './config/package-info.ts';
import { secretOf } from './config/secrets.ts';
import type { Config } from './config/settings.ts';
import type { ClientReports, UnscreenedByKey } from './contract/client-report.ts';
import type { EventStore, SavedFilters, StoredEvent } from './contract/event.ts';
import type { BadKeys, LiveStats, SnapshotState } from './contract/live.ts';
import type { BlockRecord, DecisionSink, LineLog, Log, Metrics } from './contract/ports.ts';
import type { ScreeningRequest } from './contract/request.ts';
import type { Tracer } from './contract/trace.ts';
import { openAsnTable } from './events/asn-table.ts';
import { openCountryTable } from './events/country-table.ts';
import { type EventWriter, startEventWriter } from './events/event-writer.ts';
import { createSavedFilters } from './events/saved-filters.ts';
import { createSqlEventStore } from './events/sql-event-store.ts';
import { startUpkeep, type Upkeep } from './events/upkeep.ts';
import { forwardedClient, type TrustedProxies, trustedProxiesOf } from './http/peer.ts';
import type { Snapshots } from './last-good.ts';
import type { Dispatcher } from './notifications/dispatcher.ts';
import type { PolicyCache } from './policies/policy-cache.ts';
import type { PooledScanner } from './pool/pooled-scanner.ts';
import { databasePath } from './storage/database.ts';
import { watchDatabase } from './storage/database-watch.ts';
import type { Tables } from './storage/tables.ts';
import type { Outbox } from './telemetry/exporters/outbox.ts';
import { createSyslog } from './telemetry/exporters/syslog.ts';
import { createTracer } from './telemetry/exporters/tracer.ts';
import { createWebhook } from './telemetry/exporters/webhook.ts';
import { createDecisionLog } from './telemetry/log/decision-log.ts';
import { ClientReportCounts } from './telemetry/metrics/client-reports.ts';
import { DecisionCounts } from './telemetry/metrics/decision-counts.ts';
import { type LiveCounter, startLiveStats } from './telemetry/metrics/live-stats.ts';
import { createMetrics } from './telemetry/metrics/registry.ts';
import type { ScanTimesCounter } from './telemetry/metrics/scan-times.ts';
import { writeBlock } from './write-block.ts';

/** Ends a part. */
export type Closer = () => Promise<void>;

/** The parts that are recorded, and what records them is made of. */
export interface RecordingParts {
  readonly config: Config;
  readonly database: Kysely<Tables>;
  readonly scanner: PooledScanner;
  readonly times: ScanTimesCounter;
  readonly keys: KeyCache;
  readonly policyCache: PolicyCache;
  readonly addresses: AddressCache;
  readonly snapshots: Pick<Snapshots, 'savedAt'>;
  readonly rateLimits: RateLimiting;
  readonly notifying: Pick<Dispatcher, 'stored' | 'stats'>;
  readonly log: LineLog;
}

/** What records decisions, and what it can tell. */
export interface Recording {
  readonly live: LiveStats;
  readonly stored: { readonly events: EventStore; readonly filters: SavedFilters };
  readonly keyUsage: KeyUsageWriter;
  readonly eventsDropped: () => number;
  /** Whether the database can be used, as far as the last check and the last write say. */
  readonly isDatabaseWell: () => boolean;
  readonly badKeys: () => BadKeys;
  /** What clients reported within the last hour. */
  readonly unscreened: () => readonly UnscreenedByKey[];
  /** What the server tells, and asks. */
  readonly forServer: {
    readonly decisions: DecisionSink;
    readonly clientReports: ClientReports;
    readonly policyNameOf: (id: string) => string;
    /** Where traces are followed. */
    readonly tracer: Tracer | undefined;
    readonly metrics: Metrics;
    /** Parts whose source is unavailable or that have lost something, except the keys. */
    readonly degraded: () => readonly string[];
    readonly snapshot: () => SnapshotState | undefined;
  };
}

/** Starts everything that is notified of decisions, off the path of requests. */
export function startRecording(parts: RecordingParts, closers: Closer[]): Recording {
  const { config, scanner, keys, log } = parts;
  const clock = Date.now;
  const exporters = openExporters(config, log);
  closers.push(() => exporters.close());
  const live = startLiveStats(clock);
  closers.push(async () => live.close());
  const { events, writer, upkeep, isDatabaseWell } = startEvents(
    parts,
    { live, onMade: exporters.tell },
    closers,
  );
  const take = () => keys.takeUses();
  const keyUsage = startKeyUsage({ database: parts.database, take, log, clock });
  closers.push(() => keyUsage.close());
  const counts = new DecisionCounts();
  const trusted = trustedProxiesOf(config.trustedProxies);
  const decisions = decisionSink({ live, counts, writer, log, trusted });
  const clientReports = new ClientReportCounts(clock);
  const degraded = () => ({
    policies: !parts.policyCache.isReady(),
    'rate-limits': !parts.rateLimits.isShared(),
    database: !isDatabaseWell(),
    events: writer.hasLost(),
  });
  const snapshot = () => snapshotState(parts, clock());
  const metrics = createMetrics({
    version: packageInfo().version,
    decisions: counts,
    clients: clientReports,
    answered: () => live.totals(),
    byKey: () => answersByKey(keys),
    times: parts.times,
    pool: () => scanner.stats(),
    policies: () => parts.policyCache.versions(),
    addressEntries: () => parts.addresses.size(),
    isReady: () => scanner.isReady(),
    degraded: () => ({ keys: !keys.isReady(), ...degraded() }),
    snapshot,
    events: () => writer.stats(),
    exporters: () => ({ ...exporters.stats(), notifications: parts.notifying.stats() }),
  });
  return {
    live,
    stored: {
      events: readingOwnWrites(events, { writer, upkeep }),
      filters: createSavedFilters(parts.database),
    },
    keyUsage,
    eventsDropped: () => writer.stats().dropped,
    isDatabaseWell,
    badKeys: () => counts.badKeys,
    unscreened: () => clientReports.lastHour(),
    forServer: {
      decisions,
      clientReports,
      policyNameOf: (id) => parts.policyCache.nameOf(id),
      tracer: exporters.tracer,
      metrics,
      degraded: () =>
        Object.entries(degraded()).flatMap(([part, isAway]) => (isAway ? [part] : [])),
      snapshot,
    },
  };
}

/** Answers by key for the metrics; the rest of the keys has no name. */
function answersByKey(keys: Pick<KeyCache, 'series' | 'nameOf'>) {
  const { series } = keys;
  const own = Array.from(series.own(), ({ keyId, policyId, counts }) => {
    return { key: keyId, keyName: keys.nameOf(keyId), policy: policyId, counts };
  });
  const rest = { key: 'other', keyName: 'other', policy: 'other', counts: series.rest.counts };
  return [...own, rest];
}

/** The store of blocks, what writes them to it, and what checks it. */
function startEvents(
  { config, database, scanner, keys, notifying, log }: RecordingParts,
  { live, onMade }: { readonly live: LiveCounter; readonly onMade: (event: StoredEvent) => void },
  closers: Closer[],
) {
  const clock = Date.now;
  const { countryDatabase, asnDatabase } = config;
  const watch = watchDatabase({
    database,
    path: config.databaseUrl === undefined ? databasePath(config.dataDir) : undefined,
    log,
  });
  closers.push(async () => watch.close());
  const events = createSqlEventStore(database);
  const upkeep = startUpkeep({
    store: events,
    takeTraffic: () => live.takeTraffic(),
    keepDays: config.eventsDays,
    keepMb: config.eventsMaxMb,
    log,
    clock,
  });
  closers.push(() => upkeep.close());
  const writer = startEventWriter({
    store: {
      insert: async (batch) => {
        watch.refuseDamaged();
        return events.insert(batch);
      },
    },
    explainer: scanner,
    log,
    clock,
    spool: { dataDir: config.dataDir, bytesMax: config.eventsSpoolMb * 1_048_576 },
    keyNameOf: (keyId) => keys.nameOf(keyId),
    networkOf: asnDatabase === undefined ? undefined : openAsnTable(asnDatabase),
    countryOf: countryDatabase === undefined ? undefined : openCountryTable(countryDatabase),
    onMade,
    onBytes: (bytes) => upkeep.stored(bytes),
    onStored(event) {
      live.stored(event);
      notifying.stored(event);
    },
  });
  closers.push(() => writer.close());
  const isDatabaseWell = () => watch.isWell() && !writer.isFailing();
  return { events, writer, upkeep, isDatabaseWell };
}

/** Who reads events finds those of the requests that were answered before. */
function readingOwnWrites(
  store: EventStore,
  { writer, upkeep }: { readonly writer: EventWriter; readonly upkeep: Upkeep },
): EventStore {
  return {
    ...store,
    async search(filter, page) {
      await writer.settled();
      return store.search(filter, page);
    },
    async find(id) {
      await writer.settled();
      return store.find(id);
    },
    async count(filter, wish) {
      await writer.settled();
      return store.count(filter, wish);
    },
    async triage(ids, change) {
      await writer.settled();
      return store.triage(ids, change);
    },
    async traffic(span) {
      await upkeep.writeTraffic();
      return store.traffic(span);
    },
    async neighbours(id, filter, side) {
      await writer.settled();
      return store.neighbours(id, filter, side);
    },
  };
}

/** Each decision is counted; a block is logged and stored as well. */
function decisionSink(told: {
  readonly live: LiveCounter;
  readonly counts: DecisionCounts;
  readonly writer: EventWriter;
  readonly log: LineLog;
  readonly trusted: TrustedProxies;
}): DecisionSink {
  const { live, counts, writer, log, trusted } = told;
  const lines = createDecisionLog(log);
  return {
    answered: (kind, latencyMs, problem) => {
      live.answered(kind, latencyMs);
      counts.answered(latencyMs, problem);
    },
    keyRefused: (address) => counts.keyRefused(address, Date.now()),
    listed: (action) => counts.listed.add(action),
    screenedInPart: (reasons) => counts.screenedInPart(reasons),
    blocked: (record) => {
      const written =
        record.written ?? writeBlock(requestOf(record), record.policy, record.verdict);
      const { category } = written;
      if (category !== undefined) live.categorised(category);
      counts.blocked(category, record);
      const client = forwardedClient(written.forwardedFor, trusted);
      lines.blocked(record, written, client);
      writer.add(record, client);
    },
  };
}

/** What was screened, as a text again: a body that is none was not blocked but rejected. */
function requestOf({ body, context }: BlockRecord): ScreeningRequest {
  return { body: new TextDecoder().decode(body), context };
}

/** The exporters of blocks and traces. */
function openExporters(config: Config, log: Log) {
  const {
    webhookUrl,
    syslogUrl,
    traceContext,
    otlpEndpoint: endpoint,
    otlpHeaders: headers,
  } = config;
  const { version } = packageInfo();
  const secret = secretOf(config, 'webhookSecret');
  const blocks: Readonly<Record<string, Outbox<StoredEvent>>> = {
    ...(webhookUrl === undefined
      ? {}
      : { webhook: createWebhook({ url: webhookUrl, secret, version, log }) }),
    ...(syslogUrl === undefined ? {} : { syslog: createSyslog({ url: syslogUrl, log }) }),
  };
  const tracer =
    traceContext === 'yes' || endpoint !== undefined
      ? createTracer({ endpoint, headers, version, log })
      : undefined;
  const all = { ...blocks, ...(tracer === undefined ? {} : { traces: tracer }) };
  return {
    tracer,
    tell(event: StoredEvent): void {
      for (const exporter of Object.values(blocks)) exporter.add(event);
    },
    stats: () => Object.fromEntries(Object.entries(all).map(([name, one]) => [name, one.stats()])),
    async close(): Promise<void> {
      await Promise.all(Object.values(all).map((one) => one.close()));
    },
  };
}

/** The age of the snapshot on the disk, and whether keys or policies come from it. */
function snapshotState(
  { keys, policyCache, snapshots }: RecordingParts,
  now: number,
): SnapshotState | undefined {
  const savedAt = snapshots.savedAt();
  if (savedAt === undefined) return undefined;
  const ageSeconds = Math.max(0, Math.round((now - savedAt) / 1_000));
  return { ageSeconds, inForce: !keys.isOfStore() || !policyCache.isOfStore() };
}
