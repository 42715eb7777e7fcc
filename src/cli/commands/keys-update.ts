import { type Command, CommandError, UsageError } from '../command.ts';
import { boundOptions, boundsFrom } from '../key-bounds.ts';
import { parseMoment } from '../moment.ts';
import { nameFrom } from '../names.ts';

export const keysUpdate: Command = {
  name: 'keys update',
  summary: 'Change the name, policy, expiry, scopes or networks of a key.',
  operands: '<id>',
  operandsMin: 1,
  operandsMax: 1,
  options: [
    { name: 'name', value: '<name>', help: 'what the key is for' },
    { name: 'expires', value: '<when>', help: 'a time span (90d), a date (2030-12-31), or never' },
    { name: 'policy', value: '<id or name>', help: 'the policy of the key' },
    ...boundOptions,
  ],
  settings: ['dataDir', 'databaseUrl', 'pepperFile', 'config'],
  alsoCalled: ['keys change', 'keys edit', 'keys set'],
  notes: 'What is left out stays. In force within a second on running servers.',
  async run(input, terminal) {
    const name = input.text('name');
    const wanted = input.text('policy');
    const change = {
      ...(name === undefined ? {} : { name: nameFrom('--name', name) }),
      ...expiryFrom(input.text('expires')),
      ...boundsFrom(input),
    };
    if (wanted === undefined && Object.keys(change).length === 0) {
      throw new UsageError('name what changes: --name, --expires, --policy, --scope or --network');
    }
    const { keyChangeAct } = await import('../../http/api/routes/key-change.ts');
    const { keyIdFrom, policyIdOf, withKeyRing } = await import('../key-ring.ts');
    const { requireDatabase } = await import('../stored.ts');
    const id = keyIdFrom(input.positionals[0] ?? '');
    requireDatabase(input.config);
    await withKeyRing(input.config, async ({ store, policies }, note) => {
      const before = await store.find(id);
      if (before === undefined) {
        throw new CommandError(`There is no key ${id}; \`sallyport keys list\` shows them all.`);
      }
      if (before.kind === 'admin' && (wanted !== undefined || change.scopes !== undefined)) {
        throw new UsageError('an administrator key has no policy and no scopes');
      }
      const policy = wanted === undefined ? {} : { policyId: await policyIdOf(policies, wanted) };
      await store.change(id, { ...change, ...policy });
      const after = (await store.find(id)) ?? before;
      await note(keyChangeAct(id, before, after));
    });
    terminal.err(`Key ${id} is changed, within a second on running servers.\n`);
    return 0;
  },
};

function expiryFrom(text: string | undefined): { readonly expiresAt?: number | null } {
  if (text === undefined) return {};
  if (text === 'never') return { expiresAt: null };
  const now = Date.now();
  const expiresAt = parseMoment('expires', text, now);
  if (expiresAt > now) return { expiresAt };
  throw new UsageError(`--expires ${text} is over already; revoke the key instead`);
}
