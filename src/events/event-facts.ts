import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { canonicalAddress, paddedAddress } from '../contract/address.ts';
import type { EventFact, EventFilter, StoredEvent, TriageVerdict } from '../contract/event.ts';
import type { EventTable, Tables } from '../storage/tables.ts';

/** The random end of its id puts an event into one of so many parts, which are thus alike. */
export const partsCount = 128;

/** The column of each fact. */
export const factColumns = {
  category: 'category',
  severity: 'severity',
  rule: 'rule',
  keyId: 'key_id',
  policyId: 'policy_id',
  method: 'method',
  host: 'host',
  path: 'path',
  client: 'client',
  country: 'country',
  asn: 'asn',
  pointer: 'field',
} as const satisfies Readonly<Record<EventFact, keyof EventTable>>;

/** What leads to the events of a filter: an index that holds few of them, or that of all facts. */
export type Lead = 'triage' | 'client' | 'path' | 'facts';

/**
 * What leads to the events of a filter. The indexes of clients, paths and decisions hold no other
 * facts, so that each of their entries is a row to be read: they serve where they have `rowsMax` of
 * the filter at most.
 */
export async function leadFor(
  database: Kysely<Tables>,
  filter: EventFilter,
  rowsMax: number,
): Promise<Lead> {
  const { triage, client, path, from, to } = filter;
  if (isDecided(triage)) {
    const rows = database
      .selectFrom('event_triage')
      .select('event_id')
      .where('verdict', '=', triage);
    if ((await rows.offset(rowsMax).limit(1).executeTakeFirst()) === undefined) return 'triage';
  }
  for (const lead of ['client', 'path'] as const) {
    const fact = { client, path }[lead];
    if (fact === undefined) continue;
    const alone = { [lead]: fact, ...(from && { from }), ...(to && { to }) };
    const rows = matching(database.selectFrom('event').select('id'), alone);
    const further = rows.where(leadingTo(lead, filter)).offset(rowsMax).limit(1);
    if ((await further.executeTakeFirst()) === undefined) return lead;
  }
  return 'facts';
}

/** All events that a filter may fit, as a condition that leads into an index. */
export function leadingTo(lead: Lead, { triage }: EventFilter): RawBuilder<boolean> {
  if (lead === 'triage' && isDecided(triage)) return decided(triage);
  // The indexes of clients and of paths hold no others.
  if (lead === 'client') return sql<boolean>`client <> ''`;
  return lead === 'path' ? sql<boolean>`path <> ''` : inParts(partsCount);
}

/** Whether a filter asks for what people decided. */
function isDecided(triage: TriageVerdict | undefined): triage is TriageVerdict {
  return triage !== undefined && triage !== 'open';
}

function decided(verdict: TriageVerdict): RawBuilder<boolean> {
  return sql<boolean>`id in (select event_id from event_triage where verdict = ${verdict})`;
}

/** The first parts, as a condition that leads into the index of facts. */
export function inParts(count: number): RawBuilder<boolean> {
  const parts = Array.from({ length: count }, (_, part) => part);
  return sql<boolean>`part in (${sql.raw(parts.join())})`;
}

/** What of each fact is stored: with them all an entry of PostgreSQL's index has to fit its page. */
const charsMax = {
  policyId: 64,
  method: 32,
  host: 100,
  path: 120,
  client: 64,
  country: 2,
  asn: 10,
  asName: 64,
  pointer: 120,
};

type FactRow = Pick<
  EventTable,
  | 'part'
  | 'severity'
  | 'method'
  | 'host'
  | 'path'
  | 'client'
  | 'country'
  | 'asn'
  | 'as_name'
  | 'policy_id'
  | 'field'
>;

/** The columns that events are counted by. */
export function factsOf(event: StoredEvent): FactRow {
  const { id, severity = '', policyId, method = '', host = '', path = '' } = event;
  const { client = '', country = '', asn = '', asName = '' } = event;
  return {
    part: partOf(id),
    severity,
    method: cut('method', method),
    host: cut('host', host),
    path: cut('path', path),
    client: cut('client', client),
    country: cut('country', country),
    asn: cut('asn', String(asn)),
    as_name: cut('asName', asName),
    policy_id: cut('policyId', policyId),
    field: cut('pointer', event.pointer),
  };
}

function partOf(id: string): number {
  const end = Number.parseInt(id.slice(-2), 16);
  return Number.isNaN(end) ? 0 : end % partsCount;
}

function cut(fact: keyof typeof charsMax, text: string): string {
  const end = fact === 'path' ? text.search(/[?#]/) : -1;
  const shown = end === -1 ? text : text.slice(0, end);
  return shown.slice(0, charsMax[fact]).toWellFormed();
}

/** A client as events have it; IPv6 with all its zeros in those that an older version stored. */
function formsOf(client: string): string[] {
  const written = canonicalAddress(client) ?? client;
  return [...new Set([written, paddedAddress(written)].map((form) => cut('client', form)))];
}

/** Events that fit a filter. */
export function matching<Row>(
  query: SelectQueryBuilder<Tables, 'event', Row>,
  filter: EventFilter,
): SelectQueryBuilder<Tables, 'event', Row> {
  const { decision, category, severity, rule, keyId, q, from, to, client, triage } = filter;
  const given = (fact: 'policyId' | 'method' | 'host' | 'path' | 'country' | 'asn' | 'pointer') => {
    const text = filter[fact];
    return text === undefined ? undefined : cut(fact, text);
  };
  const equal = [
    ['decision', decision],
    ['category', category],
    ['severity', severity],
    ['rule', rule],
    ['key_id', keyId],
    ['policy_id', given('policyId')],
    ['method', given('method')],
    ['host', given('host')],
    ['path', given('path')],
    ['country', given('country')],
    ['asn', given('asn')],
    ['field', given('pointer')],
  ] as const;
  let wanted = query;
  for (const [column, value] of equal) {
    if (value !== undefined) wanted = wanted.where(column, '=', value);
  }
  if (from !== undefined) wanted = wanted.where('at', '>=', from);
  if (to !== undefined) wanted = wanted.where('at', '<', to);
  if (client !== undefined) wanted = wanted.where('client', 'in', formsOf(client));
  if (isDecided(triage)) wanted = wanted.where(decided(triage));
  if (triage === 'open') {
    wanted = wanted.where(
      sql<boolean>`id not in (select event_id from event_triage where verdict <> 'open')`,
    );
  }
  if (q !== undefined) {
    const pattern = `%${q.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
    wanted = wanted.where(sql<boolean>`search like ${pattern} escape '\\'`);
  }
  return wanted;
}
