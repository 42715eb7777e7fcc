import { addressText, isWithin, networkOf } from '../../../contract/address.ts';
import type { Category } from '../../../contract/category.ts';
import type { EventSummary, StoredEvent } from '../../../contract/event.ts';
import type { Management, RuleDescription } from '../../../contract/management.ts';
import type { Policy } from '../../../contract/policy.ts';
import { noContext, type RequestContext } from '../../../contract/request.ts';
import { bodies } from '../../../contract/schemas/api/bodies.ts';
import { closed, count, flag, listOf, ref, text } from '../../../contract/schemas/api/build.ts';
import { isWide } from '../../../contract/wide-exclusion.ts';
import { type ApiRoute, defineRoute, ok } from '../api-route.ts';
import { exclusionFaults } from './exclusion-faults.ts';
import { judge, policyFor } from './judge.ts';
import { bodyAt } from './replay-body.ts';
import { summaryOf } from './shapes.ts';

/** Stored events that one preview looks at, newest first. */
const eventsMax = 5_000;
const freedShownMax = 20;
/** Example attacks that one preview screens, each with and without the exclusion. */
const attacksMax = 100;
const attacksShownMax = 10;
/** Screened at once: the lane of such work is short, and others use it too. */
const atOnce = 8;

interface Wish {
  readonly pointer: string;
  readonly category?: Category;
  readonly rule?: string;
  readonly method?: string;
  readonly path?: string;
  readonly clients?: readonly string[];
}

/** What an exclusion would do, before it is made. */
export const previewRoutes: readonly ApiRoute[] = [
  defineRoute<{ readonly policyId: string; readonly exclusion: Wish }>({
    method: 'POST',
    path: '/api/exclusions/preview',
    access: 'editor',
    tag: 'policies',
    summary: 'Which stored blocks an exclusion would free, and which example attacks it lets pass',
    body: bodies.previewExclusion,
    status: 200,
    answer: closed(
      {
        freed: closed({
          count,
          unsure: count,
          events: listOf(ref('EventSummary')),
          complete: flag,
        }),
        attacksLetPass: closed({
          count,
          of: count,
          examples: listOf(closed({ rule: text, example: text })),
        }),
        isWide: flag,
      },
      { excludedBy: text },
    ),
    problems: ['overloaded'],
    async handle(call, parts) {
      const { policyId, exclusion } = call.body;
      const faults = exclusionFaults(exclusion, '/exclusion');
      if (faults.length > 0) return { kind: 'problem', code: 'request-not-valid', errors: faults };
      const chosen = await policyFor({ policyId }, parts);
      if (chosen.kind !== 'policy') return chosen.answer;
      const excluded = excludedBefore(chosen.policy, exclusion);
      const freed = await freedEvents(policyId, exclusion, parts);
      const attacksLetPass = await attacksThatPass(chosen.policy, exclusion, parts);
      return 'kind' in attacksLetPass
        ? attacksLetPass
        : ok({ freed, attacksLetPass, isWide: isWide(exclusion), ...excluded });
    },
  }),
];

/**
 * Blocks whose other findings alone would not have reached the threshold. Of those that are unsure
 * not everything was decoded, so that more may be found.
 */
async function freedEvents(policyId: string, exclusion: Wish, parts: Management) {
  const isAt = parts.core.pointerPattern(exclusion.pointer);
  const isInScope = parts.core.scopeMatcher(exclusion);
  const isFreed = (event: StoredEvent): boolean => {
    const { method, path, client } = event;
    if (event.policyId !== policyId || !isInScope({ method, path, client })) return false;
    const rest = event.findings.filter(
      ({ pointer, rule, category }) =>
        !isAt(pointer) || (rule !== exclusion.rule && category !== exclusion.category),
    );
    return rest.length < event.findings.length && parts.core.scoreOf(rest) < event.threshold;
  };
  const events: EventSummary[] = [];
  let freed = 0;
  let unsure = 0;
  let seen = 0;
  for await (const event of parts.events.stream({})) {
    if (seen === eventsMax) return { count: freed, unsure, events, complete: false };
    seen += 1;
    if (!isFreed(event)) continue;
    freed += 1;
    if (event.coverage.reasons.includes('decided')) unsure += 1;
    if (events.length < freedShownMax) events.push(summaryOf(event));
  }
  return { count: freed, unsure, events, complete: true };
}

interface Attack {
  readonly rule: string;
  readonly example: string;
}

async function attacksThatPass(policy: Policy, exclusion: Wish, parts: Management) {
  const excluding = withExclusion(policy, exclusion);
  const attacks = examplesFor(exclusion, parts.rules);
  const context = contextFor(exclusion);
  const letPass: Attack[] = [];
  let blocked = 0;
  for (let at = 0; at < attacks.length; at += atOnce) {
    const some = attacks.slice(at, at + atOnce);
    const outcomes = await Promise.all(
      some.map(async (attack) => {
        const body = bodyAt(examplePointer(exclusion.pointer), attack.example);
        const screen = (one: Policy) =>
          judge({ body, context, policy: one, depth: 'verdict' }, parts);
        return { attack, before: await screen(policy), after: await screen(excluding) };
      }),
    );
    for (const { attack, before, after } of outcomes) {
      if (before.kind !== 'explained') return before.answer;
      if (after.kind !== 'explained') return after.answer;
      if (before.explanation.verdict.decision !== 'block') continue;
      blocked += 1;
      if (after.explanation.verdict.decision !== 'block') letPass.push(attack);
    }
  }
  return { count: letPass.length, of: blocked, examples: letPass.slice(0, attacksShownMax) };
}

function withExclusion(policy: Policy, exclusion: Wish): Policy {
  const fixed = { id: 'preview', reason: 'preview', author: 'preview' };
  const createdAt = '1970-01-01T00:00:00Z';
  return { ...policy, exclusions: [...policy.exclusions, { ...exclusion, ...fixed, createdAt }] };
}

/** The rules' own attacks that stand in a single value, spread evenly over the rules. */
function examplesFor(exclusion: Wish, rules: readonly RuleDescription[]): readonly Attack[] {
  const concerned = rules.filter(
    ({ id, category }) => id === exclusion.rule || category === exclusion.category,
  );
  const all = concerned.map(({ id, examples }) =>
    examples.flatMap((example) => (typeof example === 'string' ? [{ rule: id, example }] : [])),
  );
  const spread: Attack[] = [];
  for (let round = 0; spread.length < attacksMax; round += 1) {
    const layer = all.flatMap((attacks) => attacks.slice(round, round + 1));
    if (layer.length === 0) break;
    spread.push(...layer);
  }
  return spread.slice(0, attacksMax);
}

/** The context of a request that the exclusion counts for. */
function contextFor({ method = '', path, clients = [] }: Wish): RequestContext {
  const network = networkOf(clients[0] ?? '');
  return {
    ...noContext,
    method,
    uri: path === undefined ? '' : examplePointer(path),
    ...('problem' in network ? {} : { client: addressText(network.words) }),
  };
}

/** The exclusion of the policy that does the same already. */
function excludedBefore(policy: Policy, wish: Wish): { readonly excludedBy?: string } {
  const same = policy.exclusions.find(
    (one) =>
      one.pointer === wish.pointer &&
      (one.rule === wish.rule || one.category === wish.category) &&
      (one.method === undefined || one.method === wish.method) &&
      (one.path === undefined || one.path === wish.path) &&
      (one.clients === undefined || covers(one.clients, wish.clients)),
  );
  return same === undefined ? {} : { excludedBy: same.id };
}

/** Whether each network that is wished lies in one of others; all clients lie in none. */
function covers(clients: readonly string[], wished: readonly string[] | undefined): boolean {
  return wished?.every((inner) => clients.some((outer) => isWithin(inner, outer))) === true;
}

/** A pointer that a pattern stands for. */
function examplePointer(pattern: string): string {
  const segments = pattern.split('/').map((one) => (one === '*' || one === '**' ? 'x' : one));
  return segments.length === 1 ? '/x' : segments.join('/');
}
