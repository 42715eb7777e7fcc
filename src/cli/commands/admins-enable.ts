import { changeAdministrator } from '../administrators.ts';
import type { Command } from '../command.ts';

export const adminsEnable: Command = {
  name: 'admins enable',
  summary: 'Let a disabled administrator sign in again.',
  operands: '<name>',
  operandsMin: 1,
  operandsMax: 1,
  settings: ['dataDir', 'databaseUrl', 'config'],
  async run(input, terminal) {
    const name = await changeAdministrator(input, { disabled: false });
    terminal.err(`${name} may sign in.\n`);
    return 0;
  },
};
