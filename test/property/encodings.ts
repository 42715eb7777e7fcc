/** A reversible encoding that the decoders claim to undo. */
export interface Encoding {
  readonly name: string;
  encode(text: string): string;
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function percentAll(text: string): string {
  return [...bytesOf(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

/**
 * Encodes each character that is neither a letter, a digit nor a space, and each that is not ASCII.
 */
function escapeMarks(text: string, toEscape: (codeUnit: number) => string): string {
  return text.replace(/[^A-Za-z0-9 ]/g, (character) => toEscape(character.charCodeAt(0)));
}

function hexOf(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}

const entityNames: Readonly<Record<string, string>> = {
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
  '&': 'amp',
  '(': 'lpar',
  ')': 'rpar',
  ':': 'colon',
  ';': 'semi',
  '=': 'equals',
  '/': 'sol',
  '\\': 'bsol',
  $: 'dollar',
  '{': 'lbrace',
  '}': 'rbrace',
  '|': 'vert',
  '`': 'grave',
  '\n': 'NewLine',
  '\t': 'Tab',
};

/** Character references of code points: a pair of surrogates is one. */
function references(text: string, reference: (codePoint: number) => string): string {
  return text.replace(/[^A-Za-z0-9 ]/gu, (character) => reference(character.codePointAt(0) ?? 0));
}

function fullwidth(text: string): string {
  return text.replace(/[!-~]/g, (character) =>
    String.fromCharCode(character.charCodeAt(0) + 0xfee0),
  );
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

export const encodings: readonly Encoding[] = [
  { name: 'percent', encode: (text) => encodeURIComponent(text) },
  { name: 'form', encode: (text) => `name=Anna&comment=${encodeURIComponent(text)}&submit=OK` },
  { name: 'percent-all', encode: percentAll },
  {
    name: 'plus-form',
    encode: (text) => encodeURIComponent(text).replaceAll('%20', '+').replaceAll("'", '%27'),
  },
  {
    name: 'percent-u',
    encode: (text) => text.replace(/[^A-Za-z0-9]/g, (c) => `%u${hexOf(c.charCodeAt(0), 4)}`),
  },
  { name: 'html-decimal', encode: (text) => references(text, (code) => `&#${code};`) },
  { name: 'html-hex', encode: (text) => references(text, (code) => `&#x${code.toString(16)};`) },
  {
    name: 'html-named',
    encode: (text) =>
      references(text, (code) => {
        const name = entityNames[String.fromCodePoint(code)];
        return name === undefined ? `&#${code};` : `&${name};`;
      }),
  },
  { name: 'js-u', encode: (text) => escapeMarks(text, (code) => `\\u${hexOf(code, 4)}`) },
  {
    name: 'js-x',
    encode: (text) =>
      escapeMarks(text, (code) => (code < 256 ? `\\x${hexOf(code, 2)}` : `\\u${hexOf(code, 4)}`)),
  },
  { name: 'json', encode: (text) => JSON.stringify({ value: text }) },
  { name: 'json-string', encode: (text) => JSON.stringify(text).slice(1, -1) },
  { name: 'base64', encode: base64 },
  { name: 'base64url', encode: (text) => Buffer.from(text).toString('base64url') },
  { name: 'hex', encode: (text) => Buffer.from(text).toString('hex') },
  { name: 'fullwidth', encode: fullwidth },
];
