import { account, places } from '../../deploy/places.ts';
import type { Command } from '../command.ts';
import { machineFor } from './service-install.ts';

export const serviceUninstall: Command = {
  name: 'service uninstall',
  isDestructive: true,
  summary: 'Stop and remove the systemd service.',
  options: [
    { name: 'purge', help: 'remove data, settings, pepper and account as well' },
    { name: 'dry-run', help: 'only print what would be done' },
  ],
  settings: [],
  async run(input, terminal) {
    const [isDry, purge] = [input.isOn('dry-run'), input.isOn('purge')];
    const machine = await machineFor(isDry, terminal);
    const { uninstallService } = await import('../../deploy/uninstall.ts');
    uninstallService(machine, { purge });
    if (isDry) terminal.out('Nothing was changed: this was a dry run.\n');
    else if (!purge) {
      terminal.out(
        `Kept: ${places.data} (data), ${places.settings} (settings and pepper), the account ` +
          `${account}. A new install goes on with them; --purge removes them.\n`,
      );
    }
    return 0;
  },
};
