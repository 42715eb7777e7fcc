import { CharBuffer } from '../text/char-buffer.ts';
import { charClass } from '../text/char-class.ts';
import type { Decoder } from './decoder.ts';

/**
 * ASCII text that was read as UTF-16: each character holds two of its bytes (`㱳捲楰琾` is `<script>`).
 * Chinese text also has such characters, but hardly ever only such. Text with a zero byte at each
 * character needs no decoder of its own: `control` removes the zeros.
 */
export const utf16: Decoder = {
  name: 'utf-16',
  classes: charClass.nonAscii,
  applies: (text, marks) =>
    (marks.classes & ~charClass.lineBreak) === charClass.nonAscii && pairsEnd(text, headLength) > 0,
  decode: (text, emit) => {
    const end = pairsEnd(text, text.length);
    if (end < 0) return;
    const bigEndian = new CharBuffer(end * 2);
    const littleEndian = new CharBuffer(end * 2);
    for (let at = 0; at < end; at++) {
      const code = text.charCodeAt(at);
      bigEndian.push(code >>> 8);
      bigEndian.push(code & 0xff);
      littleEndian.push(code & 0xff);
      littleEndian.push(code >>> 8);
    }
    emit(bigEndian.finish(), 'be');
    emit(littleEndian.finish(), 'le');
  },
};

const lengthMin = 4;
const headLength = 8;

/**
 * Number of characters, up to `limit`, that are two ASCII bytes each; -1 when one is not, or they
 * are too few.
 */
function pairsEnd(text: string, limit: number): number {
  const end = Math.min(limit, text.length);
  if (end < lengthMin) return -1;
  for (let at = 0; at < end; at++) {
    const code = text.charCodeAt(at);
    if (!isVisible(code >>> 8) || !isVisible(code & 0xff)) return -1;
  }
  return end;
}

function isVisible(byte: number): boolean {
  return byte >= 32 && byte < 127;
}
