import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { AddressCache } from './access/address-cache.ts';
import type { KeyCache } from './access/key-cache.ts';
import { subkeyOf } from './access/key-digest.ts';
import type { KeyRecord } from './access/key-store.ts';
import type { AddressEntry } from './contract/address-list.ts';
import { limits } from './contract/limits.ts';
import type { Log } from './contract/ports.ts';
import type { PolicyCache, PolicyRow } from './policies/policy-cache.ts';
import {
  readSealed,
  removeLeftovers,
  SealError,
  type SealedFile,
  writeSealed,
} from './storage/sealed-file.ts';

const format = 'sallyport last good snapshot';
/** From 2 on, keys have bounds: a snapshot without them would let keys do more than they may. */
const version = 2;

/** A change waits so long for others; after a save it waits at least ten times what that took. */
const gatherMs = 1_000;
const restFactor = 10;
/** What has not changed is saved anew, so that its age says how long the store was not read. */
const renewMs = 300_000;

/** The keys and policies as the store had them last; revoked keys have no secrets. */
export interface LastGood {
  /** When the store was read. Milliseconds since 1970, UTC. */
  readonly savedAt: number;
  readonly keys: readonly KeyRecord[];
  readonly policies: readonly PolicyRow[];
  readonly addresses: readonly AddressEntry[];
}

/** What lies on the disk. */
export type FoundLastGood =
  | { readonly kind: 'found'; readonly lastGood: LastGood }
  | { readonly kind: 'none' }
  /** Not to be trusted; the reason ends a sentence that begins with its path. */
  | { readonly kind: 'refused'; readonly reason: string };

/** Where a snapshot lies, and what it is a snapshot of. */
export interface SnapshotPlace {
  readonly dataDir: string;
  readonly pepper: Buffer;
  /** Distinguishes databases: a snapshot of another one is refused. */
  readonly database: string;
}

/** The file of the snapshot. */
export function snapshotPath(dataDir: string): string {
  return join(dataDir, 'last-good.snapshot');
}

function fileOf({ dataDir, pepper }: SnapshotPlace): SealedFile {
  const key = subkeyOf(pepper, 'last good snapshot');
  return { path: snapshotPath(dataDir), key, bytesMax: limits.snapshotBytesMax };
}

interface Head {
  readonly format: string;
  readonly version: number;
  readonly savedAt: number;
  readonly database: string;
}

interface Line {
  readonly key?: KeyRecord;
  readonly policy?: PolicyRow;
  readonly address?: AddressEntry;
}

/** Reads what an earlier run has saved. */
export function readLastGood(place: SnapshotPlace): FoundLastGood {
  let lines: readonly unknown[] | undefined;
  try {
    lines = readSealed(fileOf(place));
  } catch (error) {
    if (error instanceof SealError) return { kind: 'refused', reason: error.message };
    throw error;
  }
  if (lines === undefined) return { kind: 'none' };
  // The seal proves that this program wrote them.
  const [head, ...rest] = lines as readonly [Head, ...Line[]];
  if (head.format !== format || head.version !== version) {
    return { kind: 'refused', reason: 'another version of Sallyport wrote it' };
  }
  if (head.database !== place.database) {
    return { kind: 'refused', reason: `it is of the database ${head.database}` };
  }
  const keys = rest.flatMap(({ key }) => (key === undefined ? [] : [key]));
  const policies = rest.flatMap(({ policy }) => (policy === undefined ? [] : [policy]));
  const addresses = rest.flatMap(({ address }) => (address === undefined ? [] : [address]));
  return { kind: 'found', lastGood: { savedAt: head.savedAt, keys, policies, addresses } };
}

/** What keeps the snapshot is made of. */
export interface SnapshotParts extends SnapshotPlace {
  readonly keys: Pick<KeyCache, 'records' | 'isOfStore' | 'isReady' | 'onChange'>;
  readonly policies: Pick<PolicyCache, 'rows' | 'isOfStore' | 'onChange'>;
  readonly addresses: Pick<AddressCache, 'rows' | 'onChange'>;
  /** When the snapshot was saved that is in force; undefined if the store could be read. */
  readonly savedAt: number | undefined;
  /** Notes a revocation elsewhere, because the snapshot on the disk cannot be replaced. */
  readonly noteRevoked: (keyId: string, at: number) => Promise<void>;
  readonly log: Log;
  /** Milliseconds since 1970, UTC. */
  readonly clock: () => number;
}

/** Keeps the snapshot on the disk up to date. */
export interface Snapshots {
  /** When the store was read that the snapshot on the disk shows; undefined without one. */
  savedAt(): number | undefined;
  /** Saves what is in force. False if it does not come from the store, or cannot be saved. */
  save(): Promise<boolean>;
  /** Saves what has changed, and ends. */
  close(): Promise<void>;
}

/** Saves what is in force, now and after each change. */
export function startSnapshots(parts: SnapshotParts): Snapshots {
  const keeper = new SnapshotKeeper(parts);
  keeper.start();
  return keeper;
}

class SnapshotKeeper implements Snapshots {
  readonly #parts: SnapshotParts;
  readonly #file: SealedFile;
  #savedAt: number | undefined;
  /** The keys that a start from the disk would accept, with their bounds; undefined before that was asked. */
  #savedLive: ReadonlyMap<string, string> | undefined;
  #saving: Promise<boolean> = Promise.resolve(false);
  #isChanged = false;
  #fails = false;
  #isClosed = false;
  #restMs = gatherMs;
  #gathering: NodeJS.Timeout | undefined;
  #renewing: NodeJS.Timeout | undefined;

  constructor(parts: SnapshotParts) {
    this.#parts = parts;
    this.#file = fileOf(parts);
    this.#savedAt = parts.savedAt;
  }

  start(): void {
    const { keys, policies, addresses } = this.#parts;
    void removeLeftovers(this.#file);
    keys.onChange(() => this.#changed());
    policies.onChange(() => this.#changed());
    addresses.onChange(() => this.#changed());
    this.#renewing = setInterval(() => {
      if (keys.isReady()) this.#changed();
    }, renewMs).unref();
    this.#isChanged = true;
    void this.save();
  }

  savedAt(): number | undefined {
    return this.#savedAt;
  }

  /** One at a time; each call saves what is in force when its turn comes. */
  save(): Promise<boolean> {
    this.#saving = this.#saving.then(() => this.#trySave());
    return this.#saving;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#gathering);
    clearInterval(this.#renewing);
    if (this.#isChanged) await this.save();
    await this.#saving;
  }

  #changed(): void {
    this.#isChanged = true;
    if (this.#isClosed || this.#gathering !== undefined) return;
    this.#gathering = setTimeout(() => {
      this.#gathering = undefined;
      void this.save();
    }, this.#restMs).unref();
  }

  async #trySave(): Promise<boolean> {
    const { keys, policies, addresses, log, clock, database } = this.#parts;
    if (!keys.isOfStore() || !policies.isOfStore()) return false;
    this.#isChanged = false;
    const began = performance.now();
    const savedAt = keys.isReady() ? clock() : (this.#savedAt ?? clock());
    const all = keys.records();
    const head: Head = { format, version, savedAt, database };
    try {
      await writeSealed(this.#file, linesOf(head, policies.rows(), all, addresses.rows()));
      this.#savedAt = savedAt;
      this.#savedLive = liveIn(all);
      if (this.#fails) log.info({}, 'the last good snapshot can be saved again');
      this.#fails = false;
      return true;
    } catch (error) {
      this.#reportFailure(error);
      this.#isChanged = true;
      await this.#noteRevoked(all);
      await this.#removeOtherBounds(all);
      return false;
    } finally {
      this.#restMs = Math.max(gatherMs, restFactor * (performance.now() - began));
    }
  }

  #reportFailure(error: unknown): void {
    if (!this.#fails) {
      const advice = 'without a database, a start would use an older one or fail';
      this.#parts.log.warn(
        { err: error, path: this.#file.path },
        `the last good snapshot of keys and policies cannot be saved; ${advice}`,
      );
    }
    this.#fails = true;
  }

  /** A start from the old snapshot must not accept what was revoked since. */
  async #noteRevoked(all: readonly KeyRecord[]): Promise<void> {
    this.#savedLive ??= this.#readLive();
    for (const { id, revokedAt } of all) {
      if (revokedAt === undefined || !this.#savedLive.has(id)) continue;
      await this.#parts.noteRevoked(id, revokedAt).catch(() => undefined);
    }
  }

  /** Nor must it let a key do more than it may: without a snapshot a start waits for the database. */
  async #removeOtherBounds(all: readonly KeyRecord[]): Promise<void> {
    const saved = this.#savedLive;
    if (saved === undefined || saved.size === 0) return;
    const changed = all.find((key) => (saved.get(key.id) ?? boundsOf(key)) !== boundsOf(key));
    if (changed === undefined) return;
    const { path } = this.#file;
    const isGone = await rm(path, { force: true }).then(
      () => true,
      () => false,
    );
    const advice = isGone ? 'it is removed' : 'remove it';
    this.#parts.log.warn(
      { path, keyId: changed.id },
      `the last good snapshot has other bounds of a key and cannot be saved: ${advice}`,
    );
    if (!isGone) return;
    this.#savedLive = new Map();
    this.#savedAt = undefined;
  }

  #readLive(): ReadonlyMap<string, string> {
    const found = readLastGood(this.#parts);
    if (found.kind !== 'found') return new Map();
    this.#savedAt ??= found.lastGood.savedAt;
    return liveIn(found.lastGood.keys);
  }
}

/** One line after the other: a store may have very many keys. */
function* linesOf(
  head: Head,
  policies: readonly PolicyRow[],
  keys: readonly KeyRecord[],
  addresses: readonly AddressEntry[],
): Iterable<Head | Line> {
  yield head;
  for (const policy of policies) yield { policy };
  for (const address of addresses) yield { address };
  for (const key of keys) {
    const { secrets, revokedAt } = key;
    // The last use is no state that counts, and changes all the time.
    const saved = { ...key, lastUsedAt: undefined, lastClient: undefined };
    yield { key: { ...saved, secrets: revokedAt === undefined ? secrets : [] } };
  }
}

function liveIn(keys: readonly KeyRecord[]): ReadonlyMap<string, string> {
  return new Map(
    keys.flatMap((key) => (key.revokedAt === undefined ? [[key.id, boundsOf(key)]] : [])),
  );
}

/** What must not be less in a snapshot than in the store. */
function boundsOf({ scopes, networks, expiresAt }: KeyRecord): string {
  return JSON.stringify([scopes, networks, expiresAt]);
}
