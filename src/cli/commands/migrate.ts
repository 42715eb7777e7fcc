import type { Command } from '../command.ts';

export const migrate: Command = {
  name: 'migrate',
  summary: 'Make the database, or bring it up to date. Safe to repeat.',
  settings: ['dataDir', 'config'],
  async run(input, terminal) {
    const { databasePath, openDatabase } = await import('../../storage/database.ts');
    const { dataDir } = input.config;
    const { database, migrated } = await openDatabase({ dataDir, busyTimeoutMs: 10_000 });
    await database.destroy();
    for (const name of migrated) terminal.out(`${name}\n`);
    const what = migrated.length === 0 ? 'was up to date' : 'is up to date now';
    terminal.err(`The database ${databasePath(dataDir)} ${what}.\n`);
    return 0;
  },
};
