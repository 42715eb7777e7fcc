import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { AuditEntry, AuditStore } from '../contract/audit.ts';
import type { Tables } from '../storage/tables.ts';

const addressCharsMax = 64;
const targetCharsMax = 200;

/** The audit in an SQL database. Only SQL that SQLite and PostgreSQL share. */
export function createSqlAuditStore(database: Kysely<Tables>): AuditStore {
  return {
    async append(act, at) {
      await database
        .insertInto('audit_entry')
        .values({
          id: orderedId(at),
          at,
          actor: act.actor,
          action: act.action,
          target: act.target.slice(0, targetCharsMax),
          summary: act.summary,
          address: act.address?.slice(0, addressCharsMax) ?? null,
        })
        .execute();
    },
    async list({ cursor, limit }) {
      let query = database.selectFrom('audit_entry').selectAll().orderBy('id', 'desc').limit(limit);
      if (cursor !== undefined) query = query.where('id', '<', cursor);
      const entries = (await query.execute()).map(
        (row): AuditEntry => ({
          id: row.id,
          at: new Date(Number(row.at)).toISOString(),
          actor: row.actor,
          action: row.action,
          target: row.target,
          summary: row.summary,
          ...(row.address === null ? {} : { address: row.address }),
        }),
      );
      const last = entries.length === limit ? entries.at(-1) : undefined;
      return { entries, ...(last === undefined ? {} : { next: last.id }) };
    },
  };
}

/** An id that is greater than those made in earlier milliseconds. */
function orderedId(at: number): string {
  return `${at.toString(16).padStart(12, '0')}-${randomBytes(8).toString('hex')}`;
}
