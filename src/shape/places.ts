import type { FlatBody, FlatPlace } from './flat-body.ts';
import type { RoleSet } from './roles.ts';

/** What the name of a member says, which our clients give to a part of a body. */
export interface BodyPlace {
  /** `['a', 0, 'b']` for `body.a[0].b`; undefined for a name that was shortened. */
  readonly segments: readonly (string | number)[] | undefined;
  /** What is declared there; undefined where nothing is. */
  readonly roles: RoleSet | undefined;
  /** `body.a` of `body.a[1]`, which may be a second `body.a`. */
  readonly base: string | undefined;
  readonly count: number;
  /** A list as a text, which our clients add. */
  readonly isListText: boolean;
  /** False for a name that no object may be given. */
  readonly isPlain: boolean;
  /** What is checked there without the rest of the body. */
  readonly flat: FlatPlace | undefined;
}

/** How many names all tables of a shape keep together: some MB. */
const placesMax = 20_000;
const nameCharsMax = 128;

/** Counts what all tables of one shape keep. */
export class PlaceBudget {
  count = 0;
  generation = 0;

  /** Names are the client's: with too many of them all tables begin anew. */
  spend(): void {
    this.count += 1;
    if (this.count <= placesMax) return;
    this.count = 0;
    this.generation += 1;
  }
}

/** A name that came before. */
export interface KnownName<Place> {
  readonly place: Place;
  /** The request that had it last: twice in one request is a name that comes again. */
  seenIn: number;
}

/** A table of names that came before, by which most are found without being read again. */
export class PlaceTable<Place> {
  readonly #budget: PlaceBudget;
  readonly #find: (name: string) => Place;
  readonly #known = new Map<string, KnownName<Place>>();
  #generation = 0;

  constructor(budget: PlaceBudget, find: (name: string) => Place) {
    this.#budget = budget;
    this.#find = find;
  }

  of(name: string): Place {
    return this.known(name)?.place ?? this.#find(name);
  }

  /** The same with what is kept of it; undefined for a long name, of which nothing is. */
  known(name: string): KnownName<Place> | undefined {
    const known = this.#generation === this.#budget.generation ? this.#known.get(name) : undefined;
    if (known !== undefined) return known;
    if (name.length > nameCharsMax) return undefined;
    const found = { place: this.#find(name), seenIn: 0 };
    this.#budget.spend();
    if (this.#generation !== this.#budget.generation) {
      this.#generation = this.#budget.generation;
      this.#known.clear();
    }
    this.#known.set(name, found);
    return found;
  }
}

/** Reads the name of a member: `body`, and what leads to a part of it. */
export function bodyPlace(name: string, roles: RoleSet, flat?: FlatBody): BodyPlace {
  const rest = name.slice('body'.length);
  const segments = segmentsIn(rest, roles);
  const [, base, count = '0'] = repeatedName.exec(name) ?? [];
  const isPlain = segments?.includes('__proto__') === false;
  return {
    segments,
    flat: isPlain && segments !== undefined ? flat?.at(segments) : undefined,
    roles: segments === undefined ? undefined : roles.at(segments),
    base,
    count: Number(count),
    isListText: rest.endsWith('[]'),
    isPlain,
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
