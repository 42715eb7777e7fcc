import { isUtf8 } from 'node:buffer';
import { unescape as unescapeLeniently } from 'node:querystring';
import type { MemberWriter } from './member-writer.ts';

/** A name and a value of a query, a form, or of something alike; maybe another reading of the last. */
export type Pair = readonly [name: string, value: string, isOther?: true];

/**
 * Names and values of a query or a form, in their order. What is not the percent-encoding of UTF-8
 * stays as it is, as most parsers leave it: `URLSearchParams` would put the same character in the
 * place of all such bytes, and the evidence would be gone. Where parsers differ, each reading is a
 * pair.
 */
export function* formPairs(text: string): Generator<Pair> {
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf('&', start);
    const end = found < 0 ? text.length : found;
    if (end > start) yield* readingsOf(text.slice(start, end));
    start = end + 1;
  }
}

function* readingsOf(pair: string): Generator<Pair> {
  const equals = pair.indexOf('=');
  const name = equals < 0 ? pair : pair.slice(0, equals);
  const value = equals < 0 ? '' : pair.slice(equals + 1);
  const [ownName, ownValue] = [decoded(name), decoded(value)];
  yield [ownName, ownValue];
  // Hono decodes the escapes that it can of a text with broken ones; Python and PHP all bytes.
  if (isLeft(name, ownName) || isLeft(value, ownValue)) {
    for (const decode of [decoded, anyBytes]) {
      const [key, text] = [decodedRuns(ownName, decode), decodedRuns(ownValue, decode)];
      if (key !== ownName || text !== ownValue) yield [key, text, true];
    }
  }
  // qs ends a name at the first `]=`, wherever a `=` stood before.
  const plain = pair.includes('%5') ? pair.replace(/%5b/gi, '[').replace(/%5d/gi, ']') : pair;
  const bracket = plain.indexOf(']=');
  if (bracket >= 0 && bracket + 1 !== plain.indexOf('=')) {
    yield [decoded(plain.slice(0, bracket + 1)), decoded(plain.slice(bracket + 2))];
  }
  if (isCutToBytes(pair)) yield [cutToBytes(name), cutToBytes(value), true];
}

/**
 * Whether `querystring` of Node makes other characters of a text: where an escape is broken, it
 * keeps the lowest byte of each character, and `\u0127` becomes an apostrophe.
 */
function isCutToBytes(pair: string): boolean {
  return wideSign.test(pair) && decoded(pair).includes('%');
}

const wideSign = /[\u0100-\uffff]/;
const cutToBytes = (text: string): string => unescapeLeniently(text.replaceAll('+', ' '));

/**
 * True for a text in which a separator of its parts follows a sign that no encoder leaves there: an
 * application may take it for something else, and read across the parts.
 */
export function isOddForPairs(text: string): boolean {
  const odd = text.search(oddSign);
  if (odd < 0) return false;
  const start = Math.max(...['&', ';', '?'].map((sign) => text.lastIndexOf(sign, odd)));
  const isInValue = text.lastIndexOf('=', odd) > start;
  return (isInValue ? partEnd : nameEnd).test(text.slice(odd));
}

const oddSign = /[^!#-&(-;=?-Z[\]_a-z~]/;
const partEnd = /[&;?]./;
const nameEnd = /[&;?=]./;

/**
 * Adds pairs as members below a prefix, and the values of a name that comes again as one text as
 * well: see `ListValues`.
 */
export async function addPairs(
  writer: MemberWriter,
  prefix: string,
  pairs: Iterable<Pair>,
): Promise<void> {
  const lists = new ListValues();
  for (const [name, value, isOther] of pairs) {
    const wait = writer.pause();
    if (wait !== undefined) await wait;
    if (writer.isFull) return;
    writer.add(prefix + name, value);
    addNamePieces(writer, prefix, name);
    lists.note(name, value, isOther);
  }
  lists.addTo(writer, prefix);
}

/**
 * Adds the names that qs makes of one with brackets, where they are more than words. Behind others,
 * a name is judged as the rest of a text.
 */
export function addNamePieces(writer: MemberWriter, prefix: string, name: string): void {
  if (!name.includes('[') || !isOddName(name)) return;
  for (const piece of new Set([...name.split('['), ...name.split(brackets)])) {
    if (isOddName(piece)) writer.add(prefix + piece, null);
  }
}

const brackets = /[[\]]/g;

/** Whether a name holds more than words, numbers and what usually stands between them. */
export function isOddName(name: string): boolean {
  return oddName.test(name);
}

const oddName = /[^\w\s.,:!?@/[\]\x80-\uffff-]/;

/**
 * The values of names that come again: `a=1&a=2`, `a[]=1&a[]=2` and `a[0]=1&a[1]=2` are lists to
 * most frameworks, and JavaScript joins a list with commas where it stands in a text.
 */
export class ListValues {
  readonly #byName = new Map<string, ValueList>();

  /** `isOther`: another reading of the value that was noted last. */
  note(name: string, value: string, isOther = false): void {
    const key = listOf(name);
    const list = this.#byName.get(key);
    if (list === undefined) this.#byName.set(key, { name, values: [value] });
    else if (isOther) {
      list.others ??= [...list.values];
      list.others[list.values.length - 1] = value;
    } else {
      if (name !== list.name) list.names ??= list.values.map(() => list.name);
      list.names?.push(name);
      list.values.push(value);
      list.others?.push(value);
    }
  }

  /** Adds each list of several values, joined, as `name[]` below the prefix. */
  addTo(writer: MemberWriter, prefix: string): void {
    for (const [name, { names, values, others }] of this.#byName) {
      if (values.length < 2) continue;
      if (names !== undefined) addOwnLists(writer, prefix, names, values);
      writer.add(`${prefix}${name}[]`, values.join(','));
      if (others !== undefined) writer.add(`${prefix}${name}[]`, others.join(','));
    }
  }
}

/** To some parsers `a` and `a[]` are two lists. */
function addOwnLists(
  writer: MemberWriter,
  prefix: string,
  names: readonly string[],
  values: readonly string[],
): void {
  const byName = new Map<string, string[]>();
  for (const [at, name] of names.entries()) {
    const own = byName.get(name);
    if (own === undefined) byName.set(name, [values[at] ?? '']);
    else own.push(values[at] ?? '');
  }
  for (const [name, own] of byName) {
    if (own.length > 1) writer.add(`${prefix}${name}[]`, own.join(','));
  }
}

interface ValueList {
  /** Of the first value. */
  readonly name: string;
  /** Of each value, where they are not all the same. */
  names?: string[];
  readonly values: string[];
  others?: string[];
}

/** `a[][b]` for `a[0][b]` and `a[1]x[b]`, `a` for `a[]`: qs and PHP drop what follows a bracket. */
function listOf(name: string): string {
  const first = name.indexOf('[');
  if (first < 0) return name;
  const behind = name.slice(first).replace(behindBracket, ']');
  return name.slice(0, first) + behind.replace(itemMark, '').replace(innerMark, '[]');
}

const itemMark = /\[\d{0,9}\]$/;
const innerMark = /\[\d{1,9}\]/g;
const behindBracket = /\][^[\]]+(?=\[|$)/g;

function decoded(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  if (!spaced.includes('%')) return spaced;
  if (spaced.length < longChars) return isDecodable(spaced) ? decodeURIComponent(spaced) : spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}

/** Whether a text with escapes was left as it is. */
function isLeft(text: string, made: string): boolean {
  return made.includes('%') && text.replaceAll('+', ' ') === made && escapes.test(made);
}

function decodedRuns(text: string, decode: (run: string) => string): string {
  return text.replace(escapeRuns, (run) => decode(run));
}

const anyBytes = (run: string): string =>
  Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8');

const escapes = /%[0-9a-f]{2}/i;
const escapeRuns = /(?:%[0-9a-f]{2})+/gi;

/** In a longer text the look ahead costs more than the error that it saves. */
const longChars = 1_024;

/**
 * Whether `decodeURIComponent` would not throw. To catch what it throws costs microseconds for each
 * parameter, and a client that sends a thousand of them knows that.
 */
function isDecodable(text: string): boolean {
  if (brokenEscape.test(text)) return false;
  const runs = text.match(highBytes) ?? [];
  return runs.every((run) => isUtf8(Buffer.from(run.replaceAll('%', ''), 'hex')));
}

const brokenEscape = /%(?![0-9a-f]{2})/i;
const highBytes = /(?:%[89a-f][0-9a-f])+/gi;
