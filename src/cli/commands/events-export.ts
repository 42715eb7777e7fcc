import type { Command } from '../command.ts';
import { eventOptions, readEvents, wantedEvents } from '../event-filter.ts';
import { eventJson } from '../event-lines.ts';

const chunkChars = 65_536;

export const eventsExport: Command = {
  name: 'events export',
  summary: 'Print whole events, one JSON object a line, newest first.',
  alsoCalled: ['events dump', 'events download'],
  options: eventOptions,
  settings: ['dataDir', 'databaseUrl', 'config'],
  notes:
    'Newline-delimited JSON, as the export of the dashboard: sallyport events export > blocks.ndjson',
  async run(input, terminal) {
    const { createSqlEventStore } = await import('../../events/sql-event-store.ts');
    const { requireDatabase, withDatabase } = await import('../stored.ts');
    const wanted = wantedEvents(input, Date.now());
    requireDatabase(input.config);
    const count = await withDatabase(input.config, async ({ database }) => {
      let written = 0;
      let chunk = '';
      for await (const event of readEvents(createSqlEventStore(database), wanted)) {
        chunk += eventJson(event);
        written += 1;
        if (chunk.length < chunkChars) continue;
        await terminal.flow(chunk);
        chunk = '';
        if (!terminal.isRead()) break;
      }
      await terminal.flow(chunk);
      return written;
    });
    terminal.err(`${count} events.\n`);
    return 0;
  },
};
