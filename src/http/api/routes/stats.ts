import type { TrafficSpan, TrafficStep } from '../../../contract/event.ts';
import {
  closed,
  count,
  listOf,
  mapOf,
  moment,
  ref,
  text,
  textTo,
} from '../../../contract/schemas/api/build.ts';
import { type ApiRoute, defineRoute, ok } from '../api-route.ts';

const dayMs = 86_400_000;
const stepsMax = 2_000;
const namesMax = 20;

interface StatsQuery {
  readonly from?: string;
  readonly to?: string;
  readonly stepSeconds?: number;
}

/** Stored figures, and the audit. */
export const statsRoutes: readonly ApiRoute[] = [
  defineRoute<undefined, StatsQuery>({
    method: 'GET',
    path: '/api/stats',
    access: 'administrator',
    tag: 'stats',
    summary: 'Requests and blocks over time, and what the blocks were for; the last day by default',
    query: {
      from: moment,
      to: moment,
      stepSeconds: { type: 'integer', minimum: 60, maximum: 2_592_000 },
    },
    status: 200,
    answer: closed({
      stepSeconds: count,
      from: moment,
      series: closed({
        requests: listOf(count),
        blocked: listOf(count),
        wouldBlock: listOf(count),
      }),
      categories: mapOf(count),
      rules: listOf(closed({ rule: text, count })),
      members: listOf(closed({ pointer: text, count })),
    }),
    async handle({ query }, parts) {
      const to = query.to === undefined ? parts.clock() : Date.parse(query.to);
      const from = query.from === undefined ? to - dayMs : Date.parse(query.from);
      const length = Math.max(to - from, 60_000);
      const least = Math.ceil(length / stepsMax / 60_000) * 60;
      const usual = Math.ceil(length / 96 / 60_000) * 60;
      const stepSeconds = Math.max(query.stepSeconds ?? usual, least);
      const start = Math.floor(from / 60_000) * 60_000;
      const span = { from: start, to, stepMs: stepSeconds * 1_000 };
      const tally = await parts.events.tally({ from, to });
      const traffic = await parts.events.traffic(span);
      return ok({
        stepSeconds,
        from: new Date(start).toISOString(),
        series: seriesOf(traffic, span),
        categories: Object.fromEntries(tally.categories),
        rules: most(tally.rules).map(([rule, times]) => ({ rule, count: times })),
        members: most(tally.pointers).map(([pointer, times]) => ({ pointer, count: times })),
      });
    },
  }),
  defineRoute<undefined, { readonly cursor?: string; readonly limit?: number }>({
    method: 'GET',
    path: '/api/audit',
    access: 'administrator',
    tag: 'audit',
    summary: 'Administrative acts, newest first',
    query: { cursor: textTo(64), limit: { type: 'integer', minimum: 1, maximum: 500 } },
    status: 200,
    answer: closed({ entries: listOf(ref('AuditEntry')) }, { next: text }),
    handle: async ({ query }, parts) => ok(await parts.audit.list({ limit: 50, ...query })),
  }),
];

function seriesOf(traffic: readonly TrafficStep[], { from, to, stepMs }: TrafficSpan) {
  const steps = Math.max(1, Math.ceil((to - from) / stepMs));
  const empty = () => new Array<number>(steps).fill(0);
  const [requests, blocked, wouldBlock] = [empty(), empty(), empty()];
  for (const one of traffic) {
    if (one.step >= steps) continue;
    requests[one.step] = one.requests;
    blocked[one.step] = one.blocked;
    wouldBlock[one.step] = one.wouldBlock;
  }
  return { requests, blocked, wouldBlock };
}

function most(counts: ReadonlyMap<string, number>): readonly (readonly [string, number])[] {
  return [...counts].sort((a, b) => b[1] - a[1]).slice(0, namesMax);
}
