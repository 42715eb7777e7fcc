import type { KeyUsageBucket } from '../../../contract/key-usage.ts';
import { limits } from '../../../contract/limits.ts';
import { closed, count, listOf, moment } from '../../../contract/schemas/api/build.ts';
import { type ApiRoute, defineRoute, ok, problem } from '../api-route.ts';
import { countQuery } from './counting.ts';
import { isoTime } from './shapes.ts';

const hourMs = 3_600_000;
const keptMs = limits.keyUsageDays * 24 * hourMs;
const usualMs = 7 * 24 * hourMs;
/** As many bars as a wide screen shows well. */
const stepsUsual = 96;

interface UsageQuery {
  readonly from?: string;
  readonly to?: string;
  readonly stepSeconds?: number;
}

const names = ['requests', 'blocks', 'wouldBlocks', 'errors'] as const;
type Name = (typeof names)[number];

/** How much a key is used. */
export const keyUsageRoutes: readonly ApiRoute[] = [
  defineRoute<undefined, UsageQuery>({
    method: 'GET',
    path: '/api/keys/:id/usage',
    access: 'viewer',
    tag: 'keys',
    summary:
      'Requests and blocks of a key over time, in steps of whole hours; the last seven days by default',
    query: { from: moment, to: moment, stepSeconds: countQuery.stepSeconds },
    status: 200,
    answer: closed({
      from: moment,
      to: moment,
      stepSeconds: count,
      totals: ofEach(count),
      series: ofEach(listOf(count)),
    }),
    problems: ['no-such-resource'],
    async handle({ params, query }, parts) {
      const id = params['id'] ?? '';
      if ((await parts.keys.find(id)) === undefined) return problem('no-such-resource');
      const span = spanOf(query, parts.clock());
      const hours = await parts.keyUsage.hours(id, span);
      const series = (name: Name) => seriesOf(hours, span, name);
      return ok({
        from: isoTime(span.from),
        to: isoTime(span.to),
        stepSeconds: span.stepMs / 1_000,
        totals: each((name) => hours.reduce((sum, hour) => sum + hour[name], 0)),
        series: each(series),
      });
    },
  }),
];

function each<Value>(of: (name: Name) => Value): Readonly<Record<Name, Value>> {
  return {
    requests: of('requests'),
    blocks: of('blocks'),
    wouldBlocks: of('wouldBlocks'),
    errors: of('errors'),
  };
}

function ofEach(schema: object) {
  return closed(each(() => ({ ...schema })));
}

interface HourSpan {
  readonly from: number;
  readonly to: number;
  readonly stepMs: number;
}

/** Whole hours that can be stored, in whole steps of them. */
function spanOf(query: UsageQuery, now: number): HourSpan {
  const given = query.to === undefined ? now : Date.parse(query.to);
  const to = Math.ceil(Math.min(given, now) / hourMs) * hourMs;
  const wanted = query.from === undefined ? to - usualMs : Date.parse(query.from);
  const from = Math.floor(Math.min(Math.max(wanted, to - keptMs), to - hourMs) / hourMs) * hourMs;
  const least = Math.ceil((to - from) / stepsUsual / hourMs) * hourMs;
  const asked = Math.ceil(((query.stepSeconds ?? 0) * 1_000) / hourMs) * hourMs;
  return { from, to, stepMs: Math.max(asked, least) };
}

function seriesOf(hours: readonly KeyUsageBucket[], span: HourSpan, name: Name): number[] {
  const series = new Array<number>(Math.ceil((span.to - span.from) / span.stepMs)).fill(0);
  for (const hour of hours) {
    const step = Math.floor((hour.from - span.from) / span.stepMs);
    if (step in series) series[step] = (series[step] ?? 0) + hour[name];
  }
  return series;
}
