import { processEnvironment } from '../../config/load.ts';
import { type Command, UsageError } from '../command.ts';

export const backup: Command = {
  name: 'backup',
  summary: 'Write a backup of the database to a new file, while the server runs.',
  operands: '<file>',
  operandsMin: 1,
  operandsMax: 1,
  settings: ['dataDir', 'databaseUrl', 'pepperFile', 'config'],
  notes:
    'SQLite: the file is an SQLite database. PostgreSQL: it is a dump by pg_dump, which must be\n' +
    'installed. Either is for its owner only (0600), and no file is overwritten. In it: digests of\n' +
    'API keys, password hashes of administrators, policies, events with addresses of clients, and\n' +
    'the audit. Not in it: the pepper, without which no API key is accepted, and the settings.\n' +
    'Keep a copy of these two elsewhere.',
  async run(input, terminal) {
    const [file = ''] = input.positionals;
    if (file === '') throw new UsageError('name the file of the backup');
    const { dataDir, databaseUrl, pepperFile } = input.config;
    if (databaseUrl === undefined) {
      const { requireDatabase } = await import('../stored.ts');
      const { backUpFile } = await import('../../storage/file-backup.ts');
      requireDatabase(input.config);
      const { keys, policies, events } = backUpFile(dataDir, file);
      terminal.err(`${file}: ${keys} keys, ${policies} policies, ${events} events.\n`);
    } else {
      const { backUpServer } = await import('../../storage/server-backup.ts');
      backUpServer({ url: databaseUrl, environment: processEnvironment() }, file);
      terminal.err(`${file}: a dump by pg_dump.\n`);
    }
    const { pepperPath } = await import('../../access/pepper.ts');
    const place = pepperFile ?? pepperPath(dataDir);
    // Handed over as an open file, it has no path here.
    const pepper = place.startsWith('/dev/fd/') ? 'the pepper file' : place;
    terminal.err(
      `Without the pepper no API key is accepted: keep a copy of ${pepper} elsewhere.\n`,
    );
    return 0;
  },
};
