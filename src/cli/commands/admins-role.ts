import { changeAdministrator, roleFrom } from '../administrators.ts';
import type { Command } from '../command.ts';

export const adminsRole: Command = {
  name: 'admins role',
  summary: 'Change what an administrator may do.',
  operands: '<name> <role>',
  operandsMin: 2,
  operandsMax: 2,
  settings: ['dataDir', 'databaseUrl', 'config'],
  notes:
    'A viewer reads, an editor also changes what is screened, an administrator also manages keys\n' +
    'and people. Sessions have the new role at once.',
  async run(input, terminal) {
    const role = roleFrom(input.positionals[1]);
    const name = await changeAdministrator(input, { role });
    terminal.err(`${name} has the role ${role}.\n`);
    return 0;
  },
};
