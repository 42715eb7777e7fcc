import { closeSync, existsSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { constants, gunzipSync } from 'node:zlib';
import type { Random } from '../../lib/random.ts';

/** Read of one file, before it is unpacked. */
const bytesMax = 256 * 1024;
const unpackedMax = 1024 * 1024;

/** Their documentation and code are full of attacks that work. */
const attackTools = /\/(?:sqlmap|wapiti|wfuzz|nikto|metasploit)/i;

/** The regular files below some folders, sorted; a folder that cannot be read counts as empty. */
export function filesBelow(folders: readonly string[], wanted: RegExp): readonly string[] {
  return folders
    .flatMap((folder) => filesOf(folder))
    .filter((path) => wanted.test(path) && !attackTools.test(path))
    .sort();
}

/** A slim system has the folders, and next to nothing in them. */
const filesMin = 20;

/** What is missing, when there are too few files to draw from. */
export function lacking(files: readonly string[], folder: string): readonly string[] {
  return files.length < filesMin ? [folder] : [];
}

/** Several origins read the same folders, which hold 100,000 files. */
const listings = new Map<string, readonly string[]>();

function filesOf(folder: string): readonly string[] {
  const known = listings.get(folder);
  if (known !== undefined) return known;
  const entries = existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
    : [];
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  listings.set(folder, files);
  return files;
}

/** The start of a file, unpacked where it is packed; undefined when it cannot be read. */
export function readStart(path: string): Buffer | undefined {
  try {
    const bytes = Buffer.alloc(bytesMax);
    const file = openSync(path, 'r');
    try {
      const start = bytes.subarray(0, readSync(file, bytes, 0, bytesMax, 0));
      if (!path.endsWith('.gz')) return start;
      const finishFlush = constants.Z_SYNC_FLUSH;
      return gunzipSync(start, { finishFlush, maxOutputLength: unpackedMax });
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

/** The start of a text file; undefined for one that is none, or is in another encoding. */
export function readText(path: string): string | undefined {
  const bytes = readStart(path);
  if (bytes === undefined || bytes.length === 0 || bytes.includes(0)) return undefined;
  const text = bytes.toString('utf8');
  // The cut may go through the last character.
  return text.slice(0, -1).includes('\ufffd') ? undefined : text;
}

/** Files drawn without end; ends when none of a long row could be read. */
export function* drawnTexts(
  random: Random,
  paths: readonly string[],
): Generator<{ readonly path: string; readonly text: string }> {
  for (let failures = 0; paths.length > 0 && failures < 200; failures += 1) {
    const path = random.pick(paths);
    const text = readText(path);
    if (text === undefined) continue;
    failures = 0;
    yield { path, text };
  }
}
