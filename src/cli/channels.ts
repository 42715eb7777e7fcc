import { pepperMark } from '../access/key-digest.ts';
import { loadPepper } from '../access/pepper.ts';
import { createSqlKeyStore } from '../access/sql-key-store.ts';
import type { Channel, Notifications } from '../contract/notification.ts';
import { createNotifications } from '../notifications/directory.ts';
import { channelPartsOf } from '../notifying.ts';
import { createSqlPolicyStore } from '../policies/sql-policy-store.ts';
import { CommandError, type CommandInput } from './command.ts';
import { type NoteAct, requireDatabase, withDatabase } from './stored.ts';

/** Lets a command work with the channels of notifications: it needs the pepper of the server. */
export function withChannels<T>(
  { config }: Pick<CommandInput, 'config'>,
  work: (channels: Notifications, note: NoteAct) => Promise<T>,
): Promise<T> {
  requireDatabase(config);
  return withDatabase(config, async ({ database }, note) => {
    const pepper = loadPepper(config);
    await createSqlKeyStore(database).bindPepper(pepperMark(pepper));
    const policies = createSqlPolicyStore(database);
    const parts = channelPartsOf({ config, database, pepper, policies, clock: Date.now });
    // Servers follow the database.
    return work(createNotifications({ ...parts, onChange: async () => undefined }), note);
  });
}

/** The channel with this id or name. */
export async function channelFor(channels: Notifications, text: string): Promise<Channel> {
  const all = await channels.list();
  const found = all.find(({ id }) => id === text) ?? all.find(({ name }) => name === text);
  if (found !== undefined) return found;
  const known = all.map(({ id, name }) => `${id} (${name})`).join(', ') || 'none yet';
  throw new CommandError(`There is no channel ${text}; there are ${known}.`);
}
