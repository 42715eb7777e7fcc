import { statSync } from 'node:fs';
import type { KeyIssuer } from '../access/issue-key.ts';
import { pepperMark } from '../access/key-digest.ts';
import { isKeyId, keyIdOf } from '../access/key-format.ts';
import { loadPepper } from '../access/pepper.ts';
import { createSqlAuditStore } from '../access/sql-audit-store.ts';
import { createSqlKeyStore } from '../access/sql-key-store.ts';
import type { Config, SettingName } from '../config/settings.ts';
import type { AuditAct } from '../contract/audit.ts';
import { defaultPolicyId } from '../contract/policy.ts';
import type { PolicyStore } from '../policies/policy-store.ts';
import { createSqlPolicyStore } from '../policies/sql-policy-store.ts';
import {
  closeDatabase,
  databasePath,
  explainFault,
  makeDataDir,
  openDatabase,
} from '../storage/database.ts';
import { migrations } from '../storage/migrations/list.ts';
import { CommandError, UsageError } from './command.ts';

/** The settings that say where keys lie. */
export const keyRingSettings: readonly SettingName[] = [
  'dataDir',
  'databaseUrl',
  'pepperFile',
  'config',
];

const busyTimeoutMs = 10_000;

/** Notes in the audit what was done to a key. */
export type NoteAct = (act: Pick<AuditAct, 'action' | 'target' | 'summary'>) => Promise<void>;

/** What a command works with. */
export interface KeyRing extends KeyIssuer {
  /** The database, if there was none before. */
  readonly newDatabase: string | undefined;
  /** The id of the policy with this id or name. */
  policyIdOf(text: string): Promise<string>;
}

/** Who looks or takes away means a database that is there: one in a wrong place helps nobody. */
export function requireDatabase(config: Pick<Config, 'dataDir' | 'databaseUrl'>): void {
  const { dataDir, databaseUrl } = config;
  if (databaseUrl !== undefined || !isMissing(databasePath(dataDir))) return;
  throw new CommandError(
    `There is no database in ${dataDir}: name the data directory of the server with --data-dir.`,
  );
}

/** What is there and may not be looked at is not missing: opening it tells what is wrong. */
function isMissing(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}

/** Opens the stored keys, lets a command work with them, and closes them again. */
export async function withKeyRing<T>(
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'pepperFile'>,
  work: (keys: KeyRing, note: NoteAct) => Promise<T>,
): Promise<T> {
  const { dataDir, databaseUrl, pepperFile } = config;
  const opened = await openDatabase({ dataDir, databaseUrl, busyTimeoutMs });
  const { database } = opened;
  try {
    const store = createSqlKeyStore(database);
    if (pepperFile === undefined) makeDataDir(dataDir);
    const pepper = loadPepper(config);
    await store.bindPepper(pepperMark(pepper));
    const audit = createSqlAuditStore(database);
    const policyIdOf = (text: string) => findPolicy(createSqlPolicyStore(database), text);
    const isNew = opened.migrated.length === Object.keys(migrations).length;
    const newDatabase = isNew ? opened.place : undefined;
    return await work({ store, pepper, policyIdOf, newDatabase }, (act) =>
      audit.append({ actor: 'cli', ...act }, Date.now()),
    );
  } catch (error) {
    throw explainFault(opened, error);
  } finally {
    await closeDatabase(opened);
  }
}

async function findPolicy(store: PolicyStore, text: string): Promise<string> {
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
