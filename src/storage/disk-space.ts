import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** SQLite wants about so much to open a database, https://sqlite.org/walformat.html#shm */
const probeBytes = 65_536;

const fullCodes: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** Whether an error of the file system says that there is no space, or no more for this user. */
export function saysFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && fullCodes.has(String(error.code));
}

/**
 * Whether a folder takes no more. It is tried: SQLite calls a full disk an I/O error in some
 * places, and the numbers of the file system leave out quotas.
 */
export function isDiskFull(folder: string): boolean {
  const path = join(folder, `.probe-${randomBytes(6).toString('hex')}`);
  let file: number | undefined;
  try {
    file = openSync(path, 'wx', 0o600);
    let written = 0;
    while (written < probeBytes) written += writeSync(file, Buffer.alloc(probeBytes - written, 1));
    fsyncSync(file);
    return false;
  } catch (error) {
    return saysFull(error);
  } finally {
    if (file !== undefined) closeSync(file);
    rmSync(path, { force: true });
  }
}
