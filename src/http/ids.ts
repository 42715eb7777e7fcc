import { randomFillSync } from 'node:crypto';

const hexByte: readonly string[] = Array.from({ length: 256 }, (_, value) =>
  value.toString(16).padStart(2, '0'),
);

/** Random bytes of one id: 12 bits of rand_a and 62 bits of rand_b, taken from ten bytes. */
const bytesPerId = 10;

/**
 * Makes a maker of UUIDv7 (RFC 9562, section 5.7). Randomness is drawn for 1,024 ids at a time: a
 * call into the crypto library for each request would cost more than the rest of the id.
 */
export function createIdMaker(now: () => number = Date.now): () => string {
  const pool = new Uint8Array(bytesPerId * 1_024);
  let next = pool.length;
  let timeMs = -1;
  let timePrefix = '';
  const hex = (index: number): string => hexByte[pool[index] ?? 0] ?? '00';

  return () => {
    if (next === pool.length) {
      randomFillSync(pool);
      next = 0;
    }
    const at = next;
    next += bytesPerId;
    const ms = now();
    if (ms !== timeMs) {
      timeMs = ms;
      const text = ms.toString(16).padStart(12, '0');
      timePrefix = `${text.slice(0, 8)}-${text.slice(8)}-`;
    }
    const versioned = hexByte[0x70 | ((pool[at] ?? 0) & 0x0f)] ?? '70';
    const variant = hexByte[0x80 | ((pool[at + 2] ?? 0) & 0x3f)] ?? '80';
    return (
      `${timePrefix}${versioned}${hex(at + 1)}-${variant}${hex(at + 3)}-` +
      `${hex(at + 4)}${hex(at + 5)}${hex(at + 6)}${hex(at + 7)}${hex(at + 8)}${hex(at + 9)}`
    );
  };
}

const saneRequestId = /^[A-Za-z0-9._~:/+=-]{1,128}$/;

/** Whether a caller's `x-request-id` may be echoed and logged. */
export function isSaneRequestId(id: string): boolean {
  return id.length <= 128 && saneRequestId.test(id);
}
