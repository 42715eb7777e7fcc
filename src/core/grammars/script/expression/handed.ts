import {
  assignedHooks,
  callingMethods,
  containers,
  conversions,
  hooks,
  iteratorHooks,
  listers,
  memberTakerPaths,
  memberTakers,
  takerPaths,
  takers,
} from '../../../knowledge/engine-calls.ts';
import { markupMembers } from '../../../knowledge/page.ts';
import { wordSet } from '../../../text/words.ts';
import { capabilityOf } from './capabilities.ts';
import { note, type Scene, type Span } from './scene.ts';
import {
  anyMember,
  isRoot,
  memberOf,
  type Reference,
  reference,
  symbolMark,
  textOf,
  unknown,
  type Value,
  veiled,
} from './value.ts';

/** A member of an object; a dialog behind the name of a hook is called when the object is used. */
export function keepMember(scene: Scene, key: string, value: Value, span: Span): void {
  const isSymbol = key.startsWith(symbolMark);
  const isHook = isSymbol || conversions.has(key) || (scene.hasSymbols && iteratorHooks.has(key));
  if (value.kind !== 'reference' || !isHook) return;
  // A prompt is a text as often.
  if (value.path === 'prompt' && !isSymbol && !conversions.has(key)) return;
  handOn(scene, value, span);
}

/** A function of the platform takes a function, or an object with one, and calls it. */
export function handToEngine(
  scene: Scene,
  { path }: Reference,
  args: readonly Value[],
  span: Span,
): void {
  const name = path.slice(path.lastIndexOf('.') + 1);
  const root = path === name ? '' : path.slice(0, path.search(notName));
  const isKept = promised.has(name) ? !promisers.has(root) : !containers.has(root);
  const isCalling = callingMethods.has(name) && !isKept;
  const first = isCalling ? 0 : (takers.get(name) ?? takerPaths.get(path) ?? args.length);
  for (const arg of args.slice(first)) {
    const isAlert = arg.kind === 'reference' && (arg.path === 'alert' || arg.veil > 0);
    if (isAlert || isCalling || ofPlatform.test(path)) handOn(scene, arg, span);
  }
  if (memberTakers.has(name) || memberTakerPaths.has(path)) {
    const isEach = memberTakers.has(name) || root === 'webassembly' || isShared(args[0]);
    handMembers(scene, path, args, isEach, span);
  }
}

/** The same of the members of an object that it is given. */
function handMembers(
  scene: Scene,
  path: string,
  args: readonly Value[],
  isEach: boolean,
  span: Span,
): void {
  // `Object.assign(options, {error: alert})`: who reads the options calls it, and no engine.
  const all = args.filter((arg) => arg.kind === 'entries');
  // Descriptors are members of members: `Object.create({}, {x: {get: alert}})`.
  const inner = described.has(path) ? all.flatMap(({ values }) => values) : [];
  const owner = path === 'assign' && args[0]?.kind === 'reference' ? args[0].path : undefined;
  for (const arg of [...all, ...inner]) {
    if (arg.kind !== 'entries') continue;
    arg.values.forEach((value, at) => {
      const member = `${owner}.${arg.keys[at]}`.toLowerCase();
      if (owner !== undefined && pageObject.test(member)) assignToPage(scene, member, value, span);
      // `Object.assign(state, {prompt})` keeps a value of that name.
      const key = arg.keys[at] ?? '';
      const isNamesake = value.kind === 'reference' && value.path === key.toLowerCase();
      if (!isNamesake && (isEach || handler.test(key) || hooks.has(key)))
        handOn(scene, value, span);
    });
  }
}

const scheme = /^[\s\0]{0,40}javascript:/i;
const calls = /[(`]/;

/** `location='javascript:…'`, `onerror=alert`, `onclick="…"` */
export function assignToPage(scene: Scene, path: string, value: Value, span: Span): void {
  const name = path.slice(path.lastIndexOf('.') + 1);
  if (pageMembers.has(name) || pageObject.test(path)) {
    note(scene, anyMember, [value], { ...span, how: 'assigned' });
  }
  if (value.kind === 'text') {
    const program = textOf(value) ?? '';
    const found = scheme.exec(program);
    if (name.startsWith('on') && calls.test(program)) scene.evaluate(program, span);
    else if (found !== null && isAddress(path, name)) {
      note(scene, reference('location', 1), [value], { ...span, how: 'assigned' });
    }
    return;
  }
  if (value.kind !== 'reference') return;
  if (name.startsWith('on')) note(scene, veiled(value), [], { ...span, how: 'handed' });
  else if (isCalledByEngine(path, name)) handOn(scene, value, span);
}

/** `x.toString=alert`, `x[Symbol.iterator]=alert`, `Array.prototype.join=alert` */
function isCalledByEngine(path: string, name: string): boolean {
  return (
    assignedHooks.has(name) ||
    name.startsWith(symbolMark) ||
    path.slice(0, -name.length).endsWith('.prototype.')
  );
}

/** Members that change what the visitor sees, whatever they are given; a member of the window without a known name. */
const pageMembers: ReadonlySet<string> = new Set([
  ...markupMembers,
  ...wordSet('location textcontent innertext outertext srcdoc [?]'),
]);

/** A member of what is shown, kept, or loaded as soon as it has an address. */
const pageObject =
  /^(?:document\.|(?:local|session)storage\.|location\.(?:href|hash|search|protocol|host|pathname)$)|^(?:image|audio)\(\)\.src$|createelement\(\)\./;

function isAddress(path: string, name: string): boolean {
  return name === 'location' || path.endsWith('location.href') || name === 'src';
}

const described: ReadonlySet<string> = wordSet(
  'create defineproperties webassembly.instance webassembly.instantiate',
);

/** The window, whose members are names, and what all objects of a kind have their methods of. */
function isShared(value: Value | undefined): boolean {
  return value?.kind === 'reference' && (isWindow(value) || value.path.endsWith('.prototype'));
}

/** `onerror`; libraries have `onError`. */
const handler = /^on[a-z]+$/;

/** `promise.then(alert)` is how beginners look at a result. */
const promised: ReadonlySet<string> = new Set(['then', 'catch', 'finally']);
/** Objects of the page with promises that no program prints: `document.fonts.ready`. */
const promisers: ReadonlySet<string> = new Set(['document', 'navigator', 'caches']);
/** Of the window or the document, of what is made here; `button.addEventListener('click', open)` is of the text's own. */
const ofPlatform =
  /^(?:(?:document(?:\.body|\.documentelement)?|json|map|array|navigator\.\w{1,2000}|\w{1,2000}\(\))\.)?\w{1,2000}$/;

/** Notes a dialog or an evaluator that the engine calls by itself. */
export function handOn(scene: Scene, given: Value, span: Span): void {
  const value = takenOutOf(given);
  if (value.kind !== 'reference') return;
  const capability = capabilityOf(value.path);
  if (capability === 'dialog' || capability === 'evaluate') {
    note(scene, veiled(value), [value], { ...span, how: 'handed' });
  }
}

/** `Object.values({a:alert})[0](1)`: what was put in is called once it is out again. */
export function callHeld(
  scene: Scene,
  callee: Reference,
  args: readonly Value[],
  span: Span,
): void {
  const held = callee.holds ?? keptIn(scene, callee);
  if (held === undefined) return;
  // `Object.entries({a:alert}).map(([,v])=>v(1))`
  const isGivenOn = args.some(
    (arg) => arg.kind === 'function' && arg.calls.some((late) => late.callee.kind === 'parameter'),
  );
  if (!isGivenOn && !takenOut.test(callee.path)) return;
  note(scene, veiled(held, 2), args, { ...span, how: 'called' });
}

/** `[alert].slice()[0]`, `new Map([[1,alert]]).get(1)`: what was put in, once it is out again. */
export function takenOutOf(value: Value): Value {
  const isOut =
    value.kind === 'reference' && value.holds !== undefined && takenOut.test(value.path);
  return isOut ? veiled(value.holds, 2) : value;
}

/** `m=new Map;m.set(1,alert);m.get(1)(1)` */
function keptIn({ kept }: Scene, { path }: Reference): Reference | undefined {
  return kept.size === 0 ? undefined : kept.get(path.slice(0, path.indexOf('.')));
}

const notName = /\W/;

const takenOut = /(?:\(\)|\.\d{1,6}|\.value)$|^proxy\(\)\.[\w$]+$/;

/** The dialog that a container of the platform keeps of its arguments, or its own result of what it keeps. */
export function heldBy(callee: Reference, args: readonly Value[]): Reference | undefined {
  if (callee.holds !== undefined) return callee.holds;
  const { path } = callee;
  const [first, second] = args;
  const ofWindow = first?.kind === 'reference' && isWindow(first) ? first : undefined;
  if (ofWindow !== undefined && listers.has(path)) return reference('alert', 2);
  // `Array(1).fill(alert)`
  const end = path.search(notName);
  if (!containers.has(end < 0 ? path : path.slice(0, end))) return undefined;
  if (ofWindow !== undefined && second?.kind === 'text') {
    const member = memberOf(ofWindow, second.text, 2);
    return member.kind === 'reference' ? member : undefined;
  }
  for (const arg of args) {
    const held = arg.kind === 'function' ? undefined : dialogIn(arg);
    if (held !== undefined) return held;
  }
  return undefined;
}

/** `Object.create(null, {x: {value: alert}})`, `Object.defineProperty({}, 'x', {get(){…}})`: the members. */
export function describedBy(path: string, [, second, third]: readonly Value[]): Value | undefined {
  if (path === 'defineproperty' && third !== undefined && second?.kind === 'text') {
    return { kind: 'entries', keys: [second.text], values: [describedValue(third)] };
  }
  if (!described.has(path) || second?.kind !== 'entries') return undefined;
  return { ...second, values: second.values.map(describedValue) };
}

function describedValue(descriptor: Value): Value {
  return dialogIn(descriptor) ?? unknown;
}

/** A global object; `this` is any other as well. */
export function isWindow({ path }: Reference): boolean {
  return path !== 'this' && isRoot(path);
}

const heldDepthMax = 3;
const heldItemsMax = 16;

/** The first dialog that a value is, holds or gives when it is called. */
export function dialogIn(value: Value, depth = 0): Reference | undefined {
  if (value.kind === 'reference') {
    return capabilityOf(value.path) === 'dialog' ? value : value.holds;
  }
  if (depth >= heldDepthMax) return undefined;
  if (value.kind === 'function') return dialogIn(value.result, depth + 1);
  const items = value.kind === 'list' ? value.items : value.kind === 'entries' ? value.values : [];
  for (const item of items.slice(0, heldItemsMax)) {
    const found = dialogIn(item, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
