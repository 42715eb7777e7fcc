import type { CountryResponse } from 'mmdb-lib';
import { openAddressDatabase } from './address-database.ts';

/** ISO 3166-1 alpha-2. */
const countryCode = /^[A-Z]{2}$/;

/** Two capital letters for the address of a client; undefined for what is not known or none. */
export type CountryOf = (address: string) => string | undefined;

/** The tables of some publishers have the code in the record itself. */
interface Row extends CountryResponse {
  readonly country_code?: string;
}

/**
 * Reads a database with records of countries (GeoLite2, GeoIP2, DB-IP) or with a `country_code`.
 * Throws an `AddressDatabaseError`.
 */
export function openCountryTable(path: string): CountryOf {
  const rowOf = openAddressDatabase<Row>(path, {
    what: 'country',
    setting: 'countryDatabase',
    example: 'GeoLite2-Country.mmdb',
  });
  return (address) => {
    const row = rowOf(address);
    const code = row?.country?.iso_code ?? row?.registered_country?.iso_code ?? row?.country_code;
    return code !== undefined && countryCode.test(code) ? code : undefined;
  };
}
