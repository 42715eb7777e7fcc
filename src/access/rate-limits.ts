import {
  BurstyRateLimiter,
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import type { RateLimit } from '../contract/policy.ts';
import type { Log, RateDecision, RateLimits } from '../contract/ports.ts';

/** What was asked for on top counts over this many times the span of the limit. */
const burstSpans = 10;
/** Distinct limits that are remembered. */
const limitsMax = 1_000;
const connectMsMax = 3_000;
const reconnectMsMax = 5_000;
/** A request waits no longer for a shared count. */
const sharedMsMax = 250;

export interface RateLimiting extends RateLimits {
  /** False while the shared counts cannot be reached and each node counts for itself. */
  isShared(): boolean;
  close(): Promise<void>;
}

type Client = Awaited<ReturnType<typeof connect>>['client'];
type Counter = Pick<RateLimiterAbstract, 'consume'>;

/** Counts requests by key: in memory, or in a Redis or Valkey that all nodes share. */
export async function startRateLimits(parts: {
  readonly redisUrl: string | undefined;
  readonly log: Log;
}): Promise<RateLimiting> {
  const { redisUrl, log } = parts;
  const redis = redisUrl === undefined ? undefined : await connect(redisUrl, log);
  const client = redis?.client;
  const limiters = new Map<string, { readonly own: Counter; readonly shared: Counter }>();
  const limiterOf = (limit: RateLimit) => {
    const name = `${limit.requests}:${limit.perSeconds}:${limit.burst ?? 0}`;
    const known = limiters.get(name);
    if (known !== undefined) return known;
    if (limiters.size >= limitsMax) limiters.clear();
    const own = withBurst(limit, memoryCounter);
    const shared = client === undefined ? own : withBurst(limit, redisCounter(client));
    const made = { own, shared };
    limiters.set(name, made);
    return made;
  };
  return {
    async take(keyId, limit) {
      const { own, shared } = limiterOf(limit);
      if (shared === own) return decided(own.consume(keyId), limit);
      try {
        return await decided(inTime(shared.consume(keyId), redis?.tooSlow), limit);
      } catch {
        // Redis is unavailable or slow: this node counts by itself until Redis is back.
        return decided(own.consume(keyId), limit);
      }
    },
    isShared: () => client === undefined || client.isReady,
    close: async () => client?.destroy(),
  };
}

async function connect(url: string, log: Log) {
  // Loaded where it is used: nearly half of the files that all packages would bring to a start.
  const { createClient } = await import('@redis/client');
  const client = createClient({
    url,
    disableOfflineQueue: true,
    socket: {
      connectTimeout: connectMsMax,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** Math.min(retries, 10), reconnectMsMax),
    },
  });
  let isLost = false;
  const lost = (error: unknown) => {
    if (!isLost) log.warn({ err: error }, 'shared rate limits cannot be reached; counting here');
    isLost = true;
  };
  client.on('error', lost);
  client.on('ready', () => {
    if (isLost) log.info({}, 'shared rate limits can be reached again');
    isLost = false;
  });
  client.connect().catch(() => undefined);
  return {
    client,
    /** A dead machine closes no connection: each count would wait, and then be lost. */
    tooSlow(error: Error): void {
      if (!client.isReady) return;
      lost(error);
      client.destroy();
      client.connect().catch(() => undefined);
    },
  };
}

interface CounterOptions {
  readonly keyPrefix: string;
  readonly points: number;
  readonly duration: number;
}

function memoryCounter(options: CounterOptions): RateLimiterAbstract {
  return new RateLimiterMemory(options);
}

function redisCounter(client: Client): (options: CounterOptions) => RateLimiterAbstract {
  return (options) =>
    new RateLimiterRedis({
      ...options,
      storeClient: client,
      useRedisPackage: true,
      rejectIfRedisNotReady: true,
    });
}

function withBurst(
  { requests, perSeconds, burst }: RateLimit,
  counter: (options: CounterOptions) => RateLimiterAbstract,
): Counter {
  const name = `sallyport:${requests}:${perSeconds}`;
  const steady = counter({ keyPrefix: name, points: requests, duration: perSeconds });
  if (burst === undefined) return steady;
  const extra = counter({
    keyPrefix: `${name}:burst:${burst}`,
    points: burst,
    duration: perSeconds * burstSpans,
  });
  return new BurstyRateLimiter(steady, extra);
}

async function decided(
  consumed: Promise<RateLimiterRes>,
  { requests }: RateLimit,
): Promise<RateDecision> {
  try {
    return decisionOf(await consumed, true, requests);
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return decisionOf(refusal, false, requests);
    throw refusal;
  }
}

function decisionOf(result: RateLimiterRes, isAllowed: boolean, requests: number): RateDecision {
  const remaining = Math.min(requests, Math.max(0, result.remainingPoints));
  return {
    isAllowed,
    remaining,
    resetSeconds: Math.max(1, Math.ceil(result.msBeforeNext / 1_000)),
  };
}

function inTime<T>(work: Promise<T>, tooSlow: ((error: Error) => void) | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const error = new Error(`No answer within ${sharedMsMax} ms`);
      reject(error);
      tooSlow?.(error);
    }, sharedMsMax);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
