import type { Where } from '../../contract/verdict.ts';

/** A place in the JSON body: a member name or an array index, and the place that holds it. */
export interface PathNode {
  readonly parent: PathNode | undefined;
  readonly key: string | number;
}

/** A text to screen. A member name and a string value at the same place are two fields. */
export interface Field {
  readonly where: Where;
  readonly text: string;
  readonly node: PathNode;
}

/** RFC 6901 JSON pointer of a place. */
export function pointerOf(node: PathNode): string {
  let pointer = '';
  for (let at: PathNode | undefined = node; at !== undefined; at = at.parent) {
    pointer = `/${String(at.key).replaceAll('~', '~0').replaceAll('/', '~1')}${pointer}`;
  }
  return pointer;
}

/** The innermost member name above a place, or of it: `q` for `/filters/q/3`. */
export function memberNameOf(node: PathNode): string {
  let at: PathNode | undefined = node;
  while (at !== undefined && typeof at.key === 'number') at = at.parent;
  return at === undefined ? '' : String(at.key);
}

/** How many members and items lead to a place, itself included. */
export function depthOf(node: PathNode): number {
  let depth = 0;
  for (let at: PathNode | undefined = node; at !== undefined; at = at.parent) depth++;
  return depth;
}
