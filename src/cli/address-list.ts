import { createAddressDirectory } from '../access/address-directory.ts';
import { createSqlAddressStore } from '../access/address-store.ts';
import type { AddressDirectory, ListAction } from '../contract/address-list.ts';
import { actors } from '../contract/audit.ts';
import { createSqlPolicyStore } from '../policies/sql-policy-store.ts';
import { CommandError, type CommandInput, type Terminal, UsageError } from './command.ts';
import { policyIdOf } from './key-ring.ts';
import { formatMoment, parseMoment } from './moment.ts';
import { type NoteAct, requireDatabase, withDatabase } from './stored.ts';

/** Lets a command work with the lists, and with the ids of policies. */
export function withAddresses<T>(
  { config }: Pick<CommandInput, 'config'>,
  work: (
    lists: AddressDirectory,
    note: NoteAct,
    policyId: (named: string) => Promise<string>,
  ) => Promise<T>,
): Promise<T> {
  requireDatabase(config);
  return withDatabase(config, ({ database }, note) => {
    const policies = createSqlPolicyStore(database);
    const lists = createAddressDirectory({
      store: createSqlAddressStore(database),
      hasPolicy: async (id) => (await policies.find(id)) !== undefined,
      clock: Date.now,
      // Servers follow the database.
      onChange: async () => undefined,
    });
    return work(lists, note, (named) => policyIdOf(policies, named));
  });
}

/** Lists the networks that a command names. */
export async function listNetworks(
  input: CommandInput,
  terminal: Terminal,
  action: ListAction,
): Promise<0> {
  const reason = input.text('reason');
  if (reason === undefined) {
    throw new UsageError('--reason is missing: say why, such as --reason "scans the sign-in page"');
  }
  const expires = input.text('expires');
  const expiresAt = expires === undefined ? undefined : parseMoment('expires', expires, Date.now());
  const wanted = input.text('policy');
  await withAddresses(input, async (lists, note, idOf) => {
    const policyId = wanted === undefined ? undefined : await idOf(wanted);
    const wish = { networks: input.positionals, action, policyId, reason, expiresAt };
    const outcome = await lists.add(wish, actors.commandLine);
    if (outcome.kind === 'not-valid') throw new UsageError(complaint(input, outcome.problems));
    if (outcome.kind === 'full') {
      throw new CommandError(`The lists hold at most ${outcome.most} networks; remove some first.`);
    }
    if (outcome.kind === 'no-policy') throw new CommandError(`There is no policy ${wanted}.`);
    for (const { id, network } of outcome.entries) {
      const summary = `put ${network} on the ${action} list: ${reason}`;
      await note({ action: `address.${action}`, target: id, summary });
      terminal.out(`${id}\n`);
    }
    const until = expiresAt === undefined ? '' : ` until ${formatMoment(expiresAt)}`;
    const effect = action === 'deny' ? 'denied' : 'let pass unscreened';
    const names = outcome.entries.map(({ network }) => network).join(', ');
    terminal.err(`${names}: ${effect}${until}, within a second on running servers.\n`);
  });
  return 0;
}

function complaint(
  { positionals }: CommandInput,
  problems: readonly { readonly pointer: string; readonly message: string }[],
): string {
  return problems
    .map(({ pointer, message }) => {
      const index = pointer.split('/networks/')[1];
      return `${index === undefined ? '--expires' : positionals[Number(index)]}: ${message}`;
    })
    .join('\n');
}
