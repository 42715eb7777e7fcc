import type { DeclaredEntry } from './declared.ts';
import type { FlatBody, FlatPlace } from './flat-body.ts';
import type { PlaceBudget } from './place-budget.ts';
import type { RoleSet } from './roles.ts';

/** What the short way asks of a place. */
export interface KnownPlace {
  /** What is declared there; undefined where nothing is. */
  readonly roles: RoleSet | undefined;
  /** Whether its name is a declared one. */
  readonly isDeclaredName: boolean;
  /** Where a leaf of a body stands. */
  readonly flat?: FlatPlace | undefined;
  /** The parameter that stands there. */
  readonly entry?: DeclaredEntry;
}

/** What the name of a member says, which our clients give to a part of a body. */
export interface BodyPlace extends KnownPlace {
  /** `['a', 0, 'b']` for `body.a[0].b`; undefined for a name that was shortened. */
  readonly segments: readonly (string | number)[] | undefined;
  /** `body.a` of `body.a[1]`, which may be a second `body.a`. */
  readonly base: string | undefined;
  readonly count: number;
  /** A list as a text, which our clients add. */
  readonly isListText: boolean;
  /** False for a name that no object may be given. */
  readonly isPlain: boolean;
}

const nameCharsMax = 128;

/** A name that came before, and all that the short way asks about it, so that it looks nowhere else. */
export interface KnownName<Place> {
  readonly place: Place;
  /** The request that had it last: twice in one request is a name that comes again. */
  seenIn: number;
  readonly isDeclaredName: boolean;
  readonly roles: RoleSet | undefined;
  readonly flat: FlatPlace | undefined;
  readonly entry: DeclaredEntry | undefined;
}

/** A table of names that came before, by which most are found without being read again. */
export class PlaceTable<Place extends KnownPlace> {
  readonly #budget: PlaceBudget;
  readonly #find: (name: string) => Place;
  readonly #known: Map<string, KnownName<Place>>;

  constructor(budget: PlaceBudget, find: (name: string) => Place) {
    this.#budget = budget;
    this.#find = find;
    this.#known = budget.table();
  }

  of(name: string): Place {
    return this.known(name)?.place ?? this.#read(name);
  }

  /** The same with what is kept of it; undefined for a long name, of which nothing is. */
  known(name: string): KnownName<Place> | undefined {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    if (name.length > nameCharsMax) return undefined;
    const own = ownCopy(name);
    const place = this.#read(own);
    const { isDeclaredName, roles, flat, entry } = place;
    const found = { place, seenIn: 0, isDeclaredName, roles, flat, entry };
    this.#budget.spend();
    this.#known.set(own, found);
    return found;
  }

  #read(name: string): Place {
    // Before, since places refer to what other tables hold.
    this.#budget.renew();
    return this.#find(name);
  }
}

/** The same text, of which V8 would else keep a slice, and with it the whole body it came in. */
function ownCopy(name: string): string {
  return JSON.parse(JSON.stringify(name)) as string;
}

/** Reads the name of a member: `body`, and what leads to a part of it. */
export function bodyPlace(name: string, roles: RoleSet, flat?: FlatBody): BodyPlace {
  const rest = name.slice('body'.length);
  const segments = segmentsIn(rest, roles);
  const [, base, count = '0'] = repeatedName.exec(name) ?? [];
  const isPlain = segments?.includes('__proto__') === false;
  const isListText = rest.endsWith('[]');
  const own = segments === undefined ? undefined : roles.at(segments);
  return {
    segments,
    flat: isPlain && !isListText && segments !== undefined ? flat?.at(segments) : undefined,
    roles: own,
    // A member of a body has a declared name where it has a declared place.
    isDeclaredName: own !== undefined,
    base,
    count: Number(count),
    isListText,
    isPlain,
  };
}

/** The same for a field of a form, whose name is that of a member of the body itself. */
export function fieldPlace(name: string, roles: RoleSet, flat: FlatBody): BodyPlace {
  const place = bodyPlace(name, roles);
  const [own, ...deeper] = place.segments ?? [];
  const isField = place.isPlain && deeper.length === 0 && name === `body.${own}`;
  return {
    ...place,
    flat: isField && !place.isListText && own !== undefined ? flat.at([own]) : undefined,
  };
}

const repeatedName = /^(body.*)\[(\d{1,5})\]$/s;

/** `['a', 0, 'b']` for `.a[0].b`; undefined for a name that was shortened. */
function segmentsIn(rest: string, roles: RoleSet | undefined): (string | number)[] | undefined {
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
    const unusual = role?.oddNames.find(
      (name) => rest.startsWith(name, at) && isEnd(rest, at + name.length),
    );
    const end = unusual === undefined ? nameEnd(rest, at) : at + unusual.length;
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
