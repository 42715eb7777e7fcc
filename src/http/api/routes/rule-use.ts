import type { Management } from '../../../contract/management.ts';
import type { Policy } from '../../../contract/policy.ts';
import { closed, count, flag, listOf, moment, text } from '../../../contract/schemas/api/build.ts';
import { type ApiRoute, defineRoute, ok } from '../api-route.ts';
import { spanOf } from './counting.ts';
import { isoTime } from './shapes.ts';

const spanMs = 7 * 86_400_000;
/** More than there are rules; custom ones beyond are left out. */
const rulesMax = 500;

type Rule = Management['rules'][number];

/** What the rules found lately, and which policies leave them out. */
export const ruleUseRoutes: readonly ApiRoute[] = [
  defineRoute({
    method: 'GET',
    path: '/api/rules/use',
    access: 'viewer',
    tag: 'rules',
    summary:
      'Events of the last seven days by their strongest rule, and the rules that policies leave out ' +
      'as a whole: by their category, or by an exclusion of every field',
    status: 200,
    answer: closed({
      from: moment,
      estimated: flag,
      events: listOf(closed({ rule: text, count })),
      off: listOf(closed({ rule: text, policyId: text, policyName: text })),
    }),
    async handle(_call, parts) {
      const to = parts.clock();
      const span = spanOf({ from: to - spanMs, to }, undefined);
      const counted = await parts.events.count({}, { ...span, top: rulesMax });
      const policies = await parts.policies.list();
      return ok({
        from: isoTime(span.from),
        estimated: counted.estimated.top,
        events: counted.top.rule.map(({ value: rule, count: found }) => ({ rule, count: found })),
        off: policies.flatMap(({ id, name, document }) =>
          parts.rules
            .filter((rule) => isOff(rule, document, to))
            .map((rule) => ({ rule: rule.id, policyId: id, policyName: name })),
        ),
      });
    },
  }),
];

/** Whether a policy never lets a rule find anything. */
function isOff(rule: Rule, { categoriesOff, exclusions }: Policy, now: number): boolean {
  return (
    categoriesOff.includes(rule.category) ||
    exclusions.some((one) => {
      const isWide = one.pointer === '/**' && one.method === undefined && one.path === undefined;
      const isOver = one.expiresAt !== undefined && Date.parse(one.expiresAt) <= now;
      return isWide && !isOver && (one.rule === rule.id || one.category === rule.category);
    })
  );
}
