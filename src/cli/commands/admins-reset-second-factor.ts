import { acts } from '../../contract/acts.ts';
import { takeFromAdministrator } from '../administrators.ts';
import type { Command } from '../command.ts';

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
    const name = await takeFromAdministrator(input, {
      take: (admins, name) => admins.resetSecondFactor(name),
      what: 'second factor',
      act: acts.secondFactorReset,
    });
    terminal.err(`${name} signs in without a second factor; all sessions ended.\n`);
    return 0;
  },
};
