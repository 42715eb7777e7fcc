import type { EventStore, TrafficMinute } from '../contract/event.ts';
import type { Log } from '../contract/ports.ts';
import { inTime } from '../storage/in-time.ts';

/** Written at whole tens of seconds, so that no count falls into another minute. */
const trafficMs = 10_000;
const pruneMs = 600_000;
const firstPruneMs = 10_000;
const dayMs = 86_400_000;
const mebibyte = 1_048_576;
/** How long the next batch of events waits for a removal: new blocks go on to be stored. */
const storedWaitMsMax = 100;
/** The shutdown waits so long for the step of a removal, which a database may hold up. */
const closeMsMax = 3_000;
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
  /**
   * Adds what was stored to the sum, and removes the oldest when that is too much. Waits for that,
   * but not for long: after a bound was lowered it may take minutes.
   */
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
  /** What was stored since the removal began: it counts what was there before. */
  let newBytes = 0;
  let pruning: Promise<void> | undefined;
  const closing = new AbortController();

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
    if (pruning !== undefined) return pruning;
    newBytes = 0;
    pruning = removeOld(parts, bytesMax, closing.signal).then((left) => {
      if (left !== undefined) bytes = left + newBytes;
      pruning = undefined;
    });
    return pruning;
  }

  async function stored(more: number): Promise<void> {
    newBytes += more;
    if (bytes !== undefined) bytes += more;
    if (bytes === undefined || bytes > bytesMax) await inTime(prune(), storedWaitMsMax);
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
      closing.abort();
      await inTime(pruning, closeMsMax);
      await writeTraffic();
    },
  };
}

/** Removes what is too old or too much. Gives what is left, in bytes; undefined if that failed. */
async function removeOld(
  { store, keepDays, log, clock }: UpkeepParts,
  bytesMax: number,
  signal: AbortSignal,
): Promise<number | undefined> {
  try {
    const olderThan = clock() - keepDays * dayMs;
    const { removed, bytes } = await store.prune({ olderThan, bytesMax, signal });
    if (removed > 0) log.info({ removed }, 'old events removed');
    const adopted = await store.adopt(signal);
    if (adopted > 0) log.info({ adopted }, 'events of an older version can be counted now');
    return bytes;
  } catch (error) {
    if (!signal.aborted) {
      log.warn({ err: error }, 'old events cannot be removed; trying again in ten minutes');
    }
    return undefined;
  }
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
