import { isTextStretch } from '../text/printability.ts';
import { type Decoder, type Emit, stepLabel } from './decoder.ts';
import type { View } from './views.ts';

/**
 * The stretches of a binary string that are text: some printable ASCII characters in a row, and
 * what stands around them with no more than one other character in a row. A single control
 * character does not end a row, as receivers strip it; a line end does. Bytes by lot have short
 * stretches only: what is text by more than chance is screened.
 */
export const printable: Decoder = {
  name: 'printable',
  applies: () => true,
  decode: (text, emit) => {
    let start = -1;
    let end = 0;
    let row = 0;
    let isText = false;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (isPrintable(code)) {
        if (start < 0) start = at;
        end = at + 1;
        if (++row >= rowMin) isText = true;
        continue;
      }
      const isFirst = at === end;
      if (isFirst && code < 32 && (code < 9 || code > 13)) continue;
      row = 0;
      if (isFirst) continue;
      if (isText) close(text, start, end, emit);
      start = -1;
      end = -1;
      isText = false;
    }
    if (isText) close(text, start, end, emit);
    return undefined;
  },
};

/** True for a stretch of a binary string. */
export function isPart({ decoded }: View): boolean {
  return decoded.length > 0 && decoded.at(-1)?.startsWith(printable.name) === true;
}

/** True for a stretch that begins or ends its value. */
export function isAtEdge({ text, decoded }: View, value: string): boolean {
  return decoded.at(-1) === stepLabel(printable, '0') || value.endsWith(text);
}

/** Gives a stretch that is no chance. */
function close(text: string, start: number, end: number, emit: Emit): void {
  const stretch = text.slice(start, end);
  const isAtEdge = start === 0 || end === text.length;
  if (isTextStretch(stretch, { textLength: text.length, isAtEdge })) emit(stretch, String(start));
}

/** Shorter than the shortest attacks. */
const rowMin = 6;

function isPrintable(code: number): boolean {
  return code >= 32 && code < 127;
}
