import { acts } from '../../contract/acts.ts';
import type { Command } from '../command.ts';

export const notificationsTest: Command = {
  name: 'notifications test',
  summary: 'Send a test message to a channel now, and show what its receiver answers.',
  alsoCalled: ['notifications send', 'channels test'],
  operands: '<id or name>',
  operandsMin: 1,
  operandsMax: 1,
  settings: ['dataDir', 'databaseUrl', 'pepperFile', 'publicUrl', 'notifyPlain', 'config'],
  notes: `Sent by this command, from this machine; it stands in the history of the channel. Exit code 0:
accepted. 1: not delivered.`,
  async run(input, terminal) {
    const { channelFor, withChannels } = await import('../channels.ts');
    return withChannels(input, async (channels, note) => {
      const { id, name } = await channelFor(channels, input.positionals[0] ?? '');
      const outcome = await channels.test(id);
      const isDelivered = outcome?.isDelivered === true;
      await note(acts.channelTested(id, isDelivered));
      const answer = outcome?.answer ?? 'the channel was removed meanwhile';
      terminal.err(`${name}: ${isDelivered ? '' : 'not delivered: '}${answer}\n`);
      return isDelivered ? 0 : 1;
    });
  },
};
