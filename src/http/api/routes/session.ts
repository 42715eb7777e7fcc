import type { RefusalNote, SignInOutcome } from '../../../contract/admin.ts';
import type { Management } from '../../../contract/management.ts';
import { bodies } from '../../../contract/schemas/api/bodies.ts';
import { closed, flag, ref } from '../../../contract/schemas/api/build.ts';
import { clearSessionCookie, setCookies } from '../admission.ts';
import {
  type ApiAnswer,
  type ApiCall,
  type ApiRoute,
  created,
  defineRoute,
  ok,
  problem,
} from '../api-route.ts';
import { note, present } from './shapes.ts';

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
    summary: 'Who is signed in, and whether the first administrator is still to be created',
    status: 200,
    answer: closed({ setupNeeded: flag }, { user: ref('User') }),
    async handle(call, parts) {
      const { session, role } = call;
      const user = session && { name: session.name, role };
      return ok({ ...present({ user }), setupNeeded: !(await parts.gate.isSetUp()) });
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
  defineRoute<Credentials>({
    method: 'POST',
    path: '/api/session',
    access: 'public',
    tag,
    summary: 'Sign in',
    body: bodies.signIn,
    status: 200,
    answer: userAnswer,
    headers: ['set-cookie'],
    problems: ['sign-in-refused', 'too-many-attempts', 'overloaded'],
    async handle(call, parts) {
      const { body, address, agent, device } = call;
      const outcome = await parts.gate.signIn({ ...body, address, agent, device });
      if (outcome.kind !== 'signed-in') return refusal(outcome, { call, parts, name: body.name });
      const { user } = outcome;
      await note({ ...call, actor: user.name }, parts, {
        action: 'session.sign-in',
        target: user.name,
        summary: `${user.name} signed in`,
      });
      return ok({ user }, setCookies(outcome));
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/session',
    access: 'viewer',
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

async function refusal(
  outcome: Exclude<SignInOutcome, { kind: 'signed-in' }>,
  {
    call,
    parts,
    name,
  }: { readonly call: ApiCall; readonly parts: Management; readonly name: string },
): Promise<ApiAnswer> {
  switch (outcome.kind) {
    case 'refused':
      if (outcome.note !== undefined) await noteRefusal(outcome.note, call, parts);
      return { kind: 'problem', code: 'sign-in-refused', refusedName: name };
    case 'busy':
      return problem('overloaded');
    case 'limited': {
      const seconds = outcome.retryAfterSeconds;
      return {
        kind: 'problem',
        code: 'too-many-attempts',
        detail: `Too many failed attempts. Try again in ${waitText(seconds)}.`,
        headers: [['retry-after', String(seconds)]],
      };
    }
  }
}

async function noteRefusal(
  { name, failures }: RefusalNote,
  call: ApiCall,
  parts: Management,
): Promise<void> {
  const who = name === '' ? 'an unknown name' : name;
  const times = failures === 1 ? '' : `, ${failures} times since the last entry`;
  const summary = `refused a sign-in as ${who}${times}`;
  await note(call, parts, { action: 'session.refuse', target: name, summary });
}

function waitText(seconds: number): string {
  return seconds < 60 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}
