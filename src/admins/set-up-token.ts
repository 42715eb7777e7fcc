import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** How long processes take the token of another one. */
const tokenMs = 24 * 3_600_000;
const timeBytes = 6;
const nonceBytes = 10;

/**
 * A token with which the first administrator is made: a time and a nonce, signed. It is kept
 * nowhere; all processes with the same secret take it, whichever of them a browser reaches.
 */
export function makeSetUpToken(secret: Buffer, now: number): string {
  const time = Buffer.alloc(timeBytes);
  time.writeUIntBE(now, 0, timeBytes);
  const claim = Buffer.concat([time, randomBytes(nonceBytes)]);
  return Buffer.concat([claim, signatureOf(claim, secret)]).toString('base64url');
}

/** Whether a token is one of ours, and not too old. */
export function isSetUpToken(token: string, secret: Buffer, now: number): boolean {
  const bytes = Buffer.from(token, 'base64url');
  const claim = bytes.subarray(0, timeBytes + nonceBytes);
  const expected = signatureOf(claim, secret);
  const signature = Buffer.alloc(expected.length);
  bytes.copy(signature, 0, claim.length);
  const isOurs = bytes.length === claim.length + expected.length;
  if (!timingSafeEqual(signature, expected) || !isOurs) return false;
  const age = now - claim.readUIntBE(0, timeBytes);
  return age >= 0 && age < tokenMs;
}

function signatureOf(claim: Buffer, secret: Buffer): Buffer {
  return createHmac('sha256', secret).update('sallyport set-up token').update(claim).digest();
}
