import type { AddressEntry, AddressLists } from '../contract/address-list.ts';
import type { Log } from '../contract/ports.ts';
import type { ChangeFeed } from '../storage/change-feed.ts';
import { Follower } from '../storage/follower.ts';
import type { AddressStore } from './address-store.ts';
import { AddressTables } from './address-tables.ts';

/** How often it is looked whether an entry has expired. */
const expiryLookMs = 500;

/** What the cache is made of. */
export interface AddressCacheParts {
  readonly store: AddressStore;
  readonly feed: ChangeFeed;
  /** The entries to start with while the store is unavailable; without them the start fails. */
  readonly lastGood?: readonly AddressEntry[] | undefined;
  readonly log: Log;
  /** Milliseconds since 1970, UTC. */
  readonly clock: () => number;
}

/** The lists in force; follows the store. */
export interface AddressCache extends AddressLists {
  /** All entries, expired ones included. */
  rows(): readonly AddressEntry[];
  /** How many are in force. */
  size(): number;
  onChange(listener: () => void): void;
  /** Reads what changed since the last time; the follower does this by itself. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Reads all entries and begins to follow the store. Fails if the first read fails, unless there are
 * entries to start with.
 */
export async function startAddressCache(parts: AddressCacheParts): Promise<AddressCache> {
  const cache = new FollowingAddressCache(parts);
  await cache.start();
  return cache;
}

class FollowingAddressCache implements AddressCache {
  readonly #parts: AddressCacheParts;
  readonly #follower: Follower;
  readonly #listeners: (() => void)[] = [];
  #rows: readonly AddressEntry[] = [];
  #tables = new AddressTables([]);
  /** When the next entry expires. */
  #until = Number.POSITIVE_INFINITY;
  #revision = -1;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: AddressCacheParts) {
    this.#parts = parts;
    const { feed, log } = parts;
    this.#follower = new Follower({
      topic: 'addresses',
      feed,
      read: () => this.#read(),
      failed: (err) => log.warn({ err }, 'address lists cannot be read; those in force stay'),
      recovered: () => log.info({}, 'address lists can be read again'),
    });
  }

  async start(): Promise<void> {
    const { lastGood } = this.#parts;
    await this.#follower.start(lastGood && (() => this.#hold(lastGood)));
    this.#timer = setInterval(() => this.#expire(), expiryLookMs).unref();
  }

  isEmpty(): boolean {
    return this.#tables.size === 0;
  }

  size(): number {
    return this.#tables.size;
  }

  match(address: string, policyId: string): AddressEntry | undefined {
    return this.#tables.match(address, policyId);
  }

  rows(): readonly AddressEntry[] {
    return this.#rows;
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  refresh(): Promise<void> {
    return this.#follower.refresh();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#follower.close();
  }

  async #read(): Promise<void> {
    const revision = await this.#parts.store.revision();
    if (revision === this.#revision) return;
    this.#hold(await this.#parts.store.list());
    this.#revision = revision;
  }

  #hold(rows: readonly AddressEntry[]): void {
    this.#rows = rows;
    this.#putInForce();
    for (const listener of this.#listeners) listener();
  }

  #putInForce(): void {
    const now = this.#parts.clock();
    const inForce = this.#rows.filter(
      ({ expiresAt }) => expiresAt === undefined || expiresAt > now,
    );
    this.#tables = new AddressTables(inForce);
    this.#until = inForce.reduce(
      (soonest, { expiresAt }) => Math.min(soonest, expiresAt ?? Number.POSITIVE_INFINITY),
      Number.POSITIVE_INFINITY,
    );
  }

  #expire(): void {
    if (this.#until <= this.#parts.clock()) this.#putInForce();
  }
}
