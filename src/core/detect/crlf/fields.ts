/**
 * How clearly a field is one of HTTP: 2 where name and value together are nothing else, 1 for other
 * known names, 0 for the rest.
 */
export function fieldStrength(field: string, value: string): 0 | 1 | 2 {
  if (field === '') return 0;
  const shape = shapes.get(field);
  if (shape !== undefined) return shape.test(value) ? 2 : 0;
  if (field.startsWith('access-control-') || strongFields.has(field)) return 2;
  if (otherFields.has(field)) return 1;
  return field.startsWith('x-') && field.length > 4 ? 1 : 0;
}

/** Fields whose names are ordinary words as well: the value decides. */
const shapes: ReadonlyMap<string, RegExp> = new Map([
  ['location', /^(?:https?:|\/|\\|$)/i],
  ['refresh', /^\d{1,5}\s{0,2}(?:[;,]|$)/i],
  ['content-type', /^(?:[a-z]{2,20}\/[a-z0-9.+*-]|html|text|$)/i],
  ['contenttype', /^[a-z]{2,20}\//i],
  ['content-length', /^\d{1,10}\s{0,4}$/],
  ['contentlength', /^\d{1,10}\s{0,4}$/],
  ['set-cookie', /^[^\s=;,]{1,80}=/],
  ['set-cookie2', /^[^\s=;,]{1,80}=/],
  ['cookie', /^[^\s=;,]{1,80}=/],
  ['transfer-encoding', /^(?:chunked|gzip|identity|deflate|compress)/i],
  ['content-encoding', /^(?:gzip|br|deflate|identity|utf-7)/i],
  ['status', /^[1-5]\d\d(?:\s|$)/],
  ['link', /^</],
  ['host', /^[a-z0-9.-]{3,80}(?::\d{1,5})?$/i],
  ['connection', /^(?:close|keep-alive|upgrade)/i],
  ['content-disposition', /^(?:attachment|inline)/i],
]);

const strongFields: ReadonlySet<string> = new Set([
  'x-xss-protection',
  'x-frame-options',
  'x-content-type-options',
  'content-security-policy',
  'strict-transport-security',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-original-url',
  'x-rewrite-url',
  'x-http-method-override',
  'x-accel-redirect',
  'x-sendfile',
  'www-authenticate',
  'proxy-authenticate',
  'clear-site-data',
  'public-key-pins',
  'referrer-policy',
]);

const otherFields: ReadonlySet<string> = new Set([
  'cache-control',
  'pragma',
  'etag',
  'last-modified',
  'expires',
  'vary',
  'accept-ranges',
  'content-location',
  'content-language',
  'authorization',
  'user-agent',
  'referer',
  'upgrade',
  'retry-after',
  'via',
  'age',
  'p3p',
  'origin',
  'permissions-policy',
  'feature-policy',
  'server-timing',
  'timing-allow-origin',
]);

/** What the prefilter looks for: a part of each name above. */
export const fieldLiterals: readonly string[] = [
  'location',
  'refresh',
  'content-',
  'contenttype',
  'contentlength',
  'cookie',
  '-encoding',
  'status:',
  'link:',
  'host:',
  'connection:',
  'x-',
  'access-control-',
  '-security',
  '-authenticate',
  'clear-site-data',
  'public-key-pins',
  'referrer-policy',
  'cache-control',
  'pragma:',
  'etag:',
  'last-modified',
  'expires:',
  'vary:',
  'accept-ranges',
  'authorization:',
  'user-agent:',
  'referer:',
  'upgrade:',
  'retry-after',
  'via:',
  'p3p:',
  'origin:',
  '-policy:',
  'server-timing',
];
