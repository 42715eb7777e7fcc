import { CharBuffer } from '../text/char-buffer.ts';
import { charClass } from '../text/char-class.ts';
import { createFinder } from '../text/char-finder.ts';
import {
  foldOf,
  mathFoldOf,
  mathHighSurrogate,
  twoDotLeader,
  wideClass,
  wideClassOf,
} from '../text/wide-class.ts';
import type { Decoder } from './decoder.ts';

/**
 * Characters that a receiver may turn into ASCII: fullwidth and other compatibility forms, and the
 * best-fit mappings of code pages. Typographic quotes stay: benign text is full of them, and no
 * common converter makes syntax of them.
 */
export const unicode: Decoder = {
  name: 'unicode',
  isAdditive: true,
  classes: charClass.nonAscii,
  applies: (text, marks) => {
    if ((marks.wide & wideClass.fold) !== 0) return true;
    return (marks.wide & wideClass.commonFold) !== 0 && isMostlyAscii(text);
  },
  decode: (text, emit) => {
    let out: CharBuffer | undefined;
    let copied = 0;
    for (let at = nextWide(text, 0); at < text.length; at = nextWide(text, at + 1)) {
      const code = text.charCodeAt(at);
      const isMath = code === mathHighSurrogate;
      const ascii = isMath ? mathAscii(text.charCodeAt(at + 1)) : (foldOf[code] as number);
      if (ascii === 0) continue;
      out ??= new CharBuffer(text.length);
      out.pushSlice(text, copied, at);
      out.push(ascii);
      if (code === twoDotLeader) out.push(ascii);
      if (isMath) at++;
      copied = at + 1;
    }
    if (out === undefined) return;
    out.pushSlice(text, copied, text.length);
    emit(out.finish());
  },
};

const nextWide = createFinder(/[^\0-\x7f]/g);

function mathAscii(low: number): number {
  return low >= 0xdc00 && low < 0xe000 ? (mathFoldOf[low - 0xdc00] as number) : 0;
}

/**
 * True when at least two thirds of the text are ASCII or look so: not the prose of a script that
 * uses these forms.
 */
function isMostlyAscii(text: string): boolean {
  let foreign = 0;
  for (let at = nextWide(text, 0); at < text.length; at = nextWide(text, at + 1)) {
    if ((wideClassOf[text.charCodeAt(at)] as number) === 0) foreign++;
  }
  return foreign * 3 <= text.length;
}
