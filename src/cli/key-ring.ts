import type { Config, SettingName } from '../config/settings.ts';
import type { AuditAct } from '../contract/audit.ts';
import { createSqlAuditStore } from '../events/sql-audit-store.ts';
import type { KeyIssuer } from '../keys/issue-key.ts';
import { pepperMark } from '../keys/key-digest.ts';
import { isKeyId, keyIdOf } from '../keys/key-format.ts';
import { loadPepper } from '../keys/pepper.ts';
import { createSqlKeyStore } from '../keys/sql-key-store.ts';
import { closeDatabase, makeDataDir, openDatabase } from '../storage/database.ts';
import { UsageError } from './command.ts';

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

/** Opens the stored keys, lets a command work with them, and closes them again. */
export async function withKeyRing<T>(
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'pepperFile'>,
  work: (keys: KeyIssuer, note: NoteAct) => Promise<T>,
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
    return await work({ store, pepper }, (act) =>
      audit.append({ actor: 'cli', ...act }, Date.now()),
    );
  } finally {
    await closeDatabase(opened);
  }
}

/** The key id that an operator means: the id itself, or a whole key pasted in its place. */
export function keyIdFrom(text: string): string {
  const id = isKeyId(text) ? text : keyIdOf(text);
  if (id !== undefined) return id;
  throw new UsageError(
    'A key is named by its id, 8 letters and digits; `sallyport keys list` shows the ids.',
  );
}
