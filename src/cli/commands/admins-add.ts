import { acts } from '../../contract/acts.ts';
import { givePassword, passwordOption, roleFrom, roleOption } from '../administrators.ts';
import { type Command, CommandError } from '../command.ts';

export const adminsAdd: Command = {
  name: 'admins add',
  summary: 'Add an administrator of the dashboard and print a first password, alone.',
  alsoCalled: ['admins create', 'admins new'],
  operands: '<name>',
  operandsMin: 1,
  operandsMax: 1,
  options: [roleOption, passwordOption],
  settings: ['dataDir', 'databaseUrl', 'config'],
  notes: 'The password is shown once, on standard output. It is to be changed after the sign-in.',
  async run(input, terminal) {
    const role = roleFrom(input.text(roleOption.name));
    const name = await givePassword(input, terminal, async ({ admins, name, passwordHash }) => {
      if (!(await admins.insert({ name, passwordHash, role }, Date.now()))) {
        throw new CommandError(
          `There is an administrator ${name} already; for a new password: sallyport admins reset.`,
        );
      }
      return acts.administratorCreated({ name, role });
    });
    terminal.err(`${name} may sign in, with the role ${role}.\n`);
    return 0;
  },
};
