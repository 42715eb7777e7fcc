import { limits } from '../../contract/limits.ts';
import { formats } from '../formats.ts';

/** What a text can be, in the order in which counts of it are kept; never reorder, only append. */
export const textFormats = [
  'integer',
  'number',
  'boolean',
  'uuid',
  'date',
  'date-time',
  'ipv4',
  'email',
  'uri',
] as const;

export type TextFormat = (typeof textFormats)[number];

const integer = /^-?(?:0|[1-9]\d{0,14})$/;
const number = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/;
/** With a scheme that a browser fetches: others are seldom meant. */
const web = /^https?:\/\//i;

const holds: Readonly<Record<TextFormat, (text: string) => boolean>> = {
  integer: (text) => integer.test(text),
  number: (text) => number.test(text),
  boolean: (text) => text === 'true' || text === 'false',
  uuid: (text) => text.length === 36 && inFormat('uuid', text),
  date: (text) => text.length === 10 && inFormat('date', text),
  'date-time': (text) => text.length > 18 && text.length < 40 && inFormat('date-time', text),
  ipv4: (text) => text.length < 16 && inFormat('ipv4', text),
  email: (text) => text.length < 255 && text.includes('@') && inFormat('email', text),
  uri: (text) => text.length < 2_000 && web.test(text) && inFormat('uri', text),
};

function inFormat(name: string, text: string): boolean {
  const format = formats[name];
  return format?.type === 'string' && format.validate(text);
}

/** Which formats a text has, a bit for each. */
export function formatsOf(text: string): number {
  let bits = 0;
  for (let at = 0; at < textFormats.length; at++) {
    const name = textFormats[at];
    if (name !== undefined && holds[name](text)) bits |= 1 << at;
  }
  return bits;
}

/** Classes of characters, in the order in which counts of them are kept. */
export const charClasses = [
  'upper',
  'lower',
  'digit',
  'underscore',
  'hyphen',
  'dot',
  'space',
  'other',
] as const;

const classOf = new Uint8Array(128).fill(7);
for (let code = 65; code < 91; code++) classOf[code] = 0;
for (let code = 97; code < 123; code++) classOf[code] = 1;
for (let code = 48; code < 58; code++) classOf[code] = 2;
for (const [sign, at] of [
  ['_', 3],
  ['-', 4],
  ['.', 5],
  [' ', 6],
] as const) {
  classOf[sign.charCodeAt(0)] = at;
}

/** Which classes of characters a text has, a bit for each. */
export function classesOf(text: string): number {
  let bits = 0;
  const all = (1 << charClasses.length) - 1;
  for (let at = 0; at < text.length && bits !== all; at++) {
    const code = text.charCodeAt(at);
    bits |= 1 << (code < 128 ? (classOf[code] ?? 7) : 7);
  }
  return bits;
}

const hexadecimal = /^(?=.*\d)[0-9a-f]{12,}$/i;
const opaque = /^(?=.*\d)(?=.*[A-Za-z])[\w~.+/=-]{20,}$/;

/**
 * Whether a text is made rather than written: an id, a digest, a token, an address. Such a segment
 * of a path is a parameter, and such a name of a member is a value.
 */
export function isMade(text: string): boolean {
  if (text.length > limits.learntNameCharsMax || text === '') return true;
  if (/^\d+$/.test(text) || text.includes('@')) return true;
  return hexadecimal.test(text) || opaque.test(text) || holds.uuid(text) || holds.date(text);
}

const word = /^[A-Za-z]+(?:[_.-]?[A-Za-z0-9]+)*$/;
const digits = /\d/g;

/** Whether a text may be one of a few that a program chose: short, a word, nothing of a token. */
export function isPlainWord(text: string): boolean {
  return (
    text.length <= limits.learntValueCharsMax &&
    word.test(text) &&
    (text.match(digits)?.length ?? 0) <= 3
  );
}

/** A keyed digest of a text, 53 bits, to tell values apart without keeping them. */
export function digestOf(text: string, salt: number): number {
  let high = 0xdeadbeef ^ salt;
  let low = 0x41c6ce57 ^ Math.imul(salt, 0x9e3779b1);
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 2_654_435_761);
    low = Math.imul(low ^ code, 1_597_334_677);
  }
  high =
    Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  low =
    Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  return 4_294_967_296 * (2_097_151 & low) + (high >>> 0);
}

/** The bucket of a length: a quarter of an octave each, so that a quantile is right to 19 %. */
export function lengthBucket(length: number): number {
  return length === 0 ? 0 : 1 + Math.floor(4 * Math.log2(length));
}

/** The largest length of a bucket. */
export function bucketEnd(bucket: number): number {
  return bucket === 0 ? 0 : Math.ceil(2 ** (bucket / 4)) - 1 || 1;
}
