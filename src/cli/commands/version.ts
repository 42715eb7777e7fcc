import { packageInfo } from '../../config/package-info.ts';
import type { Command } from '../command.ts';

export const version: Command = {
  name: 'version',
  summary: 'Print the version.',
  settings: [],
  async run(_input, terminal) {
    terminal.out(`${packageInfo().version}\n`);
    return 0;
  },
};
