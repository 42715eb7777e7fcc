import { createHash, randomBytes } from 'node:crypto';

const secretBytes = 32;

/** A random text that admits its bearer: a session, or the token of an invitation. */
export function newSecret(): string {
  return randomBytes(secretBytes).toString('base64url');
}

/** It has 256 random bits: a plain digest protects it, and a slow one would only cost. */
export function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
