import type { IncomingHttpHeaders } from 'node:http';
import { parse } from 'node:querystring';
import type { Sightings } from '../engine/sightings.ts';

/** Looks at headers as applications do: each line, and joined. */
export function seeHeaders(
  sightings: Sightings,
  headers: IncomingHttpHeaders | Readonly<Record<string, string | readonly string[] | undefined>>,
): void {
  for (const [name, value] of Object.entries(headers)) {
    if (name.startsWith(':')) continue;
    sightings.add('header name', name);
    sightings.add(`header ${name}`, value);
  }
  const { cookie } = headers;
  if (typeof cookie === 'string') seeCookies(sightings, cookie);
}

/** Cookies as they are read by hand. */
function seeCookies(sightings: Sightings, line: string): void {
  for (const pair of line.split(';')) {
    const equals = pair.indexOf('=');
    const name = pair.slice(0, Math.max(0, equals)).trim();
    const value = pair.slice(equals + 1).trim();
    const decoded = tried(() => decodeURIComponent(value)) ?? value;
    sightings.add('cookie name', name);
    sightings.add('cookie', value);
    sightings.add('cookie', decoded);
    if (decoded.startsWith('j:')) {
      sightings.add(
        'cookie',
        tried((): unknown => JSON.parse(decoded.slice(2))),
      );
    }
  }
}

/** A target as it is, and through both parsers of Node. */
export function seeTarget(sightings: Sightings, target: string): void {
  sightings.add('url', target);
  const question = target.indexOf('?');
  if (question >= 0) sightings.add('query', parse(target.slice(question + 1)));
  const url = tried(() => new URL(target, 'http://localhost'));
  if (url === undefined) return;
  for (const segment of url.pathname.split('/')) sightings.add('url', segment);
  const decoded = tried(() => decodeURIComponent(url.pathname)) ?? '';
  for (const segment of decoded.split('/')) sightings.add('url', segment);
  sightings.add('query', joined(url.searchParams));
}

/** Values of a name that comes again, as frameworks hand them on. */
function joined(parameters: URLSearchParams): Record<string, string[]> {
  const all: Record<string, string[]> = Object.create(null);
  for (const name of new Set(parameters.keys())) all[name] = parameters.getAll(name);
  return all;
}

/** A text as a handler may read it that knows better than the content type. */
export function seeText(sightings: Sightings, text: string): void {
  sightings.add('raw', text);
  const value = tried((): unknown => JSON.parse(text.replace(/^\ufeff/, '')));
  if (value !== undefined) sightings.add('raw json', value);
  else if (!text.includes('form-data')) sightings.add('raw form', parse(text));
}

/** A file of multer. `isInFront`: it was made before Sallyport looked, and is one without doubt. */
export function seeFile(
  sightings: Sightings,
  file: Readonly<Record<string, unknown>>,
  isInFront: boolean,
): void {
  sightings.add('body name', file['fieldname']);
  sightings.add('filename', file['originalname']);
  if (!ownTypes.has(file['mimetype'])) sightings.add('file type', file['mimetype']);
  sightings.add(isInFront ? 'upload' : 'file', file['buffer']);
}

/** What parsers put in the place of a type that is not there. */
export const ownTypes: ReadonlySet<unknown> = new Set(['text/plain', 'application/octet-stream']);

/** What the call gives; undefined when it throws. */
export function tried<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}
