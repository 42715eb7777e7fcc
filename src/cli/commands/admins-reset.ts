import { givePassword, noAdministrator, passwordOption } from '../administrators.ts';
import { type Command, CommandError } from '../command.ts';

export const adminsReset: Command = {
  name: 'admins reset',
  summary: 'Give an administrator a new password and print it, alone.',
  alsoCalled: ['admins password', 'admins passwd'],
  operands: '<name>',
  operandsMin: 1,
  operandsMax: 1,
  options: [passwordOption],
  settings: ['dataDir', 'databaseUrl', 'config'],
  notes:
    'The old password stops, a linked account of the identity provider is unlinked, and all sessions\n' +
    'end. The new password is shown once.',
  async run(input, terminal) {
    const name = await givePassword(input, terminal, async ({ admins, name, passwordHash }) => {
      if ((await admins.find(name)) === undefined) {
        throw new CommandError(await noAdministrator(admins, name));
      }
      await admins.setPassword(name, passwordHash);
      const summary = `gave the administrator ${name} a new password`;
      return { action: 'administrator.reset', target: name, summary };
    });
    terminal.err(`The administrator ${name} has a new password; all sessions ended.\n`);
    return 0;
  },
};
