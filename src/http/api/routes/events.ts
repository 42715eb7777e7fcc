import type { Category } from '../../../contract/category.ts';
import { categories } from '../../../contract/category.ts';
import type { EventDecision, EventFilter } from '../../../contract/event.ts';
import type { Management } from '../../../contract/management.ts';
import { defaultPolicyId } from '../../../contract/policy.ts';
import { bodies } from '../../../contract/schemas/api/bodies.ts';
import { closed, listOf, moment, ref, text, textTo } from '../../../contract/schemas/api/build.ts';
import { type ApiAnswer, type ApiRoute, defineRoute, ok, problem } from '../api-route.ts';
import { judge, policyFor } from './judge.ts';
import { narrowest } from './narrowest.ts';
import { bodyOfEvent } from './replay-body.ts';
import { present } from './shapes.ts';

const tag = 'events';
const access = 'administrator';
const pageDefault = 50;

interface FilterQuery {
  readonly decision?: EventDecision;
  readonly category?: Category;
  readonly rule?: string;
  readonly keyId?: string;
  readonly pointer?: string;
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
  rule: textTo(100),
  keyId: textTo(8),
  pointer: { type: 'string', maxLength: 2_000 },
  q: textTo(200),
  from: moment,
  to: moment,
};

/** Blocks: a list, an export, one of them, and what another policy would say of it. */
export const eventRoutes: readonly ApiRoute[] = [
  defineRoute<undefined, PageQuery>({
    method: 'GET',
    path: '/api/events',
    access,
    tag,
    summary:
      'Blocks, newest first, those dated in the future last. A page may hold fewer than `limit`, ' +
      'even none, while `next` is there',
    query: {
      ...filter,
      cursor: textTo(64),
      limit: { type: 'integer', minimum: 1, maximum: 500 },
    },
    status: 200,
    answer: closed({ events: listOf(ref('EventSummary')) }, { next: text }),
    async handle({ query }, parts) {
      const { cursor, limit = pageDefault } = query;
      return ok(
        await parts.events.search(filterOf(query), {
          limit,
          ...(cursor === undefined ? {} : { cursor }),
        }),
      );
    },
  }),
  defineRoute<undefined, FilterQuery>({
    method: 'GET',
    path: '/api/events/export',
    access,
    tag,
    summary: 'Whole blocks, one JSON object a line, newest first',
    query: filter,
    status: 200,
    mediaType: 'application/x-ndjson',
    answer: ref('Event'),
    headers: ['content-disposition'],
    async handle({ query }, parts) {
      const lines = parts.events.stream(filterOf(query));
      return { kind: 'lines', lines, fileName: 'sallyport-events.ndjson' };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/events/:id',
    access,
    tag,
    summary: 'A block with its findings, and the narrowest exclusion that would free it',
    status: 200,
    answer: closed({
      event: ref('Event'),
      suggestedExclusion: closed({ pointer: text, rule: text }),
    }),
    problems: ['no-such-resource'],
    async handle(call, parts) {
      const event = await parts.events.find(call.params['id'] ?? '');
      if (event === undefined) return problem('no-such-resource');
      return ok({ event, suggestedExclusion: narrowest(event) });
    },
  }),
  defineRoute<{ readonly policyId?: string; readonly document?: unknown }>({
    method: 'POST',
    path: '/api/events/:id/replay',
    access,
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
  const { decision, category, rule, keyId, pointer, q } = query;
  const from = query.from === undefined ? undefined : Date.parse(query.from);
  const to = query.to === undefined ? undefined : Date.parse(query.to);
  return present({ decision, category, rule, keyId, pointer, q, from, to });
}
