import { hexValue, isDigit } from '../../text/char-class.ts';

/** Named references that stand for characters of a script URL. */
const named: readonly (readonly [string, string])[] = [
  ['&tab;', ''],
  ['&newline;', ''],
  ['&nbsp;', ''],
  ['&colon;', ':'],
  ['&lpar;', '('],
  ['&rpar;', ')'],
  ['&sol;', '/'],
  ['&quot;', '"'],
  ['&apos;', "'"],
  ['&lt;', '<'],
  ['&gt;', '>'],
];

/**
 * Decodes the character references of squeezed text. A browser decodes a value after it has found
 * the value's end; in a text that was decoded before, a bare value ends at the first decoded
 * space.
 */
export function decodeReferences(value: string): string {
  if (!value.includes('&')) return value;
  let text = value;
  for (const [reference, character] of named) text = text.replaceAll(reference, character);
  return decodeNumeric(text);
}

function decodeNumeric(text: string): string {
  let at = text.indexOf('&#');
  if (at < 0) return text;
  let decoded = text.slice(0, at);
  while (at < text.length) {
    if (text.charCodeAt(at) !== 38 || text.charCodeAt(at + 1) !== 35) {
      decoded += text.charAt(at++);
      continue;
    }
    const isHex = text.charAt(at + 2) === 'x';
    let end = at + (isHex ? 3 : 2);
    let code = 0;
    for (; end < text.length && end - at < 12; end++) {
      const unit = text.charCodeAt(end);
      if (isHex ? hexValue(unit) < 0 : !isDigit(unit)) break;
      code = code * (isHex ? 16 : 10) + hexValue(unit);
    }
    if (code > 32 && code < 127) decoded += String.fromCharCode(code).toLowerCase();
    at = text.charAt(end) === ';' ? end + 1 : end;
  }
  return decoded;
}
