import type { Insertable, Selectable } from 'kysely';
import type { EventSummary, StoredEvent } from '../contract/event.ts';
import type { EventTable } from '../storage/tables.ts';
import { factsOf } from './event-facts.ts';

type Row = Selectable<EventTable>;

/** The columns of a list. */
export const summaryColumns = ['id', 'summary'] as const;

/** An event as a row. */
export function rowOf(given: StoredEvent): Insertable<EventTable> {
  const event = complete(given);
  const facts = factsOf(event);
  const {
    requestId,
    traceId,
    policyVersion,
    coverage,
    findings,
    findingsLeftOut,
    context,
    ...summary
  } = event;
  const summaryText = JSON.stringify(summary);
  const rest = { coverage, findings, findingsLeftOut, context };
  const whole = { requestId, traceId, policyVersion, ...rest };
  const document = JSON.stringify(whole);
  const search = searchTextOf(event);
  const { id, decision, category, rule, pointer, keyId } = event;
  return {
    id,
    at: Date.parse(event.at),
    decision,
    category,
    rule,
    key_id: keyId,
    bytes:
      Buffer.byteLength(summaryText + document + search + pointer) + rowOverhead + indexed(facts),
    pointer,
    summary: summaryText,
    search,
    document,
    ...facts,
  };
}

/** An event of an older version with what is stored in a place of its own since. */
function complete(event: StoredEvent): StoredEvent {
  const severity = event.severity ?? event.findings[0]?.severity;
  const host = event.host ?? event.context.host;
  return {
    ...event,
    ...(severity === undefined ? {} : { severity }),
    ...(host === undefined ? {} : { host }),
  };
}

/** Facts stand in their row and in the index. */
function indexed(facts: ReturnType<typeof factsOf>): number {
  return 2 * Buffer.byteLength(Object.values(facts).join(''));
}

/** How much of the bound on events an event takes. */
export function eventBytes(event: StoredEvent): number {
  return rowOf(event).bytes;
}

export function summaryOfRow(row: Pick<Row, 'summary'>): EventSummary {
  // We wrote it ourselves.
  return JSON.parse(row.summary) as EventSummary;
}

export function eventOfRow(row: Pick<Row, 'summary' | 'document'>): StoredEvent {
  return { ...JSON.parse(row.summary), ...JSON.parse(row.document) } as StoredEvent;
}

/** What a row costs beside its texts: short columns, and its places in five indexes. */
const rowOverhead = 500;

function searchTextOf(event: StoredEvent): string {
  const { id, requestId, traceId, keyName, rule, pointer, evidence, method, path, client } = event;
  const parts = [id, requestId, traceId, keyName, rule, pointer, evidence, method, path, client];
  for (const finding of event.findings.slice(1)) parts.push(finding.rule, finding.pointer);
  return parts
    .filter((part) => part !== undefined)
    .join('\n')
    .toLowerCase();
}
