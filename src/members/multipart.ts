import type { MemberSink } from './body-members.ts';

/**
 * Reads multipart/form-data (RFC 7578) for screening: fields, and names of files. The rest of a
 * file is not looked at. It reads on where others give up, and it takes a part for a file only
 * where every parser would: anything else is screened as a text. False when there is no part.
 */
export function addMultipart(
  sink: MemberSink,
  body: { readonly bytes: Buffer; readonly isComplete: boolean },
  contentType: string,
): boolean {
  const { bytes } = body;
  const boundary = boundaryIn(contentType);
  if (boundary === undefined) return false;
  const mark = `\r\n--${boundary}`;
  const opensAtOnce = bytes.indexOf(mark.slice(2)) === 0;
  let start = opensAtOnce ? -2 : bytes.indexOf(mark);
  if (start === -1) return false;
  if (!opensAtOnce) addLoose(sink, bytes.subarray(0, start));
  for (;;) {
    const from = start + mark.length;
    const next = bytes.indexOf(mark, from);
    const part = bytes.subarray(from, next < 0 ? bytes.length : next);
    if (part.indexOf(lineBreak) === 0) addPart(sink, part.subarray(2));
    else addLoose(sink, part.indexOf('--') === 0 ? part.subarray(2) : part);
    if (next < 0) break;
    start = next;
  }
  if (!body.isComplete) sink.leaveOut();
  return true;
}

const lineBreak = '\r\n';

/** Of a header with further parameters no two parsers are sure to read the same. */
function boundaryIn(contentType: string): string | undefined {
  const found = multipartType.exec(contentType);
  return found?.[1] ?? found?.[2];
}

const multipartType =
  /^multipart\/form-data[ \t]*;[ \t]*boundary=(?:"([^"\\]{1,200})"|([^\s;"\\]{1,200}))[ \t]*$/i;

function addPart(sink: MemberSink, part: Buffer): void {
  const { head, content } = splitPart(part);
  const disposition = dispositionIn(head);
  if (disposition === undefined) {
    addLoose(sink, part);
    return;
  }
  const { name, fileNames } = disposition;
  for (const fileName of fileNames) sink.add(`body.${name}.filename`, fileName);
  if (fileNames.length === 0) sink.add(`body.${name}`, content.toString('utf8'));
}

function splitPart(part: Buffer): { readonly head: string; readonly content: Buffer } {
  const end = part.indexOf('\r\n\r\n');
  if (end < 0) return { head: part.toString('utf8'), content: Buffer.alloc(0) };
  return { head: part.toString('utf8', 0, end), content: part.subarray(end + 4) };
}

interface Disposition {
  readonly name: string;
  readonly fileNames: readonly string[];
}

function dispositionIn(head: string): Disposition | undefined {
  const lines = head.slice(0, headCharsMax).split('\r\n');
  const found = lines.filter((line) => dispositionStart.test(line));
  const [line] = found;
  if (line === undefined || found.length > 1) return undefined;
  let rest = line.replace(dispositionStart, '');
  const values = new Map<string, string>();
  while (rest.trim() !== '') {
    const parameter = dispositionParameter.exec(rest);
    const name = parameter?.[1]?.toLowerCase();
    if (parameter === null || name === undefined || values.has(name)) return undefined;
    values.set(name, parameter[2]?.replace(/\\(["\\])/g, '$1') ?? parameter[3] ?? '');
    rest = rest.slice(parameter[0].length);
  }
  const name = values.get('name');
  if (name === undefined) return undefined;
  const fileNames = ['filename', 'filename*'].flatMap((key) => values.get(key) ?? []);
  return { name, fileNames };
}

const headCharsMax = 16_384;
const dispositionStart = /^content-disposition:[ \t]*form-data(?=[ \t]*(?:;|$))/i;
const dispositionParameter =
  /^[ \t]*;[ \t]*(name|filename|filename\*)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/i;

/** What stands between the parts, or is no part that all would read alike. */
function addLoose(sink: MemberSink, bytes: Buffer): void {
  const text = bytes.toString('utf8').trim();
  if (text !== '') sink.add('body', text);
}
