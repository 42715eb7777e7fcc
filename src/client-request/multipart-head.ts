/** The boundary of a content type that all parsers read alike; undefined for any other. */
export function plainBoundaryIn(contentType: string): string | undefined {
  const found = multipartType.exec(contentType);
  return found?.[1] ?? found?.[2];
}

/** Characters of RFC 2046, 5.1.1, without those at which some parser ends a boundary. */
const multipartType =
  /^multipart\/form-data[ \t]*(?:;[ \t]*charset="?[\w-]{1,20}"?[ \t]*)?;[ \t]*boundary=(?:"([\w'()+./:=?-]{1,70})"|([\w'+./:=-]{1,70}))[ \t]*(?:;[ \t]*charset="?[\w-]{1,20}"?[ \t]*)?$/i;

/**
 * Whether every parser takes the part with this head for a file: one plain line for each header, a
 * content type, and a file name that all read alike. Some take a part for a field when one of these
 * is missing.
 */
export function isFileHead(head: string): boolean {
  const values = new Map<string, string>();
  for (const line of head.split('\r\n')) {
    const parts = headerLine.exec(line);
    const name = parts?.[1]?.toLowerCase();
    if (name === undefined || values.has(name)) return false;
    values.set(name, parts?.[2] ?? '');
  }
  const type = values.get('content-type') ?? '';
  return contentType.test(type) && namesFile(values.get('content-disposition') ?? '');
}

// No control characters: bare line breaks, folding and null bytes are read in many ways, and so are
// quotes that do not stand around a parameter.
const headerLine = /^([\w-]{1,60}):[ \t]*((?:[\x20!#-\x7e\x80-\xff]|="[\x20!#-\x7e\x80-\xff]*")*)$/;
const contentType = /^(?!multipart\/|message\/)[\w.+-]+\/[\w.+-]+[ ]*(?:;|$)/i;

function namesFile(disposition: string): boolean {
  if (!plainDisposition.test(disposition)) return false;
  const values = dispositionParameters(`content-disposition:${disposition}`);
  const extended = values?.get('filename*');
  if (extended !== undefined && !extendedName.test(extended)) return false;
  return (values?.get('name') ?? '') !== '' && fileName.test(values?.get('filename') ?? '');
}

/**
 * Without the escapes, separators in quotes, tabs and upper case, which parsers read in several
 * ways: a `FileName` is none to Rack, and a blank before a semicolon makes a field for Werkzeug.
 */
const plainDisposition =
  /^form-data(?:; *(?:name|filename|filename\*)=(?:"[^"\\;]*"|[\w!#$%&'+.^`|~-]+))+$/;
/** With a letter, a digit or a character beyond ASCII, and a last segment that is not empty. */
const fileName = /^(?=.*[\w\x80-\xff])[^/]*(?:\/[^/]+)*$/;
const extendedName = /^utf-8'[a-z-]*'(?:%[0-9a-f]{2})*[\w.~-][\w.~%-]*$/i;

/**
 * The parameters of a line `Content-Disposition: form-data` (RFC 7578, 4.2) by lower-case name;
 * undefined where one comes twice, is unknown or is written otherwise.
 */
export function dispositionParameters(line: string): ReadonlyMap<string, string> | undefined {
  if (!formData.test(line)) return undefined;
  let rest = line.replace(formData, '');
  const values = new Map<string, string>();
  while (rest.trim() !== '') {
    const found = parameter.exec(rest);
    const name = found?.[1]?.toLowerCase();
    if (found === null || name === undefined || values.has(name)) return undefined;
    values.set(name, found[2]?.replace(/\\(["\\])/g, '$1') ?? found[3] ?? '');
    rest = rest.slice(found[0].length);
  }
  return values;
}

const formData = /^content-disposition:[ \t]*form-data(?=[ \t]*(?:;|$))/i;
const parameter = /^[ \t]*;[ \t]*(name|filename|filename\*)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/i;
