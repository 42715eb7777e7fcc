import type { Kysely } from 'kysely';
import { packageInfo } from './config/package-info.ts';
import { secretOf } from './config/secrets.ts';
import type { Config } from './config/settings.ts';
import type { EventStore, StoredEvent } from './contract/event.ts';
import type { LiveStats } from './contract/live.ts';
import type { DecisionSink, Log, Metrics } from './contract/ports.ts';
import { startEventWriter } from './events/event-writer.ts';
import { createSqlEventStore } from './events/sql-event-store.ts';
import { startUpkeep } from './events/upkeep.ts';
import type { KeyCache } from './keys/key-cache.ts';
import { createDecisionLog } from './log/decision-log.ts';
import { DecisionCounts } from './metrics/decision-counts.ts';
import { startLiveStats } from './metrics/live-stats.ts';
import { createMetrics } from './metrics/registry.ts';
import type { ScanTimesCounter } from './metrics/scan-times.ts';
import type { Outbox, OutboxStats } from './outlets/outbox.ts';
import { createSyslog } from './outlets/syslog.ts';
import { createWebhook } from './outlets/webhook.ts';
import type { PolicyCache } from './policies/policy-cache.ts';
import type { RateLimiting } from './policies/rate-limits.ts';
import type { PooledScanner } from './pool/pooled-scanner.ts';
import type { Tables } from './storage/tables.ts';

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
  readonly rateLimits: RateLimiting;
  readonly log: Log;
}

/** What records decisions, and what it can tell. */
export interface Recording {
  readonly decisions: DecisionSink;
  readonly live: LiveStats;
  readonly events: EventStore;
  readonly metrics: Metrics;
  readonly eventsDropped: () => number;
  /** Parts that work from memory because what they follow is away, the keys left out. */
  readonly degraded: () => readonly string[];
}

/** Starts all that is told of decisions, off the way of requests. */
export function startRecording(parts: RecordingParts, closers: Closer[]): Recording {
  const { config, database, scanner, keys, log } = parts;
  const clock = Date.now;
  const outlets = openOutlets(config, log);
  closers.push(() => closeOutlets(outlets));
  const live = startLiveStats(clock);
  closers.push(async () => live.close());
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
  let stored = 0;
  const writer = startEventWriter({
    store: events,
    explainer: scanner,
    log,
    clock,
    keyNameOf: (keyId) => keys.nameOf(keyId),
    onMade: (event) => tellOutlets(outlets, event),
    onStored: (event) => {
      stored += 1;
      live.stored(event);
    },
  });
  closers.push(() => writer.close());
  const lines = createDecisionLog(log);
  const counts = new DecisionCounts();
  const decisions: DecisionSink = {
    answered: (kind, latencyMs, problem) => {
      live.answered(kind, latencyMs);
      counts.answered(latencyMs, problem);
    },
    screenedInPart: (reasons) => counts.screenedInPart(reasons),
    blocked: (record) => {
      const [strongest] = record.verdict.findings;
      if (strongest !== undefined) live.categorised(strongest.category);
      counts.blocked(strongest?.category, record);
      lines.blocked(record);
      writer.add(record);
    },
  };
  const degraded = degradedParts(parts);
  const metrics = createMetrics({
    version: packageInfo().version,
    decisions: counts,
    answers: () => live.totals(),
    times: parts.times,
    pool: () => scanner.stats(),
    policies: () => parts.policyCache.versions(),
    isReady: () => scanner.isReady(),
    degraded: () => ({ keys: !keys.isReady(), ...degraded() }),
    events: () => ({ stored, dropped: writer.dropped() }),
    outlets: () => statsOf(outlets),
  });
  return {
    decisions,
    live,
    events,
    metrics,
    eventsDropped: () => writer.dropped(),
    degraded: () => Object.entries(degraded()).flatMap(([part, isAway]) => (isAway ? [part] : [])),
  };
}

type Outlets = Readonly<Record<string, Outbox<StoredEvent>>>;

/** Where others are told of blocks, by the name of the outlet. */
function openOutlets(config: Config, log: Log): Outlets {
  const { webhookUrl: url, syslogUrl } = config;
  const { version } = packageInfo();
  const secret = secretOf(config, 'webhookSecret');
  return {
    ...(url === undefined ? {} : { webhook: createWebhook({ url, secret, version, log }) }),
    ...(syslogUrl === undefined ? {} : { syslog: createSyslog({ url: syslogUrl, log }) }),
  };
}

function tellOutlets(outlets: Outlets, event: StoredEvent): void {
  for (const outlet of Object.values(outlets)) outlet.add(event);
}

async function closeOutlets(outlets: Outlets): Promise<void> {
  await Promise.all(Object.values(outlets).map((outlet) => outlet.close()));
}

function statsOf(outlets: Outlets): Readonly<Record<string, OutboxStats>> {
  return Object.fromEntries(Object.entries(outlets).map(([name, one]) => [name, one.stats()]));
}

function degradedParts({ policyCache, rateLimits }: RecordingParts) {
  return () => ({ policies: !policyCache.isReady(), 'rate-limits': !rateLimits.isShared() });
}
