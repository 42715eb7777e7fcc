import type { Kysely, Selectable } from 'kysely';
import { raiseCounter, readCounter } from '../storage/counter.ts';
import type { ApiKeyTable, Tables } from '../storage/tables.ts';
import { readNetworks, readScopes, writeNetworks, writeScopes } from './key-bounds.ts';
import type {
  KeyChange,
  KeyChanges,
  KeyRecord,
  KeyStore,
  NewKey,
  NewSecret,
  RotateOutcome,
  SecretRecord,
} from './key-store.ts';
import { isSecretLive } from './key-store.ts';
import { PepperError } from './pepper.ts';

const pepperName = 'pepper-mark';

/** Keys in an SQL database. Only SQL that SQLite and PostgreSQL share. */
export function createSqlKeyStore(database: Kysely<Tables>): KeyStore {
  return {
    insert: (key) => insertKey(database, key),
    list: async () => (await readKeys(database, {})).keys,
    find: async (id) => (await readKeys(database, { id })).keys[0],
    change: (id, change) => changeKey(database, id, change),
    revoke: (id, at) => revokeKey(database, id, at),
    rotate: (secret) => rotateKey(database, secret),
    revision: () => readCounter(database, 'keys'),
    changedSince: (after) => readKeys(database, { after }),
    recordUse: (uses) => recordUse(database, uses),
    bindPepper: (mark) => bindPepper(database, mark),
  };
}

async function insertKey(database: Kysely<Tables>, key: NewKey): Promise<void> {
  await database.transaction().execute(async (trx) => {
    const revision = await raiseCounter(trx, 'keys');
    await trx
      .insertInto('api_key')
      .values({
        id: key.id,
        name: key.name,
        kind: key.kind,
        created_at: key.createdAt,
        expires_at: key.expiresAt ?? null,
        last_used_at: null,
        revoked_at: null,
        policy_id: key.policyId ?? null,
        scopes: writeScopes(key.scopes),
        networks: writeNetworks(key.networks),
        last_client: '',
        revision,
      })
      .execute();
    await trx
      .insertInto('api_key_secret')
      .values({ key_id: key.id, digest: key.digest, created_at: key.createdAt, sunset_at: null })
      .execute();
  });
}

async function changeKey(
  database: Kysely<Tables>,
  id: string,
  { name, policyId, expiresAt, scopes, networks }: KeyChange,
): Promise<boolean> {
  return database.transaction().execute(async (trx) => {
    const revision = await raiseCounter(trx, 'keys');
    const done = await trx
      .updateTable('api_key')
      .set({
        revision,
        ...(name === undefined ? {} : { name }),
        ...(policyId === undefined ? {} : { policy_id: policyId }),
        ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
        ...(scopes === undefined ? {} : { scopes: writeScopes(scopes) }),
        ...(networks === undefined ? {} : { networks: writeNetworks(networks) }),
      })
      .where('id', '=', id)
      .executeTakeFirst();
    return done.numUpdatedRows > 0n;
  });
}

async function revokeKey(database: Kysely<Tables>, id: string, at: number): Promise<boolean> {
  return database.transaction().execute(async (trx) => {
    const revision = await raiseCounter(trx, 'keys');
    const done = await trx
      .updateTable('api_key')
      .set({ revoked_at: at, revision })
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    return done.numUpdatedRows > 0n;
  });
}

async function rotateKey(database: Kysely<Tables>, secret: NewSecret): Promise<RotateOutcome> {
  return database.transaction().execute(async (trx) => {
    const revision = await raiseCounter(trx, 'keys');
    const { id, now, sunsetAt } = secret;
    const key = (await readKeys(trx, { id })).keys[0];
    if (key === undefined) return { kind: 'unknown' };
    if (key.revokedAt !== undefined) return { kind: 'revoked' };
    const retiring = key.secrets.find(
      (old) => old.sunsetAt !== undefined && isSecretLive(old, now),
    );
    const atOnce = sunsetAt <= now;
    if (retiring?.sunsetAt !== undefined && !atOnce) {
      return { kind: 'under-way', sunsetAt: retiring.sunsetAt };
    }
    const old = trx.deleteFrom('api_key_secret').where('key_id', '=', id);
    await (atOnce ? old : old.where('sunset_at', '<=', now)).execute();
    await trx
      .updateTable('api_key_secret')
      .set({ sunset_at: sunsetAt })
      .where('key_id', '=', id)
      .execute();
    await trx
      .insertInto('api_key_secret')
      .values({ key_id: id, digest: secret.digest, created_at: now, sunset_at: null })
      .execute();
    await trx.updateTable('api_key').set({ revision }).where('id', '=', id).execute();
    return { kind: 'rotated' };
  });
}

/** One statement, so that a key and its secrets always come from the same moment. */
async function readKeys(
  database: Kysely<Tables>,
  wanted: { readonly id?: string; readonly after?: number },
): Promise<KeyChanges> {
  let query = database
    .selectFrom('api_key')
    .innerJoin('api_key_secret', 'api_key_secret.key_id', 'api_key.id')
    .selectAll('api_key')
    .select([
      'api_key_secret.digest',
      'api_key_secret.created_at as secret_created_at',
      'api_key_secret.sunset_at',
    ])
    .orderBy('api_key.created_at')
    .orderBy('api_key.id')
    .orderBy('api_key_secret.created_at');
  if (wanted.id !== undefined) query = query.where('api_key.id', '=', wanted.id);
  if (wanted.after !== undefined) query = query.where('api_key.revision', '>', wanted.after);

  let revision = wanted.after ?? 0;
  const keys = new Map<string, KeyRecord & { readonly secrets: SecretRecord[] }>();
  for (const row of await query.execute()) {
    revision = Math.max(revision, Number(row.revision));
    const key = keys.get(row.id) ?? keyOf(row);
    keys.set(row.id, key);
    key.secrets.push({
      digest: row.digest,
      createdAt: Number(row.secret_created_at),
      sunsetAt: time(row.sunset_at),
    });
  }
  return { revision, keys: [...keys.values()] };
}

function keyOf(row: Selectable<ApiKeyTable>): KeyRecord & { readonly secrets: SecretRecord[] } {
  const kind = row.kind === 'admin' ? 'admin' : 'live';
  return {
    id: row.id,
    name: row.name,
    kind,
    createdAt: Number(row.created_at),
    expiresAt: time(row.expires_at),
    lastUsedAt: time(row.last_used_at),
    revokedAt: time(row.revoked_at),
    policyId: row.policy_id ?? undefined,
    scopes: kind === 'admin' ? [] : readScopes(row.scopes),
    networks: readNetworks(row.networks),
    lastClient: row.last_client === '' ? undefined : row.last_client,
    secrets: [],
  };
}

/** PostgreSQL's driver gives a bigint as text. */
function time(value: number | string | null): number | undefined {
  return value === null ? undefined : Number(value);
}

async function recordUse(
  database: Kysely<Tables>,
  uses: ReadonlyMap<string, number>,
): Promise<void> {
  if (uses.size === 0) return;
  await database.transaction().execute(async (trx) => {
    for (const [id, at] of uses) {
      await trx
        .updateTable('api_key')
        .set({ last_used_at: at })
        .where('id', '=', id)
        .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', at)]))
        .execute();
    }
  });
}

async function bindPepper(database: Kysely<Tables>, mark: string): Promise<void> {
  if ((await readPepperMark(database)) === mark) return;
  await database.transaction().execute(async (trx) => {
    const bound = await readPepperMark(trx);
    if (bound === mark) return;
    if (bound !== undefined && (await hasAnyKey(trx))) {
      throw new PepperError(
        'The pepper is not the one that the stored keys were made with, so none of them would ' +
          'be accepted: put the old pepper file back, or take a new data directory and new keys.',
      );
    }
    await trx.deleteFrom('setting').where('name', '=', pepperName).execute();
    await trx.insertInto('setting').values({ name: pepperName, value: mark }).execute();
  });
}

/** Whether there is any key, be it revoked: keys are never deleted. */
export async function hasAnyKey(database: Kysely<Tables>): Promise<boolean> {
  return (
    (await database.selectFrom('api_key').select('id').limit(1).executeTakeFirst()) !== undefined
  );
}

/** What tells the pepper of the stored keys from others. */
export async function readPepperMark(database: Kysely<Tables>): Promise<string | undefined> {
  const row = await database
    .selectFrom('setting')
    .select('value')
    .where('name', '=', pepperName)
    .executeTakeFirst();
  return row?.value;
}
