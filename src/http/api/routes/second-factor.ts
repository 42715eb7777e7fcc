import { bodies } from '../../../contract/schemas/api/bodies.ts';
import { closed, listOf, ref, text } from '../../../contract/schemas/api/build.ts';
import type { SecondFactorAsker } from '../../../contract/second-factor.ts';
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
import { note } from './shapes.ts';
import { refusal } from './sign-in-refusal.ts';

const tag = 'session';
const path = '/api/session/second-factor';
const codesAnswer = closed({ recoveryCodes: listOf(text) });
const refusals = ['sign-in-refused', 'too-many-attempts', 'overloaded', 'conflict'] as const;
const noSession = 'A key has no second factor: use the session of a browser.';
/** Answered to a user who can only sign in by single sign-on. */
export const noPassword =
  'You have no password: an administrator gives you one by the command sallyport admins reset NAME.';
const isOff = 'You have no second factor. Set one up first.';

interface Password {
  readonly password: string;
}
interface Code {
  readonly code: string;
}

/** The second factor of who is signed in. */
export const secondFactorRoutes: readonly ApiRoute[] = [
  defineRoute({
    method: 'GET',
    path,
    access: 'viewer',
    withoutSecondFactor: true,
    tag,
    summary:
      'Whether you have a second factor, and how many recovery codes are left; a key has none',
    status: 200,
    answer: ref('SecondFactor'),
    async handle({ session }, parts) {
      return ok(await parts.gate.secondFactor.state(session?.name ?? ''));
    },
  }),
  defineRoute<Password>({
    method: 'POST',
    path,
    access: 'viewer',
    withoutSecondFactor: true,
    tag,
    summary: 'Make the secret of a second factor (TOTP); it counts once a code of it was confirmed',
    body: bodies.beginSecondFactor,
    status: 201,
    answer: closed({ secret: text, uri: text }),
    problems: refusals,
    async handle(call, parts) {
      const asker = askerOf(call, noSession);
      if ('kind' in asker) return asker;
      const { name } = asker;
      const outcome = await parts.gate.secondFactor.begin(asker);
      if (outcome.kind === 'is-on') {
        return problem('conflict', 'You have a second factor already. Turn it off first.');
      }
      if (outcome.kind !== 'begun') return refusal(outcome, { call, parts, name });
      return created({ secret: outcome.secret, uri: outcome.uri });
    },
  }),
  defineRoute<Code>({
    method: 'POST',
    path: `${path}/confirm`,
    access: 'viewer',
    withoutSecondFactor: true,
    tag,
    summary: 'Put the second factor in force with a code of it; your other sessions end',
    body: bodies.confirmSecondFactor,
    status: 200,
    answer: codesAnswer,
    problems: ['second-factor-refused', 'too-many-attempts', 'conflict'],
    async handle(call, parts) {
      const { session } = call;
      if (session === undefined) return problem('conflict', noSession);
      const { name, token } = session;
      const { code } = call.body;
      const outcome = await parts.gate.secondFactor.confirm({ session: token, name, code });
      if (outcome.kind === 'not-begun') {
        return problem('conflict', 'There is no second factor to confirm. Set one up first.');
      }
      if (outcome.kind !== 'confirmed') return refusal(outcome, { call, parts, name });
      await note(call, parts, {
        action: 'administrator.second-factor',
        target: name,
        summary: `${name} set up a second factor`,
      });
      return ok({ recoveryCodes: outcome.recoveryCodes });
    },
  }),
  defineRoute<Password & Code>({
    method: 'POST',
    path: `${path}/recovery-codes`,
    access: 'viewer',
    tag,
    summary: 'Make new recovery codes in place of all former ones',
    body: bodies.proveSecondFactor,
    status: 200,
    answer: codesAnswer,
    problems: [...refusals, 'second-factor-needed', 'second-factor-refused'],
    async handle(call, parts) {
      const asker = askerOf(call, noSession);
      if ('kind' in asker) return asker;
      const { name } = asker;
      const outcome = await parts.gate.secondFactor.renew({ ...asker, code: call.body.code });
      if (outcome.kind === 'is-off') return problem('conflict', isOff);
      if (outcome.kind !== 'renewed') return refusal(outcome, { call, parts, name });
      await note(call, parts, {
        action: 'administrator.recovery-codes',
        target: name,
        summary: `${name} made new recovery codes`,
      });
      return ok({ recoveryCodes: outcome.recoveryCodes });
    },
  }),
  defineRoute<Password & Code>({
    method: 'POST',
    path: `${path}/turn-off`,
    access: 'viewer',
    tag,
    summary: 'Turn your second factor off',
    body: bodies.proveSecondFactor,
    status: 204,
    problems: [...refusals, 'second-factor-needed', 'second-factor-refused'],
    async handle(call, parts) {
      const asker = askerOf(call, noSession);
      if ('kind' in asker) return asker;
      const { name } = asker;
      const outcome = await parts.gate.secondFactor.turnOff({ ...asker, code: call.body.code });
      if (outcome.kind === 'is-off') return problem('conflict', isOff);
      if (outcome.kind !== 'turned-off') return refusal(outcome, { call, parts, name });
      await note(call, parts, {
        action: 'administrator.second-factor-off',
        target: name,
        summary: `${name} turned the second factor off`,
      });
      return done;
    },
  }),
];

/** The user of the session, with the password; the answer to a key, or where there is none. */
export function askerOf(
  { session, address, body }: ApiCall<Password>,
  noSession: string,
): SecondFactorAsker | ApiAnswer {
  if (session === undefined) return problem('conflict', noSession);
  if (!session.hasPassword) return problem('conflict', noPassword);
  return { session: session.token, name: session.name, address, password: body.password };
}
