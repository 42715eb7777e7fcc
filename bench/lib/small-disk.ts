import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';

/** Room for the data, and little more. */
const size = '48m';

/**
 * Makes a folder that lies on a small disk of its own, in memory. Only root may: false says that
 * the folder is an ordinary one.
 */
export function makeSmallDisk(folder: string): boolean {
  mkdirSync(folder, { recursive: true });
  if (process.geteuid?.() !== 0) return false;
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder]);
  if (mounted.status !== 0) return false;
  process.once('exit', () => removeSmallDisk(folder));
  return true;
}

/** Gives the disk back, also while a process still has files on it. */
export function removeSmallDisk(folder: string): void {
  spawnSync('umount', ['--lazy', folder]);
}
