import { isUtf8 } from 'node:buffer';
import { charsetsIn, isNoCharset, textsOf } from './charset.ts';
import { unpacked } from './content-coding.ts';
import { fileSignature, isBinaryType } from './file-signature.ts';
import { addPairs, formPairs, isOddForPairs, type Pair } from './form-pairs.ts';
import { addJsonText, beginsLikeJson } from './json-text.ts';
import type { MemberWriter } from './member-writer.ts';
import { addLooseParts, addMultipart, mayBeMultipart, mayHoldParts } from './multipart.ts';

/** A body that nothing has parsed. */
export interface RawBody {
  readonly bytes: Buffer;
  /** False when the body went on beyond the bound. */
  readonly isComplete: boolean;
}

/** What the head of a request says of its body; more than one type when the field is repeated. */
export interface BodyHeaders {
  readonly contentTypes: readonly string[];
  readonly contentEncoding: string;
}

/** Adds a body in every reading that an application may make of it: see the table in README.md. */
export async function addRawBody(
  writer: MemberWriter,
  raw: RawBody,
  headers: BodyHeaders,
): Promise<void> {
  const { contentTypes } = headers;
  const inner = await unpacked(writer, raw.bytes, headers.contentEncoding);
  if (inner !== undefined) {
    const isFile = await addBytes(writer, { ...raw, bytes: inner.bytes }, contentTypes);
    // Data that unpack are no text, except for what parsers of forms would find in them, and for
    // what is stored in them as it is: the content of a file was not screened.
    const isPacked = inner.isWhole && !isFile && !isUtf8(raw.bytes) && !contentTypes.some(isForm);
    if (isPacked && !mayHoldParts(raw.bytes, contentTypes)) {
      await addPairs(writer, 'body.', pairsInFile(raw.bytes));
      return;
    }
  }
  // Most applications do not undo a content coding: they read what was sent.
  await addBytes(writer, raw, contentTypes);
}

/** True for a file, whose content is left out. */
async function addBytes(
  writer: MemberWriter,
  { bytes, isComplete }: RawBody,
  contentTypes: readonly string[],
): Promise<boolean> {
  if (bytes.length === 0) {
    if (!isComplete) writer.leaveOut('too-large');
    return false;
  }
  const types = mediaTypesIn(contentTypes);
  if (contentTypes.some(mayBeMultipart)) {
    const [contentType = '', ...others] = contentTypes;
    const isOne = others.every((other) => other === contentType);
    if (isOne && (await addMultipart(writer, { bytes, isComplete }, contentType))) return false;
    await addLooseParts(writer, bytes, contentTypes);
  }
  const charsets = charsetsIn(contentTypes);
  const isFile = isBinary(types, charsets) && !isUtf8(bytes);
  if (isFile && fileSignature.test(bytes.toString('latin1', 0, 16))) {
    await addPairs(writer, 'body.', pairsInFile(bytes));
    return true;
  }
  if (!isComplete && !(isFile && isNoise(bytes))) writer.leaveOut('too-large');
  for (const text of textsOf(writer, bytes, charsets)) {
    await addText(writer, text, contentTypes);
    await writer.pause(true);
  }
  // formidable reads a form as ASCII and drops the highest bit: `\xa7` is an apostrophe to it.
  const ascii = contentTypes.some(isForm) ? bytes.toString('ascii') : '';
  if (ascii !== '' && ascii !== bytes.toString('latin1'))
    await addText(writer, ascii, contentTypes);
  return false;
}

// A file has no charset: with one, readers of text decode it.
function isBinary(types: readonly string[], charsets: readonly string[]): boolean {
  return types.length > 0 && types.every(isBinaryType) && charsets.every(isNoCharset);
}

/** `application/json` of `Application/JSON; charset=utf-8`; more where lines were joined. */
function mediaTypesIn(contentTypes: readonly string[]): readonly string[] {
  const all = contentTypes.flatMap((one) => one.split(','));
  return all.map((one) => one.split(';', 1)[0]?.trim().toLowerCase() ?? '');
}

/**
 * A file that a parser of forms would read, whatever it is: pairs between `&` in its bytes. They
 * stand in each file by chance: behind a name that is no text, only text counts.
 */
function* pairsInFile(bytes: Buffer): Generator<Pair> {
  for (const { 0: pair, index } of bytes.toString('latin1').matchAll(pairInFile)) {
    if (index === 0 || textName.test(pair)) {
      yield* formPairs(Buffer.from(pair, 'latin1').toString('utf8'));
      continue;
    }
    const value = pair.slice(pair.indexOf('=') + 1);
    const runs = noText.test(value) ? value.match(textRuns) : [value];
    if (runs !== null) yield* formPairs(`=${runs.join('\n')}`);
  }
}

const pairInFile = /(?:^|(?<=&))[^&=]*=[^&]{4,}/g;
const textName = /^[ -<>-~]*=/;
/** Of random bytes, seven in ten thousand begin such a run. */
const textRuns = /[\t\n\r -~]{8,}/g;

/** Beyond the bound, bytes that begin neither as JSON nor as a form, and hold little text. */
function isNoise(bytes: Buffer): boolean {
  const head = bytes.toString('latin1', 0, 4_096);
  if (beginsLikeJson(head) || formStart.test(head)) return false;
  return (head.match(allNoText) ?? []).length * 4 > head.length;
}

const formStart = /^[\w.[\]%-]{1,200}=/;
const noText = /[\0-\x08\x0e-\x1f\x7f-\xff]/;
const allNoText = new RegExp(noText, 'g');

const byteOrderMark = /^\ufeff/;
const formType = 'application/x-www-form-urlencoded';
/** To formidable, the word is enough. */
const isForm = (type: string): boolean => type.toLowerCase().includes('urlencoded');
const isJson = (type: string): boolean => jsonType.test(type);
const jsonType = /[/+]json$/;

/** Adds a text as JSON, as pairs, and as it is: as its type says, and as it looks. */
export async function addText(
  writer: MemberWriter,
  text: string,
  contentTypes: readonly string[],
): Promise<void> {
  const types = mediaTypesIn(contentTypes);
  const reading = beginsLikeJson(text) ? await addJsonText(writer, text) : 'none';
  if (reading === 'strict') await addInnerJson(writer, text);
  // Without a type, Rack takes a body for a form.
  const mayBeForm = types.every((type) => type === '') && text.includes('=');
  const isFormType = contentTypes.some(isForm) || mayBeForm;
  // Readers drop a byte order mark: it belongs to no name.
  if (isFormType) await addPairs(writer, 'body.', formPairs(text.replace(byteOrderMark, '')));
  const isAll = (is: (type: string) => boolean) => types.length > 0 && types.every(is);
  if (reading === 'strict' && isAll((type) => type === formType || isJson(type))) return;
  const isPairs = text.includes('=') && !isOddForPairs(text);
  if (reading === 'none' && isAll((type) => type === formType) && isPairs) return;
  writer.add('body', text);
  // A form of type text/plain is `name=value`, and may be made to look like JSON.
  const equals = types.includes('text/plain') && text.startsWith('{') ? text.indexOf('=') : -1;
  if (equals > 0) writer.add(`body.${text.slice(0, equals)}`, text.slice(equals + 1).trimEnd());
}

/** A string that is JSON again: clients write it twice by mistake, and applications read it twice. */
async function addInnerJson(writer: MemberWriter, text: string): Promise<void> {
  if (!jsonString.test(text)) return;
  const inner: unknown = JSON.parse(text.replace('\ufeff', ''));
  if (typeof inner === 'string' && beginsLikeJson(inner)) await addJsonText(writer, inner);
}

const jsonString = /^\ufeff?[ \t\r\n]*"/;
