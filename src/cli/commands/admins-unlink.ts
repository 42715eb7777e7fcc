import { administratorName, noAdministrator, withAdministrators } from '../administrators.ts';
import { type Command, CommandError } from '../command.ts';

export const adminsUnlink: Command = {
  name: 'admins unlink',
  summary: 'Unlink the account of an administrator at the identity provider.',
  isDestructive: true,
  operands: '<name>',
  operandsMin: 1,
  operandsMax: 1,
  settings: ['dataDir', 'databaseUrl', 'config'],
  notes:
    'The sessions that began with single sign-on end. Who has no password gets one by\n' +
    '`sallyport admins reset <name>`.',
  async run(input, terminal) {
    const name = administratorName(input);
    await withAdministrators(input, async (store, note) => {
      if (!(await store.unlink(name))) {
        const isKnown = (await store.find(name)) !== undefined;
        const none = `The administrator ${name} has no linked account.`;
        throw new CommandError(isKnown ? none : await noAdministrator(store, name));
      }
      const summary = `unlinked the account of ${name} at the identity provider`;
      await note({ action: 'administrator.unlink', target: name, summary });
    });
    terminal.err(`The account of ${name} is unlinked; its sessions ended.\n`);
    return 0;
  },
};
