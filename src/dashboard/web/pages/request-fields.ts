import type { PastedRequest } from './request-text.ts';

type Fields = Record<string, unknown>;

/** A request as the fields that our middlewares hand over: `query.<name>`, `body.<name>` … */
export function fieldsOf({ method, uri, headers, body }: PastedRequest): object {
  const fields: Fields = Object.create(null);
  const mark = uri.indexOf('?');
  fields['method'] = method;
  fields['path'] = mark === -1 ? uri : uri.slice(0, mark);
  if (mark !== -1) addPairs(fields, 'query', uri.slice(mark + 1));
  for (const [name, value] of Object.entries(headers)) {
    if (name === 'cookie') addCookies(fields, value);
    else if (name !== 'content-length') add(fields, `header.${name}`, value);
  }
  if (body !== '') addBody(fields, body, headers['content-type'] ?? '');
  return fields;
}

function addBody(fields: Fields, body: string, type: string): void {
  const value = jsonOf(body);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    for (const [name, one] of Object.entries(value)) add(fields, `body.${name}`, one);
  } else if (/x-www-form-urlencoded/i.test(type)) {
    addPairs(fields, 'body', body);
  } else {
    add(fields, 'body', value ?? body);
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function addPairs(fields: Fields, part: string, text: string): void {
  for (const [name, value] of new URLSearchParams(text)) add(fields, `${part}.${name}`, value);
}

function addCookies(fields: Fields, text: string): void {
  for (const pair of text.split(';')) {
    const equals = pair.indexOf('=');
    const name = pair.slice(0, Math.max(0, equals)).trim();
    add(fields, `cookie.${name}`, pair.slice(equals + 1).trim());
  }
}

/** A repeated name has a list of values. */
function add(fields: Fields, name: string, value: unknown): void {
  const before = fields[name];
  if (before === undefined) fields[name] = value;
  else if (Array.isArray(before)) before.push(value);
  else fields[name] = [before, value];
}
