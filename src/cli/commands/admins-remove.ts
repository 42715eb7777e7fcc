import { acts } from '../../contract/acts.ts';
import { administratorName, noAdministrator, withAdministrators } from '../administrators.ts';
import { type Command, CommandError } from '../command.ts';

export const adminsRemove: Command = {
  name: 'admins remove',
  summary: 'Remove an administrator.',
  isDestructive: true,
  alsoCalled: ['admins delete', 'admins rm'],
  operands: '<name>',
  operandsMin: 1,
  operandsMax: 1,
  settings: ['dataDir', 'databaseUrl', 'config'],
  notes:
    'The sessions end at once. When the last administrator is gone, the next start prints the\n' +
    'link that makes a new one. For a forgotten password: sallyport admins reset.',
  async run(input, terminal) {
    const name = administratorName(input);
    const isLast = await withAdministrators(input, async (store, note) => {
      if (!(await store.remove(name))) throw new CommandError(await noAdministrator(store, name));
      await note(acts.administratorRemoved(name));
      return !(await store.any());
    });
    const next = isLast ? ' Start Sallyport again: it prints the link for a new one.' : '';
    terminal.err(`The administrator ${name} is removed.${next}\n`);
    return 0;
  },
};
