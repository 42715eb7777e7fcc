import { limits } from '../../contract/limits.ts';
import { charClass } from '../text/char-class.ts';
import type { Decoder } from './decoder.ts';
import { PartEmitter } from './parts.ts';

/**
 * The path of a URL as it is sent (RFC 3986, 3.3): each segment that may hold more than a name,
 * still percent-encoded. A router hands segments to the application one by one: what begins in the
 * middle of the path begins a value there.
 */
export const path: Decoder = {
  name: 'path',
  classes: charClass.slash,
  applies: (text, { classes }) => (classes & segmentClasses) !== 0 && pathEnd(text) > 0,
  decode: (text, emit) => {
    const end = pathEnd(text);
    if (end < 0) return;
    const parts = new PartEmitter(emit);
    let index = 0;
    for (let at = 1; at <= end; index++) {
      const slash = text.indexOf('/', at);
      const stop = slash < 0 || slash > end ? end : slash;
      const segment = text.slice(at, stop);
      if (segment.includes('%') || segment.includes('(')) parts.value(segment, `${index}`);
      // Some servers decode the path first, and split it then; some turn backslashes round.
      const inner = innerSlash.test(segment) ? segment.split(innerSlash) : noParts;
      if (inner.length > 1) {
        for (const [place, part] of inner.entries()) parts.value(part, `${index}.${place}`);
      }
      at = stop + 1;
    }
    parts.finish();
  },
};

const innerSlash = /%2f|%5c|\\/i;
const noParts: readonly string[] = [];

/** A value of more than one word needs one of these: space is encoded, or left out of SQL. */
const segmentClasses = charClass.percent | charClass.paren;

/** Offset of the end of a path at the start, -1 where there is none. */
function pathEnd(text: string): number {
  if (text.charCodeAt(0) !== 47 || text.charCodeAt(1) === 47) return -1;
  const last = Math.min(text.length, pathCharsMax);
  for (let at = 1; at < last; at++) {
    const code = text.charCodeAt(at);
    if (code === 63 || code === 35) return at;
    // Space and what ends a URL in text: this is no path, or one that is decoded already.
    if (code <= 32 || code === 34 || code === 60 || code === 62) return -1;
  }
  return last;
}

const pathCharsMax = limits.headBytesMax;
