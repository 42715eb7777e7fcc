import { Replacement } from '../text/char-buffer.ts';
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
 * Characters that a receiver may turn into ASCII: fullwidth and other compatibility forms, the
 * best-fit mappings of code pages, and the bytes of overlong UTF-8. Typographic quotes stay: benign
 * text is full of them, and no common converter makes syntax of them.
 */
export const unicode: Decoder = {
  name: 'unicode',
  isAdditive: true,
  classes: charClass.nonAscii,
  applies: (text, marks) => {
    if ((marks.wide & wideClass.fold) !== 0) return true;
    if ((marks.wide & wideClass.byte) !== 0 && withoutBytes(text) !== text) return true;
    if ((marks.wide & wideClass.commonFold) === 0) return false;
    return isMostlyAscii(text) || wideStep.test(text);
  },
  decode: (raw, emit) => {
    const text = withoutBytes(raw);
    const out = new Replacement(text);
    for (let at = nextWide(text, 0); at < text.length; at = nextWide(text, at + 1)) {
      const code = text.charCodeAt(at);
      const isMath = code === mathHighSurrogate;
      const ascii = isMath ? mathAscii(text.charCodeAt(at + 1)) : (foldOf[code] as number);
      if (ascii === 0) continue;
      const folded = out.at(at, isMath ? at + 2 : at + 1);
      folded.push(ascii);
      if (code === twoDotLeader) folded.push(ascii);
      if (isMath) at++;
    }
    const folded = out.finish() ?? text;
    if (folded !== raw) emit(folded);
  },
};

/** What Windows-1252 has where Latin-1 has the controls from 80 to 9F (Encoding Standard). */
const windows1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/**
 * Overlong UTF-8 (RFC 3629, 10) of an ASCII character, two to six bytes, each read as a character:
 * the last two carry its seven bits. C0 and C1 count in front of a plain separator or dot, too.
 */
const overlong =
  /(?:([\xc0\xc1])|(?:\xe0|[\xf0\xf8\xfc][\x80€]{1,3})([\x80\x81€]))([\x80-\xbf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ])|[\xc0\xc1](?=[./\\])/g;

/** Two dots, and the bytes of an overlong separator as the Encoding Standard reads them. */
const replacedStep = /\.\.\ufffd/;
const replaced = /\ufffd+/g;

function withoutBytes(text: string): string {
  const read = text.replace(overlong, asciiOfBytes);
  return replacedStep.test(read) ? read.replace(replaced, '/') : read;
}

function asciiOfBytes(_: string, lead: string | undefined, pad: string | undefined, last?: string) {
  if (last === undefined) return '';
  const high = (lead ?? pad ?? '').charCodeAt(0) & 1;
  const low = windows1252.indexOf(last);
  return String.fromCharCode((high << 6) | ((low < 0 ? last.charCodeAt(0) : low) & 63));
}

/** A step up that is no prose of any script: `..／`, `．．/`. */
const wideStep = /(?!\.\.[/\\])[.．﹒]{2}[/\\／⁄]/;

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
