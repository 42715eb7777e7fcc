import { type Command, CommandError } from '../command.ts';

export const keysRevoke: Command = {
  name: 'keys revoke',
  summary: 'Stop a key for good, within a second on a running server.',
  isDestructive: true,
  alsoCalled: ['keys delete', 'keys remove', 'keys rm', 'keys disable'],
  operands: '<id>',
  operandsMin: 1,
  operandsMax: 1,
  settings: ['dataDir', 'databaseUrl', 'pepperFile', 'config'],
  async run(input, terminal) {
    const { keyIdFrom, withKeyRing } = await import('../key-ring.ts');
    const { requireDatabase } = await import('../stored.ts');
    const id = keyIdFrom(input.positionals[0] ?? '');
    requireDatabase(input.config);
    await withKeyRing(input.config, async ({ store }, note) => {
      if (await store.revoke(id, Date.now())) {
        await note({ action: 'key.revoke', target: id, summary: `revoked the key ${id}` });
        return;
      }
      throw new CommandError(
        (await store.find(id)) === undefined
          ? `There is no key ${id}; \`sallyport keys list\` shows them all.`
          : `Key ${id} is revoked already.`,
      );
    });
    terminal.err(`Key ${id} is revoked.\n`);
    return 0;
  },
};
