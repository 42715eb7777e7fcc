import { type Command, UsageError } from '../command.ts';
import { eventOptions, readEvents, wantedEvents } from '../event-filter.ts';
import { eventCells, eventHead, eventJson } from '../event-lines.ts';
import { table } from '../table.ts';

const limitDefault = 50;
const limitMax = 10_000;

export const eventsList: Command = {
  name: 'events list',
  summary: 'List blocks, newest first.',
  alsoCalled: ['events ls', 'events show', 'events search', 'blocks', 'logs'],
  options: [
    ...eventOptions,
    { name: 'limit', value: '<n>', help: `at most so many [${limitDefault}]` },
    { name: 'json', help: 'print whole events, one JSON object a line' },
  ],
  settings: ['dataDir', 'databaseUrl', 'config'],
  async run(input, terminal) {
    const { createSqlEventStore } = await import('../../events/sql-event-store.ts');
    const { requireDatabase, withDatabase } = await import('../stored.ts');
    const wanted = wantedEvents(input, Date.now());
    const limit = limitOf(input.text('limit'));
    requireDatabase(input.config);
    const events = await withDatabase(input.config, async ({ database }) => {
      const found = [];
      for await (const event of readEvents(createSqlEventStore(database), wanted)) {
        found.push(event);
        if (found.length === limit) break;
      }
      return found;
    });
    if (input.isOn('json')) {
      terminal.out(events.map(eventJson).join(''));
    } else if (events.length === 0) {
      terminal.err('No events match.\n');
    } else {
      const rows = events.map((event) => eventCells(event, terminal.paint));
      terminal.out(`${table([eventHead, ...rows])}\n`);
    }
    return 0;
  },
};

function limitOf(text: string | undefined): number {
  if (text === undefined) return limitDefault;
  const limit = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= limitMax) return limit;
  throw new UsageError(
    `--limit must be a whole number from 1 to ${limitMax}; for more: sallyport events export.`,
  );
}
