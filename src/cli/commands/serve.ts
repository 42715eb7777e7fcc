import { settings } from '../../config/settings.ts';
import type { Command } from '../command.ts';
import { dashboardLink } from '../dashboard-link.ts';

export const serve: Command = {
  name: 'serve',
  summary: 'Screen requests until SIGTERM or SIGINT.',
  settings: settings.map((setting) => setting.name),
  notes: 'Writes one JSON line per block to standard output, and nothing per allowed request.',
  async run(input, terminal) {
    const { runSallyport } = await import('../../main.ts');
    return runSallyport(input.config, (reachable) => {
      const link = dashboardLink(reachable);
      if (reachable.setUpToken === undefined || link === undefined) return;
      // Not on standard output: that is the log, which is kept.
      terminal.err(`Dashboard: ${link}\n`);
    });
  },
};
