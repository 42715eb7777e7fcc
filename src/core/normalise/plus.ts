import { CharBuffer } from '../text/char-buffer.ts';
import { charClass } from '../text/char-class.ts';
import type { Decoder } from './decoder.ts';

/** `+` for a space, as forms send it. A text that has real spaces was not encoded so. */
export const plus: Decoder = {
  name: 'plus',
  classes: charClass.plus,
  applies: (text, marks) =>
    (marks.classes & charClass.space) === 0 &&
    // A sign before a number: `+49…`
    text.lastIndexOf('+') > 0,
  decode: (text, emit) => {
    if (!text.includes('+')) return;
    // `replaceAll` builds a rope with as many nodes as there are signs.
    const out = new CharBuffer(text.length);
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      out.push(code === sign ? space : code);
    }
    emit(out.finish());
  },
};

const sign = 43;
const space = 32;
