import { administratorName, noAdministrator, withAdministrators } from '../administrators.ts';
import { type Command, CommandError } from '../command.ts';

export const adminsResetSecondFactor: Command = {
  name: 'admins reset-second-factor',
  summary: 'Take the second factor from an administrator who lost it.',
  isDestructive: true,
  operands: '<name>',
  operandsMin: 1,
  operandsMax: 1,
  settings: ['dataDir', 'databaseUrl', 'config'],
  notes:
    'The recovery codes stop, a linked account of the identity provider is unlinked, and all sessions\n' +
    'end. The password alone signs in again, until the administrator sets up a new second factor.',
  async run(input, terminal) {
    const name = administratorName(input);
    await withAdministrators(input, async (store, note) => {
      if (!(await store.resetSecondFactor(name))) {
        const isKnown = (await store.find(name)) !== undefined;
        const none = `The administrator ${name} has no second factor.`;
        throw new CommandError(isKnown ? none : await noAdministrator(store, name));
      }
      const summary = `reset the second factor of ${name}`;
      await note({ action: 'administrator.second-factor-reset', target: name, summary });
    });
    terminal.err(`${name} signs in without a second factor; all sessions ended.\n`);
    return 0;
  },
};
