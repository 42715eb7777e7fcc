import type { Where } from '../../contract/verdict.ts';
import { CharBuffer } from '../text/char-buffer.ts';
import { shortened } from '../text/shortened.ts';

/** A place in the JSON body: a member name or an array index, and the place that holds it. */
export interface PathNode {
  readonly parent: PathNode | undefined;
  readonly key: string | number;
  /** Kept by `pointerOf`: many members may share a path that is half of the body. */
  pointer?: string;
}

/** A text to screen. A member name and a string value at the same place are two fields. */
export interface Field {
  readonly where: Where;
  readonly text: string;
  readonly node: PathNode;
}

/** A name in a value is a name, and what a name of a member holds is of that name. */
export function whereOf(view: { readonly where: Where }, field: Field): Where {
  return view.where === 'name' ? 'name' : field.where;
}

/** RFC 6901 JSON pointer of a place, shortened where it is very long. */
export function pointerOf(node: PathNode): string {
  const { parent } = node;
  node.pointer ??= shortened(`${parent === undefined ? '' : pointerOf(parent)}/${segmentOf(node)}`);
  return node.pointer;
}

function segmentOf({ key }: PathNode): string {
  if (typeof key === 'number') return String(key);
  if (!key.includes('~') && !key.includes('/')) return key;
  // `replaceAll` builds a rope with as many nodes as there are signs.
  const out = new CharBuffer(key.length * 2);
  for (let at = 0; at < key.length; at++) {
    const code = key.charCodeAt(at);
    if (code === tilde || code === slash) {
      out.push(tilde);
      out.push(code === tilde ? zero : one);
    } else out.push(code);
  }
  return out.finish();
}

const slash = 47;
const zero = 48;
const one = 49;
const tilde = 126;

/** Whether two places have the same pointer; looks at no more than where they part. */
export function isSamePlace(one: PathNode, other: PathNode): boolean {
  let a: PathNode | undefined = one;
  let b: PathNode | undefined = other;
  for (; a !== b; a = a.parent, b = b.parent) {
    if (a === undefined || b === undefined || a.key !== b.key) return false;
  }
  return true;
}

/** The innermost member name above a place, or of it: `q` for `/filters/q/3`. */
export function memberNameOf(node: PathNode): string {
  let at: PathNode | undefined = node;
  while (at !== undefined && typeof at.key === 'number') at = at.parent;
  return at === undefined ? '' : String(at.key);
}

/** How many members and items lead to a place, itself included; 0 for the whole body. */
export function depthOf(node: PathNode | undefined): number {
  let depth = 0;
  for (let at: PathNode | undefined = node; at !== undefined; at = at.parent) depth++;
  return depth;
}
