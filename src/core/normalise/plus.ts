import { charClass } from '../text/char-class.ts';
import type { Decoder } from './decoder.ts';

/** `+` for a space, as forms send it. A text that has real spaces was not encoded so. */
export const plus: Decoder = {
  name: 'plus',
  applies: (text, marks) =>
    (marks.classes & (charClass.plus | charClass.space)) === charClass.plus &&
    // A sign before a number: `+49…`
    text.lastIndexOf('+') > 0,
  decode: (text, emit) => {
    const spaced = text.replaceAll('+', ' ');
    if (spaced !== text) emit(spaced);
  },
};
