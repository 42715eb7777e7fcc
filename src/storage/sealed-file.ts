import { createHmac, type Hmac, timingSafeEqual } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { type FileHandle, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { codeOf } from './error-code.ts';
import { openPrivate, syncFolder } from './private-files.ts';

/** Lines that are written at once; a store with very many keys must not hold up requests. */
const linesAtOnce = 200;
/** What a process that was killed has left is removed from this age on. */
const leftoverMsMin = 600_000;
const sealPattern = /^seal ([0-9a-f]{64})\n$/;
const sealBytes = 'seal \n'.length + 64;

/** Why a sealed file cannot be used. The message says what is wrong with it. */
export class SealError extends Error {
  override readonly name = 'SealError';
}

/** A file of JSON lines under an HMAC, for its owner only. */
export interface SealedFile {
  readonly path: string;
  readonly key: Buffer;
  /** Longer ones are neither written nor read. */
  readonly bytesMax: number;
}

/** Writes the whole file or none of it: who reads it finds the old lines or the new ones. */
export async function writeSealed(file: SealedFile, lines: Iterable<unknown>): Promise<void> {
  const aside = `${file.path}.${process.pid}.partial`;
  try {
    const handle = await openPrivate(aside, 'w');
    try {
      await writeLines(handle, file, lines);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(aside, file.path);
  } catch (error) {
    await rm(aside, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncFolder(dirname(file.path));
}

async function writeLines(
  handle: FileHandle,
  { key, bytesMax }: SealedFile,
  lines: Iterable<unknown>,
): Promise<void> {
  const hmac = createHmac('sha256', key);
  let bytes = sealBytes;
  let waiting: string[] = [];
  const write = async () => {
    const chunk = Buffer.from(waiting.join(''));
    waiting = [];
    bytes += chunk.length;
    if (bytes > bytesMax) throw new SealError(`it would be longer than ${bytesMax} bytes`);
    hmac.update(chunk);
    await handle.appendFile(chunk);
  };
  for (const line of lines) {
    waiting.push(`${JSON.stringify(line)}\n`);
    if (waiting.length >= linesAtOnce) await write();
  }
  await write();
  await handle.appendFile(sealOf(hmac));
}

/** The lines of a file that was written under the same key; undefined when there is no file. */
export function readSealed({ path, key, bytesMax }: SealedFile): readonly unknown[] | undefined {
  const bytes = readBounded(path, bytesMax);
  if (bytes === undefined) return undefined;
  const end = Math.max(0, bytes.length - sealBytes);
  const body = bytes.subarray(0, end);
  const seal = bytes.toString('latin1', end);
  const expected = sealOf(createHmac('sha256', key).update(body));
  if (!sealPattern.test(seal)) throw new SealError('it is cut off or damaged');
  if (!timingSafeEqual(Buffer.from(seal), Buffer.from(expected))) {
    throw new SealError('it was changed, or written under another pepper');
  }
  return body
    .toString()
    .split('\n')
    .slice(0, -1)
    .map((line): unknown => JSON.parse(line));
}

function sealOf(hmac: Hmac): string {
  return `seal ${hmac.digest('hex')}\n`;
}

function readBounded(path: string, bytesMax: number): Buffer | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    if (fstatSync(file).size > bytesMax) throw new SealError(`it is longer than ${bytesMax} bytes`);
    return readFileSync(file);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error instanceof SealError
      ? error
      : new SealError(`it cannot be read (${codeOf(error)})`);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Removes what processes have left that were killed while they wrote. */
export async function removeLeftovers({ path }: Pick<SealedFile, 'path'>): Promise<void> {
  const folder = dirname(path);
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    if (!name.startsWith(`${basename(path)}.`) || !name.endsWith('.partial')) continue;
    const left = join(folder, name);
    const found = await stat(left).catch(() => undefined);
    const isOld = found !== undefined && Date.now() - found.mtimeMs > leftoverMsMin;
    if (isOld) await rm(left, { force: true }).catch(() => undefined);
  }
}
