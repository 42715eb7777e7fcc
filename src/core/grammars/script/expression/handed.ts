import {
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
import { capabilityOf } from './capabilities.ts';
import { note, type Scene, type Span } from './scene.ts';
import {
  isRoot,
  memberOf,
  type Reference,
  reference,
  symbolMark,
  type Value,
  veiled,
} from './value.ts';

/** A member of an object; a dialog behind the name of a hook is called when the object is used. */
export function keepMember(scene: Scene, key: string, value: Value, span: Span): void {
  const isSymbol = key.startsWith(symbolMark);
  const isHook = isSymbol || hooks.has(key) || (scene.hasSymbols && iteratorHooks.has(key));
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
  const isOfContainer = path !== name && containers.has(path.slice(0, path.search(notName)));
  const isCalling = isOfContainer && callingMethods.has(name) && !promised.has(name);
  const first = isCalling ? 0 : (takers.get(name) ?? takerPaths.get(path) ?? args.length);
  for (const arg of args.slice(first)) {
    const isAlert = arg.kind === 'reference' && (arg.path === 'alert' || arg.veil > 0);
    if (isAlert || isCalling || ofPlatform.test(path)) handOn(scene, arg, span);
  }
  if (!memberTakers.has(name) && !memberTakerPaths.has(path)) return;
  // `Object.assign(options, {error: alert})`: who reads the options calls it, and no engine.
  const isEach = memberTakers.has(name) || isShared(args[0]);
  for (const arg of args) {
    if (arg.kind !== 'entries') continue;
    arg.values.forEach((value, at) => {
      // `Object.assign(state, {prompt})` keeps a value of that name.
      const key = arg.keys[at] ?? '';
      const isNamesake = value.kind === 'reference' && value.path === key.toLowerCase();
      if (!isNamesake && (isEach || key.startsWith('on') || hooks.has(key)))
        handOn(scene, value, span);
    });
  }
}

/** The window, whose members are names, and what all objects of a kind have their methods of. */
function isShared(value: Value | undefined): boolean {
  return value?.kind === 'reference' && (isWindow(value) || value.path.endsWith('.prototype'));
}

/** `promise.then(alert)` is how beginners look at a result. */
const promised: ReadonlySet<string> = new Set(['then', 'catch', 'finally']);
/** Of the window or the document, of what is made here; `button.addEventListener('click', open)` is of the text's own. */
const ofPlatform =
  /^(?:\w+|(?:document(?:\.body|\.documentelement)?|json|map|array|navigator\.\w+|\w+\(\))\.\w+)$/;

/** Notes a dialog or an evaluator that the engine calls by itself. */
export function handOn(scene: Scene, value: Value, span: Span): void {
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
  if (callee.holds === undefined) return;
  // `Object.entries({a:alert}).map(([,v])=>v(1))`
  const isGivenOn = args.some(
    (arg) => arg.kind === 'function' && arg.calls.some((late) => late.callee.kind === 'parameter'),
  );
  if (!isGivenOn && !takenOut.test(callee.path)) return;
  note(scene, veiled(callee.holds, 2), args, { ...span, how: 'called' });
}

const notName = /\W/;

const takenOut = /(?:\(\)|\.\d{1,6}|\.value)$/;

/** The dialog that a container of the platform keeps of its arguments, or its own result of what it keeps. */
export function heldBy(callee: Reference, args: readonly Value[]): Reference | undefined {
  if (callee.holds !== undefined) return callee.holds;
  const { path } = callee;
  const [first, second] = args;
  const ofWindow = first?.kind === 'reference' && isWindow(first) ? first : undefined;
  if (ofWindow !== undefined && listers.has(path)) return reference('alert', 2);
  const dot = path.indexOf('.');
  if (!containers.has(dot < 0 ? path : path.slice(0, dot))) return undefined;
  if (ofWindow !== undefined && second?.kind === 'text') {
    const member = memberOf(ofWindow, second.text, 2);
    return member.kind === 'reference' ? member : undefined;
  }
  for (const arg of args) {
    const held = dialogIn(arg, 0);
    if (held !== undefined) return held;
  }
  return undefined;
}

/** A global object; `this` is any other as well. */
export function isWindow({ path }: Reference): boolean {
  return path !== 'this' && isRoot(path);
}

const heldDepthMax = 3;
const heldItemsMax = 16;

function dialogIn(value: Value, depth: number): Reference | undefined {
  if (value.kind === 'reference') {
    return capabilityOf(value.path) === 'dialog' ? value : undefined;
  }
  if (depth >= heldDepthMax) return undefined;
  const items = value.kind === 'list' ? value.items : value.kind === 'entries' ? value.values : [];
  for (const item of items.slice(0, heldItemsMax)) {
    const found = dialogIn(item, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
