import { acts } from '../../../contract/acts.ts';
import type { AddressEntry, ListAction } from '../../../contract/address-list.ts';
import { bodies } from '../../../contract/schemas/api/bodies.ts';
import { closed, listOf, ref } from '../../../contract/schemas/api/build.ts';
import { type ApiRoute, created, defineRoute, done, ok, problem } from '../api-route.ts';
import { isoTime, note, present } from './shapes.ts';

const tag = 'addresses';
const path = '/api/addresses';

interface ListBody {
  readonly networks: readonly string[];
  readonly action: ListAction;
  readonly policyId?: string;
  readonly reason: string;
  readonly expiresAt?: string;
}

/** Deny and allow lists of addresses and networks. */
export const addressRoutes: readonly ApiRoute[] = [
  defineRoute({
    method: 'GET',
    path,
    access: 'viewer',
    tag,
    summary: 'Networks that are denied or allowed, newest first',
    status: 200,
    answer: closed({ entries: listOf(ref('AddressEntry')) }),
    async handle(_call, parts) {
      const now = parts.clock();
      return ok({ entries: (await parts.addresses.list()).map((one) => entryShape(one, now)) });
    },
  }),
  defineRoute<ListBody>({
    method: 'POST',
    path,
    access: 'editor',
    tag,
    summary: 'Deny networks, or let them pass unscreened; in force on every node within a second',
    body: bodies.listAddresses,
    status: 201,
    answer: closed({ entries: listOf(ref('AddressEntry')) }),
    problems: ['no-such-resource', 'conflict'],
    async handle(call, parts) {
      const { expiresAt, ...rest } = call.body;
      const wish = {
        ...rest,
        ...(expiresAt === undefined ? {} : { expiresAt: Date.parse(expiresAt) }),
      };
      const outcome = await parts.addresses.add(wish, call.actor);
      switch (outcome.kind) {
        case 'not-valid':
          return { kind: 'problem', code: 'request-not-valid', errors: outcome.problems };
        case 'no-policy':
          return problem('no-such-resource', 'There is no policy with this id.');
        case 'full':
          return problem(
            'conflict',
            `The lists hold at most ${outcome.most} networks. Remove some, or list wider ones.`,
          );
        case 'done': {
          const { action, policyId, reason } = wish;
          const summary = actSummary(action, outcome.entries, policyId, reason);
          const target = outcome.entries.length === 1 ? (outcome.entries[0]?.id ?? '') : '';
          await note(call, parts, { action: `address.${action}`, target, summary });
          const now = parts.clock();
          return created({ entries: outcome.entries.map((one) => entryShape(one, now)) });
        }
      }
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: `${path}/:id`,
    access: 'editor',
    tag,
    summary: 'Take a network off its list',
    status: 204,
    problems: ['no-such-resource'],
    async handle(call, parts) {
      const id = call.params['id'] ?? '';
      const removed = await parts.addresses.remove(id);
      if (removed === undefined) return problem('no-such-resource');
      await note(call, parts, acts.addressRemoved(id, removed));
      return done;
    },
  }),
];

/** One sentence for the audit. */
function actSummary(
  action: ListAction,
  entries: readonly AddressEntry[],
  policyId: string | undefined,
  reason: string,
): string {
  const shown = entries.slice(0, 5).map(({ network }) => network);
  const more = entries.length > shown.length ? ` and ${entries.length - shown.length} more` : '';
  const verb = action === 'deny' ? 'denied' : 'let pass unscreened';
  const where = policyId === undefined ? 'for all policies' : `for the policy ${policyId}`;
  return `${verb} ${shown.join(', ')}${more} ${where}: ${reason}`;
}

function entryShape(entry: AddressEntry, now: number): object {
  const { id, network, action, policyId, reason, author, createdAt, expiresAt } = entry;
  return {
    id,
    network,
    action,
    reason,
    author,
    createdAt: isoTime(createdAt),
    isInForce: expiresAt === undefined || expiresAt > now,
    ...present({ policyId, expiresAt: expiresAt === undefined ? undefined : isoTime(expiresAt) }),
  };
}
