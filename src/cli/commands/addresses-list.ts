import type { Command } from '../command.ts';
import { formatMoment } from '../moment.ts';
import { table } from '../table.ts';

export const addressesList: Command = {
  name: 'addresses list',
  summary: 'List the networks that are denied or allowed.',
  alsoCalled: ['addresses ls', 'addresses show'],
  options: [{ name: 'json', help: 'print JSON' }],
  settings: ['dataDir', 'databaseUrl', 'config'],
  async run(input, terminal) {
    const { withAddresses } = await import('../address-list.ts');
    const entries = await withAddresses(input, (lists) => lists.list());
    if (input.isOn('json')) {
      const shown = entries.map(({ createdAt, expiresAt, policyId, ...rest }) => ({
        ...rest,
        policy: policyId ?? null,
        created: formatMoment(createdAt),
        expires: expiresAt === undefined ? null : formatMoment(expiresAt),
      }));
      terminal.out(`${JSON.stringify(shown, null, 2)}\n`);
    } else if (entries.length === 0) {
      terminal.err('Nothing is listed; `sallyport addresses deny <address>` adds an entry.\n');
    } else {
      const head = ['ID', 'NETWORK', 'LIST', 'POLICY', 'EXPIRES', 'AUTHOR', 'REASON'];
      const rows = entries.map(({ id, network, action, policyId, expiresAt, author, reason }) => {
        const end = expiresAt === undefined ? 'never' : formatMoment(expiresAt);
        return [id, network, action, policyId ?? 'all', end, author, reason];
      });
      terminal.out(`${table([head, ...rows])}\n`);
    }
    return 0;
  },
};
