import {
  administratorName,
  newPassword,
  noAdministrator,
  passwordOption,
} from '../administrators.ts';
import { type Command, CommandError } from '../command.ts';

/** No session has this digest: all of them end. */
const noSession = '';

export const adminsReset: Command = {
  name: 'admins reset',
  summary: 'Give an administrator a new password and print it, alone.',
  alsoCalled: ['admins password', 'admins passwd'],
  operands: '<name>',
  operandsMin: 1,
  operandsMax: 1,
  options: [passwordOption],
  settings: ['dataDir', 'databaseUrl', 'config'],
  notes: 'The old password stops, and all sessions end. The new one is shown once.',
  async run(input, terminal) {
    const { createSqlAdminStore } = await import('../../access/sql-admin-store.ts');
    const { createPasswords } = await import('../../access/password.ts');
    const { requireDatabase, withDatabase } = await import('../stored.ts');
    const name = administratorName(input);
    requireDatabase(input.config);
    const { password, isMade } = await newPassword(input, terminal);
    const passwordHash = await createPasswords().hash(password);
    await withDatabase(input.config, async ({ database }, note) => {
      const store = createSqlAdminStore(database);
      if ((await store.find(name)) === undefined) {
        throw new CommandError(await noAdministrator(store, name));
      }
      await store.setPassword(name, passwordHash, noSession);
      const summary = `gave the administrator ${name} a new password`;
      await note({ action: 'administrator.reset', target: name, summary });
    });
    if (isMade) terminal.out(`${password}\n`);
    terminal.err(`The administrator ${name} has a new password; all sessions ended.\n`);
    return 0;
  },
};
