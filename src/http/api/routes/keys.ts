import { type KeyScope, keyScopes, networksFrom } from '../../../contract/key-bounds.ts';
import type { KeyKind } from '../../../contract/key-directory.ts';
import type { Management } from '../../../contract/management.ts';
import { bodies } from '../../../contract/schemas/api/bodies.ts';
import { closed, listOf, ref, text } from '../../../contract/schemas/api/build.ts';
import { type ApiAnswer, type ApiRoute, created, defineRoute, ok, problem } from '../api-route.ts';
import { keyChangeAct } from './key-change.ts';
import { keyShape, note, policyNames } from './shapes.ts';

const tag = 'keys';
const keyAnswer = closed({ key: ref('Key') });
const secretAnswer = closed({ key: ref('Key'), secret: text });

interface NewKeyBody {
  readonly name: string;
  readonly kind?: KeyKind;
  readonly expiresAt?: string;
  readonly policyId?: string;
  readonly scopes?: readonly KeyScope[];
  readonly networks?: readonly string[];
}

interface KeyChangeBody {
  readonly name?: string;
  /** Null: the key expires no more. */
  readonly expiresAt?: string | null;
  readonly policyId?: string;
  readonly scopes?: readonly KeyScope[];
  readonly networks?: readonly string[];
}

/** API keys: what the key commands of the command line do, and more. */
export const keyRoutes: readonly ApiRoute[] = [
  defineRoute({
    method: 'GET',
    path: '/api/keys',
    access: 'viewer',
    tag,
    summary: 'All keys, without their secrets',
    status: 200,
    answer: closed({ keys: listOf(ref('Key')) }),
    async handle(_call, parts) {
      const names = await policyNames(parts);
      await parts.keyUsage.flush();
      const keys = await parts.keys.list();
      return ok({ keys: keys.map((key) => keyShape(key, names)) });
    },
  }),
  defineRoute<NewKeyBody>({
    method: 'POST',
    path: '/api/keys',
    access: 'administrator',
    tag,
    summary: 'Create a key; its secret is shown in this answer and never again',
    body: bodies.createKey,
    status: 201,
    answer: secretAnswer,
    async handle(call, parts) {
      const { name, kind = 'live', policyId } = call.body;
      const names = await policyNames(parts);
      const fault = faultOf(call.body, kind, { policies: names, now: parts.clock() });
      if (fault !== undefined) return fault;
      const expiresAt = momentOf(call.body.expiresAt);
      const wish = { name, kind, expiresAt, policyId, ...boundsIn(call.body) };
      const { key, secret } = await parts.keys.create(wish);
      const summary = `created the ${kind} key ${key.id} (${name})`;
      await note(call, parts, { action: 'key.create', target: key.id, summary });
      return created({ key: keyShape(key, names), secret });
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/keys/:id',
    access: 'viewer',
    tag,
    summary: 'A key, without its secret',
    status: 200,
    answer: keyAnswer,
    problems: ['no-such-resource'],
    async handle(call, parts) {
      // A page that shows the use of the key as well knows who sent those requests.
      await parts.keyUsage.flush();
      const key = await parts.keys.find(call.params['id'] ?? '');
      if (key === undefined) return problem('no-such-resource');
      return ok({ key: keyShape(key, await policyNames(parts)) });
    },
  }),
  defineRoute<KeyChangeBody>({
    method: 'PATCH',
    path: '/api/keys/:id',
    access: 'administrator',
    tag,
    summary:
      'Change the name, policy, expiry, scopes or networks of a key; in force on all nodes within a second',
    body: bodies.changeKey,
    status: 200,
    answer: keyAnswer,
    problems: ['no-such-resource'],
    async handle(call, parts) {
      const { name, policyId } = call.body;
      const id = call.params['id'] ?? '';
      const before = await parts.keys.find(id);
      if (before === undefined) return problem('no-such-resource');
      const names = await policyNames(parts);
      const fault = faultOf(call.body, before.kind, { policies: names, now: parts.clock() });
      if (fault !== undefined) return fault;
      const expiresAt = momentOf(call.body.expiresAt);
      const key = await parts.keys.change(id, {
        ...(name === undefined ? {} : { name }),
        ...(policyId === undefined ? {} : { policyId }),
        ...(expiresAt === undefined ? {} : { expiresAt }),
        ...boundsIn(call.body),
      });
      if (key === undefined) return problem('no-such-resource');
      await note(call, parts, keyChangeAct(id, before, key));
      return ok({ key: keyShape(key, names) });
    },
  }),
  defineRoute<{ readonly sunsetSeconds: number }>({
    method: 'POST',
    path: '/api/keys/:id/rotate',
    access: 'administrator',
    tag,
    summary: 'Give a key a new secret; the old one works until its sunset',
    body: bodies.rotateKey,
    status: 200,
    answer: secretAnswer,
    problems: ['no-such-resource', 'conflict'],
    async handle(call, parts) {
      const { sunsetSeconds } = call.body;
      const outcome = await parts.keys.rotate(call.params['id'] ?? '', sunsetSeconds);
      switch (outcome.kind) {
        case 'unknown':
          return problem('no-such-resource');
        case 'revoked':
          return problem('conflict', 'The key is revoked. Create a new one.');
        case 'under-way': {
          const until = new Date(outcome.sunsetAt).toISOString();
          const advice = `The last rotation is not over until ${until}; sunsetSeconds 0 ends it at once.`;
          return problem('conflict', advice);
        }
        case 'rotated': {
          const { key, secret } = outcome;
          const summary = `rotated the key ${key.id}; ${endOf(key.sunsetAt)}`;
          await note(call, parts, { action: 'key.rotate', target: key.id, summary });
          return ok({ key: keyShape(key, await policyNames(parts)), secret });
        }
      }
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/keys/:id/revoke',
    access: 'administrator',
    tag,
    summary: 'Revoke a key: it is refused on all nodes within a second',
    status: 200,
    answer: keyAnswer,
    problems: ['no-such-resource'],
    handle: (call, parts) => revoke(call, parts),
  }),
];

const refusedHere =
  'The key is refused on this machine from now on. The database cannot be used at present: the ' +
  'revocation is stored, and reaches other machines, as soon as it can.';

async function revoke(
  call: Parameters<ApiRoute['handle']>[0],
  parts: Management,
): Promise<ApiAnswer> {
  const key = await parts.keys.revoke(call.params['id'] ?? '');
  if (key === undefined) return problem('no-such-resource');
  if (key === 'refused-here') return problem('storage-not-available', refusedHere);
  const summary = `revoked the key ${key.id} (${key.name})`;
  await note(call, parts, { action: 'key.revoke', target: key.id, summary });
  return ok({ key: keyShape(key, await policyNames(parts)) });
}

/** What the schema cannot say of a key. */
function faultOf(
  wish: KeyChangeBody,
  kind: KeyKind,
  { policies, now }: { readonly policies: ReadonlyMap<string, string>; readonly now: number },
): ApiAnswer | undefined {
  const errors: { pointer: string; message: string }[] = [];
  if (wish.policyId !== undefined && !policies.has(wish.policyId)) {
    errors.push({ pointer: '/policyId', message: 'must be the id of a policy' });
  }
  const expiresAt = momentOf(wish.expiresAt);
  if (expiresAt != null && expiresAt <= now) {
    errors.push({ pointer: '/expiresAt', message: 'must be in the future' });
  }
  if (kind === 'admin' && wish.scopes !== undefined) {
    const message = 'is for keys of applications: an administrator key has none';
    errors.push({ pointer: '/scopes', message });
  }
  const read = networksFrom(wish.networks ?? []);
  if ('problems' in read) {
    for (const { index, problem: message } of read.problems) {
      errors.push({ pointer: `/networks/${index}`, message });
    }
  }
  return errors.length === 0 ? undefined : { kind: 'problem', code: 'request-not-valid', errors };
}

/** Scopes and networks as they are stored; networks in their one written form. */
function boundsIn({ scopes, networks }: KeyChangeBody) {
  const read = networks === undefined ? undefined : networksFrom(networks);
  return {
    ...(scopes === undefined ? {} : { scopes: keyScopes.filter((one) => scopes.includes(one)) }),
    ...(read !== undefined && 'networks' in read ? { networks: read.networks } : {}),
  };
}

function momentOf<Absent extends null | undefined>(text: string | Absent): number | Absent {
  return typeof text === 'string' ? Date.parse(text) : text;
}

function endOf(sunsetAt: number | undefined): string {
  if (sunsetAt === undefined) return 'the old secret is no longer valid';
  return `the old secret is valid until ${new Date(sunsetAt).toISOString()}`;
}
