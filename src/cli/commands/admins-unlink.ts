import { acts } from '../../contract/acts.ts';
import { takeFromAdministrator } from '../administrators.ts';
import type { Command } from '../command.ts';

export const adminsUnlink: Command = {
  name: 'admins unlink',
  summary: 'Unlink the account of an administrator at the identity provider.',
  isDestructive: true,
  operands: '<name>',
  operandsMin: 1,
  operandsMax: 1,
  settings: ['dataDir', 'databaseUrl', 'config'],
  notes:
    'The sessions that began with single sign-on end. An administrator with no password gets one by\n' +
    '`sallyport admins reset <name>`.',
  async run(input, terminal) {
    const name = await takeFromAdministrator(input, {
      take: (admins, name) => admins.unlink(name),
      what: 'linked account',
      act: acts.accountUnlinked,
    });
    terminal.err(`The account of ${name} is unlinked; its sessions ended.\n`);
    return 0;
  },
};
