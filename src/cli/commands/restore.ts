import { existsSync } from 'node:fs';
import { processEnvironment } from '../../config/load.ts';
import type { Config } from '../../config/settings.ts';
import { type Command, UsageError } from '../command.ts';

export const restore: Command = {
  name: 'restore',
  isDestructive: true,
  summary: 'Put a backup in the place of the database; what was there is kept.',
  operands: '<file>',
  operandsMin: 1,
  operandsMax: 1,
  settings: ['dataDir', 'databaseUrl', 'pepperFile', 'config'],
  notes:
    'Stop Sallyport first: a database that is in use is refused. A damaged file, another kind of\n' +
    'file, or one from a newer version changes nothing. PostgreSQL: pg_dump and pg_restore must be\n' +
    'installed; the dump of what was there is written beside the backup.',
  async run(input, terminal) {
    const [file = ''] = input.positionals;
    if (file === '') throw new UsageError('name the file of the backup');
    const { dataDir, databaseUrl } = input.config;
    const suffix = `before-restore-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
    if (databaseUrl !== undefined) {
      const { restoreServer } = await import('../../storage/server-backup.ts');
      const previous = `${file}.${suffix}`;
      const server = { url: databaseUrl, environment: processEnvironment() };
      await restoreServer(server, { source: file, previous });
      terminal.err(`Restored from ${file}. What was there before: ${previous}\n`);
      return 0;
    }
    const { restoreFile } = await import('../../storage/file-backup.ts');
    const { contents, previous } = restoreFile({ dataDir, source: file, suffix });
    const { keys, policies, events } = contents;
    terminal.err(
      `Restored from ${file}: ${keys} keys, ${policies} policies, ${events} events.\n` +
        (previous === undefined ? '' : `What was there before: ${previous}\n`) +
        (await adviceOnPepper(input.config, contents.pepperMark)),
    );
    return 0;
  },
};

/** Keys are good with the pepper that they were made with, and with no other. */
async function adviceOnPepper(config: Config, mark: string | undefined): Promise<string> {
  const { loadPepper, pepperPath } = await import('../../access/pepper.ts');
  const { pepperMark } = await import('../../access/key-digest.ts');
  const place = config.pepperFile ?? pepperPath(config.dataDir);
  if (mark === undefined) return '';
  if (existsSync(place) && pepperMark(loadPepper(config)) === mark) return '';
  return (
    `The pepper of these keys is not in ${place}: put it there before you start Sallyport. ` +
    'Without it no API key is accepted.\n'
  );
}
