import { actors } from '../../../contract/audit.ts';
import { bodies } from '../../../contract/schemas/api/bodies.ts';
import { closed, count } from '../../../contract/schemas/api/build.ts';
import { type ApiRoute, defineRoute, ok, problem } from '../api-route.ts';
import { note } from './shapes.ts';
import { notSetUp } from './single-sign-on.ts';

/** What the identity provider asks by itself. */
export const backChannelLogoutRoutes: readonly ApiRoute[] = [
  defineRoute<{ readonly logout_token?: string }>({
    method: 'POST',
    path: '/api/single-sign-on/logout',
    access: 'public',
    isForm: true,
    tag: 'session',
    summary:
      'For the identity provider: end the sessions that a logout token names (OpenID Connect Back-Channel Logout 1.0)',
    body: bodies.logoutToken,
    status: 200,
    answer: closed({ ended: count }),
    problems: ['logout-token-not-valid', 'single-sign-on-not-available', 'conflict'],
    async handle(call, parts) {
      if (parts.singleSignOn === undefined) return problem('conflict', notSetUp);
      const outcome = await parts.singleSignOn.logOut(call.body.logout_token ?? '');
      if (outcome.kind === 'not-valid') return problem('logout-token-not-valid');
      if (outcome.kind === 'not-available') return problem('single-sign-on-not-available');
      const { names } = outcome;
      for (const name of new Set(names)) {
        const summary = `the identity provider ended the sessions of ${name}`;
        const act = { action: 'session.end-all', target: name, summary };
        await note({ ...call, actor: actors.identityProvider }, parts, act);
      }
      return ok({ ended: names.length });
    },
  }),
];
