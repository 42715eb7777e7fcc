import { unescape as unescapeLeniently } from 'node:querystring';
import { addPairs, formPairs, isOddForPairs, isOddName } from './form-pairs.ts';
import { isUsualValue } from './header-values.ts';
import { addJsonText } from './json-text.ts';
import { type Members, MemberWriter } from './member-writer.ts';
import { addFiles, addParsedBody } from './parsed-body.ts';
import { addSegments } from './path-segments.ts';
import { addRawBody, addText, type RawBody } from './raw-body.ts';
import { plainTemplate } from './route-template.ts';

export type { Members, Omission } from './member-writer.ts';

/** The body of a request, in the state in which the middleware found it. */
export type RequestBody =
  | { readonly kind: 'none' }
  /** `files`: what a parser of multipart put beside the fields. */
  | { readonly kind: 'parsed'; readonly value: unknown; readonly files?: unknown }
  | ({ readonly kind: 'raw' } & RawBody)
  /** Consumed by something that left nothing to look at. */
  | { readonly kind: 'gone' };

/** A request of the application's client, the same for all frameworks. */
export interface ClientRequest {
  readonly method: string;
  /** Path and query as they came, such as `/search?q=a%20b`. */
  readonly url: string;
  /** The path template of the route, where the framework has matched one: `/users/:id`. */
  readonly route?: string | undefined;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Network address of the client; empty where there is none, `unknown` once the client is gone. */
  readonly address: string;
}

/** Headers that are read in their own way, or that delimit the message. */
const ownReading: ReadonlySet<string> = new Set(['content-length', 'x-forwarded-for', 'cookie']);
/**
 * Headers with secrets of a client: a plain token in them is not screened. What is more than a
 * token is no secret, and is screened as any other header.
 */
export const secretHeaders: ReadonlySet<string> = new Set([
  ...['authorization', 'proxy-authorization', 'x-api-key', 'api-key', 'apikey', 'x-auth-token'],
  ...['x-access-token', 'x-csrf-token', 'x-xsrf-token', 'csrf-token', 'x-amz-security-token'],
]);
/** A token (RFC 7235, token68), with the name of its scheme in front or not. */
const token = /^(?:[A-Za-z][A-Za-z0-9-]{0,20} {1,4})?[A-Za-z0-9._~+/-]{1,8192}=*$/;

/** What rules about whole requests compare: each of several bodies has these. */
const headHeaders: ReadonlySet<string> = new Set([
  ...['host', 'origin', 'referer', 'content-type', 'sec-fetch-site', 'x-requested-with'],
  ...['x-http-method-override', 'x-http-method', 'x-method-override', 'x-forwarded-host'],
  ...['x-forwarded-proto', 'forwarded'],
]);

/** The members of a request in every reading: see README.md. Never rejects for what it holds. */
export async function membersOf(
  request: ClientRequest,
  body: RequestBody,
  furtherHeaders: readonly string[] = [],
): Promise<Members> {
  const writer = new MemberWriter();
  const question = request.url.indexOf('?');
  const path = question < 0 ? request.url : request.url.slice(0, question);
  writer.add('method', request.method);
  writer.add('path', path);
  const route = request.route && plainTemplate(request.route, path);
  if (route) writer.add('route', route);
  const names = Object.keys(request.headers);
  for (const name of names) if (headHeaders.has(name)) addHeader(writer, request, name);
  addForwardedFor(writer, request);
  writer.endHead();
  addSegments(writer, path);
  for (const name of names) {
    if (headHeaders.has(name) || ownReading.has(name)) continue;
    if (!secretHeaders.has(name) || furtherHeaders.includes(name)) {
      addHeader(writer, request, name);
    } else addSecret(writer, request, name);
  }
  await addCookies(writer, valuesOf(request, 'cookie'));
  // An application that logs the target as a whole reads across its parts.
  if (question >= 0 && isOddForPairs(path.replace(oddEscape, "'") + request.url.slice(question))) {
    writer.add('url', request.url);
  }
  if (question >= 0) await addQuery(writer, request.url.slice(question + 1));
  // No client sends a fragment; to some a query begins with it.
  const fragment = request.url.indexOf('#');
  if (fragment >= 0) await addQuery(writer, request.url.slice(fragment + 1));
  // Others cut it off.
  if (question >= 0 && fragment > question) {
    await addQuery(writer, request.url.slice(question + 1, fragment));
  }
  await addBody(writer, request, body);
  return writer.finish();
}

/** Escapes of what makes a text odd for pairs. */
const oddEscape = /%(?:2[27]|3[ce]|5[ce]|60|7[b-d])/gi;

/** How a page of another site came to send the request, and whether its visitor asked for it. */
const tellsOfVisitor: ReadonlySet<string> = new Set(['sec-fetch-mode', 'sec-fetch-user']);

function isCrossSite(request: ClientRequest): boolean {
  return valuesOf(request, 'sec-fetch-site')[0] === 'cross-site';
}

/** Each line of a field, and all of them as Node and WSGI join them (RFC 9110, 5.3). */
function addHeader(writer: MemberWriter, request: ClientRequest, name: string): void {
  const values = valuesOf(request, name);
  const [first = ''] = values;
  const isUsual = values.length === 1 && isUsualValue(name, first);
  if (isUsual && !(tellsOfVisitor.has(name) && isCrossSite(request))) return;
  for (const value of values) writer.add(`header.${name}`, value);
  if (values.length < 2) return;
  for (const comma of [', ', ',']) writer.add(`header.${name}`, values.join(comma));
}

/** Of a secret what an application reads before it knows it: the name of a user, or no token. */
function addSecret(writer: MemberWriter, request: ClientRequest, name: string): void {
  const values = valuesOf(request, name);
  const joined = values.length > 1 ? [values.join(', '), values.join(',')] : [];
  for (const value of [...values, ...joined]) {
    const credentials = basic.exec(value)?.[1];
    if (credentials !== undefined) {
      for (const user of new Set(usersIn(credentials))) writer.add(`header.${name}.user`, user);
    }
    if (!token.test(value)) writer.add(`header.${name}`, value);
  }
}

/** Node stops at the first `=`; PHP reads on. */
function usersIn(credentials: string): string[] {
  return [credentials, credentials.replaceAll('=', '')].map((base64) => {
    const [user = ''] = Buffer.from(base64, 'base64').toString('utf8').split(':', 1);
    return user;
  });
}

/** Decoders of base64 skip what is none. */
const basic = /^basic +(.*)$/i;

/** As a proxy would add it: the nearest client last. */
function addForwardedFor(writer: MemberWriter, request: ClientRequest): void {
  const lines = valuesOf(request, 'x-forwarded-for');
  const forwarded = [...lines, request.address];
  const chain = forwarded.filter((part) => part !== '').join(', ');
  if (chain !== '') writer.add('header.x-forwarded-for', chain);
  for (const line of lines) if (!addresses.test(line)) writer.add('header.x-forwarded-for', line);
}

const addresses = /^[\da-f.:, [\]]*$/i;

async function addQuery(writer: MemberWriter, query: string): Promise<void> {
  await addPairs(writer, 'query.', formPairs(query));
  // Koa takes a second question mark for a part of the first.
  if (query.startsWith('?')) await addPairs(writer, 'query.', formPairs(query.replace(/^\?+/, '')));
  // Some take a semicolon for a separator as well.
  if (query.includes(';')) await addPairs(writer, 'query.', formPairs(query.replaceAll(';', '&')));
}

export function valuesOf(request: ClientRequest, name: string): readonly string[] {
  const value = request.headers[name];
  if (value === undefined) return [];
  return typeof value === 'string' ? [value] : value;
}

async function addCookies(writer: MemberWriter, lines: readonly string[]): Promise<void> {
  for (const line of lines) await addCookieLine(writer, line);
  // Several lines are one to an application, joined as it finds fit.
  if (lines.length > 1) {
    for (const comma of [',', ', ']) await addCookieLine(writer, lines.join(comma));
  }
  // In quotes, a semicolon is a part of the value to some.
  const joined = lines.join('; ');
  if (isOddForPairs(joined.replaceAll(' ', ''))) writer.add('header.cookie', joined);
}

async function addCookieLine(writer: MemberWriter, line: string): Promise<void> {
  // As Python reads what stands in quotes, wherever (RFC 2109 with octal numbers).
  for (const [text] of line.includes('\\') ? line.matchAll(quotedStart) : []) {
    if (text.includes('\\')) writer.add('cookie.', text.slice(1).replace(cookieEscape, unescaped));
  }
  for (const pair of line.split(';')) {
    const equals = pair.indexOf('=');
    const name = equals < 0 ? '' : pair.slice(0, equals).trim();
    const value = pair.slice(equals + 1).trim();
    if (name !== '' || value !== '') writer.add(`cookie.${name}`, value);
    // Python's value ends with a blank, and another pair begins.
    const blank = value.search(blanks);
    if (blank > 0 && isOddName(value)) writer.add(`cookie.${name}`, value.slice(0, blank));
    if (quoted.test(value)) {
      const inner = value.slice(1, -1);
      for (const text of new Set([inner, inner.replace(cookieEscape, unescaped)])) {
        writer.add(`cookie.${name}`, text);
      }
    }
    // How cookie-parser of Express is given objects.
    if (object.test(value)) {
      const text = unescapeLeniently(value).replace(object, '');
      await addJsonText(writer, text, `cookie.${name}`);
    }
  }
}

const blanks = /\s/;
const cookieEscape = /\\(?:([0-3][0-7][0-7])|([\s\S]))/g;
const unescaped = (_all: string, octal: string | undefined, sign: string): string =>
  octal === undefined ? sign : String.fromCharCode(Number.parseInt(octal, 8));

const quotedStart = /"(?:[^"\\]|\\.)*/g;
const quoted = /^"[\s\S]*"$/;
const object = /^(?:j|%6a)(?::|%3a)/i;

async function addBody(
  writer: MemberWriter,
  request: ClientRequest,
  body: RequestBody,
): Promise<void> {
  const contentTypes = valuesOf(request, 'content-type');
  switch (body.kind) {
    case 'none':
      return;
    case 'gone':
      writer.leaveOut('gone');
      return;
    case 'raw': {
      const contentEncoding = valuesOf(request, 'content-encoding').join(',');
      await addRawBody(writer, body, { contentTypes, contentEncoding });
      return;
    }
    case 'parsed':
      await addParsed(writer, body.value, contentTypes);
      addFiles(writer, body.files);
      return;
  }
}

/** Bytes and texts are still to be parsed by the application itself. */
async function addParsed(
  writer: MemberWriter,
  value: unknown,
  contentTypes: readonly string[],
): Promise<void> {
  if (value instanceof Uint8Array) {
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.length);
    // A parser that hands out bytes has undone the content coding.
    await addRawBody(writer, { bytes, isComplete: true }, { contentTypes, contentEncoding: '' });
  } else if (typeof value === 'string') {
    await addText(writer, value, contentTypes);
  } else await addParsedBody(writer, value);
}
