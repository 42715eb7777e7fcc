import { createHmac } from 'node:crypto';
import { Secret } from 'otpauth';

const codes = 10;
/** 80 random bits, 16 characters of base32: too many to try. */
const codeBytes = 10;
const group = /.{4}(?=.)/g;

/** New recovery codes, in groups of four characters. */
export function newRecoveryCodes(): readonly string[] {
  return Array.from({ length: codes }, () =>
    new Secret({ size: codeBytes }).base32.replace(group, '$&-'),
  );
}

/** What is stored of a recovery code. It counts for one administrator only. */
export function recoveryDigest(code: string, key: Buffer, name: string): string {
  return createHmac('sha256', key)
    .update(`${name}\n${plainCode(code)}`)
    .digest('hex');
}

/** A code as it was made, however it was typed. */
export function plainCode(code: string): string {
  return code.replace(/[\s-]/g, '').toUpperCase();
}
