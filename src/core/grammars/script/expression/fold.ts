import { decodeBase64 } from '../../../normalise/base64-alphabet.ts';
import { wordMap, wordSet } from '../../../text/words.ts';
import {
  type List,
  type Method,
  memberOf,
  numberOf,
  numeric,
  reference,
  type Text,
  text,
  textMax,
  textOf,
  unknown,
  type Value,
  veiled,
  word,
} from './value.ts';

const notBase64 = /[!-*,.:-<>-@[-^`{-\uffff]/;
const percentCode = /%([\da-fA-F]{2})/g;
const notHex = /[^\da-fA-F\s]/;
const hexPair = /([\da-fA-F]{2})\s?/g;
const letter = /[a-zA-Z]/g;

type Fold = (args: readonly Value[]) => Value | undefined;

function onText(change: (text: string, args: readonly Value[]) => string | undefined): Fold {
  return (args) => {
    const given = args[0] === undefined ? undefined : textOf(args[0]);
    const made = given === undefined ? undefined : change(given, args);
    return made === undefined ? undefined : text(made);
  };
}

function reversed(given: string): string {
  return [...given].reverse().join('');
}

function percentDecoded(given: string): string {
  return given.replace(percentCode, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** Either alphabet of RFC 4648, with blanks and padding. */
function fromBase64(written: string): string | undefined {
  return notBase64.test(written) ? undefined : decodeBase64(written, 0, written.length);
}

function hexDecoded(given: string): string | undefined {
  if (notHex.test(given)) return undefined;
  return given.replace(hexPair, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function rotated(given: string): string {
  return given.replace(letter, (one) => {
    const base = one <= 'Z' ? 65 : 97;
    return String.fromCharCode(((one.charCodeAt(0) - base + 13) % 26) + base);
  });
}

/** The characters that numbers stand for; undefined where one is none. */
function fromCodes(values: readonly Value[]): Text | undefined {
  if (values.length > textMax) return undefined;
  let made = '';
  for (const value of values) {
    const code = numberOf(value);
    if (code === undefined || !(code >= 0 && code <= 0x10ffff)) return undefined;
    made += String.fromCodePoint(Math.trunc(code));
  }
  return text(made);
}

function ofList(args: readonly Value[]): readonly Value[] | undefined {
  const [first] = args;
  return first?.kind === 'list' ? first.items : undefined;
}

const joinTexts: Fold = (args) => {
  const list = args.find((arg) => arg.kind === 'list');
  const glue = args.find((arg) => arg.kind === 'text');
  return list === undefined ? undefined : joined(list as List, glue);
};

function joined(list: List, glue: Value | undefined): Value | undefined {
  const parts = list.items.slice(0, textMax).map(textOf);
  if (parts.includes(undefined)) return undefined;
  return text(parts.join(glue === undefined ? '' : (textOf(glue) ?? '')));
}

/** `Object.keys({alert: 1})` */
const keysOf: Fold = ([first]) =>
  first?.kind === 'entries'
    ? { kind: 'list', items: first.keys.slice(0, textMax).map((key) => text(key)) }
    : undefined;

const valuesOf: Fold = ([first]) =>
  first?.kind === 'entries' ? { kind: 'list', items: first.values } : undefined;

/** `Object.fromEntries([['a', alert]])` */
const fromEntries: Fold = ([first]) => {
  if (first?.kind !== 'list') return undefined;
  const pairs = first.items.slice(0, membersMax).filter((item) => item.kind === 'list');
  return {
    kind: 'entries',
    keys: pairs.map(({ items: [key] }) => (key === undefined ? '' : (textOf(key) ?? ''))),
    values: pairs.map(({ items }) => items[1] ?? unknown),
  };
};

/** `Object.assign({}, {a: alert})`, `Object.create({a: alert})`: an object with the members of all. */
const membersOf: Fold = (args) => {
  const all = args.filter((arg) => arg.kind === 'entries');
  if (all.length === 0 || all.length < args.length) return undefined;
  return {
    kind: 'entries',
    keys: all.flatMap(({ keys }) => keys).slice(0, membersMax),
    values: all.flatMap(({ values }) => values).slice(0, membersMax),
  };
};

const membersMax = 64;

const codes: Fold = (args) => fromCodes(args);
const codeList: Fold = (args) => {
  const items = ofList(args);
  return items === undefined ? undefined : fromCodes(items);
};
const firstOf: Fold = (args) => args[0];
const percent = onText(percentDecoded);
const base64 = onText(fromBase64);
const hexadecimal = onText(hexDecoded);

/** Functions that make a constant of constants, by their path in lower case. */
const functions: ReadonlyMap<string, Fold> = wordMap<Fold>(
  [codes, 'chr unichr mb_chr string.fromcharcode string.fromcodepoint'],
  [codeList, 'bytes bytearray'],
  [firstOf, 'str string list tuple array.from string.raw strval'],
  [onText((given) => given.trim()), 'trim'],
  [onText(reversed), 'strrev'],
  [onText(rotated), 'str_rot13'],
  [onText((given) => given.toLowerCase()), 'strtolower lcfirst'],
  [percent, 'urldecode rawurldecode unescape decodeuri decodeuricomponent'],
  [base64, 'base64_decode atob base64.b64decode base64.decode64 base64.urlsafe_b64decode'],
  [hexadecimal, 'hex2bin bytes.fromhex bytearray.fromhex binascii.unhexlify'],
  [(args) => ({ kind: 'list', items: args.slice(0, textMax) }), 'array.of'],
  [fromEntries, 'fromentries'],
  [membersOf, 'assign create'],
  [valuesOf, 'values'],
  [joinTexts, 'implode join'],
  [keysOf, 'keys'],
  [([first]) => (first === undefined ? undefined : toNumber(first)), 'number parseint int'],
);

function toNumber(value: Value): Value | undefined {
  const number = numberOf(value);
  return number === undefined ? undefined : numeric(number);
}

/** What a function makes of constants; undefined where it is none that only computes. */
export function foldCall(path: string, args: readonly Value[]): Value | undefined {
  const fold = functions.get(path);
  if (fold !== undefined) return fold(args);
  if ((path === 'array_map' || path === 'map') && args.length > 1) return mapped(args);
  return undefined;
}

/** `array_map('chr', [115, 121])` */
function mapped([name, list]: readonly Value[]): Value | undefined {
  const fold = name === undefined ? undefined : functions.get((textOf(name) ?? '').toLowerCase());
  if (fold === undefined || list?.kind !== 'list') return undefined;
  const items = list.items.slice(0, textMax).map((item) => fold([item]) ?? unknown);
  return { kind: 'list', items };
}

type MethodFold = (base: Value, args: readonly Value[]) => Value | undefined;

function ofText(change: (text: string, args: readonly Value[]) => Value | undefined): MethodFold {
  return (base, args) => {
    const given = textOf(base);
    return given === undefined ? undefined : change(given, args);
  };
}

const same: MethodFold = (base) => base;

/** `'abc'.split('')` */
function split(given: string, args: readonly Value[]): Value {
  // Python's and Ruby's, by blanks; `'abc'.split()` of ECMAScript.
  if (args.length === 0) return { kind: 'list', items: given.split(' ').map((part) => text(part)) };
  const at = args[0] === undefined ? undefined : textOf(args[0]);
  const parts = at === undefined || at === '' ? [...given] : given.split(at);
  return { kind: 'list', items: parts.map((part) => text(part)) };
}

const reverse: MethodFold = (base) => {
  if (base.kind === 'list') return { kind: 'list', items: [...base.items].reverse() };
  const given = textOf(base);
  return given === undefined ? undefined : text(reversed(given));
};

const join: MethodFold = (base, args) => {
  if (base.kind === 'list') return joined(base, args[0]);
  // Python: `''.join([…])`
  return args[0]?.kind === 'list' ? joined(args[0], base) : undefined;
};

const slice = ofText((given, args) => {
  const [from = 0, to = given.length] = args.map((arg) => numberOf(arg) ?? 0);
  return text(given.slice(from, to));
});

const concat: MethodFold = (base, args) => {
  const all: List = { kind: 'list', items: [base, ...args] };
  if (base.kind !== 'list') return joined(all, undefined);
  const items = all.items.flatMap((item) => (item.kind === 'list' ? item.items : item));
  return { kind: 'list', items: items.slice(0, textMax) };
};

const at: MethodFold = (base, [given = numeric(0)]) => {
  const index = numberOf(given) ?? 0;
  const isBehind = index < 0 && base.kind === 'list';
  return memberOf(base, String(isBehind ? base.items.length + index : index), 2);
};

const pop: MethodFold = (base) =>
  base.kind === 'list' ? veiled(base.items.at(-1) ?? word('undefined')) : undefined;

const toText: MethodFold = (base, args) => {
  const radix = args[0] === undefined ? 10 : numberOf(args[0]);
  const isDigits = base.kind === 'number' && radix !== undefined && radix >= 2 && radix <= 36;
  if (isDigits) return text(base.number.toString(radix));
  const made = textOf(base);
  return made === undefined ? undefined : text(made);
};

const replace = ofText((given, args) => {
  const [search, by] = args.map(textOf);
  // A function may make it.
  if (args.length > 1 && by === undefined) return undefined;
  if (search === undefined || by === undefined || search === '') return text(given);
  // `/\d/g`: a pattern, by its source.
  if (pattern.test(search) && !given.includes(search)) return undefined;
  return text(given.replaceAll(search, () => by));
});

const pattern = /[\\[.*+?(|^$]/;

/** Methods of texts, numbers and lists that make a constant. */
const methods: ReadonlyMap<string, MethodFold> = wordMap<MethodFold>(
  [ofText(split), 'split chars'],
  [reverse, 'reverse toReversed'],
  [join, 'join'],
  [concat, 'concat'],
  [slice, 'slice substring substr'],
  [ofText((given, args) => text(given.charAt(numberOf(args[0] ?? numeric(0)) ?? 0))), 'charAt'],
  [at, 'at'],
  [ofText((given) => text(given.toLowerCase())), 'toLowerCase lower downcase'],
  [toText, 'toString to_s'],
  [ofText((given) => text(given.trim())), 'strip trim'],
  [same, 'to_str to_sym decode encode valueOf dup freeze'],
  [replace, 'replace replaceAll gsub'],
  [(base) => fromCodes([base]), 'chr'],
  [(base) => (base.kind === 'list' ? fromCodes(base.items) : undefined), 'pack'],
  [ofText((given) => text(fromBase64(given) ?? '')), 'unpack1'],
  [ofText((given) => ({ kind: 'list', items: [text(fromBase64(given) ?? '')] })), 'unpack'],
  [(base) => veiled(memberOf(base, '0', 1)), 'first'],
  [pop, 'pop'],
  [(base) => memberOf(base, '0', 1), 'shift'],
);

/** True for a method of a text, so that a dot in front of it joins nothing. */
export function isTextMethod(name: string): boolean {
  return methods.has(name) || unfolded.has(name);
}

/** Methods of texts in ECMAScript that nothing is made of here. */
const unfolded: ReadonlySet<string> = wordSet(
  'padEnd padStart trimStart trimEnd normalize toWellFormed toLocaleLowerCase repeat matchAll',
);

/** What a method of a constant gives; undefined where it gives none. */
export function foldMethod({ base, name }: Method, args: readonly Value[]): Value | undefined {
  return methods.get(name)?.(base, args);
}

/** `this`, `false` and other words that stand for one value. */
export const constants: ReadonlyMap<string, Value> = wordMap<Value>(
  [word('true'), 'true True'],
  [word('false'), 'false False'],
  [word('null'), 'null nil None'],
  [word('undefined'), 'undefined'],
  [word('NaN'), 'NaN'],
  [numeric(Number.POSITIVE_INFINITY), 'Infinity'],
  [reference('self'), 'self'],
);
