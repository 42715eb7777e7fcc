import { randomUUID } from 'node:crypto';
import type { SavedFilter, TriageVerdict } from '../../../contract/event.ts';
import { limits } from '../../../contract/limits.ts';
import { bodies } from '../../../contract/schemas/api/bodies.ts';
import { closed, count, listOf, mapOf, moment, text } from '../../../contract/schemas/api/build.ts';
import { type ApiRoute, created, defineRoute, done, ok, problem } from '../api-route.ts';
import { isoTime, note } from './shapes.ts';

const tag = 'events';

interface TriageBody {
  readonly ids: readonly string[];
  readonly verdict: TriageVerdict;
  readonly note?: string;
  readonly owner?: string;
}

const savedFilter = closed({
  id: text,
  name: text,
  query: mapOf(text),
  createdBy: text,
  createdAt: moment,
});

/** What people made of blocks, and the filters that they share. */
export const triageRoutes: readonly ApiRoute[] = [
  defineRoute<TriageBody>({
    method: 'POST',
    path: '/api/events/triage',
    access: 'editor',
    tag,
    summary:
      'Mark blocks as true or false positives, with a note and an owner; what is left out stays',
    body: bodies.triage,
    status: 200,
    answer: closed({ changed: count }),
    async handle(call, parts) {
      const { ids, ...wish } = call.body;
      const at = parts.clock();
      const changed = await parts.events.triage(ids, { ...wish, by: call.actor, at });
      if (changed > 0) {
        const [first = ''] = ids;
        const what = changed === 1 ? 'an event' : `${changed} events`;
        const summary = `marked ${what} as ${wish.verdict.replace('-', ' ')}`;
        await note(call, parts, { action: 'event.triage', target: first, summary });
      }
      return ok({ changed });
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/filters',
    access: 'viewer',
    tag,
    summary: 'Saved filters of events, by name',
    status: 200,
    answer: closed({ filters: listOf(savedFilter) }),
    handle: async (_call, parts) => ok({ filters: await parts.filters.list() }),
  }),
  defineRoute<Pick<SavedFilter, 'name' | 'query'>>({
    method: 'POST',
    path: '/api/filters',
    access: 'editor',
    tag,
    summary: 'Save a filter of events for all administrators',
    body: bodies.saveFilter,
    status: 201,
    answer: closed({ filter: savedFilter }),
    problems: ['conflict'],
    async handle(call, parts) {
      const { name, query } = call.body;
      const createdAt = isoTime(parts.clock());
      const filter = { id: randomUUID(), name, query, createdBy: call.actor, createdAt };
      switch (await parts.filters.add(filter)) {
        case 'name-taken':
          return problem('conflict', 'The name is taken. Choose another one.');
        case 'too-many':
          return problem(
            'conflict',
            `There are ${limits.savedFiltersMax} filters. Delete one of them first.`,
          );
        case 'added': {
          const summary = `saved the filter ${name}`;
          await note(call, parts, { action: 'filter.create', target: filter.id, summary });
          return created({ filter });
        }
      }
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/filters/:id',
    access: 'editor',
    tag,
    summary: 'Delete a saved filter',
    status: 204,
    problems: ['no-such-resource'],
    async handle(call, parts) {
      const id = call.params['id'] ?? '';
      const name = await parts.filters.remove(id);
      if (name === undefined) return problem('no-such-resource');
      const summary = `deleted the filter ${name}`;
      await note(call, parts, { action: 'filter.remove', target: id, summary });
      return done;
    },
  }),
];
