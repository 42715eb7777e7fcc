import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const timeBytes = 6;
const nonceBytes = 10;

/** What a token is good for. It is good for nothing else. */
export interface TokenUse {
  readonly purpose: string;
  readonly secret: Buffer;
}

/** What the first administrator is made with. */
export function setUpUse(secret: Buffer): TokenUse {
  return { purpose: 'sallyport set-up token', secret };
}

/** Proof that a device has signed in under a name. It does not sign in by itself. */
export function deviceUse(secret: Buffer, name: string): TokenUse {
  return { purpose: `sallyport device\n${name}\n`, secret };
}

/**
 * A token: a time and a nonce, signed. It is kept nowhere; all processes with the same secret take
 * it, whichever of them a browser reaches.
 */
export function makeToken(use: TokenUse, now: number): string {
  const time = Buffer.alloc(timeBytes);
  time.writeUIntBE(now, 0, timeBytes);
  const claim = Buffer.concat([time, randomBytes(nonceBytes)]);
  return Buffer.concat([claim, signatureOf(claim, use)]).toString('base64url');
}

/** Whether a token is one of ours for this use, and not too old. */
export function isToken(
  token: string,
  use: TokenUse,
  { now, maxMs }: { readonly now: number; readonly maxMs: number },
): boolean {
  const bytes = Buffer.from(token, 'base64url');
  const claim = bytes.subarray(0, timeBytes + nonceBytes);
  const expected = signatureOf(claim, use);
  const signature = Buffer.alloc(expected.length);
  bytes.copy(signature, 0, claim.length);
  const isOurs = bytes.length === claim.length + expected.length;
  if (!timingSafeEqual(signature, expected) || !isOurs) return false;
  const age = now - claim.readUIntBE(0, timeBytes);
  return age >= 0 && age < maxMs;
}

function signatureOf(claim: Buffer, { purpose, secret }: TokenUse): Buffer {
  return createHmac('sha256', secret).update(purpose).update(claim).digest();
}
