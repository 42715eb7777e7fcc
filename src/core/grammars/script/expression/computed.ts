import { typedArrays } from '../../../knowledge/engine-calls.ts';
import { wordSet } from '../../../text/words.ts';
import { anyMember, type Reference, reference, textMax, unknown, type Value } from './value.ts';

/** What is made of constants alone, by more than is followed: `'alert '.normalize()`, `JSON.parse('"a"')`. */
export const computed: Reference = reference('=');

/** Nothing in it is known at run time only. */
function isConstant(value: Value, depth = 0): boolean {
  switch (value.kind) {
    case 'reference':
      return value.path.startsWith(computed.path) || numbers.has(value.path);
    case 'list':
      return depth < 2 && value.items.slice(0, textMax).every((one) => isConstant(one, depth + 1));
    case 'entries':
      return depth < 2 && value.values.every((one) => isConstant(one, depth + 1));
    default:
      return value.kind !== 'parameter' && value.kind !== 'method';
  }
}

/** `new Uint8Array([97])`, `Uint8Array.of(97)` */
const numbers: ReadonlySet<string> = new Set(
  typedArrays.flatMap((name) => [`${name}()`, `${name}.of()`]),
);

function areConstant(args: readonly Value[]): boolean {
  return args.every((arg) => isConstant(arg));
}

/** A method of a constant makes another one. */
export function isComputedBy(base: Value, name: string, args: readonly Value[]): boolean {
  if (base.kind === 'list' && !making.has(name)) return false;
  return isConstant(base) && areConstant(args);
}

const making: ReadonlySet<string> = new Set(['map', 'flatMap', 'reduce', 'reduceRight']);

/** A function of the platform makes it of what it is given. */
export function isMadeBy(path: string, args: readonly Value[]): boolean {
  return makers.has(path) && args.length > 0 && areConstant(args);
}

const makers: ReadonlySet<string> = wordSet(
  `bigint comment document.createtextnode encodeuri encodeuricomponent error escape getownpropertynames
   json.parse json.stringify object option reflect.ownkeys regexp symbol symbol.for symbol.keyfor text
   textdecoder().decode url`,
);

/**
 * `self[x]`, where the name is one of all that the window has; no program computes one of constants
 * that it could write.
 */
export function memberOfWindow(key: Value | undefined): Value {
  if (key?.kind === 'parameter') return anyMember;
  if (key?.kind !== 'reference') return unknown;
  return key.holds ?? (isConstant(key) ? hidden : anyMember);
}

const hidden = reference('alert', 2);

/** `document[f(1)]`: it may be any member of what is shown or kept. */
export function memberOfPage({ path }: Reference): Reference {
  return ofPage.test(path) ? anyMember : unknown;
}

const ofPage = /^(?:\[\?\]|document|location|history|(?:local|session)storage)(?:\.|$)/;
