import { Replacement } from '../text/char-buffer.ts';
import { charClass } from '../text/char-class.ts';
import { standardAlphabet } from './base64-alphabet.ts';
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
    const out = new Replacement(text);
    for (let at = text.indexOf('+A'); at >= 0; at = text.indexOf('+A', at + 1)) {
      if (at < out.end) continue;
      const end = runEnd(text, at + 1);
      const decoded = decodeRun(text.slice(at + 1, end));
      if (decoded === undefined) continue;
      out.at(at, text.charCodeAt(end) === 45 ? end + 1 : end).pushText(decoded);
    }
    const whole = out.finish();
    if (whole !== undefined) emit(whole);
  },
};

function runEnd(text: string, start: number): number {
  let at = start;
  // A further `+A` is the next run: encoders need no `-` between them.
  while (
    (standardAlphabet[text.charCodeAt(at)] as number) >= 0 &&
    !(at > start && text.startsWith('+A', at))
  )
    at++;
  return at;
}

/** What digits stand for; undefined where a code unit is not ASCII, bits are left over, or there is nothing. */
function decodeRun(digits: string): string | undefined {
  let bits = 0;
  let count = 0;
  let decoded = '';
  for (let at = 0; at < digits.length; at++) {
    bits = ((bits << 6) | (standardAlphabet[digits.charCodeAt(at)] as number)) & 0x3fffff;
    count += 6;
    if (count < 16) continue;
    count -= 16;
    const code = (bits >>> count) & 0xffff;
    if (code >= 128 || code < 9) return undefined;
    decoded += String.fromCharCode(code);
  }
  const isWhole = decoded !== '' && (bits & ((1 << count) - 1)) === 0 && count < 6;
  return isWhole ? decoded : undefined;
}
