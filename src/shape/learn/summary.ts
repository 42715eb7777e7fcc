import { limits } from '../../contract/limits.ts';
import { isSecretName } from '../../contract/secret-names.ts';
import { unknown } from '../body-tree.ts';
import { isMembers } from '../reading.ts';
import {
  charClasses,
  classesOf,
  digestOf,
  formatsOf,
  isMade,
  isPlainWord,
  lengthBucket,
  textFormats,
} from './text-facts.ts';

/** What a value can be, in the order in which counts of it are kept. */
export const kinds = [
  'null',
  'boolean',
  'integer',
  'number',
  'text',
  'list',
  'object',
  'unknown',
] as const;

export type Kind = (typeof kinds)[number];

/** A value of a field that was seen: how often, and the text once it was seen often enough. */
export type SeenValue = readonly [count: number, text?: string];

/** What was seen of the texts at a place. Never a text, but for words that come again and again. */
export interface TextSummary {
  count: number;
  chars: number;
  min: number;
  max: number;
  /** Texts by the bucket of their length. */
  readonly lengths: number[];
  /** Texts that have a character of each class. */
  readonly classes: number[];
  /** Texts that are of each format. */
  readonly formats: number[];
  /** By digest; undefined once they are many, or one of them is no word. */
  values: Map<number, SeenValue> | undefined;
}

/** What was seen at a place. Times are milliseconds since 1970, UTC. */
export interface ValueSummary {
  count: number;
  first: number;
  last: number;
  /** How often it was what, in the order of `kinds`. */
  readonly kinds: number[];
  /** Nothing is kept of a secret but how often it came, and what it was. */
  isSecret?: boolean;
  text?: TextSummary;
  number?: { min: number; max: number };
  list?: { max: number; items: ValueSummary };
  object?: ObjectSummary;
}

export interface ObjectSummary {
  count: number;
  readonly members: Map<string, ValueSummary>;
  /** Names that were not kept: too many, too long, or values themselves. */
  others: number;
}

/** What all observations of one request share. */
export interface Observer {
  readonly now: number;
  readonly salt: number;
  /** Fields that the route may still get. */
  fieldsLeft: number;
  /** Counted up by what is kept. */
  bytes: number;
}

/** How often a word is seen before it is kept. */
export const revealedFrom = 8;

/** Rough sizes of what is kept, bytes. */
const sizes = { value: 240, text: 420, number: 48, list: 80, object: 160, member: 80, seen: 90 };

export function newValue(observer: Observer): ValueSummary {
  observer.bytes += sizes.value;
  const count = Array.from({ length: kinds.length }, () => 0);
  return { count: 0, first: observer.now, last: observer.now, kinds: count };
}

interface Place {
  /** What is known from before; it says what is worth keeping. */
  readonly known: ValueSummary | undefined;
  readonly isSecret: boolean;
  readonly depth: number;
}

const top: Place = { known: undefined, isSecret: false, depth: 0 };

/** Adds a value to what was seen at its place. Linear in the size of the value, bounded in memory. */
export function observe(
  into: ValueSummary,
  value: unknown,
  observer: Observer,
  place: Partial<Place> = {},
): void {
  add(into, value, observer, { ...top, ...place });
}

function add(into: ValueSummary, value: unknown, observer: Observer, place: Place): void {
  into.count += 1;
  into.last = observer.now;
  if (place.isSecret) into.isSecret = true;
  const kind = kindOf(value);
  into.kinds[kind] = (into.kinds[kind] ?? 0) + 1;
  if (typeof value === 'string') {
    if (!place.isSecret) addText(into, value, observer, place.known?.text);
  } else if (typeof value === 'number') {
    if (!place.isSecret) addNumber(into, value, observer);
  } else if (Array.isArray(value)) addList(into, value, observer, place);
  else if (kinds[kind] === 'object') addMembers(into, value as object, observer, place);
}

function kindOf(value: unknown): number {
  if (value === null) return 0;
  if (value === unknown) return 7;
  switch (typeof value) {
    case 'boolean':
      return 1;
    case 'number':
      return Number.isInteger(value) ? 2 : 3;
    case 'string':
      return 4;
    default:
      return Array.isArray(value) ? 5 : isMembers(value) ? 6 : 7;
  }
}

function addNumber(into: ValueSummary, value: number, observer: Observer): void {
  if (into.number === undefined) {
    observer.bytes += sizes.number;
    into.number = { min: value, max: value };
  }
  into.number.min = Math.min(into.number.min, value);
  into.number.max = Math.max(into.number.max, value);
}

export function newText(observer: Observer): TextSummary {
  observer.bytes += sizes.text;
  const zeroes = (length: number) => Array.from({ length }, () => 0);
  return {
    count: 0,
    chars: 0,
    min: Number.MAX_SAFE_INTEGER,
    max: 0,
    lengths: [],
    classes: zeroes(charClasses.length),
    formats: zeroes(textFormats.length),
    values: new Map(),
  };
}

function addText(
  into: ValueSummary,
  value: string,
  observer: Observer,
  known: TextSummary | undefined,
): void {
  into.text ??= newText(observer);
  addWeighted(into.text, value, 1);
  addSeen(into.text, value, observer, known);
}

/** Counts a text that was seen `weight` times; its value is not looked at. */
export function addWeighted(text: TextSummary, value: string, weight: number): void {
  const { length } = value;
  text.count += weight;
  text.chars += length * weight;
  text.min = Math.min(text.min, length);
  text.max = Math.max(text.max, length);
  const bucket = lengthBucket(length);
  while (text.lengths.length <= bucket) text.lengths.push(0);
  text.lengths[bucket] = (text.lengths[bucket] ?? 0) + weight;
  countBits(text.classes, classesOf(value), weight);
  countBits(text.formats, formatsOf(value), weight);
}

function countBits(counts: number[], bits: number, weight: number): void {
  for (let at = 0; at < counts.length; at++) {
    if (((bits >>> at) & 1) === 1) counts[at] = (counts[at] ?? 0) + weight;
  }
}

function addSeen(
  text: TextSummary,
  value: string,
  observer: Observer,
  known: TextSummary | undefined,
): void {
  if (text.values === undefined) return;
  const isMany = known !== undefined && known.values === undefined;
  if (isMany || !isPlainWord(value)) {
    forget(text, observer);
    return;
  }
  const digest = digestOf(value, observer.salt);
  const count = (text.values.get(digest)?.[0] ?? 0) + 1;
  const before = known?.values?.get(digest)?.[0] ?? 0;
  if (count === 1) observer.bytes += sizes.seen;
  text.values.set(digest, count + before < revealedFrom ? [count] : [count, value]);
  if (text.values.size > limits.learntValuesMax) forget(text, observer);
}

function forget(text: TextSummary, observer: Observer): void {
  observer.bytes -= (text.values?.size ?? 0) * sizes.seen;
  text.values = undefined;
}

function addList(
  into: ValueSummary,
  value: readonly unknown[],
  observer: Observer,
  place: Place,
): void {
  if (place.depth >= limits.learntDepthMax) return;
  if (into.list === undefined) {
    observer.bytes += sizes.list;
    into.list = { max: 0, items: newValue(observer) };
  }
  const { list } = into;
  list.max = Math.max(list.max, value.length);
  const inside = { ...place, known: place.known?.list?.items, depth: place.depth + 1 };
  for (const item of value.slice(0, limits.learntItemsMax)) {
    add(list.items, item, observer, inside);
  }
}

function addMembers(into: ValueSummary, value: object, observer: Observer, place: Place): void {
  if (place.depth >= limits.learntDepthMax) return;
  if (into.object === undefined) {
    observer.bytes += sizes.object;
    into.object = { count: 0, members: new Map(), others: 0 };
  }
  const { object } = into;
  object.count += 1;
  const known = place.known?.object;
  for (const name of Object.keys(value)) {
    const before = known?.members.get(name);
    const member = object.members.get(name) ?? newMember(object, name, observer, known, before);
    if (member === undefined) object.others += 1;
    else {
      const isSecret = place.isSecret || isSecretName(name);
      const inside = { known: before, isSecret, depth: place.depth + 1 };
      add(member, Reflect.get(value, name), observer, inside);
    }
  }
}

function newMember(
  object: ObjectSummary,
  name: string,
  observer: Observer,
  known: ObjectSummary | undefined,
  before: ValueSummary | undefined,
): ValueSummary | undefined {
  if (before === undefined) {
    const isFull =
      Math.max(object.members.size, known?.members.size ?? 0) >= limits.learntMembersMax;
    if (isFull || observer.fieldsLeft <= 0 || isMade(name)) return undefined;
    observer.fieldsLeft -= 1;
  }
  const made = newValue(observer);
  observer.bytes += sizes.member + 2 * name.length;
  object.members.set(name, made);
  return made;
}

/** The bytes that a summary counts for. */
export function bytesOf({ text, number, list, object }: ValueSummary): number {
  let bytes = sizes.value;
  if (text !== undefined) bytes += sizes.text + (text.values?.size ?? 0) * sizes.seen;
  if (number !== undefined) bytes += sizes.number;
  if (list !== undefined) bytes += sizes.list + bytesOf(list.items);
  if (object !== undefined) {
    bytes += sizes.object;
    for (const [name, member] of object.members) {
      bytes += sizes.member + 2 * name.length + bytesOf(member);
    }
  }
  return bytes;
}

/** The fields in a summary. */
export function fieldsIn({ list, object }: ValueSummary): number {
  let fields = list === undefined ? 0 : fieldsIn(list.items);
  for (const member of object?.members.values() ?? []) fields += 1 + fieldsIn(member);
  return fields;
}
