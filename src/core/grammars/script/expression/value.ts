import { globalObjects } from '../../../knowledge/page.ts';
import { wordSet } from '../../../text/words.ts';

/**
 * What an expression of PHP, Python, Ruby or ECMAScript stands for, as far as it can be told
 * without running it: a constant, a name and what it is a member of, or a function.
 */
export type Value =
  | Text
  | Numeric
  | Word
  | List
  | Entries
  | Reference
  | Method
  | Lambda
  | Parameter;

export interface Text {
  readonly kind: 'text';
  readonly text: string;
  /** Offsets of the characters between the quotes, where the text is written as one literal. */
  readonly from: number;
  readonly to: number;
}

interface Numeric {
  readonly kind: 'number';
  readonly number: number;
}

/** `true`, `undefined` and their like, by the text that ECMAScript makes of them. */
export interface Word {
  readonly kind: 'word';
  readonly text: string;
  readonly slot?: { readonly of: List | Entries; readonly key: string };
}

export interface List {
  readonly kind: 'list';
  readonly items: readonly Value[];
}

/** Members of an object or an associative array. */
interface Entries {
  readonly kind: 'entries';
  readonly keys: readonly string[];
  readonly values: readonly Value[];
}

/**
 * How far a name is hidden: 0 it is written where it is called, 1 it went through brackets, a list
 * or another name, 2 it is put together from pieces or is a string that is called.
 */
export type Veil = 0 | 1 | 2;

/** A name, with what it is a member of: `os.system`, in lower case, without global objects. */
export interface Reference {
  readonly kind: 'reference';
  readonly path: string;
  readonly veil: Veil;
  /** A function that is kept within: `new Map([[1,alert]])`. */
  readonly holds?: Reference;
  /** `...a`: as a parameter it has all arguments from its place on. */
  readonly isRest?: boolean;
  /** The object or list that has no such member yet. */
  readonly slot?: { readonly of: List | Entries; readonly key: string };
}

/** A function of a constant: `'abc'.split`. */
export interface Method {
  readonly kind: 'method';
  readonly base: Value;
  readonly name: string;
}

/** A call of something that is known only once the function around it is called. */
export interface LateCall {
  readonly callee: Value;
  readonly args: readonly Value[];
  readonly start: number;
  readonly end: number;
}

export interface Lambda {
  readonly kind: 'function';
  readonly result: Value;
  readonly calls: readonly LateCall[];
}

/** What parameter number `index` will be, or a member of it; -1 stands for the list of all, -2 for all but the first. */
export interface Parameter {
  readonly kind: 'parameter';
  readonly index: number;
  readonly keys: readonly string[];
}

/** Longer texts and lists are not put together: no name that anything is known about. */
export const textMax = 2_000;

export function text(value: string): Text {
  return { kind: 'text', text: value.slice(0, textMax), from: -1, to: -1 };
}

export function numeric(number: number): Numeric {
  return { kind: 'number', number };
}

export function word(value: string): Word {
  return { kind: 'word', text: value };
}

const pathMax = 120;

export function reference(path: string, veil: Veil = 0): Reference {
  return { kind: 'reference', path: path.length > pathMax ? '?' : path, veil };
}

/** What nothing is known about. */
export const unknown: Reference = reference('?');

/** A member of the page that nothing is known about: `self[name]`. */
export const anyMember: Reference = reference('[?]');

/** The same name, seen through something that hides it. */
export function veiled<V extends Value>(value: V, veil: Veil = 1): V | Reference {
  if (value.kind !== 'reference' || value.veil >= veil) return value;
  return { ...value, veil };
}

/** The same in all languages: Node, Python's `builtins`, Ruby's Kernel. */
const roots: ReadonlySet<string> = new Set([
  ...globalObjects,
  'global',
  'root',
  'opener',
  'document.defaultview',
  'globals()',
  'locals()',
  'vars()',
  'builtins',
  '__builtins__',
  'kernel',
  'object',
  'main',
]);

const rootMembers = /(?:^|\.)__(?:globals|builtins)__$|\.contentwindow$|\.defaultview$/;

/** True for a global object. */
export function isRoot(path: string): boolean {
  return roots.has(path) || rootMembers.test(path);
}

/** In front of the name of a symbol that is the name of a member. */
export const symbolMark = '@@';
const symbolRoot = 'symbol.';

/** `Symbol.iterator` as the name of a member; undefined for any other value. */
export function symbolOf(value: Value | undefined): string | undefined {
  if (value?.kind !== 'reference' || !value.path.startsWith(symbolRoot)) return undefined;
  return symbolMark + value.path.slice(symbolRoot.length);
}

/** The member `key` of a value; `veil` says how the key is written. */
export function memberOf(base: Value, key: string, veil: Veil): Value {
  switch (base.kind) {
    case 'reference':
      return memberOfReference(base, key, veil);
    case 'entries': {
      const at = base.keys.indexOf(key);
      if (at >= 0) return veiled(base.values[at] as Value);
      return { ...reference(`?.${key.toLowerCase()}`), slot: { of: base, key } };
    }
    case 'parameter':
      return { kind: 'parameter', index: base.index, keys: [...base.keys.slice(0, 7), key] };
    case 'function':
      if (key === 'constructor') return functionMaker;
      return key === 'call' || key === 'apply' || key === 'bind'
        ? { kind: 'method', base, name: key }
        : reference(`?.${key.toLowerCase()}`, veil);
    default:
      return memberOfConstant(base, key, veil);
  }
}

/** `constructor` of any function is `Function`. */
const functionMaker = reference('function', 2);

/** The same, with a function that is kept within. */
export function holding(path: string, holds: Reference | undefined): Reference {
  const made = reference(path);
  return holds === undefined ? made : { ...made, holds };
}

function memberOfReference(base: Reference, key: string, veil: Veil): Value {
  const name = key.toLowerCase();
  const most = veil > base.veil ? veil : base.veil;
  // Of an object of the interpreter its dictionary holds the members.
  if (name === '__dict__') return base;
  // `$el.ownerDocument`, `frame.contentWindow`
  const known = sameElsewhere.get(name);
  if (known !== undefined) return reference(known, most);
  if (isRoot(base.path)) return reference(name, most);
  const member = reference(`${base.path}.${name}`, most);
  return base.holds === undefined ? member : { ...member, holds: base.holds };
}

const sameElsewhere: ReadonlyMap<string, string> = new Map([
  ['ownerdocument', 'document'],
  ['contentdocument', 'document'],
  ['defaultview', 'self'],
  ['contentwindow', 'self'],
]);

const natives: ReadonlySet<string> = wordSet(
  'at concat entries every fill filter find flat flatMap forEach includes indexOf join keys map',
  'pop push reverse shift slice some sort splice unshift values charAt repeat replace split',
  'trim italics link fontcolor',
);

const digits = /^\d{1,6}$/;

function memberOfConstant(
  base: Text | Numeric | Word | List | Method,
  key: string,
  veil: Veil,
): Value {
  if (digits.test(key)) return itemOf(base, Number(key));
  if (key === 'source' && base.kind === 'text') return text(base.text);
  if (key === 'length' && base.kind === 'list') return numeric(base.items.length);
  if (key === 'length' && base.kind === 'text') return numeric(base.text.length);
  if (key === '') return word('undefined');
  const isCaller = key === 'call' || key === 'apply';
  if (key === 'constructor' && base.kind === 'method') return functionMaker;
  if (key === 'constructor' || (base.kind === 'method' && !isCaller))
    return reference(`?.${key.toLowerCase()}`, veil === 2 ? 2 : 1);
  return { kind: 'method', base, name: key };
}

function itemOf(base: Text | Numeric | Word | List | Method, index: number): Value {
  if (base.kind === 'list') {
    const item = base.items[index];
    if (item !== undefined) return veiled(item);
    return { ...word('undefined'), slot: { of: base, key: String(index) } };
  }
  const characters = base.kind === 'method' ? undefined : textOf(base);
  if (characters === undefined) return unknown;
  return index < characters.length ? text(characters.charAt(index)) : word('undefined');
}

/** `a={};a.b=alert`, `a=[];a[0]=alert`: the object has the member from here on. */
export function putMember(target: Value, value: Value): void {
  const slot = target.kind === 'word' || target.kind === 'reference' ? target.slot : undefined;
  if (slot === undefined) return;
  const { of, key } = slot;
  if (of.kind === 'entries') {
    if (of.keys.length >= slotsMax || !isHeld(value)) return;
    (of.keys as string[]).push(key);
    (of.values as Value[]).push(value);
    return;
  }
  while (of.items.length < Math.min(slotsMax, Number(key))) pushItem(of, word('undefined'));
  pushItem(of, value);
}

/** `a.push(alert)` */
export function pushItem({ items }: List, value: Value): void {
  if (items.length < slotsMax && isHeld(value)) (items as Value[]).push(value);
}

const slotsMax = 64;

/** What has no items: a list never comes to hold itself. */
function isHeld({ kind }: Value): boolean {
  return kind !== 'list' && kind !== 'entries';
}

/** The text that ECMAScript makes of a constant (ToString); undefined of what is none. */
export function textOf(value: Value): string | undefined {
  switch (value.kind) {
    case 'text':
    case 'word':
      return value.text;
    case 'number':
      return String(value.number);
    case 'list': {
      if (value.items.length > textMax) return undefined;
      const parts = value.items.map((item) => (isNothing(item) ? '' : textOf(item)));
      return parts.includes(undefined) ? undefined : parts.join(',').slice(0, textMax);
    }
    case 'entries': {
      if (value.keys.length === 0) return '[object Object]';
      const made = value.values[value.keys.indexOf('toString')];
      return made?.kind === 'function' && made.result.kind === 'text'
        ? made.result.text
        : undefined;
    }
    case 'method':
      return natives.has(value.name) ? `function ${value.name}() { [native code] }` : undefined;
    default:
      return undefined;
  }
}

function isNothing(value: Value): boolean {
  return value.kind === 'word' && (value.text === 'undefined' || value.text === 'null');
}

/** The number that ECMAScript makes of a constant (ToNumber); undefined of what is none. */
export function numberOf(value: Value): number | undefined {
  if (value.kind === 'number') return value.number;
  if (value.kind === 'word') {
    if (value.text === 'true') return 1;
    return value.text === 'undefined' || value.text === 'NaN' ? Number.NaN : 0;
  }
  const characters = value.kind === 'list' || value.kind === 'text' ? textOf(value) : undefined;
  return characters === undefined ? undefined : Number(characters);
}

/** Whether a constant counts as true; undefined where that cannot be told. */
export function truthOf(value: Value): boolean | undefined {
  switch (value.kind) {
    case 'number':
      return value.number !== 0 && !Number.isNaN(value.number);
    case 'word':
      return value.text === 'true';
    case 'text':
      return value.text !== '';
    case 'list':
    case 'entries':
    case 'function':
    case 'method':
      return true;
    default:
      return undefined;
  }
}

/** `a + b` of ECMAScript; texts and numbers are joined or added in the other languages as well. */
export function sumOf(left: Value, right: Value): Value {
  if (left.kind === 'list' && right.kind === 'list' && left.items.length > 0) {
    return { kind: 'list', items: [...left.items, ...right.items].slice(0, textMax) };
  }
  const isText = isTextual(left) || isTextual(right);
  if (!isText) {
    const sum = (numberOf(left) ?? Number.NaN) + (numberOf(right) ?? Number.NaN);
    return Number.isNaN(sum) && !areConstants(left, right) ? unknown : numeric(sum);
  }
  const first = textOf(left);
  const second = textOf(right);
  return first === undefined || second === undefined ? unknown : text(first + second);
}

function areConstants(left: Value, right: Value): boolean {
  return numberOf(left) !== undefined && numberOf(right) !== undefined;
}

const textual: ReadonlySet<Value['kind']> = new Set<Value['kind']>([
  'text',
  'list',
  'entries',
  'method',
]);

function isTextual(value: Value): boolean {
  return textual.has(value.kind);
}

/** Puts arguments where a function has parameters. */
export function bound(value: Value, args: readonly Value[], depth = 0): Value {
  if (depth > 4) return unknown;
  switch (value.kind) {
    case 'parameter': {
      let found: Value =
        value.index < 0
          ? { kind: 'list', items: args.slice(-1 - value.index) }
          : (args[value.index] ?? unknown);
      for (const key of value.keys) found = memberOf(found, key, 1);
      return veiled(found);
    }
    case 'list':
      if (value.items.length > 8) return value;
      return { kind: 'list', items: value.items.map((item) => bound(item, args, depth + 1)) };
    default:
      return value;
  }
}
