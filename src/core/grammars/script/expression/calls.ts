import { callingMethods, containers } from '../../../knowledge/engine-calls.ts';
import { wordMap } from '../../../text/words.ts';
import { callers, capabilityOf, rubyMethods } from './capabilities.ts';
import { computed, isComputedBy, isMadeBy } from './computed.ts';
import { foldCall, foldMethod } from './fold.ts';
import {
  assignToPage,
  callHeld,
  describedBy,
  dialogIn,
  handToEngine,
  heldBy,
  takenOutOf,
} from './handed.ts';
import { note, reached, type Scene, type Span } from './scene.ts';
import {
  bound,
  holding,
  isRoot,
  type Lambda,
  type List,
  memberOf,
  pushItem,
  type Reference,
  reference,
  symbolMark,
  textOf,
  unknown,
  type Value,
  type Veil,
  veiled,
  word,
} from './value.ts';

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
      return ofScript.test(callee.text)
        ? unknown
        : callReference(scene, named(callee.text), args, span);
    case 'function':
      return callFunction(scene, callee, args);
    case 'method':
      return callMethod(scene, callee, args, span);
    case 'parameter':
      scene.late.at(-1)?.push({ callee, args, ...span });
      return unknown;
    // `new class{…}()`
    case 'entries':
      return callee;
    default:
      return unknown;
  }
}

/** Words of script that no function of PHP has for its name: `=== 'function' (5 ms)`. */
const ofScript = /^(?:function|import)$/i;

/** The function of PHP that a text names. */
function named(name: string): Reference {
  return reference(name.replace(namespace, '').toLowerCase(), 2);
}

function callFunction(scene: Scene, callee: Lambda, given: readonly Value[]): Value {
  for (const late of callee.calls) {
    if (--scene.budget < 0) return unknown;
    const target = bound(late.callee, given);
    if (target.kind === 'reference' || target.kind === 'text') {
      const all = late.args.map((arg) => bound(arg, given));
      call(scene, target, all, late);
    }
  }
  return veiled(bound(callee.result, given));
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
  // `[].at.call([alert], 0)`
  if (base.kind === 'method') {
    const [owner, ...rest] = args;
    const isList = name === 'apply' && rest[0]?.kind === 'list';
    if (owner === undefined) return unknown;
    const target = memberOf(owner, base.name, 1);
    return call(scene, target, isList ? (rest[0] as List).items : rest, span);
  }
  scene.budget -= weightOf(base);
  const folded = scene.budget < 0 ? undefined : foldMethod(callee, args);
  if (folded !== undefined) return folded;
  // Ruby: every object has `send`.
  if (isSend(name)) return sent(scene, reference('object'), args, span);
  if (callsArguments(name.toLowerCase())) {
    const items = base.kind === 'list' ? base.items : [base];
    for (const arg of args) hand(scene, veiled(arg), items, span);
  }
  if (isComputedBy(base, name, args)) return computed;
  return base.kind === 'list' ? fromList(base, name, args) : unknown;
}

/** `[alert].find(x=>x)`, `a.push(alert)` */
function fromList(base: List, name: string, args: readonly Value[]): Value {
  const [first] = args;
  const held = dialogIn({ kind: 'list', items: [base, ...args] });
  if (first !== undefined && keepers.has(name)) pushItem(base, first);
  return holding('iterator()', held);
}

/** `'a'[Symbol.replace](…)` is what `'a'.replace(…)` calls. */
function callsArguments(name: string): boolean {
  return methods.has(name) || name.startsWith(symbolMark);
}

const methods: ReadonlySet<string> = new Set([...callingMethods, ...rubyMethods]);

/** Methods that put what they are given into a list, a set, a map, a form. */
const keepers: ReadonlySet<string> = new Set(['push', 'unshift', 'set', 'add', 'append']);

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

/** Something that calls takes a function, with what it will give to it. */
function hand(scene: Scene, value: Value, args: readonly Value[], span: Span): void {
  const target = value.kind === 'text' ? named(value.text) : takenOutOf(value);
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
  handToEngine(scene, callee, args, span);
  for (const arg of args) scene.budget -= weightOf(arg);
  const folded = scene.budget < 0 ? undefined : (foldCall(path, args) ?? foldCall(name, args));
  if (folded !== undefined) return folded;
  if (path === 'parseint') noteSum(scene, args, span);
  if ((dot < 0 ? callers : methods).has(name)) handAll(scene, path, args, span);
  const capability = reached(callee, args);
  if (capability !== undefined) note(scene, callee, args, { ...span, how: 'called' });
  const program = args.at(-1);
  if (capability === 'evaluate' && program?.kind === 'text') {
    const result = scene.evaluate(program.text, span);
    return functionMakers.has(name) ? { kind: 'function', result, calls: [] } : result;
  }
  if (isMadeBy(path, args)) return computed;
  keepIn(scene, callee, args);
  callHeld(scene, callee, args, span);
  return describedBy(path, args) ?? holding(`${path}()`, heldBy(callee, args));
}

function handAll(scene: Scene, path: string, args: readonly Value[], span: Span): void {
  // `[].constructor.from([1],alert)`: of no object that a program has.
  const isOdd = path.startsWith('?.constructor.');
  const given = pythonCallers.has(path) ? args.filter(({ kind }) => kind !== 'text') : args;
  for (const arg of given) hand(scene, isOdd ? veiled(arg) : arg, args, span);
}

/** They take functions; a text is none, as in the formula `=FILTER(A2:C9, B2:B9="open")`. */
const pythonCallers: ReadonlySet<string> = new Set(['map', 'filter', 'reduce']);

/** `m=new Map;m.set(1,alert)` */
function keepIn(scene: Scene, { path }: Reference, args: readonly Value[]): void {
  const dot = path.lastIndexOf('.');
  if (!keepers.has(path.slice(dot + 1)) || !containers.has(path.slice(0, Math.max(0, dot - 2))))
    return;
  const held = heldBy(reference('set'), args);
  if (held !== undefined) scene.kept.set(path.slice(0, dot), held);
}

const functionMakers: ReadonlySet<string> = new Set(['function', 'constructor']);

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

const module: Structure = (_, owner, [name]) => {
  const path = name === undefined ? undefined : textOf(name);
  if (path === undefined) return undefined;
  // `require('child_'+'process')`
  const veil = name?.kind === 'text' && name.from < 0 ? 2 : veilOf(owner);
  return reference(path.replace(scheme, '').toLowerCase(), veil);
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

/** A promise calls what it is given by a method, as a list does. */
const promiseOf: Structure = (_, __, args) => ({ kind: 'list', items: args });

const proxyOf: Structure = (scene, _, args, span) => {
  handToEngine(scene, reference('proxy'), args, span);
  const [target, handler] = args;
  const trap =
    handler?.kind === 'entries' ? handler.values[handler.keys.indexOf('get')] : undefined;
  const held = trap?.kind === 'function' ? dialogIn(trap) : undefined;
  if (held !== undefined) return holding('proxy()', held);
  return target === undefined ? undefined : veiled(target);
};

/** `Object.seal(alert)` gives what it is given. */
function sameObject(first: Value | undefined): Value | undefined {
  return first?.kind === 'reference' || first?.kind === 'function' ? veiled(first) : undefined;
}

/** Calls that give a member, a module or what another function gives, by their last name. */
const structures: ReadonlyMap<string, Structure> = wordMap<Structure>(
  [
    (scene, owner, args, span) =>
      ofFunction(scene, owner, isRuby(owner) ? args : args.slice(1), span),
    'call',
  ],
  [
    (scene, owner, args, span) => {
      const list = args[1]?.kind === 'list' ? args[1].items : args.slice(1);
      return ofFunction(scene, owner, list, span);
    },
    'apply',
  ],
  [(_, owner) => veiled(owner), 'bind'],
  [(scene, owner, args, span) => ofFunction(scene, owner, args.slice(1), span), 'bind_call'],
  [ofFunction, 'invoke invokeargs __call__ __invoke'],
  [(_, owner) => owner, 'to_proc'],
  [getMember, 'getattr reflect.get'],
  [
    (scene, _, [owner, name, value], span) => {
      const target = getMember(scene, unknown, [owner ?? unknown, name ?? unknown], span);
      if (target?.kind === 'reference' && value !== undefined)
        assignToPage(scene, target.path, value, span);
      return word('true');
    },
    'reflect.set',
  ],
  [ownMember, '__getattribute__ __getitem__ get pop method instance_method const_get'],
  [(_, owner, args) => (isOwned(owner) ? ownMember(_, owner, args, noSpan) : undefined), 'fetch'],
  [(_, __, [first]) => first, 'vars'],
  [
    (scene, owner, args, span) => {
      // Programs write the name where they call it.
      const veil = veilOf(owner);
      if (veil > 0) note(scene, reference('__import__', veil), args, { ...span, how: 'called' });
      return module(scene, owner, args, span);
    },
    '__import__',
  ],
  [module, 'import_module require'],
  [
    (scene, owner, args, span) => {
      const callee = reference('process.getbuiltinmodule', veilOf(owner));
      note(scene, callee, args, { ...span, how: 'called' });
      return module(scene, owner, args, span);
    },
    'getbuiltinmodule',
  ],
  [sent, 'send __send__ public_send'],
  [
    (_, __, [name]) => (name === undefined ? undefined : named(textOf(name) ?? '?')),
    'reflectionfunction closure.fromcallable',
  ],
  [callFirst, 'call_user_func forward_static_call'],
  [applyFirst, 'call_user_func_array reflect.apply reflect.construct'],
  [promiseOf, 'promise.resolve promise.reject customelements.whendefined'],
  [proxyOf, 'proxy'],
  [
    (...given) => ({ kind: 'entries', keys: ['proxy'], values: [proxyOf(...given) ?? unknown] }),
    'proxy.revocable',
  ],
  [(_, __, [first]) => sameObject(first), 'object seal preventextensions setprototypeof'],
);

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
  const held = callee.holds === undefined ? {} : { holds: callee.holds };
  const owner =
    dot < 0
      ? reference('self', callee.veil)
      : { ...reference(path.slice(0, dot), callee.veil), ...held };
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
