import { CharBuffer } from '../text/char-buffer.ts';
import { charClass } from '../text/char-class.ts';
import type { Decoder } from './decoder.ts';

/**
 * UTF-7 (RFC 2152): `+ADw-` for `<`. Only runs that give ASCII characters are decoded, which begin
 * with `+A`: sixteen bits with a zero byte in front.
 */
export const utf7: Decoder = {
  name: 'utf-7',
  classes: charClass.plus,
  applies: (text) => text.includes('+A'),
  decode: (text, emit) => {
    let out: CharBuffer | undefined;
    let copied = 0;
    for (let at = text.indexOf('+A'); at >= 0; at = text.indexOf('+A', at + 1)) {
      if (at < copied) continue;
      const end = runEnd(text, at + 1);
      if (!isAsciiRun(text, at + 1, end)) continue;
      out ??= new CharBuffer(text.length);
      out.pushSlice(text, copied, at);
      pushRun(text, at + 1, end, out);
      copied = text.charCodeAt(end) === 45 ? end + 1 : end;
    }
    if (out === undefined) return;
    out.pushSlice(text, copied, text.length);
    emit(out.finish());
  },
};

const sextets: Readonly<Int8Array> = buildSextets();

function buildSextets(): Int8Array {
  const table = new Int8Array(128).fill(-1);
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  for (let i = 0; i < digits.length; i++) table[digits.charCodeAt(i)] = i;
  return table;
}

/** Value of a digit; -1 for other characters and beyond the end. */
function digitOf(code: number): number {
  return code < 128 ? (sextets[code] as number) : -1;
}

function runEnd(text: string, start: number): number {
  let at = start;
  // A further `+A` is the next run: encoders need no `-` between them.
  while (digitOf(text.charCodeAt(at)) >= 0 && !(at > start && text.startsWith('+A', at))) at++;
  return at;
}

/** False when a code unit is not ASCII, bits are left over, or there is nothing. */
function isAsciiRun(text: string, start: number, end: number): boolean {
  let bits = 0;
  let count = 0;
  for (let at = start; at < end; at++) {
    bits = ((bits << 6) | digitOf(text.charCodeAt(at))) & 0x3fffff;
    count += 6;
    if (count < 16) continue;
    count -= 16;
    const code = (bits >>> count) & 0xffff;
    if (code >= 128 || code < 9) return false;
  }
  return end - start >= unitDigits && (bits & ((1 << count) - 1)) === 0 && count < 6;
}

/** Digits for one code unit. */
const unitDigits = 3;

/** Appends what a run of digits stands for. */
function pushRun(text: string, start: number, end: number, out: CharBuffer): void {
  let bits = 0;
  let count = 0;
  for (let at = start; at < end; at++) {
    bits = ((bits << 6) | digitOf(text.charCodeAt(at))) & 0x3fffff;
    count += 6;
    if (count < 16) continue;
    count -= 16;
    out.push((bits >>> count) & 0xffff);
  }
}
