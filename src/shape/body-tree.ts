import type { BodyMember } from './request-parts.ts';
import type { RoleSet } from './roles.ts';

/** In the place of a value that was not written: one that is no text, in a list or instead of one. */
export const unknown: object = Object.freeze({});

/** A body as it was before our client wrote it member by member. */
export interface BodyTree {
  readonly value: unknown;
  /** Whether any of its values are not known. */
  readonly hasUnknown: boolean;
}

const readingsMax = 4;
const itemsMax = 10_000;

/**
 * The trees that members stand for. There is one, unless a name came again: a body may have several
 * readings, and each of them must be as declared. Undefined where there are too many.
 */
export function treesOf(
  members: readonly BodyMember[],
  roles: RoleSet | undefined,
): readonly BodyTree[] | undefined {
  const known = new Map(members.map(({ rest, value }) => [rest, value]));
  const first: (readonly [string, unknown])[] = [];
  const again: (readonly [string, unknown])[][] = [];
  for (const { rest, value } of members) {
    const [, base, count = '0'] = repeatedName.exec(rest) ?? [];
    // `a[1]` beside `a` is a second `a`: of a list nothing has the name of the whole.
    if (base === undefined || !known.has(base)) first.push([rest, value]);
    // Null says nothing that the first one does not say.
    else if (value !== null) {
      const index = Number(count);
      if (index >= readingsMax) return undefined;
      again[index] = [...(again[index] ?? []), [base, value]];
    }
  }
  const trees = [treeOf(first, roles)];
  for (const others of again) {
    if (others !== undefined) trees.push(treeOf([...first, ...others], roles));
  }
  return trees;
}

const repeatedName = /^(.*)\[(\d{1,5})\]$/s;

function treeOf(
  members: readonly (readonly [string, unknown])[],
  roles: RoleSet | undefined,
): BodyTree {
  const builder = new Builder();
  const inner = new Set<string | number>();
  const alone: string[] = [];
  for (const [rest, value] of members) {
    // A list as a text, beside its items; a text of the whole beside its parts.
    if (rest.endsWith('[]') || (rest === '' && members.length > 1)) continue;
    const path = segmentsIn(rest, roles);
    if (path === undefined) continue;
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

/** `['a', 0, 'b']` for `.a[0].b`; undefined for a name that was shortened. */
export function segmentsIn(
  rest: string,
  roles: RoleSet | undefined,
): (string | number)[] | undefined {
  if (rest.includes('…')) return undefined;
  const path: (string | number)[] = [];
  let role = roles;
  for (let at = 0; at < rest.length; ) {
    index.lastIndex = at;
    const item = index.exec(rest);
    if (item !== null) {
      path.push(Number(item[1]));
      role = role?.items();
      at = index.lastIndex;
      continue;
    }
    if (rest.charCodeAt(at) === dot) at += 1;
    const odd = role?.oddNames.find(
      (name) => rest.startsWith(name, at) && isEnd(rest, at + name.length),
    );
    const end = odd === undefined ? nameEnd(rest, at) : at + odd.length;
    const name = rest.slice(at, end);
    path.push(name);
    role = role?.member(name);
    at = end;
  }
  return path;
}

const dot = 46;
const index = /\[(\d{1,5})\]/y;
const end = /\.|\[\d{1,5}\]/g;

function nameEnd(rest: string, at: number): number {
  end.lastIndex = at;
  return end.exec(rest)?.index ?? rest.length;
}

function isEnd(rest: string, at: number): boolean {
  end.lastIndex = at;
  return at === rest.length || end.exec(rest)?.index === at;
}

/** An object or a list that is being put together. */
interface Level {
  readonly members: Map<string | number, Level | { readonly leaf: unknown }>;
}

class Builder {
  readonly #root: Level = { members: new Map() };
  #scalar: unknown;
  #hasUnknown = false;

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

  finish(): BodyTree {
    const isScalar = this.#root.members.size === 0 && this.#scalar !== undefined;
    const value = isScalar ? this.#scalar : this.#made(this.#root);
    return { value, hasUnknown: this.#hasUnknown };
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
    if (one !== undefined && one.leaf !== null) return one.leaf;
    this.#hasUnknown = true;
    return unknown;
  }
}
