import type { BodyPlace, PlaceTable } from './places.ts';
import type { BodyMember } from './request-parts.ts';

/** In the place of a value that was not written: one that is no text, in a list or instead of one. */
export const unknown: object = Object.freeze({});

const readingsMax = 4;
const itemsMax = 10_000;

type Written = readonly [place: BodyPlace, value: unknown];

/**
 * The trees that members stand for. There is one, unless a name came again: a body may have several
 * readings, and each of them must be as declared. Undefined where there are too many.
 */
export function treesOf(
  members: readonly BodyMember[],
  places: PlaceTable<BodyPlace>,
): readonly unknown[] | undefined {
  const tree = plainTree(members, places);
  return tree === undefined ? readingsOf(members, places) : [tree];
}

function readingsOf(
  members: readonly BodyMember[],
  places: PlaceTable<BodyPlace>,
): readonly unknown[] | undefined {
  const known = new Set(members.map(({ key }) => key));
  const first: Written[] = [];
  const again: Written[][] = [];
  for (const { key, value } of members) {
    const place = places.of(key);
    const { base, count } = place;
    // `a[1]` beside `a` is a second `a`: of a list nothing has the name of the whole.
    if (base === undefined || !known.has(base)) first.push([place, value]);
    // Null says nothing that the first one does not say.
    else if (value !== null) {
      if (count >= readingsMax) return undefined;
      again[count] = [...(again[count] ?? []), [places.of(base), value]];
    }
  }
  const trees = [treeOf(first)];
  for (const others of again) {
    if (others !== undefined) trees.push(treeOf([...first, ...others]));
  }
  return trees;
}

type Container = Record<string, unknown> | unknown[];

/**
 * The tree of members that are written as almost all are: each once, with objects and lists that
 * hold nothing else. Undefined for others, of which `treeOf` knows more.
 */
function plainTree(members: readonly BodyMember[], places: PlaceTable<BodyPlace>): unknown {
  const root: Record<string, unknown> = {};
  for (const { key, value } of members) {
    if (!putPlain(root, places.of(key), value)) return undefined;
  }
  return root;
}

/** Puts a member where its name says; false where that is not all that there is to say. */
export function putPlain(
  root: Record<string, unknown>,
  { segments, isListText, isPlain }: BodyPlace,
  value: unknown,
): boolean {
  if (isListText) return true;
  if (segments === undefined || typeof segments[0] !== 'string') return false;
  if (!isPlain || (typeof value === 'object' && value !== null)) return false;
  // An odd name may stand by itself; a name that ends as a second one does may be one.
  if (value === null && segments.length === 1) return false;
  return put(root, segments, value === null ? unknown : value);
}

function put(root: Container, segments: readonly (string | number)[], value: unknown): boolean {
  let at = root;
  const last = segments.length - 1;
  for (let index = 0; index < last; index++) {
    const segment = segments[index] as string | number;
    const there = slotOf(at, segment);
    if (there === undefined || there === unknown) {
      const made: Container = typeof segments[index + 1] === 'number' ? [] : {};
      if (there === unknown || !fill(at, segment, made)) return false;
      at = made;
    } else if (typeof there === 'object') at = there as Container;
    else return false;
  }
  const segment = segments[last] as string | number;
  return slotOf(at, segment) === undefined && fill(at, segment, value);
}

function slotOf(at: Container, segment: string | number): unknown {
  return (at as Record<string | number, unknown>)[segment];
}

/** False where a list would have a name, an object an index, or an item comes before its time. */
function fill(at: Container, segment: string | number, value: unknown): boolean {
  if (Array.isArray(at)) {
    if (typeof segment !== 'number' || segment !== at.length || segment >= itemsMax) return false;
    at.push(value);
    return true;
  }
  if (typeof segment === 'number') return false;
  at[segment] = value;
  return true;
}

function treeOf(members: readonly Written[]): unknown {
  const builder = new Builder();
  const inner = new Set<string | number>();
  const alone: string[] = [];
  for (const [{ segments: path, isListText }, value] of members) {
    // A list as a text, beside its items; a text of the whole beside its parts.
    if (path === undefined || isListText || (path.length === 0 && members.length > 1)) continue;
    for (let at = 1; at < path.length; at++) inner.add(path[at] ?? '');
    const [name] = path;
    if (path.length === 1 && value === null && odd.test(String(name))) alone.push(String(name));
    else builder.put(path, value);
  }
  // Our clients give an odd name that stands deep in a body by itself as well.
  for (const name of alone) if (!inner.has(name)) builder.put([name], null);
  return builder.finish();
}

const odd = /[^\w\s.,:!?@/[\]\x80-\uffff-]/;

/** An object or a list that is being put together. */
interface Level {
  readonly members: Map<string | number, Level | { readonly leaf: unknown }>;
}

class Builder {
  readonly #root: Level = { members: new Map() };
  #scalar: unknown;

  put(path: readonly (string | number)[], value: unknown): void {
    if (path.length === 0) {
      this.#scalar = value;
      return;
    }
    let level = this.#root;
    for (const segment of path.slice(0, -1)) {
      const next = level.members.get(segment);
      if (next !== undefined && 'members' in next) level = next;
      else {
        const made: Level = { members: new Map() };
        level.members.set(segment, made);
        level = made;
      }
    }
    const last = path.at(-1) ?? '';
    const there = level.members.get(last);
    // Below a name that has members of its own, null says nothing.
    if (there === undefined || 'leaf' in there) level.members.set(last, { leaf: value });
  }

  finish(): unknown {
    const isScalar = this.#root.members.size === 0 && this.#scalar !== undefined;
    return isScalar ? this.#scalar : this.#made(this.#root);
  }

  #made({ members }: Level): unknown {
    const keys = [...members.keys()];
    if (keys.length > 0 && keys.every((key) => typeof key === 'number' && key < itemsMax)) {
      const length = Math.max(...(keys as number[])) + 1;
      return Array.from({ length }, (_, at) => this.#value(members.get(at)));
    }
    return Object.fromEntries(keys.map((key) => [String(key), this.#value(members.get(key))]));
  }

  #value(one: Level | { readonly leaf: unknown } | undefined): unknown {
    if (one !== undefined && 'members' in one) return this.#made(one);
    // Null stands for an empty object, and for a list of numbers, as well.
    return one === undefined || one.leaf === null ? unknown : one.leaf;
  }
}
