import { bodies } from '../../../contract/schemas/api/bodies.ts';
import { closed, flag, ref, text } from '../../../contract/schemas/api/build.ts';
import { clearSessionCookie, setCookies } from '../admission.ts';
import { type ApiRoute, created, defineRoute, ok, problem } from '../api-route.ts';
import { noPassword } from './second-factor.ts';
import { note, present } from './shapes.ts';
import { refusal } from './sign-in-refusal.ts';

const tag = 'session';
const userAnswer = closed({ user: ref('User') });

interface Credentials {
  readonly name: string;
  readonly password: string;
}

/** Set-up, sign-in, sign-out. */
export const sessionRoutes: readonly ApiRoute[] = [
  defineRoute({
    method: 'GET',
    path: '/api/session',
    access: 'public',
    tag,
    summary:
      'Who is signed in, whether this user has a password, and whether a second factor must be set ' +
      'up first; whether the first administrator is still to be created; the address of the ' +
      'dashboard where single sign-on works',
    status: 200,
    answer: closed(
      { setupNeeded: flag },
      { user: ref('User'), hasPassword: flag, needsSecondFactor: flag, singleSignOn: text },
    ),
    async handle(call, parts) {
      const { session, role } = call;
      const user = session && { name: session.name, role };
      const singleSignOn = parts.singleSignOn?.dashboard;
      const { hasPassword, needsSecondFactor } = session ?? {};
      return ok({
        ...present({ user, hasPassword, needsSecondFactor, singleSignOn }),
        setupNeeded: !(await parts.gate.isSetUp()),
      });
    },
  }),
  defineRoute<Credentials & { readonly token: string }>({
    method: 'POST',
    path: '/api/setup',
    access: 'public',
    tag,
    summary: 'Create the first administrator with the one-time token that was printed at the start',
    body: bodies.setUp,
    status: 201,
    answer: userAnswer,
    headers: ['set-cookie'],
    problems: ['setup-token-not-valid', 'conflict'],
    async handle(call, parts) {
      const outcome = await parts.gate.setUp({
        ...call.body,
        address: call.address,
        agent: call.agent,
      });
      if (outcome.kind === 'wrong-token') return problem('setup-token-not-valid');
      if (outcome.kind === 'set-up-already') {
        return problem('conflict', 'There is an administrator already. Sign in instead.');
      }
      const { user } = outcome;
      await note({ ...call, actor: user.name }, parts, {
        action: 'administrator.set-up',
        target: user.name,
        summary: `created the first administrator, ${user.name}`,
      });
      return created({ user }, setCookies(outcome));
    },
  }),
  defineRoute<Credentials & { readonly code?: string }>({
    method: 'POST',
    path: '/api/session',
    access: 'public',
    tag,
    summary: 'Sign in; administrators with a second factor send a code of it as well',
    body: bodies.signIn,
    status: 200,
    answer: userAnswer,
    headers: ['set-cookie'],
    problems: [
      'sign-in-refused',
      'second-factor-needed',
      'second-factor-refused',
      'too-many-attempts',
      'overloaded',
    ],
    async handle(call, parts) {
      const { body, address, agent, device } = call;
      const outcome = await parts.gate.signIn({ ...body, address, agent, device });
      if (outcome.kind !== 'signed-in') return refusal(outcome, { call, parts, name: body.name });
      const { user } = outcome;
      await note({ ...call, actor: user.name }, parts, {
        action: 'session.sign-in',
        target: user.name,
        summary: `${user.name} signed in${outcome.byRecoveryCode ? ' with a recovery code' : ''}`,
      });
      return ok({ user }, setCookies(outcome));
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/session',
    access: 'viewer',
    withoutSecondFactor: true,
    tag,
    summary: 'Sign out',
    status: 204,
    headers: ['set-cookie'],
    problems: ['conflict'],
    async handle(call, parts) {
      if (call.session === undefined) {
        return problem(
          'conflict',
          'A key has no session to end: send the session cookie without x-api-key.',
        );
      }
      await parts.gate.signOut(call.session.token);
      return { kind: 'empty', headers: [clearSessionCookie] };
    },
  }),
  defineRoute<{ readonly current: string; readonly password: string }>({
    method: 'PUT',
    path: '/api/session/password',
    access: 'viewer',
    tag,
    summary: 'Change your password; your other sessions end',
    body: bodies.changePassword,
    status: 204,
    problems: ['sign-in-refused', 'too-many-attempts', 'overloaded', 'conflict'],
    async handle(call, parts) {
      if (call.session === undefined) {
        return problem('conflict', 'A key has no password: use the session of a browser.');
      }
      if (!call.session.hasPassword) return problem('conflict', noPassword);
      const { name, token: session } = call.session;
      const { address, body } = call;
      const outcome = await parts.gate.changePassword({ session, name, address, ...body });
      if (outcome.kind !== 'changed') return refusal(outcome, { call, parts, name });
      await note(call, parts, {
        action: 'administrator.password',
        target: name,
        summary: `${name} changed the password`,
      });
      return { kind: 'empty' };
    },
  }),
];
