/** A place where the shop can be injected into, and how sqlmap is led to it. */
export interface Injection {
  readonly name: string;
  /** Arguments of sqlmap for a shop at an address; `*` marks the place. */
  readonly args: (shop: string) => readonly string[];
  /** What sqlmap must find there without Sallyport. */
  readonly finds: RegExp;
  /** Scripts that disguise the payloads: a second run, with Sallyport. */
  readonly tamper?: string;
}

const spaced = 'space2comment,between,randomcase';
const escaped = 'charunicodeencode,charencode';

export const injections: readonly Injection[] = [
  {
    name: 'a number in the query',
    args: (shop) => ['-u', `${shop}/products?category=1`, '-p', 'category'],
    finds: /^category .*UNION/m,
    tamper: spaced,
  },
  {
    name: 'a number in the path',
    args: (shop) => ['-u', `${shop}/products/3*`],
    finds: /^#1\* .*UNION/m,
    tamper: escaped,
  },
  {
    name: 'a search with LIKE',
    args: (shop) => ['-u', `${shop}/search?q=lamp`, '-p', 'q'],
    finds: /^q .*UNION/m,
    tamper: escaped,
  },
  {
    name: 'ORDER BY',
    // Only the order tells true from false, so that sqlmap is told what comes first.
    args: (shop) => [
      ...['-u', `${shop}/catalogue?sort=stock`, '-p', 'sort'],
      ...['--string', '[{"name":"Floor'],
    ],
    finds: /^sort .*boolean/m,
  },
  {
    name: 'a form',
    args: (shop) => ['-u', `${shop}/login`, '--data', 'name=anna&password=x', '-p', 'name'],
    finds: /^name .*UNION/m,
    tamper: spaced,
  },
  {
    name: 'nested JSON',
    args: (shop) => [
      ...['-u', `${shop}/api/filter`, '-H', 'content-type: application/json'],
      ...['--data', '{"filter":{"name":"Desk","maxPrice":100}}', '-p', 'JSON maxPrice'],
    ],
    finds: /^JSON maxPrice .*UNION/m,
  },
  {
    name: 'a cookie',
    args: (shop) => ['-u', `${shop}/basket`, '--cookie', 'basket=7', '-p', 'basket'],
    finds: /^basket .*UNION/m,
    tamper: spaced,
  },
  {
    name: 'a header',
    args: (shop) => ['-u', `${shop}/welcome`, '--referer', 'https://tea.example/', '-p', 'referer'],
    finds: /^Referer .*UNION/m,
  },
  {
    name: 'base64',
    args: (shop) => [
      ...['-u', `${shop}/parcel?token=cGFyY2VsLTIwNDE=`, '-p', 'token'],
      ...['--base64', 'token'],
    ],
    finds: /^token .*UNION/m,
  },
  {
    name: 'an INSERT',
    args: (shop) => [
      ...['-u', `${shop}/newsletter`, '--data', 'mail=a', '-p', 'mail'],
      // What closes the literal of an INSERT is tried at this level only.
      ...['--level', '5'],
    ],
    finds: /^mail .*boolean/m,
  },
];

/** Requests whose statements are those that the shop means to run, for `shapeOf`. */
export const honestPaths: readonly string[] = [
  '/products?category=1',
  '/products/3',
  '/search?q=lamp',
  '/catalogue?sort=stock',
  '/welcome',
  '/parcel?token=cGFyY2VsLTIwNDE=',
  '/basket',
];

export const honestForms: readonly (readonly [string, URLSearchParams | string])[] = [
  ['/login', new URLSearchParams({ name: 'anna', password: 'x' })],
  ['/api/filter', '{"filter":{"name":"Desk","maxPrice":100}}'],
  ['/newsletter', new URLSearchParams({ mail: 'a' })],
];
