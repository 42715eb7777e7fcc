import { type FileHandle, open, stat } from 'node:fs/promises';

/**
 * Files that SQLite has open in this process, by device and number. None is closed before the process
 * ends: closing any descriptor of a file takes all locks that the process has on it away, SQLite's
 * as well. Another program that closes the database then takes itself for the last one, and removes
 * the write-ahead log that is still written to.
 * https://sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_
 */
const kept = new Map<string, FileHandle>();
/** Opened while another file took the place of the one that was asked for. */
const surplus: FileHandle[] = [];

/** The file at a path, beside SQLite: to be read, and never to be closed. */
export async function keptFile(path: string): Promise<FileHandle> {
  const known = kept.get(nameOf(await stat(path, exactly)));
  if (known !== undefined) return known;
  const file = await open(path, 'r');
  const name = nameOf(await file.stat(exactly));
  const earlier = kept.get(name);
  if (earlier === undefined) kept.set(name, file);
  else surplus.push(file);
  return earlier ?? file;
}

/** Numbers of files on Windows are longer than what a number holds exactly. */
const exactly = { bigint: true } as const;

function nameOf({ dev, ino }: { readonly dev: bigint; readonly ino: bigint }): string {
  return `${dev} ${ino}`;
}
