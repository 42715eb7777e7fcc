import { CharBuffer } from '../text/char-buffer.ts';

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

/**
 * What bytes say as text: in UTF-16, in UTF-8, or each as a character where they are no text but
 * were told to be `serialised`. Undefined for noise.
 */
export function textOfBytes(
  bytes: ArrayLike<number>,
  length: number,
  serialised: boolean,
): string | undefined {
  // Half of UTF-16 is zeros; a few in front of a text make none of it.
  const isByteText = serialised || isLikelyText(bytes, length);
  const order = isByteText ? undefined : utf16Order(bytes);
  if (!isByteText && order === undefined) return undefined;
  const out = new CharBuffer(length);
  if (order !== undefined) pushUtf16(bytes, length, order, out);
  else if (serialised) for (let at = 0; at < length; at++) out.push(bytes[at] as number);
  else pushUtf8(bytes, length, out);
  return out.finish();
}

type ByteOrder = 'big' | 'little';

/** How UTF-16 of ASCII text begins, with the mark of its order or without (RFC 2781, 4.3). */
function utf16Order(bytes: ArrayLike<number>): ByteOrder | undefined {
  const [a, b, c, d, e, f] = [bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5]];
  if (a === 0xff && b === 0xfe) return d === 0 && f === 0 ? 'little' : undefined;
  if (a === 0xfe && b === 0xff) return c === 0 && e === 0 ? 'big' : undefined;
  if (b === 0 && d === 0 && f === 0) return 'little';
  // Fonts and films begin with zeros, too.
  const isText = [b, d, f].every((one) => isTextByte(one as number));
  return isText && a === 0 && c === 0 && e === 0 ? 'big' : undefined;
}

/** Without the mark of the order. */
function pushUtf16(
  bytes: ArrayLike<number>,
  length: number,
  order: ByteOrder,
  out: CharBuffer,
): void {
  const high = order === 'big' ? 0 : 1;
  for (let at = 0; at + 1 < length; at += 2) {
    const code = ((bytes[at + high] as number) << 8) | (bytes[at + 1 - high] as number);
    if (at > 0 || code !== byteOrderMark) out.push(code);
  }
}

const byteOrderMark = 0xfeff;

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
function isLikelyText(bytes: ArrayLike<number>, length: number): boolean {
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
