import { type Command, UsageError } from '../command.ts';
import { boundOptions, boundsFrom } from '../key-bounds.ts';
import { formatMoment, parseMoment } from '../moment.ts';
import { nameFrom } from '../names.ts';

export const keysCreate: Command = {
  name: 'keys create',
  summary: 'Make an API key and print it, alone, on standard output.',
  options: [
    { name: 'name', value: '<name>', help: 'what the key is for, such as the name of the app' },
    { name: 'expires', value: '<when>', help: 'a time span (90d) or a date (2030-12-31)' },
    { name: 'policy', value: '<id or name>', help: 'the policy of the key [default]' },
    ...boundOptions,
    { name: 'admin', help: 'a key for the management API instead of one for screening' },
    { name: 'json', help: 'print a JSON object with the key and its id' },
  ],
  settings: ['dataDir', 'databaseUrl', 'pepperFile', 'config'],
  alsoCalled: ['keys add', 'keys new', 'keys make'],
  notes: 'The key is shown once. Works while the server runs, which accepts the key at once.',
  async run(input, terminal) {
    const now = Date.now();
    const name = keyName(input.text('name'));
    const expires = input.text('expires');
    const expiresAt = expires === undefined ? undefined : parseMoment('expires', expires, now);
    if (expiresAt !== undefined && expiresAt <= now) {
      throw new UsageError(`--expires ${expires} is over already; name a time to come`);
    }
    const bounds = boundsFrom(input);
    const { policyIdOf, withKeyRing } = await import('../key-ring.ts');
    const { issueKey } = await import('../../access/issue-key.ts');
    const kind = input.isOn('admin') ? 'admin' : 'live';
    const wanted = input.text('policy');
    if (wanted !== undefined && kind === 'admin') {
      throw new UsageError('--policy is for keys that screen: an --admin key has none');
    }
    if (bounds.scopes !== undefined && kind === 'admin') {
      throw new UsageError('--scope is for keys of applications: an --admin key has none');
    }
    const { id, key, policyId, newDatabase } = await withKeyRing(
      input.config,
      async (keys, note) => {
        const policyId = wanted === undefined ? undefined : await policyIdOf(keys.policies, wanted);
        const policy = policyId === undefined ? {} : { policyId };
        const made = await issueKey(keys, { name, now, expiresAt, kind, ...policy, ...bounds });
        const summary = `made the ${kind} key ${made.id} (${name})`;
        await note({ action: 'key.create', target: made.id, summary });
        return { ...made, policyId, newDatabase: keys.newDatabase };
      },
    );
    const expiry = expiresAt === undefined ? null : formatMoment(expiresAt);
    const described = { id, name, kind, policy: policyId ?? null, expires: expiry, key };
    terminal.out(input.isOn('json') ? `${JSON.stringify(described, null, 2)}\n` : `${key}\n`);
    const until = expiresAt === undefined ? '' : `, good until ${formatMoment(expiresAt)}`;
    terminal.err(`Key ${id} (${name})${until}. Keep it safe: it is not shown again.\n`);
    if (newDatabase !== undefined) terminal.err(warningOfNew(newDatabase));
    return 0;
  },
};

/** In another directory than that of the server this makes a key that no server knows. */
function warningOfNew(database: string): string {
  return (
    `The database ${database} is new. If your server has another data directory, it does not know ` +
    'this key: name that directory with --data-dir.\n'
  );
}

function keyName(given: string | undefined): string {
  if (given !== undefined) return nameFrom('--name', given);
  throw new UsageError('--name is missing: say what the key is for, such as --name shop');
}
