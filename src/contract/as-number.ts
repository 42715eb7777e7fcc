/** How the number of an autonomous system is written: `13335` or `AS13335`. */
export const asNumberPattern = '^(?:[Aa][Ss])?[1-9][0-9]{0,9}$';

const asNumber = new RegExp(asNumberPattern);

/** The digits of the number of an autonomous system; undefined for what is none. */
export function asNumberIn(text: string): string | undefined {
  return asNumber.test(text) ? text.replace(/^as/i, '') : undefined;
}

/** An autonomous system as people name it. */
export function asTitle(asn: string | number, name?: string): string {
  return name === undefined ? `AS${asn}` : `AS${asn} ${name}`;
}
