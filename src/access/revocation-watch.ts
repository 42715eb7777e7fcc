import type { AuditStore } from '../contract/audit.ts';
import { actors } from '../contract/audit.ts';
import type { Log } from '../contract/ports.ts';
import { noFeed } from '../storage/change-feed.ts';
import { Follower } from '../storage/follower.ts';
import { makeReserve } from '../storage/reserve.ts';
import type { KeyCache } from './key-cache.ts';
import type { KeyStore } from './key-store.ts';
import type { LocalRevocations } from './local-revocations.ts';

/** How often the database is asked to take what waits. */
const storeMs = 1_000;
/** The other processes of this machine have read the folder by then. */
const keepMsMin = 5_000;
const reserveMs = 60_000;

/** What the watch is made of. */
export interface RevocationWatchParts {
  readonly dataDir: string;
  readonly local: LocalRevocations;
  readonly keys: Pick<KeyCache, 'refuse' | 'refresh'>;
  readonly store: Pick<KeyStore, 'revoke'>;
  readonly audit: Pick<AuditStore, 'append'>;
  /** Saves the snapshot of the keys: without it, a start could forget what was removed here. */
  readonly save: () => Promise<boolean>;
  readonly log: Log;
}

/** Obeys the revocations that wait on this machine, and stores them when that is possible. */
export interface RevocationWatch {
  /** Resolves when what was written before the call is obeyed. */
  refresh(): Promise<void>;
  /** Refuses a key here and now, and after a start if the disk takes that. */
  revoke(keyId: string, at: number): Promise<void>;
  close(): Promise<void>;
}

interface Waiting {
  readonly at: number;
  readonly seenAt: number;
  isStored: boolean;
}

/** Resolves when the revocations that wait are obeyed. */
export async function startRevocationWatch(parts: RevocationWatchParts): Promise<RevocationWatch> {
  const watch = new FolderWatch(parts);
  await watch.start();
  return watch;
}

class FolderWatch implements RevocationWatch {
  readonly #parts: RevocationWatchParts;
  readonly #waiting = new Map<string, Waiting>();
  readonly #follower: Follower;
  #storing: Promise<void> | undefined;
  #storeFails = false;
  #timers: NodeJS.Timeout[] = [];

  constructor(parts: RevocationWatchParts) {
    this.#parts = parts;
    const { local, log } = parts;
    this.#follower = new Follower({
      topic: 'revocations',
      feed: noFeed,
      read: async () => {
        for (const [keyId, at] of await local.read()) this.#obey(keyId, at);
      },
      failed: (err) => log.warn({ err }, 'local revocations cannot be read'),
      recovered: () => log.info({}, 'local revocations can be read again'),
    });
  }

  async start(): Promise<void> {
    const { local, dataDir, log } = this.#parts;
    await local.prepare().catch((err: unknown) => {
      log.debug({ err }, 'the folder of local revocations cannot be made');
    });
    // A folder that cannot be read keeps no server from starting.
    await this.#follower.start(() => undefined);
    void makeReserve(dataDir);
    this.#timers = [
      setInterval(() => this.#store(), storeMs).unref(),
      setInterval(() => void makeReserve(dataDir), reserveMs).unref(),
    ];
  }

  refresh(): Promise<void> {
    return this.#follower.refresh();
  }

  async revoke(keyId: string, at: number): Promise<void> {
    const { local, log } = this.#parts;
    this.#obey(keyId, at);
    await local.add(keyId, at).catch((err: unknown) => {
      log.error({ err, keyId }, 'a revocation is kept in memory only: a restart would forget it');
    });
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#follower.close();
    await this.#storing;
  }

  #obey(keyId: string, at: number): void {
    if (this.#waiting.has(keyId)) return;
    const { keys, log } = this.#parts;
    keys.refuse(keyId, at);
    this.#waiting.set(keyId, { at, seenAt: performance.now(), isStored: false });
    log.warn({ keyId }, 'a key is revoked on this machine; the database has yet to take that');
    this.#store();
  }

  #store(): void {
    if (this.#waiting.size === 0) return;
    this.#storing ??= this.#tryStore().finally(() => {
      this.#storing = undefined;
    });
  }

  async #tryStore(): Promise<void> {
    const { log } = this.#parts;
    try {
      for (const [keyId, waiting] of this.#waiting) {
        if (!waiting.isStored) await this.#storeOne(keyId, waiting);
      }
      this.#storeFails = false;
      await this.#forgetStored();
    } catch (err) {
      if (!this.#storeFails) log.warn({ err }, 'local revocations cannot be stored; trying again');
      this.#storeFails = true;
    }
  }

  async #storeOne(keyId: string, waiting: Waiting): Promise<void> {
    const { store, audit, log } = this.#parts;
    if (await store.revoke(keyId, waiting.at)) {
      const summary = `stored that the key ${keyId} was revoked while the database was unavailable`;
      const act = {
        actor: actors.commandLine,
        action: 'key.revoke',
        target: keyId,
        summary,
      } as const;
      await audit.append(act, Date.now());
      log.info({ keyId }, 'a local revocation is stored');
    }
    waiting.isStored = true;
  }

  /** Removes what the database has and the snapshot knows. */
  async #forgetStored(): Promise<void> {
    const { keys, local, save } = this.#parts;
    const due = [...this.#waiting].filter(([, { seenAt }]) => {
      return performance.now() - seenAt >= keepMsMin;
    });
    if (due.length === 0) return;
    await keys.refresh();
    if (!(await save())) return;
    for (const [keyId] of due) {
      await local.remove(keyId);
      this.#waiting.delete(keyId);
    }
  }
}
