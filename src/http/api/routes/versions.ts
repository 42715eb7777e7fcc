import type { PolicyVersion } from '../../../contract/policies.ts';
import { bodies } from '../../../contract/schemas/api/bodies.ts';
import { closed, flag, listOf, ref } from '../../../contract/schemas/api/build.ts';
import { newWide } from '../../../contract/wide-exclusion.ts';
import { type ApiRoute, defineRoute, ok, problem } from '../api-route.ts';
import { notValid } from './judge.ts';
import { refusal } from './policies.ts';
import { isoTime, notePolicy, policyShape } from './shapes.ts';

const tag = 'policies';
const number = { type: 'integer', minimum: 1 };

/** What became of a policy over time, and the way back. */
export const versionRoutes: readonly ApiRoute[] = [
  defineRoute({
    method: 'GET',
    path: '/api/policies/:id/versions',
    access: 'viewer',
    tag,
    summary: 'The versions of a policy, newest first',
    status: 200,
    answer: closed({ versions: listOf(ref('PolicyVersionRow')) }),
    problems: ['no-such-resource'],
    async handle(call, parts) {
      const versions = await parts.policies.versions(call.params['id'] ?? '');
      return versions === undefined
        ? problem('no-such-resource')
        : ok({ versions: versions.map(versionRow) });
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/policies/:id/versions/:n',
    access: 'viewer',
    tag,
    summary: 'A version of a policy with its document',
    status: 200,
    answer: closed({ version: ref('PolicyVersion') }),
    problems: ['no-such-resource'],
    async handle(call, parts) {
      const versions = (await parts.policies.versions(call.params['id'] ?? '')) ?? [];
      const found = versions.find(({ version }) => String(version) === call.params['n']);
      if (found === undefined) return problem('no-such-resource');
      return ok({ version: { ...versionRow(found), document: found.document } });
    },
  }),
  defineRoute<{ readonly document: unknown }>({
    method: 'POST',
    path: '/api/policies/:id/diff',
    access: 'editor',
    tag,
    summary:
      'What a document would change, once it has been validated, and whether storing it needs ' +
      '`acceptWide`; nothing is stored',
    body: bodies.compareDocument,
    status: 200,
    answer: closed({ changes: listOf(ref('PolicyChange')), isWide: flag }),
    problems: ['no-such-resource'],
    async handle(call, parts) {
      const policy = await parts.policies.find(call.params['id'] ?? '');
      if (policy === undefined) return problem('no-such-resource');
      const checked = await parts.policies.check(call.body.document);
      if (checked.kind === 'not-valid') return notValid(checked.problems);
      return ok({
        changes: parts.policies.diff(policy.document, checked.document),
        isWide: newWide(checked.document, [policy]).length > 0,
      });
    },
  }),
  defineRoute<undefined, { readonly from?: number; readonly to?: number }>({
    method: 'GET',
    path: '/api/policies/:id/diff',
    access: 'viewer',
    tag,
    summary: 'What changed between two versions; the last change by default',
    query: { from: number, to: number },
    status: 200,
    answer: closed({ changes: listOf(ref('PolicyChange')) }),
    problems: ['no-such-resource'],
    async handle(call, parts) {
      const versions = (await parts.policies.versions(call.params['id'] ?? '')) ?? [];
      const newest = versions[0]?.version ?? 1;
      const { to = newest, from = Math.max(1, to - 1) } = call.query;
      const [before, after] = [from, to].map((one) =>
        versions.find(({ version }) => version === one),
      );
      if (before === undefined || after === undefined) return problem('no-such-resource');
      return ok({ changes: parts.policies.diff(before.document, after.document) });
    },
  }),
  defineRoute<{ readonly version: number; readonly comment?: string }>({
    method: 'POST',
    path: '/api/policies/:id/rollback',
    access: 'editor',
    tag,
    summary: 'Roll back: store the document of an old version as the newest',
    body: bodies.rollBack,
    status: 200,
    answer: closed({ policy: ref('Policy') }),
    problems: ['no-such-resource'],
    async handle(call, parts) {
      const id = call.params['id'] ?? '';
      const { version, comment = '' } = call.body;
      const outcome = await parts.policies.rollBack({ id, version, comment, by: call.actor });
      if (outcome.kind !== 'done') return refusal(outcome);
      const { policy } = outcome;
      const summary = `rolled the policy ${policy.name} back to version ${version}`;
      await notePolicy(call, parts, { action: 'policy.roll-back', policy, summary });
      return ok({ policy: policyShape(policy) });
    },
  }),
];

function versionRow({ version, hash, at, by, comment }: PolicyVersion) {
  return { version, hash, at: isoTime(at), by, comment };
}
