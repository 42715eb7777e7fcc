import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from './error-code.ts';
import { giveToOwnerOf } from './owner.ts';

/** Makes a folder for its owner only, unless it is there. */
export async function makePrivateFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return;
    throw error;
  }
  const folder = await open(path, 'r');
  try {
    giveToOwnerOf(dirname(path), folder.fd);
  } finally {
    await folder.close();
  }
}

/** Opens a file for writing and makes it if need be, for its owner only. */
export async function openPrivate(path: string, flags: 'w' | 'wx' | 'ax'): Promise<FileHandle> {
  const file = await open(path, flags, 0o600);
  try {
    giveToOwnerOf(dirname(path), file.fd);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** What was made, renamed or removed in a folder survives a power cut from then on. */
export async function syncFolder(path: string): Promise<void> {
  // Windows refuses this with EPERM, https://github.com/nodejs/node/issues/3879
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  await folder.sync().finally(() => folder.close());
}
