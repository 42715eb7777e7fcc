import { changeAdministrator } from '../administrators.ts';
import type { Command } from '../command.ts';

export const adminsDisable: Command = {
  name: 'admins disable',
  summary: 'Refuse the sign-in of an administrator and end the sessions.',
  isDestructive: true,
  operands: '<name>',
  operandsMin: 1,
  operandsMax: 1,
  settings: ['dataDir', 'databaseUrl', 'config'],
  notes: '`sallyport admins enable <name>` takes it back.',
  async run(input, terminal) {
    const name = await changeAdministrator(input, { disabled: true });
    terminal.err(`${name} cannot sign in any more; all sessions ended.\n`);
    return 0;
  },
};
