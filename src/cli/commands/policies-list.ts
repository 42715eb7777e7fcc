import type { Command } from '../command.ts';
import { formatMoment } from '../moment.ts';
import { table } from '../table.ts';

export const policiesList: Command = {
  name: 'policies list',
  summary: 'List the policies.',
  alsoCalled: ['policies ls', 'policies show', 'policy'],
  options: [{ name: 'json', help: 'print JSON' }],
  settings: ['dataDir', 'databaseUrl', 'config'],
  async run(input, terminal) {
    const { openPolicies } = await import('../policy-file.ts');
    const { requireDatabase, withDatabase } = await import('../stored.ts');
    requireDatabase(input.config);
    const found = await withDatabase(input.config, ({ database }) => openPolicies(database).list());
    const rows = found.map(({ id, name, version, document, keys, updatedAt, updatedBy }) => ({
      id,
      name,
      version,
      mode: document.mode,
      sensitivity: document.sensitivity,
      keys: keys.length,
      changed: formatMoment(updatedAt),
      by: updatedBy,
    }));
    if (input.isOn('json')) {
      terminal.out(`${JSON.stringify(rows, null, 2)}\n`);
    } else if (rows.length === 0) {
      terminal.err('There are no policies yet: the first start of the service stores one.\n');
    } else {
      const head = ['ID', 'NAME', 'VERSION', 'MODE', 'SENSITIVITY', 'KEYS', 'CHANGED', 'BY'];
      terminal.out(`${table([head, ...rows.map((row) => Object.values(row).map(String))])}\n`);
    }
    return 0;
  },
};
