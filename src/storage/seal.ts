import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Encrypts what only this installation may read: AES-256-GCM under a key that is derived from the
 * pepper. `owner` is bound to it, so that one row's secret cannot stand in another row.
 */
export function seal(text: string, key: Buffer, owner: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(owner));
  const bytes = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([bytes, cipher.getAuthTag()]).toString('base64');
}

/** What was sealed; undefined where it was changed, moved, or sealed under another pepper. */
export function unseal(sealed: string, key: Buffer, owner: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64');
  if (bytes.length < nonceBytes + tagBytes) return undefined;
  try {
    const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), {
      authTagLength: tagBytes,
    })
      .setAAD(Buffer.from(owner))
      .setAuthTag(bytes.subarray(-tagBytes));
    const text = decipher.update(bytes.subarray(nonceBytes, -tagBytes), undefined, 'utf8');
    return text + decipher.final('utf8');
  } catch {
    return undefined;
  }
}
