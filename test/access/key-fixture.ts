import type { TestContext } from 'node:test';
import { issueKey, type KeyIssuer } from '../../src/access/issue-key.ts';
import { type KeyCache, startKeyCache } from '../../src/access/key-cache.ts';
import type { KeyStore } from '../../src/access/key-store.ts';
import { loadPepper } from '../../src/access/pepper.ts';
import { createSqlKeyStore } from '../../src/access/sql-key-store.ts';
import { defaultPolicy } from '../../src/contract/policy.ts';
import type { LineLog, Log } from '../../src/contract/ports.ts';
import { type ChangeFeed, noFeed } from '../../src/storage/change-feed.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { tempDir } from '../support/temp-dir.ts';

/** A key store on a real database in a directory of its own. */
export interface Keys extends KeyIssuer {
  readonly dataDir: string;
  /** Closes the database before the test ends. */
  close(): Promise<void>;
}

/** Opens a fresh database. */
export async function openKeys(t: TestContext): Promise<Keys> {
  const dataDir = tempDir();
  const { database } = await openDatabase({ dataDir, busyTimeoutMs: 2_000 });
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= database.destroy();
    return closed;
  };
  t.after(close);
  const pepper = loadPepper({ dataDir, pepperFile: undefined });
  return { store: createSqlKeyStore(database), pepper, dataDir, close };
}

/** A log that keeps its lines. */
export interface KeptLog extends LineLog {
  readonly lines: { readonly level: string; readonly message: string }[];
  /** The same lines with their fields. */
  readonly told: Readonly<Record<string, unknown>>[];
}

/** Makes a log that keeps its lines. */
export function keepLog(): KeptLog {
  const lines: KeptLog['lines'] = [];
  const told: KeptLog['told'] = [];
  const at = (level: string) => (fields: Readonly<Record<string, unknown>>, message: string) => {
    lines.push({ level, message });
    told.push({ ...fields, message });
  };
  return {
    lines,
    told,
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    line: (members, message) => at('info')(JSON.parse(`{${members}}`), message),
  };
}

/** Starts a cache on a store, closed after the test. */
export async function startCache(
  t: TestContext,
  parts: {
    readonly store: KeyStore;
    readonly pepper: Buffer;
    readonly clock?: () => number;
    readonly log?: Log;
    readonly feed?: ChangeFeed;
  },
): Promise<KeyCache> {
  const cache = await startKeyCache({
    policies: {
      inForce: (id) => ({ id, version: 1, policy: defaultPolicy }),
      onChange: () => undefined,
    },
    feed: noFeed,
    clock: Date.now,
    log: keepLog(),
    ...parts,
  });
  t.after(() => cache.close());
  return cache;
}

/** Stores a key that was made at the time 0. */
export function addKey(
  keys: KeyIssuer,
  expiresAt?: number,
): Promise<{ readonly id: string; readonly key: string }> {
  return issueKey(keys, { name: 'test', now: 0, expiresAt });
}
