import { withAdministrators } from '../administrators.ts';
import type { Command } from '../command.ts';
import { formatMoment } from '../moment.ts';
import { table } from '../table.ts';

export const adminsList: Command = {
  name: 'admins list',
  summary: 'List the administrators of the dashboard.',
  alsoCalled: ['admins ls', 'admins show'],
  options: [{ name: 'json', help: 'print JSON' }],
  settings: ['dataDir', 'databaseUrl', 'config'],
  async run(input, terminal) {
    const found = await withAdministrators(input, (admins) => admins.list());
    const rows = found.map(({ name, role, createdAt, signedInAt, ...one }) => ({
      name,
      role,
      created: formatMoment(createdAt),
      signedIn: signedInAt === undefined ? null : formatMoment(signedInAt),
      disabled: one.disabledAt !== undefined,
      secondFactor: one.secondFactorAt !== undefined,
      account: one.account?.label ?? null,
      issuer: one.account?.issuer ?? null,
    }));
    if (input.isOn('json')) {
      terminal.out(`${JSON.stringify(rows, null, 2)}\n`);
    } else if (rows.length === 0) {
      terminal.err('There are no administrators yet; `sallyport admins add <name>` makes one.\n');
    } else {
      const cells = rows.map(({ name, role, created, signedIn, disabled, ...one }) => [
        name,
        disabled ? `${role} (disabled)` : role,
        created,
        signedIn ?? '-',
        one.secondFactor ? 'yes' : 'no',
        one.account === null ? '-' : `${one.account} (${one.issuer})`,
      ]);
      terminal.out(
        `${table([['NAME', 'ROLE', 'CREATED', 'SIGNED IN', 'SECOND FACTOR', 'LINKED ACCOUNT'], ...cells])}\n`,
      );
    }
    return 0;
  },
};
