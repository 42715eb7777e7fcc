import type { CharBuffer } from '../text/char-buffer.ts';

/**
 * Appends bytes read as UTF-8 (RFC 3629), as a lenient receiver would: an overlong form becomes the
 * character that it smuggles, a byte that belongs to no sequence the Latin-1 character of its
 * value.
 */
export function pushUtf8(bytes: ArrayLike<number>, length: number, out: CharBuffer): void {
  for (let at = 0; at < length; ) {
    const lead = bytes[at] as number;
    if (lead < 0x80) {
      out.push(lead);
      at++;
      continue;
    }
    const size = sequenceSize(bytes, at, length);
    if (size > 1) out.pushCodePoint(codePointAt(bytes, at, size));
    else if (isLoosePair(lead) && at + 1 < length && (bytes[at + 1] as number) < 0x80) {
      out.push(looseCharacter(lead, bytes[at + 1] as number));
      at++;
    } else out.push(lead);
    at += Math.max(1, size);
  }
}

/** True when bytes from start to end are well-formed UTF-8 without overlong forms. */
function isUtf8(bytes: ArrayLike<number>, length: number): boolean {
  for (let at = 0; at < length; ) {
    const lead = bytes[at] as number;
    if (lead < 0x80) {
      at++;
      continue;
    }
    const size = sequenceSize(bytes, at, length);
    if (size < 2 || size > 4) return false;
    const codePoint = codePointAt(bytes, at, size);
    if (codePoint < (smallestOfSize[size] as number) || codePoint > 0x10ffff) return false;
    at += size;
  }
  return true;
}

/**
 * True when bytes are so much like text that chance did not make them so: UTF-8 without control
 * characters. Few bytes must be ASCII for the most part; in many, some exceptions are allowed.
 */
export function isLikelyText(bytes: ArrayLike<number>, length: number): boolean {
  let zeros = 0;
  let controls = 0;
  let high = 0;
  for (let i = 0; i < length; i++) {
    const byte = bytes[i] as number;
    if (byte === 0) zeros++;
    else if (!isTextByte(byte)) controls++;
    else if (byte >= 128) high++;
  }
  if (length < fewBytes) {
    return controls === 0 && zeros <= 1 && high * 3 <= length && isUtf8(bytes, length);
  }
  if ((controls + zeros) * 8 > length) return false;
  return high * 10 <= length || isUtf8(bytes, length);
}

/** Not a control character, but for white space. */
export function isTextByte(byte: number): boolean {
  return byte >= 32 ? byte !== 127 : byte >= 9 && byte <= 13;
}

const fewBytes = 24;

const smallestOfSize = [0, 0, 0x80, 0x800, 0x10000];

/** Length of the sequence at `at`, up to six bytes as old decoders took them; 0 when it is none. */
function sequenceSize(bytes: ArrayLike<number>, at: number, length: number): number {
  const lead = bytes[at] as number;
  const size =
    lead < 0xc0 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf8 ? 4 : lead < 0xfc ? 5 : 6;
  if (at + size > length || lead > 0xfd) return 0;
  for (let i = at + 1; i < at + size; i++) {
    if (((bytes[i] as number) & 0xc0) !== 0x80) return 0;
  }
  return size;
}

function codePointAt(bytes: ArrayLike<number>, at: number, size: number): number {
  let codePoint = (bytes[at] as number) & (0x7f >>> size);
  for (let i = at + 1; i < at + size; i++) {
    codePoint = codePoint * 64 + ((bytes[i] as number) & 0x3f);
  }
  return codePoint;
}

/** C0 and C1 start nothing but overlong forms. */
function isLoosePair(lead: number): boolean {
  return lead === 0xc0 || lead === 0xc1;
}

/** Decoders that do not look at the mark of the second byte read `C0 2F` as `/`, `C0 6E` as `.`. */
function looseCharacter(lead: number, next: number): number {
  const masked = ((lead & 1) << 6) | (next & 0x3f);
  return masked < 0x20 ? next : masked;
}
