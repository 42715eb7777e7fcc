import type { Command } from '../command.ts';

export const migrate: Command = {
  name: 'migrate',
  summary: 'Make the database, or bring it up to date. Safe to repeat.',
  settings: ['dataDir', 'databaseUrl', 'config'],
  async run(input, terminal) {
    const { withDatabase } = await import('../stored.ts');
    const { migrated, place } = await withDatabase(input.config, async (opened) => opened);
    for (const name of migrated) terminal.out(`${name}\n`);
    const what = migrated.length === 0 ? 'was up to date' : 'is up to date now';
    terminal.err(`The database ${place} ${what}.\n`);
    return 0;
  },
};
