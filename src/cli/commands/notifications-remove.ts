import { acts } from '../../contract/acts.ts';
import type { Command } from '../command.ts';

export const notificationsRemove: Command = {
  name: 'notifications remove',
  summary: 'Remove a channel, with what waits for it and its history.',
  isDestructive: true,
  alsoCalled: ['notifications delete', 'notifications rm', 'channels remove'],
  operands: '<id or name>',
  operandsMin: 1,
  operandsMax: 1,
  settings: ['dataDir', 'databaseUrl', 'pepperFile', 'config'],
  async run(input, terminal) {
    const { channelFor, withChannels } = await import('../channels.ts');
    await withChannels(input, async (channels, note) => {
      const { id, name } = await channelFor(channels, input.positionals[0] ?? '');
      await channels.remove(id);
      await note(acts.channelRemoved({ id, name }));
      terminal.err(`${name} is notified no more.\n`);
    });
    return 0;
  },
};
