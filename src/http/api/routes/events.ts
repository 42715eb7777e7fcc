import { asNumberIn, asNumberPattern } from '../../../contract/as-number.ts';
import type { Category } from '../../../contract/category.ts';
import { categories } from '../../../contract/category.ts';
import {
  type CountWish,
  type EventDecision,
  type EventFilter,
  eventFacts,
  type TriageVerdict,
  triageVerdicts,
} from '../../../contract/event.ts';
import type { Management } from '../../../contract/management.ts';
import { defaultPolicyId } from '../../../contract/policy.ts';
import { bodies } from '../../../contract/schemas/api/bodies.ts';
import {
  closed,
  count,
  flag,
  listOf,
  moment,
  ref,
  severity,
  text,
  textTo,
} from '../../../contract/schemas/api/build.ts';
import type { Severity } from '../../../contract/verdict.ts';
import { type ApiAnswer, type ApiRoute, defineRoute, file, ok, problem } from '../api-route.ts';
import { countQuery, seriesOf, spanOf, topAnswer, topDefault } from './counting.ts';
import { csvOf, jsonLines } from './event-lines.ts';
import { judge, policyFor } from './judge.ts';
import { narrowest } from './narrowest.ts';
import { bodyOfEvent } from './replay-body.ts';
import { isoTime, present } from './shapes.ts';

const tag = 'events';
const pageDefault = 50;

interface FilterQuery {
  readonly decision?: EventDecision;
  readonly category?: Category;
  readonly rule?: string;
  readonly severity?: Severity;
  readonly keyId?: string;
  readonly policyId?: string;
  readonly method?: string;
  readonly host?: string;
  readonly path?: string;
  readonly client?: string;
  readonly country?: string;
  readonly asn?: string;
  readonly pointer?: string;
  readonly triage?: TriageVerdict;
  readonly q?: string;
  readonly from?: string;
  readonly to?: string;
}

interface PageQuery extends FilterQuery {
  readonly cursor?: string;
  readonly limit?: number;
}

const filter = {
  decision: { enum: ['block', 'would-block'] },
  category: { enum: categories },
  severity,
  rule: textTo(100),
  keyId: textTo(8),
  policyId: textTo(64),
  method: textTo(64),
  host: textTo(512),
  path: textTo(2_000),
  client: textTo(512),
  country: { type: 'string', pattern: '^[A-Z]{2}$' },
  asn: { type: 'string', pattern: asNumberPattern },
  pointer: { type: 'string', maxLength: 2_000 },
  triage: { enum: triageVerdicts },
  q: textTo(200),
  from: moment,
  to: moment,
};

interface CountQuery extends FilterQuery {
  readonly stepSeconds?: number;
  readonly top?: number;
}

/** Blocks: a list, an export, one of them, and what another policy would say of it. */
export const eventRoutes: readonly ApiRoute[] = [
  defineRoute<undefined, PageQuery>({
    method: 'GET',
    path: '/api/events',
    access: 'viewer',
    tag,
    summary:
      'Blocks, newest first, those dated in the future last. A search is bounded: where it ended ' +
      'before its page was full, `searchedTo` is how far back it got, and `next` goes on from there',
    query: {
      ...filter,
      cursor: textTo(64),
      limit: { type: 'integer', minimum: 1, maximum: 500 },
    },
    status: 200,
    answer: closed({ events: listOf(ref('EventSummary')) }, { next: text, searchedTo: moment }),
    async handle({ query }, parts) {
      const { cursor, limit = pageDefault } = query;
      const page = { limit, ...(cursor === undefined ? {} : { cursor }) };
      const { searchedTo, ...found } = await parts.events.search(filterOf(query), page);
      return ok({ ...found, ...(searchedTo && { searchedTo: isoTime(searchedTo) }) });
    },
  }),
  defineRoute<undefined, CountQuery>({
    method: 'GET',
    path: '/api/events/counts',
    access: 'viewer',
    tag,
    summary:
      'How many events there were over time and of each value, without `from` since the oldest. ' +
      'Where `estimated` says so, a sample stands for more events than are counted one by one',
    query: { ...filter, ...countQuery },
    status: 200,
    answer: closed({
      from: moment,
      to: moment,
      stepSeconds: count,
      blocked: count,
      wouldBlock: count,
      series: closed({ blocked: listOf(count), wouldBlock: listOf(count) }),
      top: topAnswer,
      estimated: closed({ counts: flag, top: flag }),
    }),
    async handle({ query }, parts) {
      const now = parts.clock();
      const to = query.to === undefined ? now + 1 : Date.parse(query.to);
      const from =
        query.from === undefined ? ((await parts.events.oldest()) ?? now) : Date.parse(query.from);
      const span = spanOf({ from, to }, query.stepSeconds);
      const wish: CountWish = { ...span, top: query.top ?? topDefault };
      const counts = await parts.events.count(filterOf(query), wish);
      const { blocked, wouldBlock, top, estimated } = counts;
      return ok({
        from: isoTime(span.from),
        to: isoTime(span.to),
        stepSeconds: span.stepMs / 1_000,
        blocked,
        wouldBlock,
        series: {
          blocked: seriesOf(counts.steps, span, 'blocked'),
          wouldBlock: seriesOf(counts.steps, span, 'wouldBlock'),
        },
        top,
        estimated,
      });
    },
  }),
  defineRoute<undefined, FilterQuery>({
    method: 'GET',
    path: '/api/events/export',
    access: 'viewer',
    tag,
    summary: 'Whole blocks, one JSON object a line, newest first',
    query: filter,
    status: 200,
    mediaType: 'application/x-ndjson',
    answer: ref('Event'),
    headers: ['content-disposition'],
    async handle({ query }, parts) {
      return file('sallyport-events.ndjson', jsonLines(parts.events.stream(filterOf(query))));
    },
  }),
  defineRoute<undefined, FilterQuery>({
    method: 'GET',
    path: '/api/events/export.csv',
    access: 'viewer',
    tag,
    summary: 'Blocks as a table for spreadsheets (RFC 4180), newest first',
    query: filter,
    status: 200,
    mediaType: 'text/csv',
    answer: text,
    headers: ['content-disposition'],
    async handle({ query }, parts) {
      return file('sallyport-events.csv', csvOf(parts.events.stream(filterOf(query))));
    },
  }),
  defineRoute<undefined, FilterQuery & { readonly side?: 'newer' | 'older' }>({
    method: 'GET',
    path: '/api/events/:id/neighbours',
    access: 'viewer',
    tag,
    summary:
      'The ids of the next newer and the next older event of those that fit. A search is bounded: ' +
      '`newerFrom` and `olderFrom` are how far it got, and the neighbours of that event go on there',
    query: { ...filter, side: { enum: ['newer', 'older'] } },
    status: 200,
    answer: closed({}, { newer: text, newerFrom: text, older: text, olderFrom: text }),
    problems: ['no-such-resource'],
    async handle({ params, query }, parts) {
      const id = params['id'] ?? '';
      if ((await parts.events.find(id)) === undefined) return problem('no-such-resource');
      return ok(await parts.events.neighbours(id, filterOf(query), query.side));
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/events/:id',
    access: 'viewer',
    tag,
    summary:
      'A block with its findings, the narrowest exclusion that would free it, and what is stored of ' +
      'its body, to send it again',
    status: 200,
    answer: closed(
      { event: ref('Event'), suggestedExclusion: closed({ pointer: text, rule: text }) },
      { body: { type: 'object' } },
    ),
    problems: ['no-such-resource'],
    async handle(call, parts) {
      const event = await parts.events.find(call.params['id'] ?? '');
      if (event === undefined) return problem('no-such-resource');
      const stored = bodyOfEvent(event);
      const body = stored && JSON.parse(new TextDecoder().decode(stored.body));
      return ok({ event, suggestedExclusion: narrowest(event), ...present({ body }) });
    },
  }),
  defineRoute<{ readonly policyId?: string; readonly document?: unknown }>({
    method: 'POST',
    path: '/api/events/:id/replay',
    access: 'editor',
    tag,
    summary: 'Screen the stored, redacted values of a block with another policy',
    body: bodies.replay,
    status: 200,
    answer: closed({
      before: closed({ decision: { enum: ['block', 'would-block'] }, score: { type: 'integer' } }),
      after: ref('Verdict'),
    }),
    problems: ['no-such-resource', 'conflict', 'overloaded'],
    handle: (call, parts) => replay(call.params['id'] ?? '', call.body, parts),
  }),
];

async function replay(
  id: string,
  wish: { readonly policyId?: string; readonly document?: unknown },
  parts: Management,
): Promise<ApiAnswer> {
  const event = await parts.events.find(id);
  if (event === undefined) return problem('no-such-resource');
  const request = bodyOfEvent(event);
  if (request === undefined) {
    const advice = 'Nothing of its values is stored: send the request itself to /api/explain.';
    return problem('conflict', advice);
  }
  const chosen = await policyFor({ policyId: defaultPolicyId, ...wish }, parts);
  if (chosen.kind !== 'policy') return chosen.answer;
  const judged = await judge({ ...request, policy: chosen.policy, depth: 'verdict' }, parts);
  if (judged.kind !== 'explained') return judged.answer;
  const { decision, score } = event;
  const { verdict } = judged.explanation;
  const findings = verdict.findings.map(({ steps: _steps, ...finding }) => finding);
  return ok({ before: { decision, score }, after: { ...verdict, findings } });
}

/** Times as milliseconds; what was not asked for is left out. */
export function filterOf(query: FilterQuery): EventFilter {
  const { decision, pointer, q, triage } = query;
  const facts = Object.fromEntries(eventFacts.map((fact) => [fact, query[fact]]));
  const from = query.from === undefined ? undefined : Date.parse(query.from);
  const to = query.to === undefined ? undefined : Date.parse(query.to);
  const asn = query.asn === undefined ? undefined : asNumberIn(query.asn);
  return present({ ...facts, asn, decision, pointer, q, triage, from, to });
}
