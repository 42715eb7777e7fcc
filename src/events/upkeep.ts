import type { EventStore, TrafficMinute } from '../contract/event.ts';
import type { Log } from '../contract/ports.ts';

/** Written at whole tens of seconds, so that no count falls into another minute. */
const trafficMs = 10_000;
const pruneMs = 600_000;
const firstPruneMs = 10_000;
const dayMs = 86_400_000;
const mebibyte = 1_048_576;
/** Counts that wait for an unavailable database; older ones are given up. */
const countsMax = 8_640;

/** What the upkeep is made of. */
export interface UpkeepParts {
  readonly store: Pick<EventStore, 'addTraffic' | 'prune' | 'adopt'>;
  /** Requests since the last call. */
  readonly takeTraffic: () => Omit<TrafficMinute, 'minute'>;
  readonly keepDays: number;
  readonly keepMb: number;
  readonly log: Log;
  readonly clock: () => number;
}

/** Writes the traffic, and keeps stored events within their bounds. */
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
  /** Since when requests are counted that are not taken yet. */
  let countedFrom = clock();
  /** What all events take, as far as this process knows; undefined until it has asked. */
  let bytes: number | undefined;
  let pruning: Promise<void> | undefined;

  async function writeTraffic(): Promise<void> {
    const traffic = parts.takeTraffic();
    // A timer is a little late: the requests are those of the minute in which the wait began.
    const minute = Math.floor(countedFrom / 60_000);
    countedFrom = clock();
    if (traffic.requests > 0) unwritten.push({ minute, ...traffic });
    if (unwritten.length === 0) return;
    const writing = unwritten;
    unwritten = [];
    try {
      await store.addTraffic(writing);
    } catch (error) {
      log.debug({ err: error }, 'traffic cannot be stored; trying again in ten seconds');
      unwritten = [...writing, ...unwritten].slice(-countsMax);
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
      const adopted = await store.adopt();
      if (adopted > 0) log.info({ adopted }, 'events of an older version can be counted now');
    } catch (error) {
      log.warn({ err: error }, 'old events cannot be removed; trying again in ten minutes');
    }
  }

  async function stored(more: number): Promise<void> {
    if (bytes !== undefined) bytes += more;
    if (bytes === undefined || bytes > bytesMax) await prune();
  }

  const endWriting = atWholeTens(writeTraffic, clock);
  const timers = [
    setInterval(() => void prune(), pruneMs).unref(),
    setTimeout(() => void prune(), firstPruneMs).unref(),
  ];
  return {
    writeTraffic,
    prune,
    stored,
    close: async () => {
      endWriting();
      for (const timer of timers) clearTimeout(timer);
      await writeTraffic();
    },
  };
}

/** Calls at each whole ten seconds of the clock. Gives the call that ends this. */
function atWholeTens(work: () => Promise<void>, clock: () => number): () => void {
  let timer: NodeJS.Timeout;
  const wait = () => {
    timer = setTimeout(next, trafficMs - (clock() % trafficMs)).unref();
  };
  const next = () => {
    void work();
    wait();
  };
  wait();
  return () => clearTimeout(timer);
}
