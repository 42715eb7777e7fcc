import {
  closed,
  count,
  flag,
  listOf,
  mapOf,
  moment,
  text,
} from '../../../contract/schemas/api/build.ts';
import { type ApiRoute, defineRoute, ok } from '../api-route.ts';
import { countQuery, seriesOf, spanOf, topAnswer } from './counting.ts';
import { isoTime } from './shapes.ts';

const dayMs = 86_400_000;
const namesMax = 20;

interface StatsQuery {
  readonly from?: string;
  readonly to?: string;
  readonly stepSeconds?: number;
  readonly top?: number;
}

/** Stored figures. */
export const statsRoutes: readonly ApiRoute[] = [
  defineRoute<undefined, StatsQuery>({
    method: 'GET',
    path: '/api/stats',
    access: 'viewer',
    tag: 'stats',
    summary: 'Requests and blocks over time, and what the blocks were for; the last day by default',
    query: { from: moment, to: moment, ...countQuery },
    status: 200,
    answer: closed({
      stepSeconds: count,
      from: moment,
      to: moment,
      series: closed({
        requests: listOf(count),
        blocked: listOf(count),
        wouldBlock: listOf(count),
      }),
      categories: mapOf(count),
      rules: listOf(closed({ rule: text, count })),
      members: listOf(closed({ pointer: text, count })),
      events: closed({ count, top: topAnswer, estimated: flag }, { oldest: moment }),
    }),
    async handle({ query }, parts) {
      const to = query.to === undefined ? parts.clock() : Date.parse(query.to);
      const from = query.from === undefined ? to - dayMs : Date.parse(query.from);
      const span = spanOf({ from, to }, query.stepSeconds);
      const traffic = await parts.events.traffic(span);
      const counts = await parts.events.count({}, { ...span, top: query.top ?? namesMax });
      const { top, blocked, wouldBlock } = counts;
      const oldest = await parts.events.oldest();
      return ok({
        stepSeconds: span.stepMs / 1_000,
        from: isoTime(span.from),
        to: isoTime(to),
        series: {
          requests: seriesOf(traffic, span, 'requests'),
          blocked: seriesOf(traffic, span, 'blocked'),
          wouldBlock: seriesOf(traffic, span, 'wouldBlock'),
        },
        categories: Object.fromEntries(top.category.map(({ value, count: n }) => [value, n])),
        rules: top.rule.map(({ value, count: n }) => ({ rule: value, count: n })),
        members: top.pointer.map(({ value, count: n }) => ({ pointer: value, count: n })),
        events: {
          count: blocked + wouldBlock,
          top,
          estimated: counts.estimated.counts || counts.estimated.top,
          ...(oldest === undefined ? {} : { oldest: isoTime(oldest) }),
        },
      });
    },
  }),
];
