import { randomFillSync } from 'node:crypto';

/** Random bytes of one id: 12 bits of rand_a and 62 bits of rand_b, taken from ten bytes. */
const bytesPerId = 10;
/** Characters after the time: `7xxx-vxxx-xxxxxxxxxxxx`. */
const tailLength = 22;
/** Not many: an id that is kept can hold the text of its fill. */
const idsPerFill = 512;

/**
 * Makes a maker of UUIDv7 (RFC 9562, section 5.7). Randomness is drawn and written out for many
 * ids at a time: a call into the crypto library for each would cost more than the id, and one text
 * to cut from is cheaper than twelve small ones to join.
 */
export function createIdMaker(now: () => number = Date.now): () => string {
  const random = Buffer.alloc(bytesPerId * idsPerFill);
  const text = Buffer.alloc(tailLength * idsPerFill);
  let tails = '';
  let next = idsPerFill;
  let timeMs = -1;
  let timePrefix = '';

  return () => {
    if (next === idsPerFill) {
      tails = writeTails(randomFillSync(random), text);
      next = 0;
    }
    const at = tailLength * next++;
    const ms = now();
    if (ms !== timeMs) {
      timeMs = ms;
      const digits = ms.toString(16).padStart(12, '0');
      timePrefix = `${digits.slice(0, 8)}-${digits.slice(8)}-`;
    }
    return timePrefix + tails.slice(at, at + tailLength);
  };
}

const hexDigits = Buffer.from('0123456789abcdef');

/** Writes what follows the time in each id, end to end. */
function writeTails(random: Buffer, text: Buffer): string {
  let to = 0;
  const write = (byte: number): void => {
    text[to++] = hexDigits[byte >> 4] ?? 0;
    text[to++] = hexDigits[byte & 0x0f] ?? 0;
  };
  for (let at = 0; at < random.length; at += bytesPerId) {
    for (let index = 0; index < bytesPerId; index += 1) {
      const byte = random[at + index] ?? 0;
      if (index === 2 || index === 4) text[to++] = dash;
      if (index === 0) write(0x70 | (byte & 0x0f));
      else if (index === 2) write(0x80 | (byte & 0x3f));
      else write(byte);
    }
  }
  return text.toString('latin1');
}

const dash = 45;

const saneRequestId = /^[A-Za-z0-9._~:/+=-]{1,128}$/;

/** Whether a caller's `x-request-id` may be echoed and logged. */
export function isSaneRequestId(id: string): boolean {
  return id.length <= 128 && saneRequestId.test(id);
}
