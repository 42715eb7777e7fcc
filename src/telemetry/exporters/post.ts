import type { Delivery } from './outbox.ts';

const retryAfterMsMax = 60_000;
/** The other side asks for another attempt, or will be better later. */
const passing: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Posts JSON. Redirects are not followed: the address is the one that the operator has named. */
export async function postJson(
  url: string,
  message: {
    readonly body: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly signal: AbortSignal;
  },
): Promise<Delivery> {
  const { body, signal } = message;
  const headers = { 'content-type': 'application/json', ...message.headers };
  const response = await fetch(url, { method: 'POST', redirect: 'manual', headers, body, signal });
  // The body of the answer is not used, however long it is.
  await response.body?.cancel();
  return deliveryOf(response.status, response.headers.get('retry-after') ?? '');
}

/** What an answer means for a message: whether it arrived, and whether it is to be sent again. */
export function deliveryOf(status: number, retryAfter: string): Delivery {
  if (status >= 200 && status < 300) return { kind: 'sent' };
  const reason = `answered ${status}`;
  if (!passing.has(status)) return { kind: 'refused', reason };
  const seconds = Number(retryAfter);
  const retryAfterMs = seconds > 0 ? Math.min(seconds * 1_000, retryAfterMsMax) : 0;
  return { kind: 'failed', reason, retryAfterMs };
}
