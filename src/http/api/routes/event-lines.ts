import type { AuditEntry } from '../../../contract/audit.ts';
import type { StoredEvent } from '../../../contract/event.ts';

/** Newline-delimited JSON. */
export async function* jsonLines(items: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const item of items) yield `${JSON.stringify(item)}\n`;
}

const columns = [
  'at',
  'id',
  'decision',
  'category',
  'rule',
  'severity',
  'score',
  'threshold',
  'client',
  'country',
  'asn',
  'asName',
  'method',
  'host',
  'path',
  'pointer',
  'evidence',
  'keyId',
  'keyName',
  'policyId',
  'policyVersion',
  'requestId',
] as const satisfies readonly (keyof StoredEvent)[];

const triageColumns = ['triage', 'owner', 'note'];

/** Events as comma-separated values with a line of names, RFC 4180. */
export async function* csvOf(events: AsyncIterable<StoredEvent>): AsyncGenerator<string> {
  yield lineOf([...columns, ...triageColumns]);
  for await (const event of events) {
    const { verdict = 'open', owner = '', note = '' } = event.triage ?? {};
    yield lineOf([...columns.map((name) => event[name] ?? ''), verdict, owner, note]);
  }
}

const auditColumns = ['at', 'id', 'actor', 'action', 'target', 'summary', 'address'] as const;

/** Entries of the audit in the same form; what changed is JSON. */
export async function* auditCsv(entries: AsyncIterable<AuditEntry>): AsyncGenerator<string> {
  yield lineOf([...auditColumns, 'changes']);
  for await (const entry of entries) {
    const changes = entry.changes === undefined ? '' : JSON.stringify(entry.changes);
    yield lineOf([...auditColumns.map((name) => entry[name] ?? ''), changes]);
  }
}

function lineOf(cells: readonly (string | number)[]): string {
  return `${cells.map(cellOf).join()}\r\n`;
}

/** Spreadsheets take what begins so for a formula, and an attacker wrote it. */
const formula = /^[\s]*[=+\-@]|^[\t\r]/;
const quoted = /[",\r\n]/;

function cellOf(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = formula.test(value) ? `'${value}` : value;
  return quoted.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
