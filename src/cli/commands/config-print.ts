import { type SettingName, settings } from '../../config/settings.ts';
import type { Command } from '../command.ts';

export const configPrint: Command = {
  name: 'config print',
  summary: 'Print the settings in force, as a configuration file without secrets.',
  options: [{ name: 'sources', help: 'print where each value comes from as well' }],
  settings: settings.map((setting) => setting.name),
  async run(input, terminal) {
    const { config, sources } = input;
    const hidden = new Set(
      settings.filter((one) => one.isSecret === 'whole').map(({ name }) => name),
    );
    const shownValue = (name: SettingName) =>
      hidden.has(name) ? undefined : withoutPassword(config[name]);
    const names = settings.map((setting) => setting.name);
    const shown = input.isOn('sources')
      ? names.map((name) => [name, { value: shownValue(name) ?? null, source: sources[name] }])
      : // A configuration file names no other one; what is not set is left out.
        names.filter((name) => name !== 'config').map((name) => [name, shownValue(name)]);
    terminal.out(`${JSON.stringify(Object.fromEntries(shown), null, 2)}\n`);
    return 0;
  },
};

/** The password of a URL is left out; everything else is shown as it is. */
function withoutPassword<T>(value: T): T | string {
  if (typeof value !== 'string' || !value.includes('://') || !URL.canParse(value)) return value;
  const url = new URL(value);
  const { password, searchParams } = url;
  if (password === '' && !searchParams.has('password')) return value;
  url.password = '';
  searchParams.delete('password');
  return url.href;
}
