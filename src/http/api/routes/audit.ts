import type { AuditFilter } from '../../../contract/audit.ts';
import { closed, listOf, moment, ref, text, textTo } from '../../../contract/schemas/api/build.ts';
import { type ApiRoute, defineRoute, file, ok } from '../api-route.ts';
import { auditCsv, jsonLines } from './event-lines.ts';
import { present } from './shapes.ts';

const tag = 'audit';

interface FilterQuery {
  readonly actor?: string;
  readonly action?: string;
  readonly from?: string;
  readonly to?: string;
}

/** `key.revoke`, or `key` for all that was done to keys. */
const action = { type: 'string', maxLength: 64, pattern: '^[a-z-]+(?:\\.[a-z-]+)?$' };
const filter = { actor: textTo(110), action, from: moment, to: moment };

/** Who changed what. */
export const auditRoutes: readonly ApiRoute[] = [
  defineRoute<undefined, FilterQuery & { readonly cursor?: string; readonly limit?: number }>({
    method: 'GET',
    path: '/api/audit',
    access: 'viewer',
    tag,
    summary: 'Administrative acts and refused sign-ins, newest first',
    query: { ...filter, cursor: textTo(64), limit: { type: 'integer', minimum: 1, maximum: 500 } },
    status: 200,
    answer: closed({ entries: listOf(ref('AuditEntry')) }, { next: text }),
    async handle({ query }, parts) {
      const { limit = 50, cursor } = query;
      return ok(await parts.audit.list({ ...filterOf(query), ...present({ cursor }), limit }));
    },
  }),
  defineRoute<undefined, FilterQuery>({
    method: 'GET',
    path: '/api/audit/export',
    access: 'administrator',
    tag,
    summary: 'The audit, one JSON object a line, newest first',
    query: filter,
    status: 200,
    mediaType: 'application/x-ndjson',
    answer: ref('AuditEntry'),
    headers: ['content-disposition'],
    async handle({ query }, parts) {
      return file('sallyport-audit.ndjson', jsonLines(parts.audit.stream(filterOf(query))));
    },
  }),
  defineRoute<undefined, FilterQuery>({
    method: 'GET',
    path: '/api/audit/export.csv',
    access: 'administrator',
    tag,
    summary: 'The audit as a table for spreadsheets (RFC 4180), newest first',
    query: filter,
    status: 200,
    mediaType: 'text/csv',
    answer: text,
    headers: ['content-disposition'],
    async handle({ query }, parts) {
      return file('sallyport-audit.csv', auditCsv(parts.audit.stream(filterOf(query))));
    },
  }),
];

function filterOf({ actor, action: act, from, to }: FilterQuery): AuditFilter {
  return present({ actor, action: act, from: momentOf(from), to: momentOf(to) });
}

function momentOf(moment: string | undefined): number | undefined {
  return moment === undefined ? undefined : Date.parse(moment);
}
