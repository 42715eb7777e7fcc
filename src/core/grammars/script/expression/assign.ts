import { call } from './calls.ts';
import { assignToPage, isWindow } from './handed.ts';
import { placed, type Reader } from './reader.ts';
import { note, noteRead, type Scene, type Span } from './scene.ts';
import {
  holding,
  memberOf,
  putMember,
  type Reference,
  reference,
  symbolOf,
  text,
  type Value,
  veiled,
} from './value.ts';

/** Gives names their values, by a pattern of ECMAScript or a list of Python. */
export function assign(reader: Reader, target: Value, value: Value, first: number): void {
  const { scene, names } = reader;
  putMember(target, value);
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
      const span = placed(reader, first, reader.cursor.end);
      noteHidden(scene, target, value, span);
      assignToPage(scene, path, value, span);
      return;
    }
    case 'entries':
      target.keys.forEach((key, at) => {
        const member = memberOf(value, key, 0);
        noteRead(scene, member, placed(reader, first, reader.cursor.end));
        assign(reader, target.values[at] as Value, member, first);
      });
      return;
    case 'list': {
      const [only] = target.items;
      const symbol = target.items.length === 1 ? symbolOf(only) : undefined;
      // `class A{static[Symbol.hasInstance]=alert}`
      if (symbol !== undefined)
        assignToPage(scene, symbol, value, placed(reader, first, reader.cursor.end));
      target.items.forEach((item, at) => {
        assign(reader, item, memberOf(value, String(at), 0), first);
      });
      return;
    }
    case 'method':
      assignToPage(
        scene,
        `?.${target.name.toLowerCase()}`,
        value,
        placed(reader, first, reader.cursor.end),
      );
      return;
    case 'function':
      // A setter.
      call(scene, target, [value], placed(reader, first, reader.cursor.end));
      return;
    default:
      scene.budget--;
  }
}

/** `for (x of [alert])`, `for (x in {alert: 1})`: the name has each of them in turn. */
export function bindEach(
  reader: Reader,
  mark: 'of' | 'in',
  { left, right, first }: { readonly left: Value; readonly right: Value; readonly first: number },
): void {
  if (right.kind === 'reference' && isWindow(right)) {
    assign(reader, left, holding('?', reference('alert', 2)), first);
    return;
  }
  const items =
    mark === 'of' && right.kind === 'list'
      ? right.items.slice(0, eachMax)
      : mark === 'in' && right.kind === 'entries'
        ? right.keys.slice(0, eachMax).map((key) => text(key))
        : [];
  for (const item of items.reverse()) assign(reader, left, item, first);
}

const eachMax = 8;

/** `self['loca'+'tion']=` */
function noteHidden(scene: Scene, target: Reference, value: Value, span: Span): void {
  if (target.veil === 2 && target.path === 'location') {
    note(scene, target, [value], { ...span, how: 'assigned' });
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
