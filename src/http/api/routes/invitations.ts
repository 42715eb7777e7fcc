import { acts } from '../../../contract/acts.ts';
import { type Invitation, joinPath } from '../../../contract/admin.ts';
import type { Role } from '../../../contract/roles.ts';
import { bodies } from '../../../contract/schemas/api/bodies.ts';
import { closed, listOf, ref, text } from '../../../contract/schemas/api/build.ts';
import { setCookies } from '../admission.ts';
import { type ApiRoute, created, defineRoute, done, ok, problem } from '../api-route.ts';
import { isoTime, nameIn, note } from './shapes.ts';

const tag = 'administrators';

/** Those who may become administrators with a link. */
export const invitationRoutes: readonly ApiRoute[] = [
  defineRoute({
    method: 'GET',
    path: '/api/invitations',
    access: 'administrator',
    tag,
    summary: 'Invitations that can still be used, without their tokens',
    status: 200,
    answer: closed({ invitations: listOf(ref('Invitation')) }),
    async handle(_call, parts) {
      return ok({ invitations: (await parts.people.invitations()).map(invitationShape) });
    },
  }),
  defineRoute<{ readonly name: string; readonly role: Role }>({
    method: 'POST',
    path: '/api/invitations',
    access: 'administrator',
    tag,
    summary:
      'Invite a person by a link that works once within three days; a former link of that name ends. ' +
      'The path of the link is in this answer and never again',
    body: bodies.invite,
    status: 201,
    answer: closed({ invitation: ref('Invitation'), path: text }),
    problems: ['conflict'],
    async handle(call, parts) {
      const made = await parts.people.invite({ ...call.body, invitedBy: call.actor });
      if (made === undefined) {
        return problem('conflict', 'There is an administrator of this name. Choose another one.');
      }
      const { invitation } = made;
      await note(call, parts, acts.invited(invitation));
      return created({ invitation: invitationShape(invitation), path: joinPath(made) });
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/invitations/:name',
    access: 'administrator',
    tag,
    summary: 'Withdraw an invitation: its link stops working',
    status: 204,
    problems: ['no-such-resource'],
    async handle(call, parts) {
      const name = nameIn(call);
      if (!(await parts.people.withdraw(name))) return problem('no-such-resource');
      const summary = `withdrew the invitation of ${name}`;
      await note(call, parts, { action: 'invitation.withdraw', target: name, summary });
      return done;
    },
  }),
  defineRoute<{ readonly token: string; readonly password: string }>({
    method: 'POST',
    path: '/api/join',
    access: 'public',
    tag: 'session',
    summary: 'Become an administrator with the token of an invitation',
    body: bodies.join,
    status: 201,
    answer: closed({ user: ref('User') }),
    headers: ['set-cookie'],
    problems: ['invitation-not-valid'],
    async handle(call, parts) {
      const { address, agent } = call;
      const outcome = await parts.gate.join({ ...call.body, address, agent });
      if (outcome.kind === 'not-valid') return problem('invitation-not-valid');
      const { user } = outcome;
      await note({ ...call, actor: user.name }, parts, {
        action: 'invitation.accept',
        target: user.name,
        summary: `${user.name} accepted the invitation, with the role ${user.role}`,
      });
      return created({ user }, setCookies(outcome));
    },
  }),
];

function invitationShape({ name, role, invitedBy, createdAt, expiresAt }: Invitation): object {
  const times = { createdAt: isoTime(createdAt), expiresAt: isoTime(expiresAt) };
  return { name, role, invitedBy, ...times };
}
