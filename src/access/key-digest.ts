import { createHmac, hkdfSync } from 'node:crypto';

/**
 * What is stored of a key: HMAC-SHA-256 under the pepper. A slow hash would protect nothing here
 * (the secret has 190 random bits) and would let anyone burn our processor with wrong keys.
 */
export function digestOf(key: string, pepper: Buffer): Buffer {
  return createHmac('sha256', pepper).update(key).digest();
}

/** Tells peppers apart without saying anything about them; stored beside the keys. */
export function pepperMark(pepper: Buffer): string {
  return digestOf('sallyport pepper mark', pepper).toString('hex').slice(0, 16);
}

/** A key for one purpose. It says nothing about the pepper, nor about the key of another purpose. */
export function subkeyOf(pepper: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', pepper, '', `sallyport ${purpose}`, 32));
}
