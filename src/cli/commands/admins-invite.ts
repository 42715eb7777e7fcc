import { acts } from '../../contract/acts.ts';
import { joinPath } from '../../contract/admin.ts';
import { actors } from '../../contract/audit.ts';
import { administratorName, roleFrom, roleOption } from '../administrators.ts';
import { type Command, CommandError, UsageError } from '../command.ts';
import { formatMoment } from '../moment.ts';

export const adminsInvite: Command = {
  name: 'admins invite',
  summary: 'Print a link that makes a person an administrator, once.',
  operands: '<name>',
  operandsMin: 1,
  operandsMax: 1,
  options: [
    roleOption,
    {
      name: 'url',
      value: '<address>',
      help: 'the address of the dashboard [http://127.0.0.1:8080]',
    },
  ],
  settings: ['dataDir', 'databaseUrl', 'config'],
  notes:
    'The link works within three days. The first who opens it comes in: send it over a channel\n' +
    'that others cannot read. A former link of the same name stops working.',
  async run(input, terminal) {
    const role = roleFrom(input.text(roleOption.name));
    const origin = originFrom(input.text('url') ?? 'http://127.0.0.1:8080');
    const { createPeople } = await import('../../access/people.ts');
    const { createSqlAdminStore } = await import('../../access/sql-admin-store.ts');
    const { withDatabase } = await import('../stored.ts');
    const name = administratorName(input);
    const made = await withDatabase(input.config, async ({ database }, note) => {
      const people = createPeople(createSqlAdminStore(database), Date.now);
      const done = await people.invite({ name, role, invitedBy: actors.commandLine });
      if (done === undefined) {
        throw new CommandError(
          `There is an administrator ${name} already; for another role: sallyport admins role.`,
        );
      }
      await note(acts.invited({ name, role }));
      return done;
    });
    terminal.out(`${origin}${joinPath(made)}\n`);
    const until = formatMoment(made.invitation.expiresAt);
    terminal.err(`${name} is invited with the role ${role}, until ${until}.\n`);
    return 0;
  },
};

function originFrom(text: string): string {
  if (URL.canParse(text) && /^https?:/.test(text)) return new URL(text).origin;
  throw new UsageError(`--url ${text} is no address such as https://sallyport.example`);
}
