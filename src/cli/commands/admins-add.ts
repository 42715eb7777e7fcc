import { givePassword, passwordOption } from '../administrators.ts';
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
    const name = await givePassword(input, terminal, async ({ admins, name, passwordHash }) => {
      if (!(await admins.insert({ name, passwordHash }, Date.now()))) {
        throw new CommandError(
          `There is an administrator ${name} already; for a new password: sallyport admins reset.`,
        );
      }
      return { action: 'administrator.create', summary: `made the administrator ${name}` };
    });
    terminal.err(`The administrator ${name} may sign in.\n`);
    return 0;
  },
};
