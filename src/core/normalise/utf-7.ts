import { CharBuffer } from '../text/char-buffer.ts';
import { charClass } from '../text/char-class.ts';
import type { Decoder } from './decoder.ts';

/**
 * UTF-7 (RFC 2152): `+ADw-` for `<`. Only runs that give ASCII characters are decoded, which begin
 * with `+A`: sixteen bits with a zero byte in front.
 */
export const utf7: Decoder = {
  name: 'utf-7',
  applies: (text, marks) => (marks.classes & charClass.plus) !== 0 && text.includes('+A'),
  decode: (text, emit) => {
    let out: CharBuffer | undefined;
    let copied = 0;
    for (let at = text.indexOf('+A'); at >= 0; at = text.indexOf('+A', at + 1)) {
      if (at < copied) continue;
      const end = runEnd(text, at + 1);
      const codes = readRun(text, at + 1, end);
      if (codes.length === 0) continue;
      out ??= new CharBuffer(text.length);
      out.pushSlice(text, copied, at);
      for (const code of codes) out.push(code);
      copied = text.charCodeAt(end) === 45 ? end + 1 : end;
    }
    if (out === undefined) return;
    out.pushSlice(text, copied, text.length);
    emit(out.finish());
  },
};

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function digitOf(code: number): number {
  return Number.isNaN(code) ? -1 : digits.indexOf(String.fromCharCode(code));
}

function runEnd(text: string, start: number): number {
  let at = start;
  // A further `+A` is the next run: encoders need no `-` between them.
  while (digitOf(text.charCodeAt(at)) >= 0 && !(at > start && text.startsWith('+A', at))) at++;
  return at;
}

/** The code units of a run; empty when one is not ASCII or bits are left over. */
function readRun(text: string, start: number, end: number): number[] {
  const codes: number[] = [];
  let bits = 0;
  let count = 0;
  for (let at = start; at < end; at++) {
    bits = ((bits << 6) | digitOf(text.charCodeAt(at))) & 0x3fffff;
    count += 6;
    if (count < 16) continue;
    count -= 16;
    const code = (bits >>> count) & 0xffff;
    if (code >= 128 || code < 9) return [];
    codes.push(code);
  }
  return (bits & ((1 << count) - 1)) === 0 && count < 6 ? codes : [];
}
