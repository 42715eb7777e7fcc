import type { Kysely } from 'kysely';
import { type AddressCache, startAddressCache } from './access/address-cache.ts';
import { type AddressStore, createSqlAddressStore } from './access/address-store.ts';
import { type KeyCache, startKeyCache } from './access/key-cache.ts';
import { pepperMark } from './access/key-digest.ts';
import type { KeyStore } from './access/key-store.ts';
import { LocalRevocations } from './access/local-revocations.ts';
import { findPepper, loadPepper, PepperError } from './access/pepper.ts';
import { type RevocationWatch, startRevocationWatch } from './access/revocation-watch.ts';
import { createSqlAuditStore } from './access/sql-audit-store.ts';
import { createSqlKeyStore, hasAnyKey } from './access/sql-key-store.ts';
import { policyOf } from './config/load.ts';
import type { Config } from './config/settings.ts';
import type { AuditStore } from './contract/audit.ts';
import type { Explainer, Log } from './contract/ports.ts';
import {
  type FoundLastGood,
  type LastGood,
  readLastGood,
  type SnapshotPlace,
  type Snapshots,
  snapshotPath,
  startSnapshots,
} from './last-good.ts';
import { type PolicyCache, startPolicyCache } from './policies/policy-cache.ts';
import type { PolicyStore } from './policies/policy-store.ts';
import { seedDefaultPolicy } from './policies/seed.ts';
import { createSqlPolicyStore } from './policies/sql-policy-store.ts';
import type { Closer } from './recording.ts';
import {
  closeDatabase,
  databaseName,
  makeDataDir,
  type PreparedDatabase,
  prepareDatabase,
} from './storage/database.ts';
import { isOutage } from './storage/fault.ts';
import { StorageError, UnfitError } from './storage/storage-error.ts';
import type { Tables } from './storage/tables.ts';

/**
 * How long a statement waits for another process. All others wait behind it, such as the question
 * whether keys have changed.
 */
const busyTimeoutMs = 500;

/** What the stores are made of. */
export interface StoresParts {
  readonly config: Config;
  readonly explainer: Pick<Explainer, 'checkPolicy'>;
  readonly log: Log;
  /** Milliseconds since 1970, UTC. */
  readonly clock: () => number;
}

/** What is stored, and what of it is in force. */
export interface Stores {
  readonly database: PreparedDatabase['database'];
  /** Tells of changes that other nodes have made. */
  readonly feed: PreparedDatabase['feed'];
  readonly pepper: Buffer;
  readonly keyStore: KeyStore;
  readonly policyStore: PolicyStore;
  readonly audit: AuditStore;
  readonly keys: KeyCache;
  readonly policyCache: PolicyCache;
  readonly addressStore: AddressStore;
  readonly addresses: AddressCache;
  readonly snapshots: Snapshots;
  readonly revocations: RevocationWatch;
}

/**
 * Opens what is stored. While the database is unavailable, keys and policies are those of the last
 * good snapshot on the disk; without one this rejects with advice.
 */
export async function openStores(parts: StoresParts, closers: Closer[]): Promise<Stores> {
  const { config, explainer, log, clock } = parts;
  const { prepared, pepper, lastGood, ...place } = await openOrReadSnapshot(parts, closers);
  const { database, feed } = prepared;
  const policyStore = createSqlPolicyStore(database);
  const keyStore = createSqlKeyStore(database);
  const audit = createSqlAuditStore(database);
  const common = { feed, log, clock };
  const policyCache = await startPolicyCache({
    ...common,
    store: policyStore,
    explainer,
    fallback: policyOf(config),
    lastGood: lastGood?.policies,
  });
  closers.push(() => policyCache.close());
  const keys = await startKeyCache({
    ...common,
    store: keyStore,
    pepper,
    policies: policyCache,
    lastGood: lastGood?.keys,
  });
  closers.push(() => keys.close());
  const addressStore = createSqlAddressStore(database);
  const addresses = await startAddressCache({
    ...common,
    store: addressStore,
    lastGood: lastGood?.addresses,
  });
  closers.push(() => addresses.close());
  const local = new LocalRevocations({ dataDir: config.dataDir, pepper });
  const snapshots = startSnapshots({
    ...place,
    pepper,
    keys,
    policies: policyCache,
    addresses,
    savedAt: lastGood?.savedAt,
    noteRevoked: (keyId, at) => local.add(keyId, at),
    log,
    clock,
  });
  closers.push(() => snapshots.close());
  const save = () => snapshots.save();
  const { dataDir } = config;
  const watch = { dataDir, local, keys, store: keyStore, audit, save, log };
  const revocations = await startRevocationWatch(watch);
  closers.push(() => revocations.close());
  const all = { pepper, keyStore, policyStore, audit, keys, policyCache, snapshots, revocations };
  return { database, feed, addressStore, addresses, ...all };
}

/** Opens the database, or reads its snapshot; the database is then tried again and again. */
async function openOrReadSnapshot({ config, log, clock }: StoresParts, closers: Closer[]) {
  const { dataDir, databaseUrl } = config;
  let pepper = findPepper(config);
  const place = { dataDir, database: await databaseName(databaseUrl) };
  const prepared = await prepareDatabase({
    dataDir,
    databaseUrl,
    busyTimeoutMs,
    async onOpen(database) {
      if (config.pepperFile === undefined) makeDataDir(dataDir);
      if (pepper !== undefined) await refuseEmptied(database, { ...place, pepper });
      pepper ??= loadPepper(config, (path) => log.info({ path }, 'key file made; back it up'));
      await createSqlKeyStore(database).bindPepper(pepperMark(pepper)).catch(asUnfit);
      const store = createSqlPolicyStore(database);
      await seedDefaultPolicy({ store, policy: policyOf(config), now: clock(), log });
    },
  });
  closers.push(() => closeDatabase(prepared));
  const outage = await failureOf(prepared.open());
  if (outage === undefined) {
    if (pepper === undefined) throw new Error('The database is open and there is no pepper.');
    return { ...place, prepared, pepper, lastGood: undefined };
  }
  if (!isOutage(outage)) throw outage;
  const found: FoundLastGood =
    pepper === undefined ? { kind: 'none' } : readLastGood({ ...place, pepper });
  if (pepper === undefined || found.kind !== 'found') throw withoutSnapshot(outage, found, dataDir);
  const { lastGood } = found;
  reportOutage(log, outage, lastGood);
  return { ...place, prepared, pepper, lastGood };
}

/**
 * A database without any key in the place of one that had keys is not the one that was there: it was
 * deleted, cut short or replaced. Its callers must not get 401 for that.
 */
async function refuseEmptied(database: Kysely<Tables>, place: SnapshotPlace): Promise<void> {
  if (await hasAnyKey(database)) return;
  const found = readLastGood(place);
  if (found.kind !== 'found' || found.lastGood.keys.length === 0) return;
  const { savedAt, keys } = found.lastGood;
  throw new StorageError(
    `The database (${place.database}) has no keys, but had ${keys.length} when the last good ` +
      `snapshot was saved (${new Date(savedAt).toISOString()}): it was deleted, cut short or ` +
      'replaced. Restore it from a backup. To begin anew without these keys, remove ' +
      `${snapshotPath(place.dataDir)}.`,
  );
}

/** Another pepper is no outage: waiting does not bring back the right one. */
function asUnfit(error: unknown): never {
  if (!(error instanceof PepperError)) throw error;
  throw new UnfitError(error.message, { cause: error });
}

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
    return undefined;
  } catch (error) {
    return error;
  }
}

/** What a start fails with: also why there was nothing to start with. */
function withoutSnapshot(outage: unknown, found: FoundLastGood, dataDir: string): unknown {
  if (!(outage instanceof Error)) return outage;
  const path = snapshotPath(dataDir);
  const why =
    found.kind === 'refused'
      ? `The last good snapshot ${path} cannot stand in: ${found.reason}.`
      : `There is no last good snapshot in ${dataDir} to start with: a server saves one there ` +
        'while it can read the database.';
  return new StorageError(`${outage.message} ${why}`, { cause: outage });
}

function reportOutage(log: Log, outage: unknown, { savedAt, keys, policies }: LastGood): void {
  log.error(
    {
      err: outage,
      savedAt: new Date(savedAt).toISOString(),
      keys: keys.length,
      policies: policies.length,
    },
    'the database cannot be used; starting with the last good snapshot of keys and policies, and trying again',
  );
}
