/** Characters of one style that are looked at. */
const styleCharsMax = 16_384;

/**
 * CSS between two offsets in lower case, without comments, white space, controls and backslashes:
 * the disguises that old engines see through.
 */
export function squeezeStyle(text: string, start: number, end: number): string {
  const limit = Math.min(end, start + styleCharsMax, text.length);
  let squeezed = '';
  let from = start;
  let at = start;
  let stringEnd = start;
  while (at < limit) {
    const code = text.charCodeAt(at);
    if ((code === 34 || code === 39) && at >= stringEnd) stringEnd = endOfString(text, at, limit);
    const skipped = skippedAt(text, at, code, at < stringEnd ? 0 : limit);
    if (skipped === 0) {
      at++;
      continue;
    }
    if (at > from) squeezed += text.slice(from, at);
    at += skipped;
    from = at;
  }
  if (limit > from) squeezed += text.slice(from, limit);
  return squeezed.toLowerCase();
}

/** Offset of the quotation mark that closes a string; the start where it stays open. */
function endOfString(text: string, start: number, limit: number): number {
  const rest = text.slice(start + 1, Math.min(limit, start + commentCharsMax));
  const length = rest.indexOf(text.charAt(start));
  return length < 0 ? start : start + 1 + length;
}

/** Characters to leave out; a comment counts up to `limit`. */
function skippedAt(text: string, at: number, code: number, limit: number): number {
  if (code <= 32 || code === 92 || (code >= 127 && code <= 160) || code > 0xfffc) return 1;
  if (code !== 47 || text.charCodeAt(at + 1) !== 42 || at >= limit) return 0;
  const close = text.slice(at + 2, Math.min(limit, at + 2 + commentCharsMax)).indexOf('*/');
  return close < 0 ? 0 : close + 4;
}

/** A longer comment is read as if it were code, so that many open ones cost no more than one. */
const commentCharsMax = 256;
