import { assignedHooks } from '../../../knowledge/engine-calls.ts';
import { markupMembers } from '../../../knowledge/page.ts';
import { call } from './calls.ts';
import { handOn } from './handed.ts';
import { placed, type Reader } from './reader.ts';
import { note } from './scene.ts';
import {
  anyMember,
  memberOf,
  reference,
  symbolMark,
  symbolOf,
  textOf,
  type Value,
  veiled,
} from './value.ts';

/** Gives names their values, by a pattern of ECMAScript or a list of Python. */
export function assign(reader: Reader, target: Value, value: Value, first: number): void {
  const { scene, names } = reader;
  switch (target.kind) {
    case 'reference': {
      const { path } = target;
      const isLocal = !path.includes('.') && !path.includes('(');
      // `f(a=1)` is an argument.
      if (isLocal && reader.depth <= 1) reader.statements++;
      if (isLocal) {
        const isRenamed =
          value.kind === 'reference' && !value.path.includes('.') && value.path !== path;
        if (names.length < 100) names.at(-1)?.set(path, isRenamed ? veiled(value) : value);
      }
      assignToPage(reader, path, value, first);
      return;
    }
    case 'entries':
      target.keys.forEach((key, at) => {
        assign(reader, target.values[at] as Value, memberOf(value, key, 0), first);
      });
      return;
    case 'list': {
      const [only] = target.items;
      const symbol = target.items.length === 1 ? symbolOf(only) : undefined;
      // `class A{static[Symbol.hasInstance]=alert}`
      if (symbol !== undefined) assignToPage(reader, symbol, value, first);
      target.items.forEach((item, at) => {
        assign(reader, item, memberOf(value, String(at), 0), first);
      });
      return;
    }
    case 'method':
      assignToPage(reader, `?.${target.name.toLowerCase()}`, value, first);
      return;
    case 'function':
      // A setter.
      call(scene, target, [value], placed(reader, first, reader.cursor.end));
      return;
    default:
      scene.budget--;
  }
}

/** `with({a: alert}) a(1)`: names that hold for one statement. */
export function withMembers(
  { names }: Reader,
  scope: Value | undefined,
  readStatement: () => Value,
): Value {
  const known = names.at(-1);
  const added: string[] = [];
  const { keys, values } = scope?.kind === 'entries' ? scope : { keys: [], values: [] };
  keys.forEach((key, at) => {
    const name = key.toLowerCase();
    if (known?.has(name) !== false) return;
    known.set(name, veiled(values[at] as Value));
    added.push(name);
  });
  const value = readStatement();
  for (const name of added) known?.delete(name);
  return value;
}

const scheme = /^[\s\0]{0,40}javascript:/i;
const calls = /[(`]/;

/** `location='javascript:…'`, `onerror=alert`, `onclick="…"` */
function assignToPage(reader: Reader, path: string, value: Value, first: number): void {
  const { scene, cursor } = reader;
  const name = path.slice(path.lastIndexOf('.') + 1);
  const span = placed(reader, first, cursor.end);
  if (markup.has(name)) note(scene, anyMember, [value], { ...span, how: 'assigned' });
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
    path.slice(0, -name.length).endsWith(prototype)
  );
}

const prototype = '.prototype.';

/** Members that change what the visitor sees, whatever they are given. */
const markup: ReadonlySet<string> = new Set([...markupMembers, 'location']);

function isAddress(path: string, name: string): boolean {
  return name === 'location' || path.endsWith('location.href') || name === 'src';
}
