import { startOfValue, startOfWrapped } from '../grammars/url/url.ts';
import { CharBuffer } from '../text/char-buffer.ts';
import { charClass } from '../text/char-class.ts';
import type { Decoder, Marks } from './decoder.ts';

/**
 * Removes tabs and line breaks within a URL or a path, as the parser of WHATWG's URL does before it
 * reads (URL Standard, 4.4, step 3). Only where the text is one word: a line of a list ends there. Or
 * where they stand in the name of a scheme that runs script, whose text may hold anything.
 */
export const urlBreak: Decoder = {
  name: 'url-break',
  applies: isBrokenUrl,
  decode: (text, emit) => {
    if (!isBroken(text) && !hasBrokenScheme(text)) return;
    const next = nextUrl.exec(text);
    const out = new CharBuffer(text.length);
    const end = next === null ? text.length : next.index;
    for (let at = 0; at < end; at++) {
      const code = text.charCodeAt(at);
      if (!isBreak(code)) out.push(code);
    }
    emit(out.finish());
  },
};

/** A cheap look: true where breaks stand within a text of one word that may be an address or a path. */
export function isBrokenUrl(text: string, { classes }: Pick<Marks, 'classes'>): boolean {
  if ((classes & breakClasses) === 0) return false;
  if ((classes & charClass.colon) !== 0 && hasBrokenScheme(text)) return true;
  if ((classes & urlClasses) === 0) return false;
  if (text.length > (urlStart.test(headOf(text)) ? urlCharsMax : pathCharsMax)) return false;
  return isBroken(text);
}

const urlClasses = charClass.slash | charClass.backslash | charClass.at | charClass.bracket;
/** Tabs count as spaces, and vertical ones as controls, which a filter takes out. */
const breakClasses = charClass.lineBreak | charClass.space | charClass.control;
const urlCharsMax = 2_048;
const pathCharsMax = 300;
const urlStart = /^[a-z][a-z\d+.\t\r\n-]{1,20}:/i;
/** The next item of a list of URLs. */
const nextUrl = /(?<=[!-~])[\t\r\n](?:https?|ftps?|wss?):\/\//i;

/** The scheme, without what clients take off in front. */
function headOf(text: string): string {
  const start = startOfValue(text, text.length);
  return text.slice(start, start + headCharsMax);
}

const headCharsMax = 40;

/** `j\nava\tscript:` */
function hasBrokenScheme(text: string): boolean {
  const name = schemeName.exec(headOf(text))?.[1] ?? '';
  const plain = name.replace(breaks, '').toLowerCase();
  return plain.length < name.length && scriptSchemes.has(plain);
}

const schemeName = /^([a-z][a-z\t\r\n]{4,32}):/i;
const breaks = /[\t\r\n]/g;
const scriptSchemes: ReadonlySet<string> = new Set(['javascript', 'vbscript', 'data']);

function isBreak(code: number): boolean {
  return code >= 9 && code <= 13;
}

function isBroken(text: string): boolean {
  let at = startOfWrapped(text);
  let end = text.length;
  while (end > at && text.charCodeAt(end - 1) <= 32) end--;
  let isFound = false;
  for (; at < end; at++) {
    const code = text.charCodeAt(at);
    if (isBreak(code)) isFound = true;
    // What no URL holds: this is another kind of text.
    else if (code === 32 || code === 34 || code === 96 || code === 123) return false;
  }
  return isFound;
}
