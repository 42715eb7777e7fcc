import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { type CountryResponse, Reader } from 'mmdb-lib';
import { codeOf } from '../storage/error-code.ts';

/** The largest of the well-known ones, with cities, has about 130 MB. It is held in memory. */
const bytesMax = 268_435_456;
/** ISO 3166-1 alpha-2. */
const countryCode = /^[A-Z]{2}$/;
const mappedV4 = /^::ffff:(?=[\d.]+$)/i;

/** The country database cannot be used. The message says what to do next. */
export class CountryTableError extends Error {
  override readonly name = 'CountryTableError';
}

/** Two capital letters for the address of a client; undefined for what is not known or none. */
export type CountryOf = (address: string) => string | undefined;

/** The tables of some publishers have the code in the record itself. */
interface Row extends CountryResponse {
  readonly country_code?: string;
}

/**
 * Reads a database in the MaxMind DB format 2.0 with records of countries (GeoLite2, GeoIP2,
 * DB-IP) or with a `country_code`. Throws a `CountryTableError`.
 */
export function openCountryTable(path: string): CountryOf {
  const table = tableIn(path);
  return (address) => {
    const plain = address.replace(mappedV4, '');
    if (isIP(plain) === 0) return undefined;
    const row = table.get(plain);
    const code = row?.country?.iso_code ?? row?.registered_country?.iso_code ?? row?.country_code;
    return code !== undefined && countryCode.test(code) ? code : undefined;
  };
}

function tableIn(path: string): Reader<Row> {
  const bytes = contentOf(path);
  try {
    return new Reader<Row>(bytes);
  } catch {
    throw new CountryTableError(
      `${path} is no country database: countryDatabase takes a whole file in the MaxMind DB ` +
        'format (.mmdb), unpacked, such as GeoLite2-Country.mmdb.',
    );
  }
}

function contentOf(path: string): Buffer {
  try {
    const { size } = statSync(path);
    if (size <= bytesMax) return readFileSync(path);
  } catch (error) {
    throw new CountryTableError(
      `The country database ${path} cannot be read (${codeOf(error)}): name a .mmdb file that the ` +
        'user who runs Sallyport may read, or leave countryDatabase unset.',
    );
  }
  throw new CountryTableError(
    `The country database ${path} has more than ${bytesMax / 1_048_576} MiB: take one of countries ` +
      'only.',
  );
}
