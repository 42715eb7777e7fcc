import type { BadKeys } from '../../../contract/live.ts';
import { closed, listOf, ref } from '../../../contract/schemas/api/build.ts';
import { type ApiRoute, defineRoute, ok } from '../api-route.ts';
import { isoTime } from './shapes.ts';

/** What goes on now, and the rules. */
export const overviewRoutes: readonly ApiRoute[] = [
  defineRoute({
    method: 'GET',
    path: '/api/overview',
    access: 'viewer',
    tag: 'overview',
    summary: 'State of this process and its last hour',
    status: 200,
    answer: ref('Overview'),
    async handle(_call, parts) {
      const { startedAt, ...state } = parts.state();
      const { latency, categories, ...rates } = parts.live.snapshot();
      const { readiness } = state;
      return ok({
        ...state,
        startedAt: isoTime(startedAt),
        now: isoTime(parts.clock()),
        ready: Object.values(readiness).every((isReady) => isReady),
        rates,
        latency,
        categories,
        ...parts.live.history(),
        badKeys: badKeysOf(parts.badKeys()),
        unscreened: parts.unscreened().map(({ lastAt, ...one }) => {
          return { ...one, lastAt: isoTime(lastAt) };
        }),
      });
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/live',
    access: 'viewer',
    tag: 'overview',
    summary: 'Server-sent events: `stats` once a second (LiveSnapshot), `block` (EventSummary)',
    status: 200,
    mediaType: 'text/event-stream',
    answer: { oneOf: [ref('LiveSnapshot'), ref('EventSummary')] },
    problems: ['too-many-listeners', 'draining'],
    handle: async (_call, parts) => ({ kind: 'live', live: parts.live }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/rules',
    access: 'viewer',
    tag: 'rules',
    summary: 'The detection rules with their examples and near misses',
    status: 200,
    answer: closed({ rules: listOf(ref('Rule')) }),
    handle: async (_call, parts) => ok({ rules: parts.rules }),
  }),
];

function badKeysOf({ total, lastAt, lastAddress }: BadKeys) {
  return {
    total,
    ...(lastAt === undefined ? {} : { lastAt: isoTime(lastAt) }),
    ...(lastAddress === '' ? {} : { lastAddress }),
  };
}
