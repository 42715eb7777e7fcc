import { settings } from '../../config/settings.ts';
import type { Command, Terminal } from '../command.ts';
import { dashboardLink } from '../dashboard-link.ts';
import { formatMoment } from '../moment.ts';

export const serve: Command = {
  name: 'serve',
  summary: 'Screen requests until SIGTERM or SIGINT.',
  settings: settings.map((setting) => setting.name),
  notes: 'Writes one JSON line per block to standard output, and nothing per allowed request.',
  async run(input, terminal) {
    const { runSallyport } = await import('../../main.ts');
    return runSallyport(input.config, (reachable) => {
      warnOfLastGood(reachable.lastGoodOf, terminal);
      const link = dashboardLink(reachable);
      if (reachable.setUpToken === undefined || link === undefined) return;
      // Not on standard output: that is the log, which is kept.
      terminal.err(`Dashboard: ${link}\n`);
    });
  },
};

/** Not on standard output: that is the log. */
function warnOfLastGood(lastGoodOf: number | undefined, terminal: Terminal): void {
  if (lastGoodOf === undefined) return;
  terminal.err(
    `The database cannot be used: keys and policies are those of ${formatMoment(lastGoodOf)}, from ` +
      'the last good snapshot. Requests are screened; changes wait until the database is back.\n',
  );
}
