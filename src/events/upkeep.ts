import type { EventStore, TrafficMinute } from '../contract/event.ts';
import type { Log } from '../contract/ports.ts';

const trafficMs = 60_000;
const pruneMs = 600_000;
const firstPruneMs = 10_000;
const dayMs = 86_400_000;
const mebibyte = 1_048_576;
/** Minutes that wait for an unavailable database; older ones are given up. */
const minutesMax = 1_440;

/** What the upkeep is made of. */
export interface UpkeepParts {
  readonly store: Pick<EventStore, 'addTraffic' | 'prune'>;
  /** Requests since the last call. */
  readonly takeTraffic: () => Omit<TrafficMinute, 'minute'>;
  readonly keepDays: number;
  readonly keepMb: number;
  readonly log: Log;
  readonly clock: () => number;
}

/** Writes the traffic of each minute, and keeps stored events within their bounds. */
export interface Upkeep {
  /** Writes the traffic since the last time; the timer does this by itself. */
  writeTraffic(): Promise<void>;
  /** Removes what is too old or too much; the timer does this by itself. */
  prune(): Promise<void>;
  /** Adds what was stored to the sum, and removes the oldest when that is too much. */
  stored(bytes: number): Promise<void>;
  close(): Promise<void>;
}

export function startUpkeep(parts: UpkeepParts): Upkeep {
  const { store, log, clock } = parts;
  const bytesMax = parts.keepMb * mebibyte;
  let unwritten: TrafficMinute[] = [];
  /** What all events take, as far as this process knows; undefined until it has asked. */
  let bytes: number | undefined;
  let pruning: Promise<void> | undefined;

  async function writeTraffic(): Promise<void> {
    const traffic = parts.takeTraffic();
    const minute = Math.floor((clock() - 1) / 60_000);
    if (traffic.requests > 0) unwritten.push({ minute, ...traffic });
    const writing = unwritten;
    unwritten = [];
    try {
      await store.addTraffic(writing);
    } catch (error) {
      log.debug({ err: error }, 'traffic cannot be stored; trying again in a minute');
      unwritten = [...writing, ...unwritten].slice(-minutesMax);
    }
  }

  function prune(): Promise<void> {
    pruning ??= removeOld().finally(() => {
      pruning = undefined;
    });
    return pruning;
  }

  async function removeOld(): Promise<void> {
    const olderThan = clock() - parts.keepDays * dayMs;
    try {
      const done = await store.prune({ olderThan, bytesMax });
      bytes = done.bytes;
      const { removed } = done;
      if (removed > 0) log.info({ removed }, 'old events removed');
    } catch (error) {
      log.warn({ err: error }, 'old events cannot be removed; trying again in ten minutes');
    }
  }

  async function stored(more: number): Promise<void> {
    if (bytes !== undefined) bytes += more;
    if (bytes === undefined || bytes > bytesMax) await prune();
  }

  const timers = [
    setInterval(() => void writeTraffic(), trafficMs).unref(),
    setInterval(() => void prune(), pruneMs).unref(),
    setTimeout(() => void prune(), firstPruneMs).unref(),
  ];
  return {
    writeTraffic,
    prune,
    stored,
    close: async () => {
      for (const timer of timers) clearTimeout(timer);
      await writeTraffic();
    },
  };
}
