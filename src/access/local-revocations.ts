import { createHmac, timingSafeEqual } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { limits } from '../contract/limits.ts';
import { saysFull } from '../storage/disk-space.ts';
import { codeOf } from '../storage/error-code.ts';
import { makePrivateFolder, openPrivate, syncFolder } from '../storage/private-files.ts';
import { releaseReserve } from '../storage/reserve.ts';
import { StorageError } from '../storage/storage-error.ts';
import { subkeyOf } from './key-digest.ts';

const namePattern = /^([0-9A-Za-z]{8})-([0-9a-z]{1,11})-([0-9a-f]{32})$/;
const markChars = 32;

/**
 * Revocations that wait for the database, in a folder of the data directory: commands write them,
 * the servers of this machine obey them at once, and one of them stores them. Each is an empty file
 * whose name says all: that takes no block of a full disk, is there as a whole or not at all, and
 * many processes need no lock.
 */
export class LocalRevocations {
  readonly #dataDir: string;
  readonly #folder: string;
  readonly #key: Buffer;

  constructor({ dataDir, pepper }: { readonly dataDir: string; readonly pepper: Buffer }) {
    this.#dataDir = dataDir;
    this.#folder = join(dataDir, 'revocations');
    this.#key = subkeyOf(pepper, 'local revocations');
  }

  /** Makes the folder while there is space. */
  prepare(): Promise<void> {
    return makePrivateFolder(this.#folder);
  }

  /** Resolves when the revocation survives a power cut. Rejects with what the system says. */
  async add(keyId: string, at: number): Promise<void> {
    try {
      await this.#write(keyId, at);
    } catch (error) {
      if (!saysFull(error) || !releaseReserve(this.#dataDir)) throw error;
      await this.#write(keyId, at);
    }
  }

  /** The keys that are revoked here, by the time of it; what we did not write is left out. */
  async read(): Promise<ReadonlyMap<string, number>> {
    const found = new Map<string, number>();
    for (const name of await this.#names()) {
      const [, keyId = '', time = '', mark = ''] = namePattern.exec(name) ?? [];
      if (keyId === '' || found.size >= limits.localRevocationsMax) continue;
      const isOurs = timingSafeEqual(Buffer.from(mark), Buffer.from(this.#markOf(keyId, time)));
      const at = Number.parseInt(time, 36);
      if (isOurs) found.set(keyId, Math.min(at, found.get(keyId) ?? at));
    }
    return found;
  }

  /** Forgets a revocation that the database has. */
  async remove(keyId: string): Promise<void> {
    for (const name of await this.#names()) {
      if (name.startsWith(`${keyId}-`)) await rm(join(this.#folder, name), { force: true });
    }
  }

  async #names(): Promise<readonly string[]> {
    try {
      return await readdir(this.#folder);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return [];
      throw new StorageError(
        `The folder ${this.#folder} cannot be read (${codeOf(error)}): give the user that runs ` +
          'Sallyport the right to read it.',
        { cause: error },
      );
    }
  }

  async #write(keyId: string, at: number): Promise<void> {
    await this.prepare();
    const time = at.toString(36);
    const path = join(this.#folder, `${keyId}-${time}-${this.#markOf(keyId, time)}`);
    const file = await openPrivate(path, 'w');
    await file.sync().finally(() => file.close());
    await syncFolder(this.#folder);
  }

  #markOf(keyId: string, time: string): string {
    const hmac = createHmac('sha256', this.#key).update(`${keyId}-${time}`);
    return hmac.digest('hex').slice(0, markChars);
  }
}
