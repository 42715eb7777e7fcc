import type { RefusalReason, ScanHead } from '../contract/ports.ts';
import type { Batcher } from './batcher.ts';
import { CostModel } from './cost-model.ts';
import type { BatchKind, Queued, Sized } from './fair-queue.ts';
import type { ThreadSet } from './thread-set.ts';

/** What admission looks at. */
export interface AdmissionOptions<T extends Queued> {
  readonly queueRequestsMax: number;
  readonly queueBytesMax: number;
  readonly batcher: Batcher<T>;
  readonly threads: ThreadSet<T>;
}

/** One owner may hold so many times what is free: seven eighths when it is alone. */
const ownerShare = 7;
/** A queue that has not been empty for longer is no burst. */
const burstMsMax = 100;
/** Of the time until its deadline, what a request may wait in a queue that stands. */
const standingShare = 1 / 2;

/** Bodies above this are large. */
const largeBytesMin = 65_536;
/** What will probably take longer is heavy: a light request should not find it in its batch. */
const heavyMsMin = 2;

function kindOf(bytes: number, estimateMs: number): BatchKind {
  if (bytes > largeBytesMin) return 'large';
  return estimateMs > heavyMsMin ? 'heavy' : 'shared';
}

/** Learns what requests cost, and refuses those that cannot be answered in time. */
export class Admission<T extends Queued> {
  readonly #options: AdmissionOptions<T>;
  readonly #costs = new CostModel();

  constructor(options: AdmissionOptions<T>) {
    this.#options = options;
  }

  /** What a batch takes beside its work, milliseconds. */
  get handOverMs(): number {
    return this.#costs.handOverMs;
  }

  /** What a request with a body of this length will probably cost, and how it travels. */
  sizedOf(owner: string, bytes: number): Sized {
    const estimateMs = this.#costs.estimateMs(bytes);
    return { owner, bytes, estimateMs, kind: kindOf(bytes, estimateMs) };
  }

  /** What a batch took is learnt, and charged to those whose requests were in it. */
  worked(batch: readonly T[], tookMs: number, workedMsOf: (index: number) => number): void {
    let workedMs = 0;
    for (let index = 0; index < batch.length; index++) {
      const item = batch[index];
      if (item === undefined) continue;
      const ms = workedMsOf(index);
      workedMs += ms;
      this.#costs.learn({ bytes: item.bytes, ms });
      this.#options.batcher.done(item, ms);
    }
    this.#costs.learnBatch({ workedMs, tookMs });
  }

  /** Why a new request is not taken; undefined when it is. */
  refusal(request: Sized, input: ScanHead, now: number): RefusalReason | undefined {
    const { queueRequestsMax, queueBytesMax, batcher } = this.#options;
    const freeRequests = queueRequestsMax - batcher.held.requests;
    const freeBytes = queueBytesMax - batcher.held.bytes - request.bytes;
    if (freeRequests <= 0 || freeBytes < 0) return 'overloaded';
    // What one owner may hold shrinks with what is free: there is always a place for another.
    const { requests, bytes } = batcher.heldBy(request.owner);
    if (requests > freeRequests * ownerShare || bytes > freeBytes * ownerShare) return 'overloaded';
    if (input.deadline === Number.POSITIVE_INFINITY) return undefined;
    const leftMs = input.deadline - now;
    const allowedMs = input.isPatient ? leftMs : this.#allowedMs(request.owner, leftMs, now);
    return this.#waitMs(request, now) > allowedMs ? 'deadline-too-short' : undefined;
  }

  /**
   * How long a request may wait. The queue is there for bursts: where an owner's has not been empty
   * for some time it only delays, and a shorter one keeps the threads as busy (the observation
   * behind CoDel, RFC 8289, which drops at the head; here the newest is refused, at once). What is
   * left of the deadline is room for forecasts that are wrong.
   */
  #allowedMs(owner: string, leftMs: number, now: number): number {
    const isStanding = this.#options.batcher.standingMs(owner, now) > burstMsMax;
    return isStanding ? leftMs * standingShare : leftMs;
  }

  /**
   * Until a thread would begin with a request: what threads have, and what goes before it. What it
   * takes itself does not count: an estimate that is too high must not keep out what would correct it.
   */
  #waitMs(request: Sized, now: number): number {
    const { batcher, threads } = this.#options;
    // A free thread means no wait, whatever the averages say: else one slow batch could make all
    // short deadlines fail, and nothing would be measured any more.
    if (threads.free(request.kind) > 0) return 0;
    const { stretch } = this.#costs;
    const inWorkMs = threads.inWorkMs(request.kind, now, stretch);
    const aheadMs = batcher.aheadMs(request) * stretch;
    return (inWorkMs + aheadMs) / threads.workersFor(request.kind);
  }
}
