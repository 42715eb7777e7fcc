import { spawnSync } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';

/**
 * Mounts a small disk in memory on a folder, for at most so many files. Only root may: false says
 * that the folder is an ordinary one.
 */
export function mountSmallDisk(folder: string, megabytes: number, filesMax = 10_000): boolean {
  const options = ['-t', 'tmpfs', '-o', `size=${megabytes}m,nr_inodes=${filesMax}`];
  if (spawnSync('mount', [...options, 'tmpfs', folder]).status !== 0) return false;
  process.once('exit', () => unmountSmallDisk(folder));
  return true;
}

/** Gives the disk back, also while a process still has files on it. */
export function unmountSmallDisk(folder: string): void {
  spawnSync('umount', ['--lazy', folder]);
}

/** Writes a file until not one byte more fits. */
export function fillDisk(path: string): void {
  const file = openSync(path, 'a');
  try {
    for (const bytes of [65_536, 4_096, 1]) fillWith(file, Buffer.alloc(bytes, 'full'));
  } finally {
    closeSync(file);
  }
}

function fillWith(file: number, chunk: Buffer): void {
  try {
    while (writeSync(file, chunk) > 0);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  }
}
