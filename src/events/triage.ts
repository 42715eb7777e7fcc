import type { Kysely } from 'kysely';
import type { EventSummary, Triage, TriageChange, TriageVerdict } from '../contract/event.ts';
import type { Tables } from '../storage/tables.ts';

/** Marks events; those that are not stored are passed over. Says how many there are. */
export async function triageEvents(
  database: Kysely<Tables>,
  ids: readonly string[],
  { verdict, note, owner, by, at }: TriageChange,
): Promise<number> {
  if (ids.length === 0) return 0;
  return await database.transaction().execute(async (trx) => {
    const stored = await trx.selectFrom('event').select('id').where('id', 'in', ids).execute();
    const changed = { verdict, changed_by: by, changed_at: at };
    const rows = stored.map(({ id }) => ({
      event_id: id,
      ...changed,
      note: note ?? '',
      owner: owner ?? '',
    }));
    if (rows.length === 0) return 0;
    await trx
      .insertInto('event_triage')
      .values(rows)
      .onConflict((conflict) =>
        conflict.column('event_id').doUpdateSet({
          ...changed,
          ...(note === undefined ? {} : { note }),
          ...(owner === undefined ? {} : { owner }),
        }),
      )
      .execute();
    return rows.length;
  });
}

/** Events with what people made of them. */
export async function withTriage<Event extends EventSummary>(
  database: Kysely<Tables>,
  events: readonly Event[],
): Promise<readonly Event[]> {
  if (events.length === 0) return events;
  const ids = events.map(({ id }) => id);
  const rows = await database
    .selectFrom('event_triage')
    .selectAll()
    .where('event_id', 'in', ids)
    .execute();
  const triages = new Map(
    rows.map((row): [string, Triage] => {
      const { event_id, note, owner, changed_by, changed_at } = row;
      const at = new Date(Number(changed_at)).toISOString();
      // We wrote it ourselves.
      const verdict = row.verdict as TriageVerdict;
      return [event_id, { verdict, note, owner, by: changed_by, at }];
    }),
  );
  return events.map((event) => {
    const triage = triages.get(event.id);
    return triage === undefined ? event : { ...event, triage };
  });
}
