import type { Command } from '../command.ts';

export const migrate: Command = {
  name: 'migrate',
  summary: 'Make the database, or bring it up to date. Safe to repeat.',
  settings: ['dataDir', 'databaseUrl', 'config'],
  async run(input, terminal) {
    const { closeDatabase, openDatabase } = await import('../../storage/database.ts');
    const { dataDir, databaseUrl } = input.config;
    const opened = await openDatabase({ dataDir, databaseUrl, busyTimeoutMs: 10_000 });
    const { migrated, place } = opened;
    await closeDatabase(opened);
    for (const name of migrated) terminal.out(`${name}\n`);
    const what = migrated.length === 0 ? 'was up to date' : 'is up to date now';
    terminal.err(`The database ${place} ${what}.\n`);
    return 0;
  },
};
