import { type Line, lineGrammar, valueOfField } from '../../grammars/http/lines.ts';
import { fieldStrength, isKnownField } from '../../knowledge/header-fields.ts';
import { confidence } from '../../placement/confidence.ts';
import { CharBuffer } from '../../text/char-buffer.ts';
import { charClass } from '../../text/char-class.ts';
import type { Match, ValueRule } from '../rule.ts';

/** U+560D U+560A, U+010D U+010A: characters that become CR LF where text is cut to bytes. */
export const wideBreak: ValueRule = {
  id: 'crlf.wide-break',
  score: confidence.certain,
  message: 'breaks the line with characters that lose their upper byte on the way into the header',
  trigger: { classes: charClass.nonAscii },
  judge: ({ text }): Match | undefined => {
    if (!mayBreak(text)) return undefined;
    const narrow = narrowed(text);
    for (const line of lineGrammar.read(narrow).lines) {
      const score = scoreOf(text, narrow, line);
      if (score > 0) return { start: line.breakStart, end: line.end, score };
    }
    return undefined;
  },
  examples: [
    'en\u560d\u560aSet-Cookie: a=b',
    'en\u010d\u010aSet-Cookie: a=b',
    '/x\u560a\u560dHTTP/1.1 302 Found',
    '%E5%98%8A%E5%98%8DLocation:%20//203.0.113.5',
    'anna@example.com\u560a\u560dBcc: list@example.org',
    '/x\u140aAccess-Control-Allow-Origin: *',
    '/x\r\nRef\u7d72esh: 0;url=//a.test',
    'x\u524d\ua20a\ub30d\u500a<html>x</html>',
    '/x\u0b0a\u114c\u4c6fca\u1074ion: //a.test',
  ],
  lookalikes: [
    '\u560d\u560a\u4e00\u4e0b x-ray: ok',
    '\u5c0f\u660e Location: Tokyo',
    '\u6d4b\u8bd5\u4e0aLocation: Tokyo',
    '\u4e3b\u660eCookie: a=b\u4e0d\u884c',
    '\u0159\u010d\nContent: text',
    '\u6807\u9898\n\nType: text/html \u662f\u4ec0\u4e48',
  ],
};

const charsMax = 1_000;
const headCharsMax = 120;
const statusLine = /^HTTP\/[012]/i;
const markup = /^<(?:script|html|svg|img|body|iframe|!doctype|h1|a )/i;

/** What is left of a character in a byte. */
function byteOf(code: number): number {
  return code & 255;
}

function isBreakByte(code: number): boolean {
  return byteOf(code) === 10 || byteOf(code) === 13;
}

/** A cheap look: a break, and what a field or a body cannot do without. */
function mayBreak(text: string): boolean {
  const end = Math.min(text.length, charsMax);
  let at = 0;
  while (at < end && !isBreakByte(text.charCodeAt(at))) at++;
  for (at++; at < end; at++) {
    const byte = byteOf(text.charCodeAt(at));
    if (byte === 58 || byte === 60 || byte === 47) return true;
  }
  return false;
}

/** The start of a text as a writer of Latin-1 puts it on the wire: one byte for each character. */
function narrowed(text: string): string {
  const end = Math.min(text.length, charsMax);
  const out = new CharBuffer(end);
  for (let at = 0; at < end; at++) out.push(byteOf(text.charCodeAt(at)));
  return out.finish();
}

function isWide(code: number): boolean {
  return code >= 256;
}

/** A field, a status line or a body that is one by what was cut off only; 0 for others. */
function scoreOf(text: string, narrow: string, line: Line): number {
  const { breakStart, start } = line;
  const isWideBreak = isWide(text.charCodeAt(breakStart)) || isWide(text.charCodeAt(start - 1));
  const isPair = isWideBreak && start - breakStart > 1;
  // A break that is a letter of its language stands among others.
  const isBreak = isPair || (isWideBreak && !isWide(text.charCodeAt(breakStart - 1)));
  const head = narrow.slice(start, Math.min(line.end, start + headCharsMax));
  if (isBreak && statusLine.test(head)) return confidence.certain;
  if (isPair && line.afterBlank && markup.test(head)) return confidence.strong;
  if (line.field === '' || narrow.charCodeAt(start) <= 32) return 0;
  const isInjected = isBreak || hasWide(text, start, start + line.field.length);
  return isInjected ? scoreOfField(narrow, line, isPair) : 0;
}

function scoreOfField(narrow: string, line: Line, isPair: boolean): number {
  const strength = fieldStrength(line.field, valueOfField(narrow, line));
  if (strength === 2 || line.field === 'bcc') return confidence.certain;
  return strength === 1 || (isPair && isKnownField(line.field)) ? confidence.likely : 0;
}

function hasWide(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (isWide(text.charCodeAt(at))) return true;
  return false;
}
