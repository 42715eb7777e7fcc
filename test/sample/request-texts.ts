import type { Request } from 'express';

/** A member of a request as one text. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined ? '' : JSON.stringify(value);
}

export function cookiesOf(req: Request): Readonly<Record<string, string>> {
  const pairs = (req.headers.cookie ?? '').split(';').map((pair) => {
    const equals = pair.indexOf('=');
    return [pair.slice(0, equals).trim(), decodeURIComponent(pair.slice(equals + 1))];
  });
  return Object.fromEntries(pairs);
}
