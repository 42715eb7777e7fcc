import { administratorName, newPassword, passwordOption } from '../administrators.ts';
import { type Command, CommandError } from '../command.ts';

export const adminsAdd: Command = {
  name: 'admins add',
  summary: 'Add an administrator of the dashboard and print a first password, alone.',
  alsoCalled: ['admins create', 'admins new', 'admins invite'],
  operands: '<name>',
  operandsMin: 1,
  operandsMax: 1,
  options: [passwordOption],
  settings: ['dataDir', 'databaseUrl', 'config'],
  notes: 'The password is shown once, on standard output. It is to be changed after the sign-in.',
  async run(input, terminal) {
    const { createSqlAdminStore } = await import('../../access/sql-admin-store.ts');
    const { createPasswords } = await import('../../access/password.ts');
    const { requireDatabase, withDatabase } = await import('../stored.ts');
    const name = administratorName(input);
    requireDatabase(input.config);
    const { password, isMade } = await newPassword(input, terminal);
    const passwordHash = await createPasswords().hash(password);
    await withDatabase(input.config, async ({ database }, note) => {
      const isNew = await createSqlAdminStore(database).insert({ name, passwordHash }, Date.now());
      if (!isNew) {
        throw new CommandError(
          `There is an administrator ${name} already; for a new password: sallyport admins reset.`,
        );
      }
      const summary = `made the administrator ${name}`;
      await note({ action: 'administrator.create', target: name, summary });
    });
    if (isMade) terminal.out(`${password}\n`);
    terminal.err(`The administrator ${name} may sign in.\n`);
    return 0;
  },
};
