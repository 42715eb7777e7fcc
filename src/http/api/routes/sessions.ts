import type { SessionEntry } from '../../../contract/admin.ts';
import type { Management } from '../../../contract/management.ts';
import { closed, count, listOf, ref } from '../../../contract/schemas/api/build.ts';
import { clearSessionCookie } from '../admission.ts';
import { type ApiCall, type ApiRoute, defineRoute, done, ok, problem } from '../api-route.ts';
import { isoTime, note } from './shapes.ts';

const tag = 'session';
const sessionsAnswer = closed({ sessions: listOf(ref('Session')) });
const noSession = 'A key has no sessions: send the session cookie without x-api-key.';

/** Where people are signed in. */
export const sessionListRoutes: readonly ApiRoute[] = [
  defineRoute({
    method: 'GET',
    path: '/api/sessions',
    access: 'viewer',
    tag,
    summary: 'Your sessions, the one used last first; a key has none',
    status: 200,
    answer: sessionsAnswer,
    handle: (call, parts) => list(call, parts, call.session?.name ?? ''),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/sessions',
    access: 'viewer',
    tag,
    summary: 'Sign out everywhere, here as well',
    status: 200,
    answer: closed({ ended: count }),
    headers: ['set-cookie'],
    problems: ['conflict'],
    async handle(call, parts) {
      if (call.session === undefined) return problem('conflict', noSession);
      const { name } = call.session;
      const ended = await parts.people.endSessions(name);
      const summary = `${name} signed out everywhere`;
      await note(call, parts, { action: 'session.end-all', target: name, summary });
      return ok({ ended }, [clearSessionCookie]);
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/sessions/all',
    access: 'administrator',
    tag,
    summary: 'The sessions of all administrators, the one used last first',
    status: 200,
    answer: sessionsAnswer,
    handle: (call, parts) => list(call, parts),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/sessions/:id',
    access: 'viewer',
    tag,
    summary: 'End one of your sessions',
    status: 204,
    problems: ['no-such-resource'],
    async handle(call, parts) {
      const { session } = call;
      const id = call.params['id'] ?? '';
      const ended = session === undefined ? 0 : await parts.people.endSessions(session.name, id);
      return ended === 0 ? problem('no-such-resource') : done;
    },
  }),
];

async function list({ session }: ApiCall, parts: Management, name?: string) {
  const current = session === undefined ? '' : parts.people.idOf(session.token);
  const sessions = await parts.people.sessions(name);
  return ok({ sessions: sessions.map((one) => sessionShape(one, current)) });
}

function sessionShape(session: SessionEntry, current: string): object {
  const { id, name, address, agent, createdAt, seenAt } = session;
  const times = { createdAt: isoTime(createdAt), seenAt: isoTime(seenAt) };
  return { id, name, address, agent, ...times, isCurrent: id === current };
}
