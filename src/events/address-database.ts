import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { Reader, type Response } from 'mmdb-lib';
import { codeOf } from '../storage/error-code.ts';

/** The largest of the well-known ones, with cities, has about 130 MB. It is held in memory. */
const bytesMax = 268_435_456;
const mappedV4 = /^::ffff:(?=[\d.]+$)/i;

/** A database of addresses cannot be used. The message says what to do next. */
export class AddressDatabaseError extends Error {
  override readonly name = 'AddressDatabaseError';
}

/** What a file is for, which setting names it, and one that is fit for it. */
export interface DatabaseUse {
  readonly what: string;
  readonly setting: 'countryDatabase' | 'asnDatabase';
  readonly example: string;
}

/**
 * Reads a file in the MaxMind DB format 2.0. Gives the record of an address: undefined for what is
 * not known or no address. Throws an `AddressDatabaseError`.
 */
export function openAddressDatabase<Row extends Response>(
  path: string,
  use: DatabaseUse,
): (address: string) => Partial<Row> | undefined {
  const table = readerOf<Row>(path, use);
  return (address) => {
    const plain = address.replace(mappedV4, '');
    if (isIP(plain) === 0) return undefined;
    try {
      return table.get(plain) ?? undefined;
    } catch {
      // A record that is damaged costs no event.
      return undefined;
    }
  };
}

function readerOf<Row extends Response>(path: string, use: DatabaseUse): Reader<Row> {
  const bytes = contentOf(path, use);
  try {
    return new Reader<Row>(bytes);
  } catch {
    throw new AddressDatabaseError(
      `${path} is no ${use.what} database: ${use.setting} takes a whole file in the MaxMind DB ` +
        `format (.mmdb), unpacked, such as ${use.example}.`,
    );
  }
}

function contentOf(path: string, { what, setting }: DatabaseUse): Buffer {
  try {
    const { size } = statSync(path);
    if (size <= bytesMax) return readFileSync(path);
  } catch (error) {
    throw new AddressDatabaseError(
      `The ${what} database ${path} cannot be read (${codeOf(error)}): name a .mmdb file that the ` +
        `user who runs Sallyport may read, or leave ${setting} unset.`,
    );
  }
  throw new AddressDatabaseError(
    `The ${what} database ${path} has more than ${bytesMax / 1_048_576} MiB: take a smaller one.`,
  );
}
