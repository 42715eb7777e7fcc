import { charClass } from '../text/char-class.ts';
import type { Decoder } from './decoder.ts';
import { PartEmitter } from './parts.ts';

/**
 * A `multipart/form-data` body (RFC 7578) in a string: the content of each part, its name and its
 * file name. Lenient as receivers are: lines may end with LF alone.
 */
export const multipart: Decoder = {
  name: 'multipart',
  classes: charClass.dash | charClass.lineBreak | charClass.colon,
  // No part has a name without such a field; the settings in front of a Markdown text have none.
  applies: (text) => text.startsWith('--') && contentField.test(text),
  decode: (text, emit) => {
    const boundary = firstLine(text);
    if (!text.startsWith('--') || boundary.length < 3 || boundary.length > boundaryCharsMax) return;
    const parts = new PartEmitter(emit);
    for (const part of text.split(boundary)) pushPart(part, parts);
    parts.finish();
  },
};

const contentField = /content-/i;
/** 70 characters and the two dashes (RFC 2046, 5.1.1). */
const boundaryCharsMax = 72;
const headCharsMax = 4_096;

function firstLine(text: string): string {
  const head = text.slice(0, boundaryCharsMax + 2);
  const end = head.indexOf('\n');
  return end < 0 ? '' : head.slice(0, end).trimEnd();
}

function pushPart(part: string, parts: PartEmitter): void {
  const head = part.slice(0, headCharsMax);
  const crlf = head.indexOf('\r\n\r\n');
  const lf = head.indexOf('\n\n');
  const end = crlf >= 0 ? crlf + 4 : lf >= 0 ? lf + 2 : -1;
  if (end < 0) return;
  const headers = head.slice(0, end);
  const name = parameterOf(headers, ' name=');
  const fileName = parameterOf(headers, 'filename=');
  parts.name(name, name);
  parts.value(fileName, `${name}.filename`);
  const content = withoutLineEnd(part.slice(end));
  parts.value(content, name);
  if (isQuoted.test(headers)) parts.value(unquoted(content), `${name}.quoted-printable`);
}

const isQuoted = /^content-transfer-encoding:\s{0,4096}quoted-printable/im;
const quotedPair = /=(?:([\da-f]{2})|[ \t]*\r?\n)/gi;

/** Go decodes such parts before the application sees them (RFC 2045, 6.7). */
function unquoted(content: string): string {
  return content.replace(quotedPair, (_, digits: string | undefined) =>
    digits === undefined ? '' : String.fromCharCode(Number.parseInt(digits, 16)),
  );
}

/**
 * The quoted value behind a parameter name; escapes stay, as browsers and servers disagree on them.
 */
function parameterOf(headers: string, parameter: string): string {
  const at = headers.indexOf(parameter);
  if (at < 0) return '';
  const start = at + parameter.length;
  const lineEnd = headers.indexOf('\n', start);
  const line = headers.slice(start, lineEnd < 0 ? headers.length : lineEnd).trim();
  if (!line.startsWith('"')) return line;
  const close = line.indexOf('"', 1);
  return close < 0 ? line.slice(1) : line.slice(1, close);
}

function withoutLineEnd(text: string): string {
  if (text.endsWith('\r\n')) return text.slice(0, -2);
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}
