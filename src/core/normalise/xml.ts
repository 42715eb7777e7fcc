import { charClass, isAlnum } from '../text/char-class.ts';
import type { Decoder } from './decoder.ts';
import { PartEmitter } from './parts.ts';

/**
 * An XML document in a string: the text, the CDATA sections and the attribute values of its
 * elements, as the receiver's parser hands them on; references are undone by `html-entity`. Only
 * for what says that it is XML: HTML has its own grammar.
 */
export const xml: Decoder = {
  name: 'xml',
  classes: charClass.less | charClass.greater,
  applies: (text) => isXml(text.slice(0, headCharsMax)),
  decode: (text, emit) => {
    if (!isXml(text.slice(0, headCharsMax))) return;
    const parts = new PartEmitter(emit);
    let at = text.indexOf('<');
    while (at >= 0) {
      const end = pushMarkup(text, at, parts);
      const next = text.indexOf('<', end);
      const content = text.slice(end, next < 0 ? text.length : next).trim();
      if (content !== '') parts.value(content, 'text');
      at = next;
    }
    parts.finish();
  },
};

const headCharsMax = 64;

/** An XML declaration, or the root of a SOAP envelope. */
function isXml(head: string): boolean {
  const start = head.trimStart();
  return start.startsWith('<?xml') || (start.startsWith('<') && start.includes(':Envelope'));
}

/** Emits what stands in the markup at `start`; returns the offset behind it. */
function pushMarkup(text: string, start: number, parts: PartEmitter): number {
  if (text.startsWith(cdataOpen, start)) {
    const from = start + cdataOpen.length;
    const end = text.indexOf(']]>', from);
    parts.value(text.slice(from, end < 0 ? text.length : end), 'cdata');
    return end < 0 ? text.length : end + 3;
  }
  if (text.startsWith('<?', start)) {
    const end = text.indexOf('?>', start);
    return end < 0 ? text.length : end + 2;
  }
  return pushAttributes(text, start + 1, parts);
}

const cdataOpen = '<![CDATA[';

/** Reads a tag to its end, over quoted values that may hold a `>`. */
function pushAttributes(text: string, start: number, parts: PartEmitter): number {
  let nameStart = start;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 62) return at + 1;
    if (code === 34 || code === 39) {
      const close = text.indexOf(code === 34 ? '"' : "'", at + 1);
      if (close < 0) return text.length;
      parts.value(text.slice(at + 1, close), text.slice(nameStart, at - 1));
      at = close;
      nameStart = close + 1;
    } else if (!isAlnum(code) && code !== 61 && code !== 45 && code !== 58 && code !== 95) {
      nameStart = at + 1;
    }
  }
  return text.length;
}
