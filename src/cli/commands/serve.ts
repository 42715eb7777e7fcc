import { settings } from '../../config/settings.ts';
import type { Command } from '../command.ts';

export const serve: Command = {
  name: 'serve',
  summary: 'Screen requests until SIGTERM or SIGINT.',
  settings: settings.map((setting) => setting.name),
  notes: 'Writes one JSON line per block to standard output, and nothing per allowed request.',
  async run(input) {
    const { runSallyport } = await import('../../main.ts');
    return runSallyport(input.config);
  },
};
