import { isUtf8 } from 'node:buffer';
import type { MemberWriter } from './member-writer.ts';

/**
 * The texts that parsers may make of bytes: UTF-8 always, whatever is declared, then each declared
 * charset, and both byte orders of a wide one. A declared charset that cannot be decoded here is
 * left out, which the writer notes.
 *
 * Bytes that begin with a byte order mark, or with a zero among the first four, are read as wide
 * even where nothing is declared: Python's `json.loads` takes them so.
 */
export function* textsOf(
  writer: MemberWriter,
  bytes: Buffer,
  declared: readonly string[],
): Generator<string> {
  const text = bytes.toString('utf8');
  yield text;
  const labels = new Set(declared);
  if (wideStart.test(bytes.toString('latin1', 0, 4))) labels.add('utf-16').add('utf-32');
  for (const label of labels) {
    if (!isKnown(label)) writer.leaveOut('coding');
    else for (const other of decodings(label, bytes)) if (other !== text) yield other;
  }
}

const wideStart = /^(?:\xff\xfe|\xfe\xff|[\s\S]{0,3}\0)/;
const utf16 =
  /^(?:utf-?16(?:-?[lb]e)?|ucs-?2(?:-?[lb]e)?|iso-10646-ucs-2|unicode(?:feff|fffe)?|csunicode)$/;
const utf32 = /^(?:utf-?32(?:-?[lb]e)?|ucs-?4(?:-?[lb]e)?)$/;
/** True for UTF-8, and for what some tools write where bytes have no charset. */
export function isNoCharset(label: string): boolean {
  return noCharset.test(label);
}

const noCharset = /^(?:binary|none|undefined|null|utf-?8|us-ascii)?$/;

function* decodings(label: string, bytes: Buffer): Generator<string> {
  if (isNoCharset(label)) return;
  if (utf16.test(label)) {
    yield new TextDecoder('utf-16le').decode(bytes);
    yield new TextDecoder('utf-16be').decode(bytes);
  } else if (utf32.test(label)) {
    yield utf32Text(bytes, true);
    yield utf32Text(bytes, false);
  } else if (isKnown(label) && !(isUtf8(bytes) && isPlain(bytes))) {
    yield new TextDecoder(label).decode(bytes);
  }
}

function isKnown(label: string): boolean {
  if (isNoCharset(label) || utf16.test(label) || utf32.test(label)) return true;
  try {
    new TextDecoder(label);
    return true;
  } catch {
    return false;
  }
}

/** Bytes that are the same in UTF-8 and in every charset of the web but the wide ones. */
function isPlain(bytes: Buffer): boolean {
  return !notPlain.test(bytes.toString('latin1'));
}

const notPlain = /[\x1b\x7f-\xff]/;

function utf32Text(bytes: Buffer, isLittleEndian: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let text = '';
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    const code = view.getUint32(at, isLittleEndian);
    text += String.fromCodePoint(code > 0x10ffff ? 0xfffd : code);
  }
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** All charsets that content types declare: of two, parsers differ in which they take. */
export function charsetsIn(contentTypes: readonly string[]): readonly string[] {
  return contentTypes.flatMap((type) =>
    [...type.matchAll(charsetParameter)].map((found) => (found[1] ?? '').toLowerCase()),
  );
}

const charsetParameter = /;\s{0,9}charset\s{0,9}=\s{0,9}["']?([^\s"',;]{0,60})/gi;
