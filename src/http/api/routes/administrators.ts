import { type Act, acts } from '../../../contract/acts.ts';
import {
  type AdministratorEntry,
  administratorChanges,
  type TakeOutcome,
} from '../../../contract/admin.ts';
import type { Management } from '../../../contract/management.ts';
import type { Role } from '../../../contract/roles.ts';
import { bodies } from '../../../contract/schemas/api/bodies.ts';
import { closed, count, listOf, ref } from '../../../contract/schemas/api/build.ts';
import {
  type ApiAnswer,
  type ApiCall,
  type ApiRoute,
  created,
  defineRoute,
  done,
  ok,
  problem,
} from '../api-route.ts';
import { isoTime, nameIn, note, present } from './shapes.ts';

const tag = 'administrators';
const isLast =
  'This is the last one with the role administrator who can sign in. Give another person this role first.';
const isOwn =
  'This is your own second factor: turn it off in your sessions, with your password and a code.';
const isOwnAccount = 'This is your own account: unlink it in your sessions, with your password.';

interface NewAdministrator {
  readonly name: string;
  readonly password: string;
  readonly role: Role;
}

/** Who administers. */
export const administratorRoutes: readonly ApiRoute[] = [
  defineRoute({
    method: 'GET',
    path: '/api/administrators',
    access: 'administrator',
    tag,
    summary: 'All administrators',
    status: 200,
    answer: closed({ administrators: listOf(ref('Administrator')) }),
    async handle(_call, parts) {
      return ok({ administrators: (await parts.people.list()).map(administratorShape) });
    },
  }),
  defineRoute<NewAdministrator>({
    method: 'POST',
    path: '/api/administrators',
    access: 'administrator',
    tag,
    summary:
      'Create an administrator with an initial password, to be changed after the first sign-in',
    body: bodies.addAdministrator,
    status: 201,
    answer: closed({ user: ref('User') }),
    problems: ['conflict'],
    async handle(call, parts) {
      const user = await parts.gate.add(call.body);
      if (user === undefined) return problem('conflict', 'The name is taken. Choose another one.');
      await note(call, parts, acts.administratorCreated(user));
      return created({ user });
    },
  }),
  defineRoute<{ readonly role?: Role; readonly disabled?: boolean }>({
    method: 'PATCH',
    path: '/api/administrators/:name',
    access: 'administrator',
    tag,
    summary:
      'Change the role, or disable the sign-in and end the sessions; one administrator always stays',
    body: bodies.changeAdministrator,
    status: 200,
    answer: closed({ administrator: ref('Administrator') }),
    problems: ['no-such-resource', 'conflict'],
    async handle(call, parts) {
      const outcome = await parts.people.change(nameIn(call), call.body);
      if (outcome.kind === 'unknown') return problem('no-such-resource');
      if (outcome.kind === 'is-last') return problem('conflict', isLast);
      const { name } = outcome.after;
      const changes = administratorChanges(outcome);
      if (changes.length > 0) await note(call, parts, acts.administratorChanged(name, changes));
      return ok({ administrator: administratorShape(outcome.after) });
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/administrators/:name',
    access: 'administrator',
    tag,
    summary: 'Remove an administrator and end the sessions; the last one stays',
    status: 204,
    problems: ['no-such-resource', 'conflict'],
    async handle(call, parts) {
      const name = nameIn(call);
      const outcome = await parts.people.remove(name);
      if (outcome === 'unknown') return problem('no-such-resource');
      if (outcome === 'is-last') return problem('conflict', isLast);
      await note(call, parts, acts.administratorRemoved(name));
      return done;
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/administrators/:name/sessions',
    access: 'administrator',
    tag,
    summary: 'Sign an administrator out everywhere',
    status: 200,
    answer: closed({ ended: count }),
    problems: ['no-such-resource'],
    async handle(call, parts) {
      const name = nameIn(call);
      const ended = await parts.people.endSessions(name);
      if (ended > 0) {
        const summary = `signed ${name} out everywhere`;
        await note(call, parts, { action: 'session.end-all', target: name, summary });
      }
      return ok({ ended });
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/administrators/:name/second-factor',
    access: 'administrator',
    tag,
    summary:
      'Reset the second factor of another administrator who lost it, unlink the account of the identity provider, and end the sessions',
    status: 204,
    problems: ['no-such-resource', 'conflict'],
    async handle(call, parts) {
      const name = nameIn(call);
      const outcome = await parts.people.resetSecondFactor(name, call.actor);
      const act = acts.secondFactorReset(name);
      return taken(outcome, { call, parts, act, isOwn });
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/administrators/:name/single-sign-on',
    access: 'administrator',
    tag,
    summary:
      'Unlink the account of another administrator at the identity provider, and end the sessions that began with it',
    status: 204,
    problems: ['no-such-resource', 'conflict'],
    async handle(call, parts) {
      const name = nameIn(call);
      const outcome = await parts.people.unlink(name, call.actor);
      const act = acts.accountUnlinked(name);
      return taken(outcome, { call, parts, act, isOwn: isOwnAccount });
    },
  }),
];

/** The answer to taking something from another administrator, which goes into the audit. */
async function taken(
  outcome: TakeOutcome,
  given: {
    readonly call: ApiCall;
    readonly parts: Management;
    readonly act: Act;
    /** What is answered where it is the caller's own. */
    readonly isOwn: string;
  },
): Promise<ApiAnswer> {
  const { call, parts, act, isOwn } = given;
  if (outcome === 'is-own') return problem('conflict', isOwn);
  if (outcome === 'unknown') return problem('no-such-resource');
  await note(call, parts, act);
  return done;
}

/** An administrator as the API has it. */
function administratorShape(entry: AdministratorEntry): object {
  const { name, role, hasPassword, createdAt, signedInAt, disabledAt } = entry;
  const { secondFactorAt, account } = entry;
  return {
    name,
    role,
    createdAt: isoTime(createdAt),
    disabled: disabledAt !== undefined,
    hasPassword,
    secondFactor: secondFactorAt !== undefined,
    ...present({
      signedInAt: signedInAt === undefined ? undefined : isoTime(signedInAt),
      account: account?.label,
    }),
  };
}
