import type { Kysely } from 'kysely';
import { defaultPolicyId } from '../contract/policy.ts';
import { raiseCounter, readCounter } from '../storage/counter.ts';
import type { Tables } from '../storage/tables.ts';
import { canonicalJson, hashOf } from './document.ts';
import type {
  AppendOutcome,
  NewVersion,
  PolicyStore,
  StoredPolicy,
  StoredVersion,
} from './policy-store.ts';

/** Policies in an SQL database. Only SQL that SQLite and PostgreSQL share. */
export function createSqlPolicyStore(database: Kysely<Tables>): PolicyStore {
  return {
    revision: () => readCounter(database, 'policies'),
    list: () => readPolicies(database, undefined),
    find: async (id) => (await readPolicies(database, id))[0],
    insert: (policy) => insertPolicy(database, policy),
    append: (version) => appendVersion(database, version),
    remove: (id) => removePolicy(database, id),
    versions: (id) => readVersions(database, id),
    setCandidate: (id, candidate) => setCandidate(database, id, candidate),
  };
}

async function readPolicies(
  database: Kysely<Tables>,
  id: string | undefined,
): Promise<StoredPolicy[]> {
  let query = database
    .selectFrom('policy')
    .innerJoin('policy_version', (join) =>
      join
        .onRef('policy_version.policy_id', '=', 'policy.id')
        .onRef('policy_version.version', '=', 'policy.version'),
    )
    .selectAll('policy_version')
    .select(['policy.id', 'policy.name', 'policy.candidate', 'policy.candidate_since'])
    .orderBy('policy.name')
    .orderBy('policy.id');
  if (id !== undefined) query = query.where('policy.id', '=', id);
  const rows = await query.execute();
  const keys = await database
    .selectFrom('api_key')
    .select(['id', 'name', 'policy_id'])
    .where('revoked_at', 'is', null)
    .where('kind', '=', 'live')
    .orderBy('name')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    ...versionOf(row),
    keys: keys
      .filter((key) => (key.policy_id ?? defaultPolicyId) === row.id)
      .map((key) => ({ id: key.id, name: key.name })),
    candidate:
      row.candidate === null
        ? undefined
        : { document: parsed(row.candidate), since: Number(row.candidate_since) },
  }));
}

function versionOf(row: Tables['policy_version']): StoredVersion {
  return {
    version: row.version,
    hash: row.hash,
    document: parsed(row.document),
    changedAt: Number(row.changed_at),
    changedBy: row.changed_by,
    comment: row.comment,
  };
}

/** What is no longer JSON is no document: its validation reports that. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function rowOf(wish: NewVersion, version: number): Tables['policy_version'] {
  return {
    policy_id: wish.id,
    version,
    hash: hashOf(wish.document),
    document: canonicalJson(wish.document),
    changed_at: wish.at,
    changed_by: wish.by,
    comment: wish.comment,
  };
}

async function insertPolicy(
  database: Kysely<Tables>,
  wish: NewVersion & { readonly name: string },
): Promise<boolean> {
  return database.transaction().execute(async (trx) => {
    await raiseCounter(trx, 'policies');
    const { id, name } = wish;
    const made = await trx
      .insertInto('policy')
      .values({ id, name, version: 1, candidate: null, candidate_since: null })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirst();
    if ((made.numInsertedOrUpdatedRows ?? 0n) === 0n) return false;
    await trx.insertInto('policy_version').values(rowOf(wish, 1)).execute();
    return true;
  });
}

async function appendVersion(
  database: Kysely<Tables>,
  wish: NewVersion & { readonly baseVersion: number; readonly endsCandidate: boolean },
): Promise<AppendOutcome> {
  return database.transaction().execute(async (trx) => {
    await raiseCounter(trx, 'policies');
    const found = await trx
      .selectFrom('policy')
      .select('version')
      .where('id', '=', wish.id)
      .executeTakeFirst();
    if (found === undefined) return { kind: 'unknown' };
    if (found.version !== wish.baseVersion) return { kind: 'stale', version: found.version };
    const version = found.version + 1;
    await trx.insertInto('policy_version').values(rowOf(wish, version)).execute();
    await trx
      .updateTable('policy')
      .set({
        version,
        ...(wish.name === undefined ? {} : { name: wish.name }),
        ...(wish.endsCandidate ? { candidate: null, candidate_since: null } : {}),
      })
      .where('id', '=', wish.id)
      .execute();
    return { kind: 'appended' };
  });
}

async function removePolicy(
  database: Kysely<Tables>,
  id: string,
): Promise<'removed' | 'unknown' | 'in-use'> {
  return database.transaction().execute(async (trx) => {
    await raiseCounter(trx, 'policies');
    const user = await trx
      .selectFrom('api_key')
      .select('id')
      .where('policy_id', '=', id)
      .where('revoked_at', 'is', null)
      .limit(1)
      .executeTakeFirst();
    if (user !== undefined) return 'in-use';
    const done = await trx.deleteFrom('policy').where('id', '=', id).executeTakeFirst();
    return done.numDeletedRows > 0n ? 'removed' : 'unknown';
  });
}

async function readVersions(
  database: Kysely<Tables>,
  id: string,
): Promise<StoredVersion[] | undefined> {
  const rows = await database
    .selectFrom('policy_version')
    .selectAll()
    .where('policy_id', '=', id)
    .orderBy('version', 'desc')
    .execute();
  return rows.length === 0 ? undefined : rows.map(versionOf);
}

async function setCandidate(
  database: Kysely<Tables>,
  id: string,
  candidate: { readonly document: unknown; readonly since: number } | undefined,
): Promise<boolean> {
  return database.transaction().execute(async (trx) => {
    await raiseCounter(trx, 'policies');
    const done = await trx
      .updateTable('policy')
      .set({
        candidate: candidate === undefined ? null : canonicalJson(candidate.document),
        candidate_since: candidate?.since ?? null,
      })
      .where('id', '=', id)
      .executeTakeFirst();
    return done.numUpdatedRows > 0n;
  });
}
