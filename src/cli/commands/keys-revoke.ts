import type { Config } from '../../config/settings.ts';
import { type Command, CommandError, type ExitCode, type Terminal } from '../command.ts';

export const keysRevoke: Command = {
  name: 'keys revoke',
  summary: 'Stop a key for good, within a second on a running server.',
  isDestructive: true,
  alsoCalled: ['keys delete', 'keys remove', 'keys rm', 'keys disable'],
  operands: '<id>',
  operandsMin: 1,
  operandsMax: 1,
  settings: ['dataDir', 'databaseUrl', 'pepperFile', 'config'],
  notes: `While the database is unavailable, the servers of this machine refuse the key all the same, and
store that later. Exit code 1 then if there may be other machines (--database-url).`,
  async run(input, terminal) {
    const { keyIdFrom } = await import('../key-ring.ts');
    const { isStorageFault } = await import('../../storage/fault.ts');
    const id = keyIdFrom(input.positionals[0] ?? '');
    const { config } = input;
    try {
      await revokeStored(id, config);
    } catch (error) {
      if (!isStorageFault(error)) throw error;
      return revokeHere({ id, config, error, terminal });
    }
    terminal.err(`Key ${id} is revoked.\n`);
    return 0;
  },
};

/** On a full disk the reserve of the data directory makes room. */
async function revokeStored(id: string, config: Config): Promise<void> {
  const { withKeyRing } = await import('../key-ring.ts');
  const { requireDatabase } = await import('../stored.ts');
  const { isFullFault } = await import('../../storage/database.ts');
  const { releaseReserve } = await import('../../storage/reserve.ts');
  requireDatabase(config);
  let isRevoked = false;
  const tryStore = () =>
    withKeyRing(config, async ({ store }, note) => {
      const isDone = await store.revoke(id, Date.now());
      if (!isDone && !isRevoked) {
        throw new CommandError(
          (await store.find(id)) === undefined
            ? `There is no key ${id}; \`sallyport keys list\` shows them all.`
            : `Key ${id} is revoked already.`,
        );
      }
      isRevoked = true;
      await note({ action: 'key.revoke', target: id, summary: `revoked the key ${id}` });
    });
  await tryStore().catch((error: unknown) => {
    if (!isFullFault(error, config.dataDir) || !releaseReserve(config.dataDir)) throw error;
    return tryStore();
  });
}

/** What the servers of this machine obey, and store as soon as they can. */
async function revokeHere(given: {
  readonly id: string;
  readonly config: Config;
  readonly error: unknown;
  readonly terminal: Terminal;
}): Promise<ExitCode> {
  const { id, config, error, terminal } = given;
  const { LocalRevocations } = await import('../../access/local-revocations.ts');
  const { findPepper } = await import('../../access/pepper.ts');
  const { readLastGood } = await import('../../last-good.ts');
  const { databaseName } = await import('../../storage/database.ts');
  const { dataDir, databaseUrl } = config;
  const pepper = findPepper(config);
  // Without it no server has run here.
  if (pepper === undefined) throw error;
  try {
    await new LocalRevocations({ dataDir, pepper }).add(id, Date.now());
  } catch (failure) {
    throw new CommandError(
      `${reasonOf(error)} Nor can the revocation be left in ${dataDir} (${reasonOf(failure)}): ` +
        `key ${id} is still accepted. Ask a running server with an administrator key: ` +
        `POST /api/keys/${id}/revoke; it refuses the key from memory.`,
    );
  }
  const found = readLastGood({ dataDir, pepper, database: await databaseName(databaseUrl) });
  const known =
    found.kind === 'found' ? found.lastGood.keys.find((key) => key.id === id) : undefined;
  const name = known === undefined ? '' : ` (${known.name})`;
  terminal.err(
    `Key ${id}${name} is revoked on this machine: its servers refuse it within a second, and after ` +
      `a restart.\nIt is not in the database yet: ${reasonOf(error)}\nA server of this machine ` +
      'stores it as soon as the database can take it.\n',
  );
  if (found.kind === 'found' && known === undefined) {
    const moment = new Date(found.lastGood.savedAt).toISOString();
    terminal.err(`No key had this id at ${moment}: check the id.\n`);
  }
  if (databaseUrl === undefined) return 0;
  terminal.err('Until then other machines accept the key: run this command there as well.\n');
  return 1;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
