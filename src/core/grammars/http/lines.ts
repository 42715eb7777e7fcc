import { isAlnum } from '../../text/char-class.ts';
import { createFinder } from '../../text/char-finder.ts';
import type { Grammar } from '../grammar.ts';

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
  /**
   * The non-empty lines behind it, the first of them only: an injected header comes soon or not at
   * all.
   */
  readonly lines: readonly Line[];
}

/** Reads lines and header fields (RFC 5322, 2.2). Blanks in front of a field do not hide it. */
export const lineGrammar: Grammar<LineReading> = {
  name: 'lines',
  read(text) {
    const firstEnd = nextBreak(text, 0);
    const lines: Line[] = [];
    for (let breakStart = firstEnd; breakStart < text.length && lines.length < linesMax; ) {
      const { start, breaks } = skipBreaks(text, breakStart);
      const end = nextBreak(text, start);
      const line =
        end > start
          ? unfolded(text, readLine(text, { breakStart, start, end, afterBlank: breaks > 1 }))
          : undefined;
      if (line !== undefined) lines.push(line);
      breakStart = line?.end ?? end;
    }
    return { firstEnd, lines };
  },
};

const linesMax = 64;
const carriageReturn = 13;
const lineFeed = 10;
const fieldCharsMax = 60;

function isBreak(code: number): boolean {
  return code === lineFeed || code === carriageReturn;
}

const nextBreak = createFinder(/[\n\r]/g);

/** Skips line breaks and the blanks between them, and counts them; CR LF is one, LF CR are two. */
function skipBreaks(text: string, from: number): { start: number; breaks: number } {
  let at = from;
  let breaks = 0;
  let start = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isBreak(code)) {
      if (code === carriageReturn && text.charCodeAt(at + 1) === lineFeed) at++;
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

/** A field whose value stands in the next line, behind a blank (RFC 5322, 2.2.3; `obs-fold` of RFC 9112). */
function unfolded(text: string, line: Line): Line {
  if (line.field === '' || line.valueStart < line.end) return line;
  const { start, breaks } = skipBreaks(text, line.end);
  if (breaks !== 1 || !isBlankCode(text.charCodeAt(start))) return line;
  const end = nextBreak(text, start);
  let valueStart = start;
  while (valueStart < end && isBlankCode(text.charCodeAt(valueStart))) valueStart++;
  return { ...line, end, valueStart };
}

function isFieldCode(code: number): boolean {
  return isAlnum(code) || code === 45 || code === 95;
}

/** The start of a field's value. */
export function valueOfField(text: string, { valueStart, end }: Line): string {
  return text.slice(valueStart, Math.min(end, valueStart + valueCharsMax));
}

const valueCharsMax = 120;

/**
 * The fields that follow the first line at once, one after the other, and what stands behind them
 * up to the first line that is neither field nor start of a message: where an injected header can
 * be. Up to `before` other lines may stand in front of them.
 */
export function fieldsBehindFirst(
  text: string,
  { lines }: LineReading,
  before = 0,
): readonly Line[] {
  const from = before > 0 ? lines.slice(0, before + 1).findIndex(({ field }) => field !== '') : 0;
  // The lines of a message, behind the boundary of its part.
  const isPart = lines
    .slice(0, Math.max(0, from))
    .some(({ start }) => text.startsWith('--', start));
  const first = from > 0 && !isPart ? from : 0;
  let end = first;
  for (; end < lines.length && end < fieldLinesMax; end++) {
    const line = lines[end];
    if (line === undefined) break;
    // The first line may be folded.
    if (end === 0 && line.field === '' && isBlankCode(text.charCodeAt(line.start))) continue;
    const isStart = messageStart.test(text.slice(line.start, Math.min(line.end, line.start + 300)));
    // A field that begins with a blank continues the one above.
    const isField = line.field !== '' && text.charCodeAt(line.start) > 32;
    if (!isField && !isStart && !(line.afterBlank && end > 0)) break;
  }
  return lines.slice(first, end);
}

const fieldLinesMax = 30;

function isBlankCode(code: number): boolean {
  return code === 32 || code === 9;
}

const messageStart =
  /^(?:HTTP\/[012](?:\.[019])?\s{1,4}[1-5]\d\d|[A-Z]{3,10}\s{1,4}\S{1,200}\s{1,4}HTTP\/[012])/;

/** Literals for a trigger: each word directly behind a line break. */
export function behindBreak(words: readonly string[]): readonly string[] {
  return words.flatMap((word) => [`\n${word}`, `\r${word}`]);
}

/**
 * A member for text of several lines: there, lines that look like fields are part of what people
 * write.
 */
export function isMessageMember(member: string): boolean {
  return messageMember.test(member.slice(-64));
}

/**
 * A value that goes into one line: the member is a query of an address, a target, a key or a name,
 * and the first line is a word, a path or an address.
 */
export function isLineValue(member: string, first: string): boolean {
  // Most first lines are sentences.
  if (first.length > lineCharsMax) return false;
  const isShort = shortLine.test(first);
  const isFew = fewWords.test(first);
  if (!isShort && !isFew) return false;
  const name = member.slice(-64);
  if (isMessageMember(name) || manyLines.test(name)) return false;
  const isQuery = member.startsWith('query.');
  if (isQuery && isShort) return true;
  const isLabel = isQuery || labelMember.test(name);
  if (!isLabel && !nameMember.test(name)) return false;
  return (isLabel ? isFew : oneWord.test(first)) && !isDocumentStart(first);
}

/** A member that holds one line by what it is for, whatever it is given. */
export function isLineMember(member: string): boolean {
  const name = member.slice(-64);
  if (isMessageMember(name) || manyLines.test(name)) return false;
  return member.startsWith('query.') || labelMember.test(name);
}

/** The same by its name alone, not for being a parameter of a query. */
export function isLabelMember(member: string): boolean {
  return labelMember.test(member.slice(-64));
}

/** A boundary, fields about the content alone, and the content (RFC 2046, 5.1): a part of a mail. */
export function isMimePart(text: string): boolean {
  return text.startsWith('--') && mimePart.test(text);
}

const mimePart = /^--\S{1,70}\r?\n(?:Content-[A-Za-z-]{2,30}: [^\r\n]{1,200}\r?\n){1,6}\r?\n/;

/** What the patterns have room for. */
export const lineCharsMax = 216;

/** Targets, keys and addresses: no text of several words, still less of several lines. */
const labelMember =
  /(?:^|[._\-[])(?:next|url|redirect(?:_?(?:to|ur[il]))?|return(?:_?(?:to|url))?|goto|dest(?:ination)?|continue|lang(?:uage)?|locale|theme|id|file_?name|host|token|e-?mail|from|sender|reply_?-?to|return_?-?path|recipient)\]?$/i;
/** Up to four words that are no sentence, markup or code. */
const fewWords =
  /^[\w./:;,@%+=?&#~-]{0,80}(?:[ \t]{1,4}[\w./:;,@%+=?&#~-]{1,40}){0,3}(?<![.!?,:-])[ \t]?$/;
const shortLine = /^(?:\S{0,80}|[\w.:]{1,30}[ \t]{1,4}[\w.:/]{1,30})$/;
const oneWord = /^[\w./:@%+=?&#~-]{0,80}$/;
/** The same, and a name or a title, which may have several words. */
const nameMember = /(?:^|[._\-[])(?:page|uid|user(?:_?name)?|subject|betreff)\]?$/i;
/** Pasted searches, and what a form asks for line by line. */
const manyLines =
  /(?:^|[._\-[])(?:q|query|search|term|keywords?|address|contact|list|items|names|tags|users|emails|recipients|members|lines|filter|sql|script|template|prompt|question|title|error|trace|stack|input|value)\]?$/i;

/**
 * The same for the part of a form that the decodings lead to (`form:comment`), or that the first
 * line ends in: a browser encodes the line breaks of a text area, so that one percent-decoding on
 * the way says nothing.
 */
export function isMessagePart(first: string, decoded: readonly string[]): boolean {
  let escapes = 0;
  // The whole form, decoded before it was taken apart.
  const last = first.lastIndexOf('&') + 1;
  const equals = first.indexOf('=', last);
  let isMessage = last > 0 && equals > 0 && isMessageMember(first.slice(last, equals));
  for (const step of decoded) {
    if (step === 'percent') escapes++;
    else if (step.startsWith('form:')) isMessage = isMessageMember(step.slice(5));
  }
  return isMessage && escapes < 2 && humanLine.test(first.slice(equals + 1));
}

/**
 * How a person begins a text of several lines: more than one word, a mark at the end, a greeting.
 */
const humanLine =
  /\S[ +]\S|[,.!?:;)]$|^(?:hi|hello|hey|dear|thanks|hallo|hola|bonjour|salut|ciao)$/i;

const messageMember =
  /(?:^|[._\-[])(?:message|msg|comments?|body|text|textarea|description|notes?|content|bio|about|feedback|review|post|html|markdown|summary|details|answer|caption|signature|code|data|payload|log|raw|source|xml|yaml|csv)\]?$/i;

/** Does a first line begin a mail as a whole: a field, a boundary, `From ` of a mailbox? */
export function isMailStart(first: string): boolean {
  return mailStart.test(first) || isFieldStart(first.slice(0, 120).trimStart());
}

/**
 * Does a first line begin a text of many lines: a field, a status or request line, a boundary, a
 * comment, a quotation, a list?
 */
export function isDocumentStart(first: string): boolean {
  const start = first.slice(0, 120).trimStart();
  if (isFieldStart(start)) return true;
  return first.endsWith(':') || documentStart.test(start);
}

/** A URL is no field. */
function isFieldStart(start: string): boolean {
  return fieldStart.test(start);
}

const fieldStart = /^[A-Za-z][\w-]{1,40}:(?!\s{0,80}\/\/)/;
const mailStart = /^(?:--|From )/;
const documentStart =
  /^(?:HTTP\/|GET |POST |PUT |HEAD |DELETE |PATCH |OPTIONS |--|#{1,6} |[>|*<-] |>|```|curl |wget |<\?|From |[$%] \w|\w{1,30}@[\w.-]{1,60}:\S{0,60}[$#] |[A-Z]:\\[^>]{0,80}> ?\w|\* )/;
