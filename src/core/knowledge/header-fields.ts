import { wordList, wordSet } from '../text/words.ts';

/**
 * How clearly a field is one of HTTP: 2 where name and value together are nothing else, 1 for other
 * known names, 0 for the rest.
 */
export function fieldStrength(field: string, value: string): 0 | 1 | 2 {
  if (field === '') return 0;
  const shape = shapes.get(field);
  // A host of one word is a name in other texts.
  if (field === 'host' && oneWord.test(value)) return 1;
  if (shape !== undefined) return shape.test(value) ? 2 : 0;
  if (field.startsWith('access-control-') || strongFields.has(field)) return 2;
  if (otherFields.has(field)) return 1;
  return field.startsWith('x-') && field.length > 4 ? 1 : 0;
}

/** Is it the name of a field at all, whatever its value? */
export function isKnownField(field: string): boolean {
  return shapes.has(field) || strongFields.has(field) || otherFields.has(field);
}

const urlStart = /^(?:https?:|\/|\\|$)/i;
const delay = /^\d{1,5} ?(?:[;,]|$)/;
const mediaType = /^(?:[a-z]{2,20}\/[a-z0-9.+*-]|html|text|$)/i;
const strictMediaType = /^[a-z]{2,20}\//i;
const digits = /^\d{1,10}\s*$/;
const cookiePair = /^[^\s=;,]{1,80}=/;
const transferCoding = /^(?:chunked|gzip|identity|deflate|compress)/i;
const contentCoding = /^(?:gzip|br|deflate|identity|utf-7)/i;
const statusCode = /^[1-5]\d\d(?:\s|$)/;
const linkTarget = /^</;
const oneWord = /^(?!localhost)[a-z0-9-]{2,80}$/i;
const hostName = /^(?:localhost|[a-z0-9-]{1,63}[.:][a-z0-9.:-]{1,120})$/i;
const connectionOption = /^(?:close|keep-alive|upgrade)/i;
const disposition = /^(?:attachment|inline)/i;

/** Fields whose names are ordinary words as well: the value decides. */
const shapes: ReadonlyMap<string, RegExp> = new Map([
  ['location', urlStart],
  ['refresh', delay],
  ['content-type', mediaType],
  ['contenttype', strictMediaType],
  ['content-length', digits],
  ['contentlength', digits],
  ['set-cookie', cookiePair],
  ['set-cookie2', cookiePair],
  ['cookie', cookiePair],
  ['transfer-encoding', transferCoding],
  ['content-encoding', contentCoding],
  ['status', statusCode],
  ['link', linkTarget],
  ['host', hostName],
  ['connection', connectionOption],
  ['content-disposition', disposition],
]);

const strongFields: ReadonlySet<string> = wordSet(
  'x-xss-protection x-frame-options x-content-type-options content-security-policy',
  'strict-transport-security x-forwarded-for x-forwarded-host x-original-url',
  'x-rewrite-url x-http-method-override x-accel-redirect x-sendfile www-authenticate',
  'proxy-authenticate clear-site-data public-key-pins referrer-policy',
);

const otherFields: ReadonlySet<string> = wordSet(
  'cache-control pragma etag last-modified expires vary accept-ranges content-location',
  'content-language authorization user-agent referer upgrade retry-after via age p3p',
  'origin permissions-policy feature-policy server-timing timing-allow-origin',
);

/** How the names above begin, for triggers. */
export const fieldLiterals: readonly string[] = wordList(
  'location refresh content set-cookie cookie transfer-encoding status link host',
  'connection x- access-control- strict-transport www-authenticate proxy-authenticate',
  'clear-site-data public-key-pins referrer-policy cache-control pragma etag',
  'last-modified expires vary accept-ranges authorization user-agent referer upgrade',
  'retry-after via age: p3p origin permissions-policy feature-policy server-timing',
  'timing-allow-origin',
);
