import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Delivery } from './outbox.ts';
import { AddressError, guardedLookup, refusedLiteral } from './outgoing-address.ts';
import { deliveryOf } from './post.ts';

/** So much of an answer is read. */
const answerBytesMax = 2_000;

/**
 * Posts JSON to an address that a user of the dashboard has named. Redirects are not followed, and
 * the connection goes only to an address that was checked.
 */
export function postGuarded(
  url: string,
  message: {
    readonly body: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly signal: AbortSignal;
    readonly isLocalAllowed: boolean;
  },
): Promise<{ readonly delivery: Delivery; readonly text: string }> {
  const { body, headers, signal, isLocalAllowed } = message;
  const { protocol, hostname } = new URL(url);
  const refused = refusedLiteral(hostname, isLocalAllowed);
  if (refused !== undefined) return Promise.reject(new AddressError(refused));
  const open = protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const sent = open(url, {
      method: 'POST',
      lookup: guardedLookup(isLocalAllowed),
      // A connection of before may lead elsewhere than the name does now.
      agent: false,
      signal,
      headers: {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
        ...headers,
      },
    });
    sent.once('error', reject);
    sent.once('response', (answer) => {
      const { statusCode = 0, headers: received } = answer;
      const chunks: Buffer[] = [];
      let bytes = 0;
      const finish = () => {
        const text = Buffer.concat(chunks).toString('utf8', 0, answerBytesMax);
        resolve({ delivery: deliveryOf(statusCode, received['retry-after'] ?? ''), text });
        answer.destroy();
      };
      answer.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes >= answerBytesMax) finish();
      });
      answer.once('end', finish);
      answer.once('error', finish);
    });
    sent.end(body);
  });
}
