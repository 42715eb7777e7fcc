import { acts } from '../../../contract/acts.ts';
import { administratorChanges } from '../../../contract/admin.ts';
import { actors } from '../../../contract/audit.ts';
import type { Management } from '../../../contract/management.ts';
import { bodies } from '../../../contract/schemas/api/bodies.ts';
import { closed, flag, ref, text } from '../../../contract/schemas/api/build.ts';
import type {
  SingleSignOnBegun,
  SingleSignOnOutcome,
  SingleSignOnReason,
  SingleSignOnRefusal,
} from '../../../contract/single-sign-on.ts';
import { clearFlowCookie, setCookies, setFlowCookie } from '../admission.ts';
import {
  type ApiAnswer,
  type ApiCall,
  type ApiRoute,
  defineRoute,
  done,
  ok,
  problem,
} from '../api-route.ts';
import { askerOf } from './second-factor.ts';
import { note, present } from './shapes.ts';
import { refusal, timesText } from './sign-in-refusal.ts';

const tag = 'session';
const path = '/api/session/single-sign-on';
const urlAnswer = closed({ url: text });
/** Answered where no identity provider is set. */
export const notSetUp =
  'Single sign-on is not set up: the setting oidcIssuer names no identity provider.';
const noSession = 'A key has no account to link: use the session of a browser.';
const proofs = [
  'sign-in-refused',
  'second-factor-needed',
  'second-factor-refused',
  'too-many-attempts',
  'overloaded',
  'conflict',
] as const;

interface Proof {
  readonly password: string;
  readonly code?: string;
}

/** Sign-in by an identity provider (OpenID Connect). */
export const singleSignOnRoutes: readonly ApiRoute[] = [
  defineRoute<{ readonly invitation?: string }>({
    method: 'POST',
    path: '/api/single-sign-on',
    access: 'public',
    tag,
    summary:
      'Begin to sign in by the identity provider, or to accept an invitation so: open the URL of the answer',
    body: bodies.beginSingleSignOn,
    status: 200,
    answer: urlAnswer,
    headers: ['set-cookie'],
    problems: ['invitation-not-valid', 'single-sign-on-not-available', 'conflict'],
    async handle({ body }, { singleSignOn }) {
      if (singleSignOn === undefined) return problem('conflict', notSetUp);
      const outcome = await singleSignOn.begin(body.invitation);
      return outcome.kind === 'not-valid' ? problem('invitation-not-valid') : begun(outcome);
    },
  }),
  defineRoute<{ readonly answer: string }>({
    method: 'POST',
    path: '/api/single-sign-on/finish',
    access: 'public',
    tag,
    summary: 'Finish with the query that the identity provider sent the browser back with',
    body: bodies.finishSingleSignOn,
    status: 200,
    answer: closed({ user: ref('User'), isLinked: flag }),
    headers: ['set-cookie'],
    problems: [
      'single-sign-on-refused',
      'single-sign-on-not-available',
      'too-many-attempts',
      'conflict',
    ],
    async handle(call, parts) {
      if (parts.singleSignOn === undefined) return problem('conflict', notSetUp);
      const { address, agent, flow, session } = call;
      const given = { answer: call.body.answer, address, agent, flow };
      const outcome = await parts.singleSignOn.finish({
        ...given,
        ...(session === undefined ? {} : { session: session.token }),
      });
      return finished(outcome, call, parts);
    },
  }),
  defineRoute({
    method: 'GET',
    path,
    access: 'viewer',
    tag,
    summary: 'Whether single sign-on is set up, and which account of the provider signs you in',
    status: 200,
    answer: ref('SingleSignOn'),
    async handle({ session }, { singleSignOn }) {
      const account = await singleSignOn?.account(session?.name ?? '');
      return ok({ isConfigured: singleSignOn !== undefined, ...present({ account }) });
    },
  }),
  defineRoute<Proof>({
    method: 'POST',
    path,
    access: 'viewer',
    tag,
    summary: 'Begin to link your account of the identity provider: open the URL of the answer',
    body: bodies.linkSingleSignOn,
    status: 200,
    answer: urlAnswer,
    headers: ['set-cookie'],
    problems: [...proofs, 'single-sign-on-not-available'],
    async handle(call, parts) {
      const asker = askerOf(call, noSession);
      if ('kind' in asker) return asker;
      if (parts.singleSignOn === undefined) return problem('conflict', notSetUp);
      const { code = '' } = call.body;
      const outcome = await parts.singleSignOn.beginLink({ ...asker, code });
      if (outcome.kind === 'begun' || outcome.kind === 'not-available') return begun(outcome);
      return refusal(outcome, { call, parts, name: asker.name });
    },
  }),
  defineRoute<Proof>({
    method: 'POST',
    path: `${path}/unlink`,
    access: 'viewer',
    tag,
    summary: 'Unlink your account of the identity provider',
    body: bodies.linkSingleSignOn,
    status: 204,
    problems: proofs,
    async handle(call, parts) {
      const asker = askerOf(call, noSession);
      if ('kind' in asker) return asker;
      if (parts.singleSignOn === undefined) return problem('conflict', notSetUp);
      const { name } = asker;
      const { code = '' } = call.body;
      const outcome = await parts.singleSignOn.unlink({ ...asker, code });
      if (outcome.kind === 'not-linked') return problem('conflict', 'No account is linked.');
      if (outcome.kind !== 'unlinked') return refusal(outcome, { call, parts, name });
      await note(call, parts, {
        action: 'administrator.unlink',
        target: name,
        summary: `${name} unlinked the account of the identity provider`,
      });
      return done;
    },
  }),
];

function begun(outcome: SingleSignOnBegun): ApiAnswer {
  if (outcome.kind === 'not-available') return problem('single-sign-on-not-available');
  return ok({ url: outcome.url }, [setFlowCookie(outcome.flow)]);
}

async function finished(
  outcome: SingleSignOnOutcome,
  call: ApiCall,
  parts: Management,
): Promise<ApiAnswer> {
  switch (outcome.kind) {
    case 'signed-in': {
      await noteSignIn(outcome, call, parts);
      const { user } = outcome;
      return ok({ user, isLinked: false }, [...setCookies(outcome), clearFlowCookie]);
    }
    case 'linked': {
      const { user, label } = outcome;
      await note(call, parts, {
        action: 'administrator.link',
        target: user.name,
        summary: `${user.name} linked the account ${label} of the identity provider`,
      });
      return ok({ user, isLinked: true }, [clearFlowCookie]);
    }
    case 'not-available':
      return problem('single-sign-on-not-available');
    case 'limited':
      return refusal(outcome, { call, parts, name: '' });
    case 'refused':
      return refused(outcome, call, parts);
  }
}

async function noteSignIn(
  outcome: Extract<SingleSignOnOutcome, { readonly kind: 'signed-in' }>,
  call: ApiCall,
  parts: Management,
): Promise<void> {
  const { user, label, by, changed } = outcome;
  const { name, role } = user;
  const own = { ...call, actor: name };
  const byProvider = { ...call, actor: actors.identityProvider };
  if (by === 'invitation') {
    const summary = `${name} accepted the invitation by single sign-on as ${label}, with the role ${role}`;
    await note(own, parts, { action: 'invitation.accept', target: name, summary });
  }
  if (by === 'created') {
    await note(byProvider, parts, acts.administratorCreated(user));
  }
  if (changed !== undefined) {
    const changes = administratorChanges(changed);
    await note(byProvider, parts, acts.administratorChanged(name, changes));
  }
  const summary = `${name} signed in by single sign-on as ${label}`;
  await note(own, parts, { action: 'session.sign-in', target: name, summary });
}

async function refused(
  { reason, label, note: due }: SingleSignOnRefusal,
  call: ApiCall,
  parts: Management,
): Promise<ApiAnswer> {
  const [why, advice] = reasons[reason];
  const who = label === '' ? '' : ` (${label})`;
  if (due !== undefined) {
    const summary = `refused a single sign-on${who}: ${why}${timesText(due)}`;
    await note(call, parts, { action: 'session.refuse', target: due.name, summary });
  }
  const detail = `${why.charAt(0).toUpperCase()}${why.slice(1)}${who}. ${advice}`;
  return { kind: 'problem', code: 'single-sign-on-refused', detail, refusedName: label };
}

const again = 'Begin again on the page for signing in.';
const ask = 'Ask an administrator.';
const link =
  'sign in with your password and link the account on the page Your sessions. An administrator with no password gets one by the command sallyport admins reset NAME.';

/** Why, for the audit, and what to do next. */
const reasons: Readonly<Record<SingleSignOnReason, readonly [why: string, advice: string]>> = {
  flow: [
    'this browser did not begin it, or more than 10 minutes ago, or under another address',
    again,
  ],
  provider: ['the identity provider refused it', again],
  answer: ['the answer of the identity provider is not valid; the server log says why', again],
  'not-linked': [
    'no administrator is linked to this account',
    `Open the link of an invitation, or ${link}`,
  ],
  disabled: ['the administrator is disabled', ask],
  'no-role': ['the identity provider gives this account no role in Sallyport', ask],
  'name-taken': [
    'there is an administrator with this name who is not linked to this account',
    `${link.charAt(0).toUpperCase()}${link.slice(1)}`,
  ],
  'is-last': [
    'the identity provider takes the role from the last administrator',
    'Give another person the role administrator first.',
  ],
  invitation: ['the invitation was used, withdrawn or replaced, or has expired', ask],
  'linked-elsewhere': ['this account is linked to another administrator', ask],
  session: [
    'the session that asked for the link has ended',
    'Sign in with your password and link the account again.',
  ],
};
