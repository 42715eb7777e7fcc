import type { Role } from '../../../contract/roles.ts';
import { bodies } from '../../../contract/schemas/api/bodies.ts';
import { closed, listOf, moment, ref, role, text } from '../../../contract/schemas/api/build.ts';
import { type ApiRoute, created, defineRoute, done, ok, problem } from '../api-route.ts';
import { isoTime, note } from './shapes.ts';

const tag = 'administrators';

/** Who administers. */
export const administratorRoutes: readonly ApiRoute[] = [
  defineRoute({
    method: 'GET',
    path: '/api/administrators',
    access: 'administrator',
    tag,
    summary: 'All administrators',
    status: 200,
    answer: closed({ administrators: listOf(closed({ name: text, role, createdAt: moment })) }),
    async handle(_call, parts) {
      const all = await parts.gate.list();
      return ok({
        administrators: all.map(({ createdAt, ...one }) => ({
          ...one,
          createdAt: isoTime(createdAt),
        })),
      });
    },
  }),
  defineRoute<{ readonly name: string; readonly password: string; readonly role: Role }>({
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
      const summary = `created the administrator ${user.name} with the role ${user.role}`;
      await note(call, parts, { action: 'administrator.create', target: user.name, summary });
      return created({ user });
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
      const name = call.params['name'] ?? '';
      const outcome = await parts.gate.remove(name);
      if (outcome === 'unknown') return problem('no-such-resource');
      if (outcome === 'is-last') {
        return problem('conflict', 'This is the last administrator. Create another one first.');
      }
      const summary = `removed the administrator ${name}`;
      await note(call, parts, { action: 'administrator.remove', target: name, summary });
      return done;
    },
  }),
];
