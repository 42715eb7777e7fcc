import { randomBytes } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import type {
  AuditAct,
  AuditChange,
  AuditEntry,
  AuditFilter,
  AuditStore,
} from '../contract/audit.ts';
import type { AuditEntryTable, Tables } from '../storage/tables.ts';

const addressCharsMax = 64;
const targetCharsMax = 200;
/** Of the values that changed, and of one of them. */
const changesMax = 50;
const valueCharsMax = 500;
const pieceEntries = 500;

/** The audit in an SQL database. Only SQL that SQLite and PostgreSQL share. */
export function createSqlAuditStore(database: Kysely<Tables>): AuditStore {
  const list: AuditStore['list'] = async ({ cursor, limit, ...filter }) => {
    let query = filtered(database, filter).orderBy('id', 'desc').limit(limit);
    if (cursor !== undefined) query = query.where('id', '<', cursor);
    const entries = (await query.execute()).map(entryOf);
    const last = entries.length === limit ? entries.at(-1) : undefined;
    return { entries, ...(last === undefined ? {} : { next: last.id }) };
  };
  return {
    async append(act, at) {
      await database
        .insertInto('audit_entry')
        .values({
          id: `${timeOf(at)}-${randomBytes(8).toString('hex')}`,
          at,
          actor: act.actor,
          action: act.action,
          target: act.target.slice(0, targetCharsMax),
          summary: act.summary,
          address: act.address?.slice(0, addressCharsMax) ?? null,
          changes: changesText(act),
        })
        .execute();
    },
    list,
    async *stream(filter) {
      let cursor: string | undefined;
      do {
        const place = cursor === undefined ? {} : { cursor };
        const piece = await list({ ...filter, ...place, limit: pieceEntries });
        yield* piece.entries;
        cursor = piece.next;
      } while (cursor !== undefined);
    },
  };
}

function filtered(database: Kysely<Tables>, { actor, action, from, to }: AuditFilter) {
  let query = database.selectFrom('audit_entry').selectAll();
  if (actor !== undefined) query = query.where('actor', '=', actor);
  if (action?.includes('.')) query = query.where('action', '=', action);
  // A thing stands for all that was done to its kind.
  else if (action !== undefined) query = query.where('action', 'like', `${action}.%`);
  if (from !== undefined) query = query.where('id', '>=', timeOf(from));
  if (to !== undefined) query = query.where('id', '<', timeOf(to));
  return query;
}

/** What the ids of a millisecond begin with: ids made later are greater. */
function timeOf(at: number): string {
  return Math.max(0, at).toString(16).padStart(12, '0');
}

function entryOf(row: Selectable<AuditEntryTable>): AuditEntry {
  return {
    id: row.id,
    at: new Date(Number(row.at)).toISOString(),
    actor: row.actor,
    action: row.action,
    target: row.target,
    summary: row.summary,
    ...(row.address === null ? {} : { address: row.address }),
    ...(row.changes === null ? {} : { changes: JSON.parse(row.changes) as AuditChange[] }),
  };
}

function changesText({ changes = [] }: AuditAct): string | null {
  if (changes.length === 0) return null;
  return JSON.stringify(changes.slice(0, changesMax).map(bounded));
}

/** A change whose values are not longer than an entry of the audit should be. */
function bounded({ field, ...values }: AuditChange): AuditChange {
  const short = Object.entries(values).map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const isLong = text !== undefined && text.length > valueCharsMax;
    return [name, isLong ? `${text.slice(0, valueCharsMax)}…` : value];
  });
  return { field, ...Object.fromEntries(short) };
}
