import { fullFormats } from 'ajv-formats/dist/formats.js';

/** A longer text is too long for any of these, but is not refused for it: `maxLength` does that. */
const formatCharsMax = 4_096;

/** Those of ajv-formats that are checked; `regex` would compile what a client sends. */
const taken = [
  ...['date', 'time', 'date-time', 'duration', 'uri', 'uri-reference', 'email', 'hostname'],
  ...['ipv4', 'ipv6', 'uuid', 'json-pointer', 'relative-json-pointer'],
] as const;

const base64 = /^[A-Za-z0-9+/]*={0,2}$/;
const base64url = /^[A-Za-z0-9_-]*={0,2}$/;
const int32Max = 2 ** 31;

export type Format =
  | { readonly type: 'string'; validate(text: string): boolean }
  | { readonly type: 'number'; validate(value: number): boolean };

/** All formats that are checked. Those of OpenAPI are as its registry has them. */
export const formats: Readonly<Record<string, Format>> = {
  ...Object.fromEntries(taken.map((name) => [name, { type: 'string', validate: bounded(name) }])),
  byte: { type: 'string', validate: (text) => base64.test(text) || base64url.test(text) },
  int32: {
    type: 'number',
    validate: (value) => Number.isInteger(value) && value >= -int32Max && value < int32Max,
  },
  int64: { type: 'number', validate: (value) => Number.isInteger(value) },
};

/** They say something, but nothing that could be checked; `password` and `binary` have a role. */
const silent: ReadonlySet<string> = new Set(['float', 'double', 'password', 'binary']);

export function isKnownFormat(name: string): boolean {
  return Object.hasOwn(formats, name) || silent.has(name);
}

export const silentFormats: readonly string[] = [...silent];

function bounded(name: (typeof taken)[number]): (text: string) => boolean {
  const format: unknown = fullFormats[name];
  const validate: unknown =
    typeof format === 'object' && format !== null && 'validate' in format
      ? format.validate
      : format;
  const test = (text: string): boolean =>
    validate instanceof RegExp
      ? validate.test(text)
      : typeof validate === 'function' && Boolean(validate(text));
  return (text) => text.length > formatCharsMax || test(text);
}
