import { limits } from '../../contract/limits.ts';
import { isAlnum } from '../text/char-class.ts';
import type { Grammar } from './grammar.ts';

/** A line behind a line break, as a receiver of a line protocol (HTTP, SMTP, IMAP) reads it. */
export interface Line {
  /** Where the break in front of the line begins. */
  readonly breakStart: number;
  readonly start: number;
  readonly end: number;
  /** Field name in lower case where the line reads `name: value`, else empty. */
  readonly field: string;
  /** Start of the field's value; equal to `start` without a field. */
  readonly valueStart: number;
  /** At least one empty line stands in front. */
  readonly afterBlank: boolean;
}

/** The lines of a text. */
export interface LineReading {
  /** End of the first line. */
  readonly firstEnd: number;
  /** The non-empty lines behind it. */
  readonly lines: readonly Line[];
  /** False when there were more than `limits.tokensMax`. */
  readonly complete: boolean;
}

/** Reads lines and header fields (RFC 5322, 2.2). Blanks in front of a field do not hide it. */
export const lineGrammar: Grammar<LineReading> = {
  name: 'lines',
  read(text) {
    const firstEnd = nextBreak(text, 0);
    const lines: Line[] = [];
    for (let breakStart = firstEnd; breakStart < text.length; ) {
      if (lines.length >= limits.tokensMax) return { firstEnd, lines, complete: false };
      const { start, breaks } = skipBreaks(text, breakStart);
      const end = nextBreak(text, start);
      if (end > start)
        lines.push(readLine(text, { breakStart, start, end, afterBlank: breaks > 1 }));
      breakStart = end;
    }
    return { firstEnd, lines, complete: true };
  },
};

const carriageReturn = 13;
const lineFeed = 10;
/** Their low bytes are CR and LF: what is left when a server cuts characters to bytes. */
const wideReturn = 0x560d;
const wideFeed = 0x560a;
const fieldCharsMax = 60;

function isBreak(code: number): boolean {
  return code === lineFeed || code === carriageReturn || code === wideFeed || code === wideReturn;
}

function nextBreak(text: string, from: number): number {
  let at = from;
  while (at < text.length && !isBreak(text.charCodeAt(at))) at++;
  return at;
}

/** Skips line breaks and the blanks between them, and counts them; CR LF is one, in any order. */
function skipBreaks(text: string, from: number): { start: number; breaks: number } {
  let at = from;
  let breaks = 0;
  let start = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isBreak(code)) {
      const next = text.charCodeAt(at + 1);
      if (isBreak(next) && next !== code) at++;
      breaks++;
      start = at + 1;
    } else if (code !== 32 && code !== 9) break;
  }
  // Leading blanks belong to the line.
  return { start: at < text.length ? start : text.length, breaks };
}

function readLine(
  text: string,
  line: { breakStart: number; start: number; end: number; afterBlank: boolean },
): Line {
  let at = line.start;
  while (at < line.end && text.charCodeAt(at) <= 32) at++;
  const nameStart = at;
  const nameMax = Math.min(line.end, nameStart + fieldCharsMax);
  while (at < nameMax && isFieldCode(text.charCodeAt(at))) at++;
  const nameEnd = at;
  while (at < line.end && text.charCodeAt(at) === 32) at++;
  if (nameEnd === nameStart || text.charCodeAt(at) !== 58) {
    return { ...line, field: '', valueStart: line.start };
  }
  at++;
  while (at < line.end && text.charCodeAt(at) <= 32) at++;
  return { ...line, field: text.slice(nameStart, nameEnd).toLowerCase(), valueStart: at };
}

function isFieldCode(code: number): boolean {
  return isAlnum(code) || code === 45 || code === 95;
}

/** A member for text of several lines: there, lines that look like fields are part of what people write. */
export function isMessageMember(member: string): boolean {
  return messageMember.test(member.slice(-64));
}

const messageMember =
  /(?:^|[._\-[])(?:message|msg|comment|comments|body|text|description|note|notes|content|bio|about|feedback|review|post|html|markdown|summary|details|answer|reply|caption|signature|code|data|payload|log|raw|source|xml|yaml|csv)(?:$|[._\-\]])/i;
