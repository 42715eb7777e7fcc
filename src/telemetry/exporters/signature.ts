import { createHmac } from 'node:crypto';

const secretPrefix = 'whsec_';

/** The key of a secret: `whsec_` and base64, or any other text. */
export function signingKeyOf(secret: string): Buffer {
  return secret.startsWith(secretPrefix)
    ? Buffer.from(secret.slice(secretPrefix.length), 'base64')
    : Buffer.from(secret);
}

/** The headers of a message, signed where there is a key, as https://www.standardwebhooks.com says. */
export function signedHeaders(
  key: Buffer | undefined,
  { id, body }: { readonly id: string; readonly body: string },
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const named = { 'webhook-id': id, 'webhook-timestamp': timestamp };
  if (key === undefined) return named;
  const made = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { ...named, 'webhook-signature': `v1,${made}` };
}
