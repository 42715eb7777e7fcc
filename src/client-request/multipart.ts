import { unescape as unescapeLeniently } from 'node:querystring';
import { charsetsIn, textsOf } from './charset.ts';
import { addNamePieces, isOddName, ListValues } from './form-pairs.ts';
import type { MemberWriter } from './member-writer.ts';
import { dispositionParameters, isFileHead, plainBoundaryIn } from './multipart-head.ts';

/**
 * Reads multipart/form-data (RFC 7578) for screening: fields, and what is said of files. The
 * content of a file is not looked at, and a part counts as a file only where every parser takes it
 * for one: anything else is screened as a text. It reads on where others give up. False when there
 * is no part.
 */
export async function addMultipart(
  writer: MemberWriter,
  body: { readonly bytes: Buffer; readonly isComplete: boolean },
  contentType: string,
): Promise<boolean> {
  const { bytes } = body;
  const boundary = plainBoundaryIn(contentType);
  if (boundary === undefined) return false;
  const mark = `\r\n--${boundary}`;
  const opensAtOnce = bytes.indexOf(mark.slice(2)) === 0;
  let start = opensAtOnce ? -2 : bytes.indexOf(mark);
  if (start === -1) return false;
  const form: Form = { contentType, boundary, lists: new ListValues() };
  if (!opensAtOnce) addLoose(writer, bytes.subarray(0, start), form);
  addLongHeads(writer, bytes, { contentType, boundary });
  for (;;) {
    const wait = writer.pause();
    if (wait !== undefined) await wait;
    if (writer.isFull) break;
    const from = start + mark.length;
    const next = bytes.indexOf(mark, from);
    const part = bytes.subarray(from, next < 0 ? bytes.length : next);
    if (part.indexOf(lineBreak) === 0) addPart(writer, part.subarray(2), form);
    else addLoose(writer, part.indexOf('--') === 0 ? part.subarray(2) : part, form);
    if (next < 0) break;
    start = next;
  }
  addAcrossFalseMarks(writer, bytes, form);
  form.lists.addTo(writer, 'body.');
  if (!body.isComplete) writer.leaveOut('too-large');
  return true;
}

/**
 * The parts of a body whose boundary parsers may read in several ways, for each of these: all of
 * them as texts, and none as a file.
 */
export async function addLooseParts(
  writer: MemberWriter,
  bytes: Buffer,
  contentTypes: readonly string[],
): Promise<void> {
  const first = firstLine.exec(bytes.toString('latin1', 0, firstCharsMax))?.[1] ?? '';
  const marks = new Set([first, ...boundariesIn(contentTypes)].filter((mark) => mark !== ''));
  const contentType = contentTypes.join();
  // To Django, what stands in front of the first boundary is a part, and so is a body without one.
  if (marks.size > boundariesMax) writer.leaveOut('too-many');
  const read = [...marks].slice(0, boundariesMax);
  for (const start of new Set(read.map((mark) => bytes.indexOf(`--${mark}`)))) {
    addInner(writer, start < 0 ? bytes : bytes.subarray(0, start), contentType);
  }
  for (const mark of read) {
    const form = { boundary: mark, contentType };
    addLongHeads(writer, bytes, form);
    addAcrossFalseMarks(writer, bytes, form);
    for (let at = bytes.indexOf(`--${mark}`); at >= 0 && !writer.isFull; ) {
      const next = bytes.indexOf(`--${mark}`, at + 2);
      // The whole body is a text already.
      const part = bytes.subarray(at + 2 + mark.length, next < 0 ? bytes.length : next);
      addInner(writer, part, form.contentType);
      await writer.pause();
      at = next;
    }
  }
}

const firstCharsMax = 1_024;
const boundariesMax = 4;
const firstLine = /^(?:[^\r\n]*[\r\n]+)??--([^\r\n]{1,1000}?)[ \t]*[\r\n]/;
const anyBoundary = /boundary(?:\*\d?\*?)?\s{0,9}=\s{0,9}(?:"([^"]*)"|([^\s";,]*))/gi;

/** All boundaries that content types may be said to declare, extended ones as well (RFC 2231, 4). */
function boundariesIn(contentTypes: readonly string[]): readonly string[] {
  return contentTypes
    .flatMap((type) => [...type.matchAll(anyBoundary)])
    .map((found) => found[1] ?? found[2] ?? '')
    .flatMap((mark) => (extended.test(mark) ? [mark, extendedValue(mark)] : [mark]));
}

const extended = /^[\w-]*'[^']*'/;

function extendedValue(text: string): string {
  return unescapeLeniently(text.replace(extended, ''));
}

/** Whether a reader of multipart finds a part in bytes: in compressed data too (RFC 1951, 3.2.4). */
export function mayHoldParts(bytes: Buffer, contentTypes: readonly string[]): boolean {
  if (!contentTypes.some(mayBeMultipart)) return false;
  if (partHead.test(bytes.toString('latin1'))) return true;
  return boundariesIn(contentTypes).some((mark) => mark !== '' && bytes.includes(`--${mark}`));
}

/** To formidable, the word is enough, wherever it stands. */
export const mayBeMultipart = (type: string): boolean => anyMultipart.test(type);
const anyMultipart = /multipart/i;
const partHead = /content-disposition/i;

const lineBreak = '\r\n';

interface Marks {
  readonly contentType: string;
  readonly boundary: string;
}

interface Form extends Marks {
  readonly lists: ListValues;
}

function addPart(writer: MemberWriter, part: Buffer, form: Form): void {
  const { head, content } = splitPart(part);
  const disposition = dispositionIn(head);
  if (disposition === undefined) {
    addLoose(writer, part, form);
    return;
  }
  const { contentType, boundary, lists } = form;
  const { name, fileNames } = disposition;
  for (const fileName of fileNames) writer.add(`body.${name}.filename`, fileName);
  // By itself the name may be more than it is with something behind it.
  if (fileNames.length > 0 && isOddName(name)) writer.add(`body.${name}`, null);
  addNamePieces(writer, 'body.', name);
  // Rack drops backslashes, whatever follows.
  if (name.includes('\\')) writer.add(`body.${withoutQuotes(name)}`, null);
  const further = head.split(lineBreak).filter((line) => !usualLine.test(line));
  if (further.length > 0) writer.add(`body.${name}.head`, further.join('\n'));
  addTypes(writer, further);
  addPieces(writer, head);
  if (isFileHead(part.toString('latin1', 0, part.length - content.length - 4))) {
    // To a parser that takes lone line feeds, the file ends here.
    const inner = content.indexOf(`--${boundary}`);
    if (inner >= 0) addLoose(writer, content.subarray(inner), form);
    return;
  }
  const texts = contentTexts(writer, content, [contentType, head]);
  for (const text of texts) writer.add(`body.${name}`, text);
  const [plain = '', decoded] = texts;
  lists.note(name, plain);
  if (decoded !== undefined) lists.note(name, decoded, true);
}

/** Lines of a head that hold nothing of their sender beyond what all parsers read from them. */
const usualLine =
  /^(?:content-disposition:[^\\]*|content-type:[ \t]*(?:text|image|audio|video|font|model|application)\/[\w.+-]{1,60}(?:[ \t]*;[ \t]*charset="?[\w-]{1,20}"?)?|content-transfer-encoding:[ \t]*[\w-]{1,20}|content-length:[ \t]*\d{1,12})[ \t]*$/i;

/** The type of a part, which parsers hand over as it is. */
function addTypes(writer: MemberWriter, lines: readonly string[]): void {
  for (const line of lines) {
    const type = typeLine.exec(line)?.[1];
    if (type !== undefined && !usualLine.test(line)) writer.add('body.type', type);
  }
}

const typeLine = /^content-type[ \t]*:[ \t]*(.*)$/i;

function splitPart(part: Buffer): { readonly head: string; readonly content: Buffer } {
  const end = part.indexOf('\r\n\r\n');
  // Of a part without content the empty line is that of the boundary.
  if (end < 0)
    return { head: part.toString('utf8').replace(lastBreak, ''), content: Buffer.alloc(0) };
  return { head: part.toString('utf8', 0, end), content: part.subarray(end + 4) };
}

const lastBreak = /\r\n$/;

/** A field as its own charset and transfer encoding say (RFC 7578, 4.4 and 4.7), and as it is. */
function contentTexts(
  writer: MemberWriter,
  content: Buffer,
  heads: readonly string[],
): readonly string[] {
  const texts = new Set(textsOf(writer, content, charsetsIn(heads)));
  // formidable drops the bytes of a character that does not end.
  for (const text of texts) texts.add(text.replace(brokenEnd, ''));
  const encoding = transferEncoding.exec(heads.at(-1) ?? '')?.[1]?.toLowerCase();
  const plain = content.toString('latin1');
  if (encoding === 'base64') {
    // Decoders skip what is no digit, or stop there, or begin anew with the next piece of a stream.
    if (!base64.test(plain)) writer.leaveOut('coding');
    // formidable drops the highest bit, and decodes four characters at a time, whatever they are.
    for (const all of new Set([plain, content.toString('ascii')])) {
      for (const at of [all.length, all.length & ~3]) {
        const pieces = [all.slice(0, at), all.slice(at)];
        texts.add(pieces.map((one) => Buffer.from(one, 'base64').toString('utf8')).join(''));
      }
    }
    // Of a field it keeps the digits.
    texts.add(Buffer.from(plain, 'base64').toString('base64'));
  }
  if (encoding === 'quoted-printable') {
    const bytes = plain
      .replace(/=[ \t]*\r?\n/g, '')
      .replace(/=([0-9a-f]{2})/gi, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      );
    texts.add(Buffer.from(bytes, 'latin1').toString('utf8'));
  }
  return [...texts];
}

const brokenEnd = /\ufffd+(?:\r?\n)?$/;
/** RFC 2045, 6.8. */
const base64 = /^[A-Za-z0-9+/\r\n]*={0,2}[\r\n]*$/;
const transferEncoding = /^content-transfer-encoding:[ \t]*([\w-]{1,20})/im;

interface Disposition {
  readonly name: string;
  readonly fileNames: readonly string[];
}

function dispositionIn(head: string): Disposition | undefined {
  if (head.length > headCharsMax) return undefined;
  const lines = head.split(lineBreak);
  // What belongs to no header is put behind the one above, in several ways.
  if (!lines.every((one) => headerLine.test(one))) return undefined;
  const [line, ...others] = lines.filter((one) => dispositionLine.test(one));
  const values = line === undefined ? undefined : dispositionParameters(line);
  if (values === undefined || others.length > 0) return undefined;
  const name = values.get('name');
  if (name === undefined) return undefined;
  const fileNames = ['filename', 'filename*'].flatMap((key) => values.get(key) ?? []);
  const plain = extendedValue(values.get('filename*') ?? '');
  if (isOddName(plain)) fileNames.push(plain);
  return { name, fileNames };
}

const headCharsMax = 16_384;
/** Quotes stand around parameters: to Rack, others go on in the next line. */
const headerLine = /^[^\s:"\0]+[ \t]*:(?:[^\r\n"\0]|="[^\r\n"\0]*")*$/;
const dispositionLine = /^content-disposition/i;

/** What stands between the parts, or is no part that all would read alike. */
function addLoose(writer: MemberWriter, bytes: Buffer, form: Form): void {
  const { boundary, contentType } = form;
  const text = bytes.toString('utf8').trim();
  if (text === '') return;
  writer.add('body', text);
  // Behind lone line feeds, the boundary ends a part to some.
  for (let at = 0; at >= 0 && !writer.isFull; ) {
    const next = bytes.indexOf(`--${boundary}`, at + 1);
    addInner(writer, bytes.subarray(at, next < 0 ? bytes.length : next), contentType);
    at = next;
  }
}

/**
 * Contents that go on beyond a boundary with something behind it: to strict parsers it is none, and
 * what stands on both sides of it is one text.
 */
function addAcrossFalseMarks(
  writer: MemberWriter,
  bytes: Buffer,
  { boundary, contentType }: Marks,
): void {
  const mark = `--${boundary}`;
  let from = 0;
  let hasFalse = false;
  for (let at = bytes.indexOf(mark); from < bytes.length && !writer.isFull; ) {
    const behind = at < 0 ? bytes.length : at + mark.length;
    if (markEnd.test(bytes.toString('latin1', behind, behind + 4))) {
      const part = bytes.subarray(from, at < 0 ? bytes.length : at);
      if (hasFalse) {
        addContent(writer, part, contentType);
        // multer passes over the boundary, and reads on.
        const joined = part.toString('latin1').replaceAll(`\r\n${mark}`, '');
        addInner(writer, Buffer.from(joined, 'latin1'), contentType);
      }
      from = behind;
      hasFalse = false;
    } else hasFalse = true;
    at = bytes.indexOf(mark, behind);
  }
}

const markEnd = /^(?:--)?(?:\r\n|$)/;

/** To some a loose part is a part all the same, and then its content stands by itself. */
function addInner(writer: MemberWriter, bytes: Buffer, contentType: string): void {
  const head = addContent(writer, bytes, contentType) ?? headAlone(bytes);
  if (head === undefined) return;
  // Lines of a head that go on in the next one, and quotes and blanks where some see none.
  addWithoutGaps(writer, head);
  addTypes(writer, head.split(anyBreak));
  // Python and Rack take the names of a part whose disposition is not form-data.
  for (const [, kind, text = ''] of head.matchAll(looseName)) {
    for (const one of namesIn(text)) {
      if (kind === undefined) writer.add(`body.${one}`, '');
      else writer.add('body.filename', one);
    }
  }
  addPieces(writer, head);
}

/** A part without content: the empty line behind its head is that of the boundary. */
function headAlone(bytes: Buffer): string | undefined {
  const text = bytes.toString('latin1', 0, headCharsMax);
  return beginsLikeHead.test(text) ? text : undefined;
}

const beginsLikeHead = /^(?:--)?[\r\n]{0,4}content-disposition/i;

/** Parameters in pieces (RFC 2231, 3). */
function addPieces(writer: MemberWriter, head: string): void {
  if (!head.includes('*')) return;
  const pieces = [...head.matchAll(continued)].map((found) => found[1] ?? '');
  if (pieces.length > 1) writer.add('body', pieces.join(''));
}

/** A name in quotes, with its escapes or not; as busboy reads it, with quotes anywhere; extended. */
function namesIn(text: string): ReadonlySet<string> {
  const quoted = quotedName.exec(text)?.[1];
  const names = new Set([quoted ?? text, withoutQuotes(quoted ?? ''), withoutQuotes(text)]);
  if (extended.test(text)) names.add(extendedValue(text));
  // Where no quote closes it, to Rack the last escaped one does.
  const toLast = quotedToLast.exec(text)?.[1];
  if (toLast !== undefined) names.add(toLast.replace(escaped, '$1'));
  if (quoted !== '') names.delete('');
  return names;
}

const anyBreak = /[\r\n]+/;
const withoutQuotes = (text: string): string => text.replace(/\\(.)|"/g, '$1');
const escaped = /\\(.)/g;
const quotedToLast = /^"(.*)"/;
const quotedName = /^"((?:[^"\\]|\\.)*)/;

/** Adds what follows the first empty line of each kind; gives what stands before all of them. */
function addContent(writer: MemberWriter, bytes: Buffer, contentType: string): string | undefined {
  const start = bytes.toString('latin1', 0, headCharsMax);
  let shortest: string | undefined;
  for (const blankLine of blankLines) {
    const blank = blankLine.exec(start);
    if (blank === null) continue;
    const head = start.slice(0, blank.index);
    if (shortest?.length === head.length) continue;
    if (blankLine === bareWord && shortest !== undefined && shortest.length < head.length) continue;
    shortest ??= head;
    const content = bytes.subarray(blank.index + blank[0].length);
    for (const one of contentTexts(writer, content, [contentType, head])) writer.add('body', one);
  }
  return shortest;
}

/** A line of a head without a colon: to formidable it is the last one. */
const bareWord = /(?:^|\r\n)[a-z-]+\r\n/i;
/** What ends a head for some, and for those who take nothing else. */
const blankLines = [/\r?\n\r?\n|\r\r/, /\r\n\r\n/, bareWord];
const gaps = [/[\r\n]+/g, /[\r\n]+[ \t]*/g, /\s+/g, /"/g, /[\s"]+/g];
const looseName = /\b(file)?name\*?[ \t]*=[ \t]*((?:"(?:[^"\\\r\n]|\\.)*"?|[^";\r\n]){1,2000})/gi;
const continued = /\*\d{1,3}\*?=[ \t]*"?([^";\r\n]*)/g;

function addWithoutGaps(writer: MemberWriter, head: string): void {
  // PHP ends each line at a null character.
  const heads = head.includes('\0') ? [head, head.replace(behindNull, '')] : [head];
  const texts = heads.flatMap((one) => gaps.map((gap) => one.replace(gap, '')));
  for (const one of heads) if (one.includes('\\')) texts.push(withoutQuotes(one));
  for (const text of new Set(texts)) writer.add('body', text);
}

const behindNull = /\0[^\n]*/g;

/**
 * Heads that go on beyond a boundary: PHP and Python look for none until there is an empty line.
 * What follows belongs to such a head then, and to no file that one of its lines names.
 */
function addLongHeads(writer: MemberWriter, bytes: Buffer, { boundary, contentType }: Marks): void {
  const mark = `--${boundary}`;
  const ends = emptyLines.map((line) => ({ line, at: -1 }));
  for (let at = bytes.indexOf(mark); at >= 0 && !writer.isFull; ) {
    const from = at + mark.length;
    at = bytes.indexOf(mark, from);
    if (bytes[from] !== 0x0a && bytes[from] !== 0x0d) continue;
    for (const end of ends) {
      if (end.at < from) end.at = bytes.indexOf(end.line, from);
      if (end.at < 0) end.at = bytes.length;
    }
    const end = Math.min(...ends.map((one) => one.at));
    if (end < bytes.length && (at < 0 || at > end)) continue;
    addWithoutGaps(writer, bytes.toString('utf8', from, end));
    at = bytes.indexOf(mark, end);
    const start = Math.max(from, end - headCharsMax / 2);
    addContent(writer, bytes.subarray(start, at < 0 ? bytes.length : at), contentType);
  }
}

const emptyLines = ['\n\r\n', '\n\n'];
