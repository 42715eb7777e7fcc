import { type Command, CommandError } from '../command.ts';

export const adminsRemove: Command = {
  name: 'admins remove',
  summary: 'Remove an administrator, such as one whose password is forgotten.',
  operands: '<name>',
  operandsMin: 1,
  operandsMax: 1,
  settings: ['dataDir', 'databaseUrl', 'config'],
  notes:
    'The sessions end at once. When the last administrator is gone, the next start prints the\n' +
    'link that makes a new one.',
  async run(input, terminal) {
    const { openDatabase, closeDatabase } = await import('../../storage/database.ts');
    const { createSqlAdminStore } = await import('../../access/sql-admin-store.ts');
    const { createSqlAuditStore } = await import('../../access/sql-audit-store.ts');
    const { requireDatabase } = await import('../key-ring.ts');
    const { dataDir, databaseUrl } = input.config;
    requireDatabase(input.config);
    const name = (input.positionals[0] ?? '').normalize('NFKC').trim();
    const opened = await openDatabase({ dataDir, databaseUrl, busyTimeoutMs: 10_000 });
    try {
      const store = createSqlAdminStore(opened.database);
      if (!(await store.remove(name))) {
        const names = (await store.list()).map((one) => one.name);
        const known = names.length === 0 ? 'there are none' : `there are: ${names.join(', ')}`;
        throw new CommandError(`There is no administrator ${name}; ${known}.`);
      }
      const isLast = !(await store.any());
      const audit = createSqlAuditStore(opened.database);
      const summary = `removed the administrator ${name}`;
      const act = { actor: 'cli', action: 'administrator.remove', target: name, summary };
      await audit.append(act, Date.now());
      const next = isLast ? ' Start Sallyport again: it prints the link for a new one.' : '';
      terminal.err(`The administrator ${name} is removed.${next}\n`);
    } finally {
      await closeDatabase(opened);
    }
    return 0;
  },
};
