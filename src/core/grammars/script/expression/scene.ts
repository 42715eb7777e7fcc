import { type Capability, capabilityOf, elementMethods } from './capabilities.ts';
import { type LateCall, type Reference, textOf, type Value, type Veil } from './value.ts';

/** A capability that is called, handed on to be called, or assigned to. */
export interface Use {
  readonly capability: Capability;
  readonly how: 'called' | 'handed' | 'assigned' | 'read';
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
  /** A member has been named by a symbol. */
  hasSymbols: boolean;
  /** Calls of `parseInt` with what a function of the script gives. */
  sums: number;
  /** The last passage that changes the page: none does in the first, which stands in no literal. */
  touched: number;
  /** The last passage that reads what is kept for the visitor. */
  seen: number;
  /** Dialogs that were put into a map or a set, by what made it: `map()`. */
  readonly kept: Map<string, Reference>;
  /** What a text gives when it is run. */
  evaluate(program: string, span: Span): Value;
}

/** `location.reload();//`: a comment with nothing in it ends what an application has behind the value. */
export function isCutOff(text: string): boolean {
  return text.length <= cutOffMax && cutOff.test(text);
}

const cutOffMax = 400;
const cutOff = /^[^\n\r]*[;)\]}'"`\w]\s{0,4}\/[/*]\s{0,4}$/;

/** More uses in one text are not kept: an attack is among them, or drowns on purpose. */
const usesMax = 4_096;

/** Notes the capability of a function that has one. */
export function note(
  scene: Scene,
  callee: Reference,
  args: readonly Value[],
  { start, end, how }: Span & { readonly how: Use['how'] },
): void {
  const capability = reached(callee, args);
  if (capability === undefined) return;
  if (capability === 'touch') {
    // Evidence only behind a literal that was closed, where one is as good as many.
    if (scene.passage === scene.touched) return;
    if (how !== 'read') scene.touched = scene.passage;
    else if (scene.passage === scene.seen) return;
    else scene.seen = scene.passage;
  }
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
    argument: first === undefined || first.kind === 'entries' ? undefined : textOf(first),
    passage: scene.passage,
  });
}

/** Notes what is secret by itself: the environment of a process, what the browser keeps for the visitor. */
export function noteRead(scene: Scene, value: Value, span: Span): Value {
  if (value.kind !== 'reference') return value;
  const isKept = kept.has(value.path);
  if (isKept || capabilityOf(value.path) === 'environment') {
    note(scene, value, [], { ...span, how: isKept ? 'read' : 'called' });
  }
  return value;
}

const kept: ReadonlySet<string> = new Set(['document.cookie', 'localstorage', 'sessionstorage']);

/** Functions of a page that run a text, or call a function. */
export const timers: ReadonlySet<string> = new Set(['settimeout', 'setinterval']);

const jquery: ReadonlySet<string> = new Set(['$', 'jquery']);
const linked = /^(?:location(?:\.\w+)?|name|document\.(?:url|referrer|location(?:\.\w+)?))$/;

/** The capability of a function that is called with these arguments. */
export function reached({ path, veil }: Reference, args: readonly Value[]): Capability | undefined {
  const [first] = args;
  const isProgram = timers.has(path) && first?.kind === 'text';
  // jQuery takes markup, and the link decides what stands there.
  if (first?.kind === 'reference' && jquery.has(path) && linked.test(first.path)) return 'touch';
  return isProgram ? 'page' : (capabilityOf(path) ?? capabilityOfMember(path, veil, args));
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
  const name = path.slice(dot + 1);
  if (elementMethods.has(name)) return 'touch';
  if (dot < 0) return undefined;
  if (name === 'constructor') {
    const isOfFunction = capabilityOf(path.slice(0, dot)) === 'dialog';
    const isGiven = args.at(-1)?.kind === 'text' || (veil === 2 && args.length > 0);
    return isGiven || isOfFunction ? 'evaluate' : undefined;
  }
  const capability = veil === 2 ? capabilityOf(name) : undefined;
  return capability === 'run' || capability === 'evaluate' || capability === 'dialog'
    ? capability
    : undefined;
}
