import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { KeyKind } from '../contract/key-directory.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const prefix = 'sp_live_';
const adminPrefix = 'sp_admin_';
const idLength = 8;
const secretLength = 32;
/** Characters of the checksum at the end of a key. */
export const checksumLength = 6;
const checksumStart = prefix.length + idLength + 1 + secretLength;

/** Characters in a live key: `sp_live_<id: 8>_<secret: 32><CRC-32: 6>`. */
export const keyLength = checksumStart + checksumLength;

/** What a key looks like; for finding keys that strayed into a text. */
export const keyPattern = /sp_(?:live|admin)_([0-9A-Za-z]{8})_[0-9A-Za-z]{38}/g;

const wholeKey = /^sp_(?:live|admin)_([0-9A-Za-z]{8})_[0-9A-Za-z]{38}$/;
const wholeId = /^[0-9A-Za-z]{8}$/;

/** Bytes from here on would favour the first characters of the alphabet: 248 = 4 × 62. */
const biasedFrom = 248;

/** `length` random base62 characters, each equally likely. */
export function randomBase62(length: number): string {
  return base62From(() => randomBytes(2 * length), length);
}

/** Base62 characters of even bytes, each equally likely; of a secret when no length is given. */
export function base62From(moreBytes: () => Buffer, length: number = secretLength): string {
  let text = '';
  while (text.length < length) {
    for (const byte of moreBytes()) {
      if (byte < biasedFrom && text.length < length) text += alphabet.charAt(byte % 62);
    }
  }
  return text;
}

/** CRC-32 of a text as six base62 digits, most significant first. */
function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < checksumLength; i += 1) {
    digits = alphabet.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** A new key id. It is public: it appears in logs and lists. */
export function makeKeyId(): string {
  return randomBase62(idLength);
}

/** A whole key, with a fresh secret if none is given. Only its digest is stored. */
export function makeKey(
  id: string,
  kind: KeyKind = 'live',
  secret: string = randomBase62(secretLength),
): string {
  const head = `${kind === 'admin' ? adminPrefix : prefix}${id}_${secret}`;
  return head + checksumOf(head);
}

/** The id in a key, or undefined if the key is malformed: wrong shape or wrong checksum. */
export function keyIdOf(key: string): string | undefined {
  if (key.length > keyLength + adminPrefix.length - prefix.length) return undefined;
  const id = wholeKey.exec(key)?.[1];
  const head = key.slice(0, -checksumLength);
  return checksumOf(head) === key.slice(-checksumLength) ? id : undefined;
}

/** The id of a live key whose shape and checksum are right, or are about to be checked. */
export function unprovenIdOf(key: string): string {
  return key.slice(prefix.length, prefix.length + idLength);
}

/** Whether a text could be the id of a key. */
export function isKeyId(text: string): boolean {
  return wholeId.test(text);
}
