import { createRequire } from 'node:module';

/** A real country database, in the public domain. */
export const countryDatabase = createRequire(import.meta.url).resolve(
  '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb',
);
