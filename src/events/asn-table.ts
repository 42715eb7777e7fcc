import type { AsnResponse } from 'mmdb-lib';
import { openAddressDatabase } from './address-database.ts';

/** The autonomous system that announces the address of a client. */
export interface ClientNetwork {
  readonly asn: number;
  /** Its operator. */
  readonly asName?: string;
}

/** The network of the address of a client; undefined for what is not known or none. */
export type NetworkOf = (address: string) => ClientNetwork | undefined;

const asnMax = 0xffff_ffff;
/** An entry of the index of facts holds it. */
const nameCharsMax = 64;
const control = /\p{Cc}+/gu;

/**
 * Reads a database with records of autonomous systems (GeoLite2-ASN, DB-IP ASN Lite): any file with
 * `autonomous_system_number`. Throws an `AddressDatabaseError`.
 */
export function openAsnTable(path: string): NetworkOf {
  const rowOf = openAddressDatabase<AsnResponse>(path, {
    what: 'network',
    setting: 'asnDatabase',
    example: 'GeoLite2-ASN.mmdb',
  });
  return (address) => {
    const row = rowOf(address);
    const asn = row?.autonomous_system_number;
    if (!Number.isInteger(asn) || asn === undefined || asn < 1 || asn > asnMax) return undefined;
    const asName = nameIn(row?.autonomous_system_organization);
    return asName === '' ? { asn } : { asn, asName };
  };
}

function nameIn(given: unknown): string {
  if (typeof given !== 'string') return '';
  const plain = given.slice(0, 2 * nameCharsMax).replace(control, ' ');
  return plain.trim().slice(0, nameCharsMax).trimEnd().toWellFormed();
}
