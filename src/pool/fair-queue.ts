import { Fifo } from './fifo.ts';

/**
 * `shared` requests travel together, the others each alone: `heavy` ones will probably take long,
 * `large` ones have large bodies.
 */
export type BatchKind = 'shared' | 'heavy' | 'large';

/** What the queue must know of a request. */
export interface Queued {
  /** Whose request it is: owners share the threads evenly. */
  readonly owner: string;
  readonly bytes: number;
  /** Milliseconds of a thread that it will probably take. */
  readonly estimateMs: number;
  readonly kind: BatchKind;
  /** When it came, in milliseconds of any steady clock. */
  readonly since: number;
}

/** What says how long a request would wait. */
export type Sized = Omit<Queued, 'since'>;

/** Requests, and the bytes of their bodies. */
export interface Held {
  readonly requests: number;
  readonly bytes: number;
}

/** Which requests may be taken now. */
export type Allowed = Readonly<Record<BatchKind, boolean>>;

/** A batch may hold so much; the first request is taken whatever its size. */
export interface BatchBounds {
  readonly count: number;
  readonly bytes: number;
  readonly ms: number;
}

/** Thread time that an owner gets in a round, milliseconds. */
const quantumMs = 1;
/** Bodies up to this size go before the larger ones of their owner. */
const smallBytesMax = 4_096;
/** Of the time that an owner's smaller requests take, its larger ones may take so much in turn. */
const shareOfLarger = 1 / 4;

// Small and medium ones of shared batches, and those that travel alone.
const laneKinds: readonly BatchKind[] = ['shared', 'shared', 'heavy', 'large'];
const laneCount = laneKinds.length;

/**
 * Requests that wait, by owner. Owners are served by deficit round robin over thread time
 * (M. Shreedhar, G. Varghese: Efficient Fair Queuing Using Deficit Round-Robin, 1995), with the
 * measured time charged afterwards. An owner that had nothing here goes first, as in FQ-CoDel
 * (RFC 8290, section 4.2): who asks seldom does not wait behind who floods.
 */
export class FairQueue<T extends Queued> {
  readonly #owners = new Map<string, Owner<T>>();
  /** Owners with something to take, in the order of their turns: those of `#fresh` go first. */
  readonly #fresh = new Set<Owner<T>>();
  readonly #others = new Set<Owner<T>>();
  readonly #sizes = { shared: 0, heavy: 0, large: 0 };
  readonly #held = { requests: 0, bytes: 0 };
  #sharedBytes = 0;
  #waitingMs = 0;

  get size(): number {
    return this.#sizes.shared + this.#sizes.heavy + this.#sizes.large;
  }

  /** What waits, and what is at work. */
  get held(): Held {
    return this.#held;
  }

  /** How many of a kind wait. */
  waiting(kind: BatchKind): number {
    return this.#sizes[kind];
  }

  /** Bytes of what waits for shared batches. */
  get sharedBytes(): number {
    return this.#sharedBytes;
  }

  /** How many owners have something here or at work. */
  get owners(): number {
    return this.#owners.size;
  }

  /** What an owner has here and at work. */
  heldBy(owner: string): Held {
    return this.#owners.get(owner) ?? nothingHeld;
  }

  add(item: T): void {
    let owner = this.#owners.get(item.owner);
    if (owner === undefined) {
      owner = new Owner<T>();
      this.#owners.set(item.owner, owner);
      this.#fresh.add(owner);
    } else if (!owner.isWaiting) {
      this.#others.add(owner);
    }
    owner.add(item);
    this.#count(item, 1);
    this.#held.requests += 1;
    this.#held.bytes += item.bytes;
  }

  /** The next batch; empty when nothing that is allowed waits. What is taken counts as at work. */
  take(allowed: Allowed, bounds: BatchBounds): readonly T[] {
    const into: Taking<T> = { batch: [], allowed, room: { ...bounds } };
    const isInLine = this.#others.size > 0;
    const isFull = this.#takeFromFresh(into);
    // Who goes first because it asks seldom does not wait for a batch to be filled by others.
    const isOver = isFull || (isInLine && into.batch.length > 0);
    if (!isOver) this.#takeFromOthers(into);
    return into.batch;
  }

  /** To be called when a request that was taken is over: what it took is charged to its owner. */
  done(item: T, tookMs: number): void {
    const owner = this.#owners.get(item.owner);
    if (owner === undefined) return;
    owner.deficitMs += item.estimateMs - tookMs;
    this.#left(owner, item);
  }

  /** Takes out what waits and for which `isGone` holds. It is over, and costs nothing. */
  remove(isGone: (item: T) => boolean): T[] {
    const gone: T[] = [];
    for (const owner of this.#owners.values()) {
      for (const item of owner.remove(isGone)) {
        gone.push(item);
        this.#count(item, -1);
        this.#left(owner, item);
      }
      if (!owner.isWaiting) this.#rest(owner);
    }
    return gone;
  }

  /**
   * Milliseconds of thread time that go before a new request: what its owner has, larger requests
   * left out, and of each other owner at most as much.
   */
  aheadMs(item: Sized): number {
    const owner = this.#owners.get(item.owner);
    const own = owner?.aheadMs(laneOf(item)) ?? 0;
    const ofOthers = this.#waitingMs - (owner?.waitingMs ?? 0);
    const others = this.#fresh.size + this.#others.size - (owner?.isWaiting === true ? 1 : 0);
    return own + Math.max(0, Math.min(ofOthers, others * (own + item.estimateMs)));
  }

  /** For how long an owner has had something waiting, without a break. */
  standingMs(owner: string, now: number): number {
    const found = this.#owners.get(owner);
    return found?.isWaiting === true ? now - found.waitingSince : 0;
  }

  /** One turn for each: what comes first must not keep the others from theirs. True when full. */
  #takeFromFresh(into: Taking<T>): boolean {
    for (const owner of this.#fresh) {
      const isFull = this.#serve(owner, into);
      if (owner.isWaiting && owner.deficitMs <= 0) this.#endTurn(owner);
      if (isFull) return true;
    }
    return false;
  }

  /** Round by round until the batch is full, or it is the turn of what must travel alone. */
  #takeFromOthers(into: Taking<T>): void {
    for (;;) {
      let leastDebtMs = Number.NEGATIVE_INFINITY;
      for (const owner of this.#others) {
        if (!owner.hasFor(into.allowed)) continue;
        if (owner.deficitMs > 0) {
          if (!owner.hasFor(allowedIn(into))) return;
          if (this.#serve(owner, into)) return;
          if (owner.isWaiting) this.#endTurn(owner);
        } else leastDebtMs = Math.max(leastDebtMs, owner.deficitMs);
      }
      if (leastDebtMs === Number.NEGATIVE_INFINITY) return;
      // As many rounds at once as the next turn needs.
      for (const owner of this.#others) {
        if (owner.hasFor(into.allowed)) owner.deficitMs += quantumMs - leastDebtMs;
      }
    }
  }

  /** Takes from an owner until its turn is over. True when the batch is full. */
  #serve(owner: Owner<T>, into: Taking<T>): boolean {
    const { batch, room } = into;
    while (owner.deficitMs > 0) {
      const next = owner.next(allowedIn(into));
      if (next === undefined) return false;
      if (batch.length > 0 && !hasRoom(room, next)) return true;
      owner.take(next);
      this.#count(next, -1);
      batch.push(next);
      if (!owner.isWaiting) this.#rest(owner);
      room.count -= 1;
      room.bytes -= next.bytes;
      room.ms -= next.estimateMs;
      if (next.kind !== 'shared' || room.count === 0) return true;
    }
    return false;
  }

  #endTurn(owner: Owner<T>): void {
    this.#fresh.delete(owner);
    this.#others.delete(owner);
    this.#others.add(owner);
  }

  #rest(owner: Owner<T>): void {
    this.#fresh.delete(owner);
    this.#others.delete(owner);
  }

  /** An owner with nothing here and nothing at work is forgotten, and its debt with it. */
  #left(owner: Owner<T>, item: T): void {
    owner.requests -= 1;
    owner.bytes -= item.bytes;
    if (owner.requests === 0) this.#owners.delete(item.owner);
    this.#held.requests -= 1;
    this.#held.bytes -= item.bytes;
  }

  #count(item: T, by: 1 | -1): void {
    this.#sizes[item.kind] += by;
    if (item.kind === 'shared') this.#sharedBytes += by * item.bytes;
    // Sums of fractions drift: an empty queue is exactly nothing.
    this.#waitingMs = this.size === 0 ? 0 : this.#waitingMs + by * item.estimateMs;
  }
}

interface Taking<T> {
  readonly batch: T[];
  readonly allowed: Allowed;
  readonly room: Room;
}

type Room = { -readonly [Name in keyof BatchBounds]: number };

const nothingHeld: Held = Object.freeze({ requests: 0, bytes: 0 });
const sharedOnly: Allowed = Object.freeze({ shared: true, heavy: false, large: false });

/** Only the first of a batch may be one that travels alone. */
function allowedIn({ batch, allowed }: Taking<Queued>): Allowed {
  return batch.length === 0 ? allowed : sharedOnly;
}

function hasRoom(room: Room, { bytes, estimateMs }: Queued): boolean {
  return bytes <= room.bytes && estimateMs <= room.ms;
}

function laneOf({ bytes, kind }: Pick<Queued, 'bytes' | 'kind'>): number {
  if (kind !== 'shared') return laneKinds.indexOf(kind);
  return bytes <= smallBytesMax ? 0 : 1;
}

/** What one owner has here and at work. */
class Owner<T extends Queued> {
  requests = 0;
  bytes = 0;
  waitingSince = 0;
  /** Thread time that it may take before it is the turn of others. */
  deficitMs = quantumMs;
  /** Thread time that its larger requests may take before its smaller ones. */
  #owedMs = 0;
  #waiting = 0;
  readonly #lanes = Array.from({ length: laneCount }, () => new Fifo<T>());
  readonly #laneMs = new Float64Array(laneCount);

  get isWaiting(): boolean {
    return this.#waiting > 0;
  }

  /** Thread time of what waits. */
  get waitingMs(): number {
    return this.aheadMs(laneCount - 1);
  }

  add(item: T): void {
    if (!this.isWaiting) this.waitingSince = item.since;
    this.requests += 1;
    this.bytes += item.bytes;
    this.#lanes[laneOf(item)]?.push(item);
    this.#count(item, 1);
  }

  hasFor(allowed: Allowed): boolean {
    return this.next(allowed) !== undefined;
  }

  /** The request to take next; the smaller ones first, unless a larger one has waited its share. */
  next(allowed: Allowed): T | undefined {
    let first: T | undefined;
    for (let lane = 0; lane < laneCount; lane += 1) {
      if (!allowed[laneKinds[lane] ?? 'shared']) continue;
      const head = this.#lanes[lane]?.peek();
      if (head === undefined) continue;
      if (first === undefined) first = head;
      else if (head.estimateMs <= this.#owedMs) return head;
    }
    return first;
  }

  /** Takes what `next` gave. */
  take(item: T): void {
    const lane = laneOf(item);
    this.#lanes[lane]?.shift();
    this.#count(item, -1);
    this.deficitMs -= item.estimateMs;
    this.#owedMs = this.#owedAfter(item, lane);
  }

  /** Thread time of what goes before a new request of a lane. */
  aheadMs(lane: number): number {
    let ms = 0;
    for (let index = 0; index <= lane; index += 1) ms += this.#laneMs[index] ?? 0;
    return ms;
  }

  remove(isGone: (item: T) => boolean): T[] {
    const gone = this.#lanes.flatMap((lane) => lane.remove(isGone));
    for (const item of gone) this.#count(item, -1);
    return gone;
  }

  /** A larger request is owed a share of what goes before it, up to what it takes itself. */
  #owedAfter({ estimateMs }: T, lane: number): number {
    if (this.aheadMs(lane - 1) > 0) return Math.max(0, this.#owedMs - estimateMs);
    let largerMs = 0;
    for (let index = lane + 1; index < laneCount; index += 1) {
      largerMs = Math.max(largerMs, this.#lanes[index]?.peek()?.estimateMs ?? 0);
    }
    return Math.min(largerMs, this.#owedMs + estimateMs * shareOfLarger);
  }

  #count(item: T, by: 1 | -1): void {
    const lane = laneOf(item);
    this.#waiting += by;
    // Sums of fractions drift: what is empty is exactly nothing.
    const isEmpty = this.#lanes[lane]?.size === 0;
    this.#laneMs[lane] = isEmpty ? 0 : (this.#laneMs[lane] ?? 0) + by * item.estimateMs;
  }
}
