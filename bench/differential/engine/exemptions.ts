import { isUtf8 } from 'node:buffer';
import { brotliDecompressSync, inflateRawSync, unzipSync, zstdDecompressSync } from 'node:zlib';
import { charsetsIn, isNoCharset } from '../../../src/client-request/charset.ts';
import { fileSignature, isBinaryType } from '../../../src/client-request/file-signature.ts';
import { isOddForPairs } from '../../../src/client-request/form-pairs.ts';
import { isUsualValue, usualHeaders } from '../../../src/client-request/header-values.ts';
import { mayBeMultipart } from '../../../src/client-request/multipart.ts';
import { secretHeaders } from '../../../src/client-request/request-members.ts';
import { Coverage } from './coverage.ts';
import type { Sighting } from './reader.ts';
import { framingNames, headerOf, type WireRequest } from './wire-request.ts';

/**
 * What need not be screened, and nothing else. The same table stands in the README.
 *
 * A field is never exempt: who takes the content of a file for a field has found a disagreement.
 */
export function isExempt({ where, text }: Sighting, request: WireRequest): boolean {
  // Not written where the value is a usual one, or a secret.
  if (where === 'header name') return usualNames.has(text) || secretHeaders.has(text);
  if (where.startsWith('header ')) {
    return isExemptHeader(where.slice('header '.length).replace(/ joined$/, ''), text.trim());
  }
  // Empty values of a name that comes again.
  if (where.endsWith(' joined') && commas.test(text)) return true;
  // formidable writes the digits of such a field anew.
  if (where === 'body' && digits.test(text))
    return encodedPart.test(request.body.toString('latin1'));
  // The application's own parser has made a file of it, before Sallyport looked.
  if (where === 'upload') return true;
  if (where.startsWith('raw form')) return isExemptPair({ where, text }, request);
  if (where === 'raw') return isFileBody(request);
  if (!where.startsWith('file')) return false;
  if (isFileBody(request)) return true;
  // Readers differ in what they put for bytes that are no text.
  const runs = text.split(notPrintable);
  return fileContents(request).some((one) => runs.every((run) => one.includes(run)));
}

function isExemptHeader(name: string, value: string): boolean {
  if (unscreenedHeaders.has(name) || isUsualValue(name, value)) return true;
  return secretHeaders.has(name) && plainToken.test(value);
}

/** A pair that a handler found in a body which it read as a form, whatever it is. */
function isExemptPair({ where, text }: Sighting, request: WireRequest): boolean {
  if (where === 'raw form joined') return isOwnForm({ where, text }, request);
  if (where === 'raw form' && isFileBody(request) && isChance(text)) return true;
  if (brokenEscape.test(request.body.toString('latin1'))) return !isForm(request);
  return where === 'raw form name' && isFileBody(request);
}

/** A text that its client calls no form, cut into pairs by a handler: it was screened whole. */
export function isOwnForm({ where }: Sighting, request: WireRequest): boolean {
  return where.startsWith('raw form') && !isForm(request);
}

/** What node:querystring cuts all characters of a value to bytes for. */
const brokenEscape = /%(?![0-9a-f]{2})|%[89a-f]/i;

/** Bytes that are no text, and fewer than eight characters between them. */
function isChance(text: string): boolean {
  return notPrintable.test(text) && text.split(notPrintable).every((run) => run.length < 8);
}

const notPrintable = /[^\x20-\x7e]+/;
const commas = /^,*$/;
const digits = /^[\w+/]*=*$/;
const quotedPart = /^content-transfer-encoding:[ \t]*quoted-printable/im;
const encodedPart = /^content-transfer-encoding:[ \t]*base64/im;

/** Headers that say nothing to an application. Cookies are seen one by one. */
const unscreenedHeaders: ReadonlySet<string> = new Set([
  ...framingNames,
  ...['connection', 'keep-alive', 'te', 'trailer', 'upgrade', 'expect', 'proxy-connection'],
  ...['cookie', 'x-forwarded-for'],
]);

const usualNames: ReadonlySet<string> = new Set([...unscreenedHeaders, ...usualHeaders]);

/** A secret that is more than this is none. */
const plainToken = /^[\w .~+/,-]*=*$/;

/** Of several types, any may count. */
function isForm({ headers }: WireRequest): boolean {
  return headers.some(([name, value]) => isType(name) && formType.test(value));
}

function isType(name: string): boolean {
  return name.toLowerCase() === 'content-type';
}

const formType = /urlencoded/i;

/** The type of a request's body, without parameters. */
function typeOf(request: WireRequest): string {
  const type = headerOf(request, 'content-type').split(';', 1)[0] ?? '';
  return type.trim().toLowerCase();
}

/**
 * What a request was given of a run of characters: in compressed data others stand there by chance,
 * and beside it.
 */
export function withoutNoise(run: string, sighting: Sighting, request: WireRequest): string {
  const isPacked = codingsOf(request).length > 0;
  const { where } = sighting;
  const isPart = isMultipart(request) && request.body.includes('form-data');
  const isWhole = where.startsWith('raw') || (where === 'file' && !isPart);
  if (!isWhole || !isPacked) return run;
  // Who undoes one coding of several reads compressed data all the same.
  if (codingsOf(request).length > 1) return '';
  return planted.exec(run)?.[0] ?? '';
}

function codingsOf({ headers }: WireRequest): string[] {
  const lines = headers.filter(([name]) => name.toLowerCase() === 'content-encoding');
  const codings = lines.flatMap(([, value]) => value.toLowerCase().split(','));
  return codings.map((one) => one.trim()).filter((one) => one !== '' && one !== 'identity');
}

const planted = /k[0-9a-z]{4,6}z|or 1=1|union select|onload=|etc\/passwd|jndi:|169\.254|\$\(id\)/i;

/**
 * What is left of a run when what stands there for no sender is taken off: a media type of plain
 * words, words of the syntax, and pieces of the boundary (some parsers leave its beginning).
 */
export function withoutSyntax(run: string, request: WireRequest): string {
  const type = request.headers.find(([name, value]) => isType(name) && mayBeMultipart(value));
  if (type === undefined) return run;
  const boundary = /boundary="?-*([^\s;"]+)/i.exec(type[1])?.[1] ?? '';
  let left = withoutDecoded(run, `--${boundary}`).replace(/^-+/, '');
  let common = 0;
  while (common < left.length && left[common] === boundary[common]?.toLowerCase()) common += 1;
  // formidable puts a dash for what follows a boundary that is none.
  left = left.slice(common).replace(/^-+/, '');
  if (charset.test(left) && declares(request, left)) return '';
  return left.replace(mediaType, '').replace(words, '');
}

/** formidable decodes the beginning of a boundary that it puts in front as base64, like the rest. */
function withoutDecoded(run: string, mark: string): string {
  for (let end = mark.length; end > 2; end--) {
    const piece = Buffer.from(mark.slice(0, end), 'base64').toString('utf8').toLowerCase();
    const own = piece.slice(piece.lastIndexOf('\ufffd') + 1);
    if (own !== '' && run.startsWith(own)) return run.slice(own.length);
  }
  return run;
}

/** Behind `charset=` in a head of a part: nothing can stand there that the line is usual with. */
function declares({ body }: WireRequest, name: string): boolean {
  const text = body.toString('latin1').toLowerCase();
  return text.includes(`charset=${name}`) || text.includes(`charset="${name}"`);
}

const charset = /^[\w-]{1,20}$/;
const mediaType = /^[\w.+-]{1,60}\/[\w.+-]{1,60}(?:; ?charset=[\w-]{1,20})?$/;
const words = /^(?:undefined|form-data|filename\*?|name)$/;

/**
 * How a text that was read whole must have been screened: `undefined`, whole; else in the pieces
 * between. A handler that reads a sound form as one text finds nothing in it that is not in the
 * names and values. The same for sound JSON, of which only names and values count.
 */
export function jointOf(sighting: Sighting, request: WireRequest): RegExp | undefined {
  const { where, text } = sighting;
  // Parsers of URLs turn backslashes round.
  if (where === 'url') return isOddForPairs(text) ? /[/\\]/ : /[?&=;#/\\]/;
  // PHP puts `_` for what no variable can have in its name, qs brackets for dots and around a name
  // too deep.
  if (where.endsWith(' name') && !where.startsWith('raw')) return /[_[\].]/;
  if (where === 'body joined' && isMultipart(request)) return /,/;
  // Some parsers take the numbers and quotes of continued parameters into a name.
  if (where === 'filename') return /[="*]/;
  return where.startsWith('raw') ? jointOfRaw(sighting, request) : undefined;
}

function jointOfRaw({ where, text }: Sighting, request: WireRequest): RegExp | undefined {
  if (isMultipart(request)) return partSigns;
  // What stands plain in compressed data.
  if (codingsOf(request).length > 0) return jsonSigns;
  if (where.startsWith('raw form')) {
    return isJson(request.body.toString('utf8')) ? jsonSigns : undefined;
  }
  if (where !== 'raw') return undefined;
  if (isJson(text)) return /[\s\S]*/;
  return isForm(request) && !isOddForPairs(text) ? /[&=;]/ : undefined;
}

function isMultipart({ headers }: WireRequest): boolean {
  return headers.some(([name, value]) => isType(name) && mayBeMultipart(value));
}

/** Boundaries, names of headers, and what stands in quotes. */
const partSigns = /^[-\w]*--.*|^content-.*|["=&;]/i;
const jsonSigns = /\\(?:u[0-9a-f]{4}|.)|\b(?:true|false|null)\b|-?\d[\d.e+-]*|["{}[\],:&=;\\]/;

function isJson(text: string): boolean {
  try {
    // A byte order mark, as it is or read as Latin-1 or ASCII.
    JSON.parse(text.replace(/^(?:\ufeff|\xef\xbb\xbf|\ufffd{3})/, ''));
    return true;
  } catch {
    return false;
  }
}

/** Whether a run that a reader of the whole body found stands in a file in it, decoded or not. */
export function standsInFile(run: string, { where }: Sighting, request: WireRequest): boolean {
  if (!where.startsWith('raw')) return false;
  const contents = fileContents(request).map((content) => JSON.stringify({ file: content }));
  return contents.length > 0 && new Coverage(contents).missing(run) === undefined;
}

/** The text without what stands in files: for those who read a body whole. */
export function withoutFiles(text: string, request: WireRequest): string {
  let left = text;
  for (const content of fileContents(request)) {
    if (content !== '') left = left.replaceAll(content, '\0');
  }
  return left;
}

/** Contents of the parts that every reader takes for files, as UTF-8 and as Latin-1. */
function fileContents(request: WireRequest): string[] {
  const type = headerOf(request, 'content-type');
  const boundary = /boundary="?([^\s;"]+)/i.exec(type)?.[1];
  if (boundary === undefined) return [];
  const bodies = [request.body, ...unpackedBody(request)];
  return bodies.flatMap((body) => filesIn(body, `--${boundary}`));
}

function filesIn(body: Buffer, mark: string): string[] {
  return partsOf(body, mark).flatMap((part) => {
    const end = part.indexOf('\r\n\r\n');
    const head = part.toString('latin1', 0, Math.max(0, end));
    if (end < 0 || !isFileHead(head)) return [];
    const content = part.subarray(end + 4);
    return [content, ...decodings(head, content)].flatMap((bytes) => [
      bytes.toString('utf8'),
      bytes.toString('latin1'),
    ]);
  });
}

/** Behind one coding; of several, nothing that is seen is looked for. */
function unpackedBody(request: WireRequest): Buffer[] {
  const [coding = '', ...others] = codingsOf(request);
  if (coding === '' || others.length > 0) return [];
  const { [coding]: own = [], ...rest } = unpackers;
  for (const unpack of [...own, ...Object.values(rest).flat()]) {
    try {
      return [unpack(request.body, { maxOutputLength: 16_777_216 })];
    } catch {
      // Another coding, or none.
    }
  }
  return [];
}

type Unpack = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Buffer;

const unpackers: Readonly<Record<string, readonly Unpack[]>> = {
  gzip: [unzipSync],
  deflate: [unzipSync, inflateRawSync],
  br: [brotliDecompressSync],
  zstd: [zstdDecompressSync],
};

/** What Go and formidable make of a file: in base64 of all, or of four characters at a time. */
function decodings(head: string, content: Buffer): Buffer[] {
  const text = content.toString('latin1');
  if (quotedPart.test(head)) {
    const plain = text
      .replace(/=[ \t]*\r?\n/g, '')
      .replace(/=([0-9a-f]{2})/gi, (_all, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      );
    return [Buffer.from(plain, 'latin1')];
  }
  if (!encodedPart.test(head)) return [];
  return [text, content.toString('ascii')].flatMap((one) => {
    const pieces = [one.slice(0, one.length & ~3), one.slice(one.length & ~3)];
    return [[one], pieces].map((all) => Buffer.concat(all.map((it) => Buffer.from(it, 'base64'))));
  });
}

function partsOf(body: Buffer, mark: string): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = body.indexOf(mark); at >= 0; ) {
    const from = at + mark.length;
    const next = body.indexOf(`\r\n${mark}`, from);
    parts.push(body.subarray(from, next < 0 ? body.length : next));
    at = next < 0 ? -1 : next + 2;
  }
  return parts;
}

function isFileHead(head: string): boolean {
  const names = head.match(/filename(?!\*=utf-8'')/gi) ?? [];
  return (
    names.length === 1 &&
    /^content-disposition:.*;[ \t]*filename=(?:"[^"]+"|[^\s";]+)/im.test(head) &&
    /;[ \t]*filename=/.test(head) &&
    /^content-type:[ \t]*\S/im.test(head)
  );
}

/** A body that is the file that its type says, or another, and no text. */
function isFileBody(request: WireRequest): boolean {
  const { framing } = request;
  const length = framing.kind === 'verbatim' ? Number(framing.headers[0]?.[1]) : Number.NaN;
  const body = request.body.subarray(0, Number.isNaN(length) ? undefined : length);
  const charsets = charsetsIn([headerOf(request, 'content-type')]);
  if (!isBinaryType(typeOf(request)) || !charsets.every(isNoCharset)) return false;
  return [body, ...unpackedBody(request)].some(
    (one) => fileSignature.test(one.toString('latin1', 0, 16)) && !isUtf8(one),
  );
}
