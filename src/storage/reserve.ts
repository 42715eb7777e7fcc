import { existsSync, rmSync, statfsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openPrivate } from './private-files.ts';

/** Room for a revocation in SQLite: its log, its index, the entry of the audit. */
const reserveBytes = 1_048_576;
/** The reserve is made only where it takes no space that is needed. */
const freeBytesMin = 8 * reserveBytes;

function reservePath(dataDir: string): string {
  return join(dataDir, 'reserve');
}

/** Takes some space of the disk, to be given up when the disk is full. Never fails. */
export async function makeReserve(dataDir: string): Promise<void> {
  const path = reservePath(dataDir);
  try {
    const { bavail, bsize } = statfsSync(dataDir);
    if (existsSync(path) || bavail * bsize < freeBytesMin) return;
    const file = await openPrivate(path, 'wx');
    try {
      // Not zeros: some file systems store those in no space at all.
      await file.writeFile(Buffer.alloc(reserveBytes, 'reserve '));
      await file.sync();
    } finally {
      await file.close();
    }
  } catch {
    await rm(path, { force: true }).catch(() => undefined);
  }
}

/** Gives the space up. False if there was none, or it cannot be given up. */
export function releaseReserve(dataDir: string): boolean {
  const path = reservePath(dataDir);
  if (!existsSync(path)) return false;
  try {
    rmSync(path);
    return true;
  } catch {
    return false;
  }
}
