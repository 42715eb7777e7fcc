import { acts } from '../../contract/acts.ts';
import { type Command, CommandError } from '../command.ts';

export const addressesRemove: Command = {
  name: 'addresses remove',
  summary: 'Take a network off its list, within a second on a running server.',
  isDestructive: true,
  alsoCalled: ['addresses delete', 'addresses rm', 'addresses unban'],
  operands: '<id>',
  operandsMin: 1,
  operandsMax: 1,
  settings: ['dataDir', 'databaseUrl', 'config'],
  async run(input, terminal) {
    const { withAddresses } = await import('../address-list.ts');
    const id = input.positionals[0] ?? '';
    await withAddresses(input, async (lists, note) => {
      const removed = await lists.remove(id);
      if (removed === undefined) {
        throw new CommandError(`Nothing has the id ${id}; \`sallyport addresses list\` shows all.`);
      }
      await note(acts.addressRemoved(id, removed));
      terminal.err(`${removed.network} is off the ${removed.action} list.\n`);
    });
    return 0;
  },
};
