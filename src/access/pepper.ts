import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  readSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf } from '../storage/error-code.ts';
import { giveToOwnerOf } from '../storage/owner.ts';

const bytesMin = 32;
const openDescriptor = /^\/dev\/fd\/(\d{1,3})$/;
const pepperBytesMax = 65_536;

const bringBack =
  'restore the one that your keys were made with; a new pepper voids every key. Only for a new ' +
  'installation make one with `openssl rand -hex 32`';

/** The pepper cannot be used. The message says what to do next. */
export class PepperError extends Error {
  override readonly name = 'PepperError';
}

/** Where the pepper lies when no setting names another place. */
export function pepperPath(dataDir: string): string {
  return join(dataDir, 'pepper');
}

/**
 * The pepper, the secret under which keys are digested. A file that a setting names must exist; the
 * one in the data directory is made at the first start. `created` is called with the path of a new
 * file.
 */
export function loadPepper(
  place: { readonly dataDir: string; readonly pepperFile: string | undefined },
  created: (path: string) => void = () => undefined,
): Buffer {
  const path = place.pepperFile ?? pepperPath(place.dataDir);
  const found = readPepper(path);
  if (found !== undefined) return checked(found, path);
  if (place.pepperFile !== undefined) {
    throw new PepperError(
      `There is no pepper file ${path}: ${bringBack}, or leave pepperFile unset to have one made ` +
        'in the data directory.',
    );
  }
  if (createPepper(path)) created(path);
  return checked(readPepper(path) ?? Buffer.alloc(0), path);
}

/** The pepper, where there is one; none is made. */
export function findPepper(place: {
  readonly dataDir: string;
  readonly pepperFile: string | undefined;
}): Buffer | undefined {
  const path = place.pepperFile ?? pepperPath(place.dataDir);
  const found = readPepper(path);
  return found && checked(found, path);
}

function readPepper(path: string): Buffer | undefined {
  try {
    // Editors and `echo` end a file with a line break that is not part of it.
    return Buffer.from(readWhole(path).trimEnd(), 'latin1');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new PepperError(
      `The pepper file ${path} cannot be read (${codeOf(error)}): give the user that runs ` +
        'Sallyport the right to read it.',
    );
  }
}

/** A file that was opened for us may be one that we could not open ourselves. */
function readWhole(path: string): string {
  const descriptor = openDescriptor.exec(path)?.[1];
  if (descriptor === undefined) return readFileSync(path, 'latin1');
  const bytes = Buffer.alloc(pepperBytesMax);
  // From the beginning, however often it is read.
  return bytes.toString('latin1', 0, readSync(Number(descriptor), bytes, 0, bytes.length, 0));
}

function checked(pepper: Buffer, path: string): Buffer {
  if (pepper.length >= bytesMin) return pepper;
  throw new PepperError(
    `The pepper in ${path} has ${pepper.length} bytes; at least ${bytesMin} are needed: ${bringBack}.`,
  );
}

/** Writes a whole file aside and links it into place: no process ever reads half a pepper. */
function createPepper(path: string): boolean {
  const aside = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    const file = openSync(aside, 'wx', 0o600);
    try {
      writeSync(file, `${randomBytes(32).toString('hex')}\n`);
      fsyncSync(file);
      giveToOwnerOf(dirname(path), file);
    } finally {
      closeSync(file);
    }
    try {
      linkSync(aside, path);
      return true;
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false;
      throw error;
    } finally {
      unlinkSync(aside);
    }
  } catch (error) {
    throw new PepperError(
      `The pepper file ${path} cannot be written (${codeOf(error)}): give the user that runs ` +
        'Sallyport the right to write to the data directory, or name another one with --data-dir.',
    );
  }
}
