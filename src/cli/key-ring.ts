import type { KeyIssuer } from '../access/issue-key.ts';
import { pepperMark } from '../access/key-digest.ts';
import { isKeyId, keyIdOf } from '../access/key-format.ts';
import { loadPepper } from '../access/pepper.ts';
import { createSqlKeyStore } from '../access/sql-key-store.ts';
import type { Config } from '../config/settings.ts';
import { defaultPolicyId } from '../contract/policy.ts';
import type { PolicyStore } from '../policies/policy-store.ts';
import { createSqlPolicyStore } from '../policies/sql-policy-store.ts';
import { makeDataDir } from '../storage/database.ts';
import { migrations } from '../storage/migrations/list.ts';
import { CommandError, UsageError } from './command.ts';
import { type NoteAct, withDatabase } from './stored.ts';

/** What a command works with. */
export interface KeyRing extends KeyIssuer {
  /** The database, if there was none before. */
  readonly newDatabase: string | undefined;
  readonly policies: PolicyStore;
}

/** Opens the stored keys, lets a command work with them, and closes them again. */
export async function withKeyRing<T>(
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'pepperFile'>,
  work: (keys: KeyRing, note: NoteAct) => Promise<T>,
): Promise<T> {
  return withDatabase(config, async (opened, note) => {
    const { database } = opened;
    const store = createSqlKeyStore(database);
    if (config.pepperFile === undefined) makeDataDir(config.dataDir);
    const pepper = loadPepper(config);
    await store.bindPepper(pepperMark(pepper));
    const policies = createSqlPolicyStore(database);
    const isNew = opened.migrated.length === Object.keys(migrations).length;
    const newDatabase = isNew ? opened.place : undefined;
    return work({ store, pepper, policies, newDatabase }, note);
  });
}

/** The id of the policy with this id or name. */
export async function policyIdOf(store: PolicyStore, text: string): Promise<string> {
  const policies = await store.list();
  const found =
    policies.find(({ id }) => id === text) ?? policies.find(({ name }) => name === text);
  if (found !== undefined) return found.id;
  // The service stores it at its first start.
  if (text === defaultPolicyId) return text;
  const known = policies.map(({ id, name }) => `${id} (${name})`).join(', ');
  throw new CommandError(
    `There is no policy ${text}; ` +
      (known === ''
        ? 'none is stored yet: the first start of the service stores the default one.'
        : `there are ${known}.`),
  );
}

/** The key id that an operator means: the id itself, or a whole key pasted in its place. */
export function keyIdFrom(text: string): string {
  const id = isKeyId(text) ? text : keyIdOf(text);
  if (id !== undefined) return id;
  throw new UsageError(
    'A key is named by its id, 8 letters and digits; `sallyport keys list` shows the ids.',
  );
}
