import { settings } from '../../config/settings.ts';
import type { Command } from '../command.ts';

export const configPrint: Command = {
  name: 'config print',
  summary: 'Print the settings in force, as a configuration file without secrets.',
  options: [{ name: 'sources', help: 'print where each value comes from as well' }],
  settings: settings.map((setting) => setting.name),
  async run(input, terminal) {
    const { config, sources } = input;
    const names = settings.map((setting) => setting.name);
    const shown = input.isOn('sources')
      ? names.map((name) => [name, { value: config[name] ?? null, source: sources[name] }])
      : // A configuration file names no other one; what is not set is left out.
        names.filter((name) => name !== 'config').map((name) => [name, config[name]]);
    terminal.out(`${JSON.stringify(Object.fromEntries(shown), null, 2)}\n`);
    return 0;
  },
};
