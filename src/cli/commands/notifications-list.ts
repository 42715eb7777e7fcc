import { type Channel, shownTarget, type Target } from '../../contract/notification.ts';
import type { Command } from '../command.ts';
import { formatMoment } from '../moment.ts';
import { table } from '../table.ts';

export const notificationsList: Command = {
  name: 'notifications list',
  summary: 'List the channels that are notified of blocks, without their secrets.',
  alsoCalled: ['notifications ls', 'notifications show', 'channels list'],
  options: [{ name: 'json', help: 'print JSON' }],
  settings: ['dataDir', 'databaseUrl', 'pepperFile', 'config'],
  async run(input, terminal) {
    const { withChannels } = await import('../channels.ts');
    const channels = await withChannels(input, (all) => all.list());
    if (input.isOn('json')) {
      const shown = channels.map(({ target, createdAt, changedAt, ...rest }) => ({
        ...rest,
        target: shownTarget(rest.kind, target),
        created: formatMoment(createdAt),
        changed: formatMoment(changedAt),
      }));
      terminal.out(`${JSON.stringify(shown, null, 2)}\n`);
    } else if (channels.length === 0) {
      terminal.err('There is no channel; `sallyport notifications add <file>` adds one.\n');
    } else {
      const head = ['ID', 'NAME', 'KIND', 'TO', 'STATE', 'CHANGED'];
      const rows = channels.map((channel) => {
        const state = channel.isPaused ? 'paused' : 'on';
        const { id, name, kind, changedAt, changedBy } = channel;
        return [id, name, kind, placeOf(channel), state, `${formatMoment(changedAt)} ${changedBy}`];
      });
      terminal.out(`${table([head, ...rows])}\n`);
    }
    return 0;
  },
};

function placeOf({ kind, target }: Channel): string {
  const { url, to = [] }: Target = shownTarget(kind, target);
  return url ?? to.join(' ');
}
