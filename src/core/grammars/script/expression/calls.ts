import { type Capability, callers, callingMethods, capabilityOf } from './capabilities.ts';
import { foldCall, foldMethod } from './fold.ts';
import {
  bound,
  isRoot,
  type Lambda,
  type LateCall,
  memberOf,
  type Reference,
  reference,
  textOf,
  unknown,
  type Value,
  type Veil,
  veiled,
} from './value.ts';

/** A capability that is called, handed on to be called, or assigned to. */
export interface Use {
  readonly capability: Capability;
  readonly how: 'called' | 'handed' | 'assigned';
  readonly veil: Veil;
  readonly start: number;
  readonly end: number;
  readonly path: string;
  /** Number of arguments, and the first as a constant. */
  readonly count: number;
  readonly argument: string | undefined;
  /** Number of the passage that it stands in. */
  readonly passage: number;
}

/** Where in the text a call stands. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** What calls are followed with. */
export interface Scene {
  readonly uses: Use[];
  /** Calls of parameters in the functions that are being read, innermost last. */
  readonly late: LateCall[][];
  passage: number;
  /** False when uses were left out, or what is nested too deeply. */
  isComplete: boolean;
  /** Steps that may still be spent on following values. */
  budget: number;
  /** Calls of `parseInt` with what a function of the script gives. */
  sums: number;
  /** What a text gives when it is run. */
  evaluate(program: string, span: Span): Value;
}

/** More uses in one text are not kept: an attack is among them, or drowns on purpose. */
const usesMax = 4_096;
/** PHP's `\\system`, Node's `node:fs`. */
const namespace = /^\\/;
const scheme = /^node:/;

/** What a call gives; capabilities that it reaches are noted. */
export function call(scene: Scene, callee: Value, args: readonly Value[], span: Span): Value {
  if (--scene.budget < 0) return unknown;
  switch (callee.kind) {
    case 'reference':
      return callReference(scene, callee, args, span);
    case 'text':
      return callReference(scene, named(callee.text), args, span);
    case 'function':
      return callFunction(scene, callee, args);
    case 'method':
      return callMethod(scene, callee, args, span);
    case 'parameter':
      scene.late.at(-1)?.push({ callee, args, ...span });
      return unknown;
    default:
      return unknown;
  }
}

/** The function of PHP that a text names. */
function named(name: string): Reference {
  return reference(name.replace(namespace, '').toLowerCase(), 2);
}

function callFunction(scene: Scene, callee: Lambda, args: readonly Value[]): Value {
  const given = args.slice(callee.first);
  for (const late of callee.calls) {
    if (--scene.budget < 0) return unknown;
    const target = bound(late.callee, given);
    if (target.kind === 'reference' || target.kind === 'text') {
      const all = late.args.map((arg) => bound(arg, given));
      call(scene, target, all, late);
    }
  }
  return bound(callee.result, given);
}

function callMethod(
  scene: Scene,
  callee: Value & { readonly kind: 'method' },
  args: readonly Value[],
  span: Span,
): Value {
  const { base, name } = callee;
  if (base.kind === 'function') {
    if (name === 'bind') return base;
    const list = name === 'apply' && args[1]?.kind === 'list' ? args[1].items : args.slice(1);
    return callFunction(scene, base, list);
  }
  scene.budget -= weightOf(base);
  const folded = scene.budget < 0 ? undefined : foldMethod(callee, args);
  if (folded !== undefined) return folded;
  // Ruby: every object has `send`.
  if (isSend(name)) return sent(scene, reference('object'), args, span);
  if (callingMethods.has(name.toLowerCase())) {
    const items = base.kind === 'list' ? base.items : [base];
    for (const arg of args) hand(scene, veiled(arg), items, span);
  }
  return unknown;
}

/** Steps that a function of a constant takes. */
function weightOf(value: Value): number {
  if (value.kind === 'text') return value.text.length;
  return value.kind === 'list' ? value.items.length : 1;
}

function isSend(name: string): boolean {
  return name === 'send' || name === '__send__' || name === 'public_send';
}

/** Ruby's `x.send(:name, …)` */
function sent(scene: Scene, owner: Value, [name, ...args]: readonly Value[], span: Span): Value {
  const key = name === undefined ? undefined : textOf(name);
  if (key === undefined) return unknown;
  const target = memberOf(owner, key, 2);
  return call(scene, target, args, span);
}

const conversions: ReadonlySet<string> = new Set(['toString', 'valueOf', 'toJSON', 'then']);

/** Members that the interpreter calls by itself: `{toString:alert}`, and the traps of a proxy. */
const hooks: ReadonlySet<string> = new Set([
  ...conversions,
  ...['get', 'set', 'has', 'apply', 'construct', 'ownKeys', 'isExtensible', 'preventExtensions'],
  ...['defineProperty', 'deleteProperty', 'getPrototypeOf', 'setPrototypeOf'],
  'getOwnPropertyDescriptor',
]);

/** A member of an object; a dialog behind the name of a hook is called when the object is used. */
export function keepMember(scene: Scene, key: string, value: Value, span: Span): void {
  if (value.kind !== 'reference' || !hooks.has(key)) return;
  // A prompt is a text as often.
  if (value.path === 'prompt' && !conversions.has(key)) return;
  if (capabilityOf(value.path) === 'dialog') hand(scene, veiled(value), [value], span);
}

/** Something that calls takes a function, with what it will give to it. */
function hand(scene: Scene, value: Value, args: readonly Value[], span: Span): void {
  const target = value.kind === 'text' ? named(value.text) : value;
  if (target.kind === 'function') callFunction(scene, target, args);
  else if (target.kind === 'reference') note(scene, target, args, { ...span, how: 'handed' });
}

function callReference(scene: Scene, callee: Reference, args: readonly Value[], span: Span): Value {
  const { path } = callee;
  if (path === unknown.path || path === unknownResult.path) return unknownResult;
  const structural = callStructure(scene, callee, args, span);
  if (structural !== undefined) return structural;
  const dot = path.lastIndexOf('.');
  const name = path.slice(dot + 1);
  for (const arg of args) scene.budget -= weightOf(arg);
  const folded = scene.budget < 0 ? undefined : (foldCall(path, args) ?? foldCall(name, args));
  if (folded !== undefined) return folded;
  if (path === 'parseint') noteSum(scene, args, span);
  const isCaller = dot < 0 ? callers.has(name) : callingMethods.has(name);
  if (isCaller) for (const arg of args) hand(scene, arg, args, span);
  const capability = reached(callee, args);
  if (capability !== undefined) note(scene, callee, args, { ...span, how: 'called' });
  const isEvaluated = capability === 'evaluate';
  const program = args.at(-1);
  if (isEvaluated && program?.kind === 'text') {
    const result = scene.evaluate(program.text, span);
    const isMade = name === 'function' || name === 'constructor';
    if (!isMade) return result;
    return { kind: 'function', parameters: [], first: 0, result, calls: [] };
  }
  return reference(`${path}()`);
}

/** What a function that nothing is known about gives. */
const unknownResult = reference(`${unknown.path}()`);

type Structure = (
  scene: Scene,
  owner: Value,
  args: readonly Value[],
  span: Span,
) => Value | undefined;

/** Members of a function that call it. */
const ofFunction: Structure = (scene, owner, args, span) =>
  owner.kind === 'reference' ? call(scene, veiled(owner), args, span) : undefined;

const getMember: Structure = (_, __, [owner, name]) => {
  const key = name === undefined ? undefined : textOf(name);
  return owner === undefined || key === undefined ? undefined : memberOf(owner, key, 2);
};

const module: Structure = (_, __, [name]) => {
  const path = name === undefined ? undefined : textOf(name);
  return path === undefined ? undefined : reference(path.replace(scheme, '').toLowerCase());
};

const ownMember: Structure = (_, owner, [name]) => {
  const key = name === undefined ? undefined : textOf(name);
  return key === undefined ? undefined : memberOf(owner, key, 2);
};

const callFirst: Structure = (scene, _, [callee, ...args], span) => {
  if (callee === undefined) return undefined;
  return call(scene, veiled(callee), args, span);
};

const applyFirst: Structure = (scene, _, args, span) => {
  const [callee] = args;
  const list = args.at(-1);
  if (callee === undefined || list?.kind !== 'list') return undefined;
  return call(scene, veiled(callee), list.items, span);
};

/** Calls that give a member, a module or what another function gives, by their last name. */
const structures: ReadonlyMap<string, Structure> = new Map<string, Structure>([
  [
    'call',
    (scene, owner, args, span) =>
      ofFunction(scene, owner, isRuby(owner) ? args : args.slice(1), span),
  ],
  [
    'apply',
    (scene, owner, args, span) => {
      const list = args[1]?.kind === 'list' ? args[1].items : args.slice(1);
      return ofFunction(scene, owner, list, span);
    },
  ],
  ['bind', (_, owner) => veiled(owner)],
  ['invoke', ofFunction],
  ['invokeargs', ofFunction],
  ['__call__', ofFunction],
  ['__invoke', ofFunction],
  ['to_proc', (_, owner) => owner],
  ['getattr', getMember],
  ['reflect.get', getMember],
  ['__getattribute__', ownMember],
  ['__getitem__', ownMember],
  ['get', ownMember],
  ['pop', ownMember],
  ['fetch', (_, owner, args) => (isOwned(owner) ? ownMember(_, owner, args, noSpan) : undefined)],
  ['vars', (_, __, [first]) => first],
  ['__import__', module],
  ['import_module', module],
  ['require', module],
  [
    'getbuiltinmodule',
    (scene, owner, args, span) => {
      note(scene, reference('process.getbuiltinmodule', veilOf(owner)), args, {
        ...span,
        how: 'called',
      });
      return module(scene, owner, args, span);
    },
  ],
  ['send', sent],
  ['__send__', sent],
  ['public_send', sent],
  ['method', ownMember],
  ['instance_method', ownMember],
  ['const_get', ownMember],
  [
    'reflectionfunction',
    (_, __, [name]) => (name === undefined ? undefined : named(textOf(name) ?? '?')),
  ],
  [
    'closure.fromcallable',
    (_, __, [name]) => (name === undefined ? undefined : named(textOf(name) ?? '?')),
  ],
  ['call_user_func', callFirst],
  ['call_user_func_array', applyFirst],
  ['forward_static_call', callFirst],
  ['reflect.apply', applyFirst],
  ['promise.resolve', (_, __, args) => ({ kind: 'list', items: args })],
  ['proxy', (_, __, [target]) => (target === undefined ? undefined : veiled(target))],
]);

const noSpan: Span = { start: 0, end: 0 };

function isOwned(owner: Value): boolean {
  return owner.kind === 'reference' && !isRoot(owner.path) && owner.path !== '?';
}

/** `method(:system).call(…)` gives all its arguments on. */
function isRuby(owner: Value): boolean {
  return owner.kind === 'reference' && owner.veil === 2;
}

function veilOf(value: Value): Veil {
  return value.kind === 'reference' ? value.veil : 1;
}

function callStructure(
  scene: Scene,
  callee: Reference,
  args: readonly Value[],
  span: Span,
): Value | undefined {
  const { path } = callee;
  const dot = path.lastIndexOf('.');
  const name = path.slice(dot + 1);
  const isKnown = name === 'call' && capabilityOf(path) !== undefined;
  const structure = structures.get(path) ?? (isKnown ? undefined : structures.get(name));
  if (structure === undefined) return undefined;
  const owner = dot < 0 ? reference('self') : reference(path.slice(0, dot), callee.veil);
  return structure(scene, owner, args, span);
}

/**
 * Obfuscators keep the names in a list that is turned until a sum of its numbers is right: what is
 * called is known at run time only.
 */
function noteSum(scene: Scene, [first]: readonly Value[], span: Span): void {
  const isGiven = first?.kind === 'reference' && ownCall.test(first.path);
  if (!isGiven || ++scene.sums !== sumsMin) return;
  note(scene, reference('eval', 2), [first], { ...span, how: 'called' });
}

const sumsMin = 5;
const ownCall = /^(?:\?|\w+\(\))$/;

/** Notes the capability of a function that has one. */
export function note(
  scene: Scene,
  callee: Reference,
  args: readonly Value[],
  { start, end, how }: Span & { readonly how: Use['how'] },
): void {
  const capability = reached(callee, args);
  if (capability === undefined) return;
  if (scene.uses.length >= usesMax) {
    scene.isComplete = false;
    return;
  }
  const { path, veil } = callee;
  const [first] = args;
  scene.uses.push({
    capability,
    how,
    veil,
    start,
    end,
    path,
    count: args.length,
    argument: first === undefined ? undefined : textOf(first),
    passage: scene.passage,
  });
}

function reached({ path, veil }: Reference, args: readonly Value[]): Capability | undefined {
  return capabilityOf(path) ?? capabilityOfMember(path, veil, args);
}

/**
 * A member of an unknown object: `constructor` of any function is `Function`, and benign code does
 * not compute the name of a method that it could write.
 */
function capabilityOfMember(
  path: string,
  veil: Veil,
  args: readonly Value[],
): Capability | undefined {
  const dot = path.lastIndexOf('.');
  if (dot < 0) return undefined;
  const name = path.slice(dot + 1);
  if (name === 'constructor') {
    const isGiven = args.at(-1)?.kind === 'text' || (veil === 2 && args.length > 0);
    return isGiven ? 'evaluate' : undefined;
  }
  const capability = veil === 2 ? capabilityOf(name) : undefined;
  return capability === 'run' || capability === 'evaluate' || capability === 'dialog'
    ? capability
    : undefined;
}
