import type { JsonSchema, MemberValue, Shape } from '../contract/shape.ts';
import type { Meter } from '../core/match/pattern.ts';
import { isOfLeaf, isReadAsLeaf, type Leaf, type LeafBook } from './leaf.ts';
import type { PlaceBudget } from './place-budget.ts';
import { isMembers, type Members } from './reading.ts';
import { referredName } from './references.ts';

/** What a schema says of a value, where objects, lists and leaves are all that it is made of. */
type Flat = { readonly kind: 'leaf'; readonly leaf: Leaf } | FlatObject | FlatList;

interface FlatObject {
  readonly kind: 'object';
  readonly properties: Members;
  readonly required: ReadonlySet<string>;
}

interface FlatList {
  readonly kind: 'list';
  readonly items: JsonSchema;
  readonly min: number;
  readonly max: number;
}

/** An object or a list with members of a body, and what this request has of it. */
interface Holder extends Held {
  readonly flat: FlatObject | FlatList;
  seenIn: number;
  /** Items, or those of the required members. */
  count: number;
}

/** A place in an object or a list. */
interface Held {
  /** Undefined for the body itself. */
  readonly holder: Holder | undefined;
  /** In a list; -1 in an object. */
  readonly index: number;
  readonly isRequired: boolean;
}

/** A member that is a leaf. */
export interface FlatPlace extends Held {
  readonly leaf: Leaf;
}

/** What all bodies of a shape share. */
interface Shared {
  readonly leaves: LeafBook;
  readonly meter: Meter;
  readonly places: PlaceBudget;
}

const depthMax = 8;
const itemsMax = 1_000;
const objectKeywords: ReadonlySet<string> = new Set([
  ...['type', 'properties', 'required', 'additionalProperties', 'unevaluatedProperties'],
  'x-sallyport',
]);
const listKeywords: ReadonlySet<string> = new Set([
  ...['type', 'items', 'minItems', 'maxItems', 'x-sallyport'],
]);

/**
 * Checks a body without Ajv, and one of members without building its tree: each member has its own
 * part of the schema, found once for its name. Accepts only what Ajv accepts, and leaves the rest to Ajv: schemas
 * of other keywords, members that are not declared, null, and all that is wrong.
 */
export class FlatBody {
  readonly #schema: JsonSchema;
  readonly #schemas: NonNullable<Shape['schemas']>;
  readonly #meter: Meter;
  readonly #leaves: LeafBook;
  readonly #budget: PlaceBudget;
  /** By the place, as names of members lead to it. */
  readonly #holders: Map<string, Holder>;
  /** What was read of each schema: items of a list share one leaf, and its compiled pattern. */
  readonly #flats = new Map<Members, Flat | undefined>();
  readonly #open: Holder[] = [];

  constructor(schema: JsonSchema, { schemas = {} }: Shape, shared: Shared) {
    this.#schema = schema;
    this.#schemas = schemas;
    this.#leaves = shared.leaves;
    this.#meter = shared.meter;
    this.#budget = shared.places;
    this.#holders = shared.places.table();
  }

  /** Where a member stands; undefined for one that is no leaf. */
  at(segments: readonly (string | number)[]): FlatPlace | undefined {
    const key = segments.at(-1);
    if (key === undefined || segments.length > depthMax) return undefined;
    const holder = this.#holderAt(segments.slice(0, -1));
    const flat = holder && this.#inside(holder, key);
    return holder !== undefined && flat?.kind === 'leaf'
      ? { leaf: flat.leaf, ...heldIn(holder, key) }
      : undefined;
  }

  begin(): void {
    this.#open.length = 0;
  }

  /** Takes one member; false where it is not as declared. */
  takes(place: FlatPlace, value: MemberValue, request: number): boolean {
    if (value === null || value === undefined || !isOfLeaf(place.leaf, value, this.#meter)) {
      return false;
    }
    return this.#isCounted(place, request);
  }

  /** Takes a field of a form, which is a text whatever it stands for. */
  takesText(place: FlatPlace, text: string, request: number): boolean {
    return isReadAsLeaf(place.leaf, text, this.#meter) && this.#isCounted(place, request);
  }

  /** Takes a body that was parsed. */
  takesTree(value: unknown): boolean {
    const flat = this.#flatOf(this.#schema);
    const { left } = this.#meter;
    if (flat !== undefined && this.#takesAll(flat, value)) return true;
    // Ajv has the same work again.
    this.#meter.left = left;
    return false;
  }

  #takesAll(flat: Flat, value: unknown): boolean {
    switch (flat.kind) {
      case 'leaf':
        return isScalar(value) && isOfLeaf(flat.leaf, value, this.#meter);
      case 'list':
        return Array.isArray(value) && this.#takesItems(flat, value);
      case 'object':
        return isMembers(value) && this.#takesMembers(flat, value);
    }
  }

  #takesItems({ items, min, max }: FlatList, value: readonly unknown[]): boolean {
    if (value.length < min || value.length > max) return false;
    const flat = this.#flatOf(items);
    return flat !== undefined && value.every((one) => this.#takesAll(flat, one));
  }

  #takesMembers({ properties, required }: FlatObject, value: Members): boolean {
    let missing = required.size;
    for (const name in value) {
      const flat = Object.hasOwn(properties, name) ? this.#flatOf(properties[name]) : undefined;
      if (flat === undefined || !this.#takesAll(flat, value[name])) return false;
      if (required.has(name)) missing -= 1;
    }
    return missing === 0;
  }

  /** Whether nothing is missing of what was taken. */
  isWhole(): boolean {
    // Of an empty body nothing was opened, and something may be missing.
    return (
      this.#open.length > 0 &&
      this.#open.every(({ flat, count }) =>
        flat.kind === 'list'
          ? count >= flat.min && count <= flat.max
          : count === flat.required.size,
      )
    );
  }

  /** Counts what stands in an object or a list. A list has its items in order. */
  #isCounted({ holder, index, isRequired }: Held, request: number): boolean {
    if (holder === undefined) return true;
    if (holder.seenIn !== request) {
      holder.seenIn = request;
      holder.count = 0;
      this.#open.push(holder);
      if (!this.#isCounted(holder, request)) return false;
    }
    if (index >= 0) {
      if (index !== holder.count) return false;
      holder.count += 1;
    } else if (isRequired) holder.count += 1;
    return true;
  }

  #holderAt(segments: readonly (string | number)[]): Holder | undefined {
    const name = JSON.stringify(segments);
    const known = this.#holders.get(name);
    if (known !== undefined) return known;
    const key = segments.at(-1);
    const parent = key === undefined ? undefined : this.#holderAt(segments.slice(0, -1));
    if (key !== undefined && parent === undefined) return undefined;
    const flat =
      parent === undefined || key === undefined
        ? this.#flatOf(this.#schema)
        : this.#inside(parent, key);
    if (flat === undefined || flat.kind === 'leaf') return undefined;
    const held =
      parent === undefined || key === undefined
        ? { holder: undefined, index: -1, isRequired: false }
        : heldIn(parent, key);
    const made: Holder = { flat, ...held, seenIn: 0, count: 0 };
    this.#budget.spend();
    this.#holders.set(name, made);
    return made;
  }

  #inside({ flat }: Holder, key: string | number): Flat | undefined {
    if (flat.kind === 'list') {
      return typeof key === 'number' && key < itemsMax ? this.#flatOf(flat.items) : undefined;
    }
    const isDeclared = typeof key === 'string' && Object.hasOwn(flat.properties, key);
    return isDeclared ? this.#flatOf(flat.properties[key]) : undefined;
  }

  #flatOf(schema: unknown): Flat | undefined {
    if (!isMembers(schema)) return undefined;
    if (this.#flats.has(schema)) return this.#flats.get(schema);
    const flat = this.#readFlat(schema);
    this.#flats.set(schema, flat);
    return flat;
  }

  #readFlat(schema: Members): Flat | undefined {
    const name = referredName(schema);
    if (name !== undefined) {
      // `unevaluatedProperties: false` refuses only what has no place here in any case.
      const { $ref: _, unevaluatedProperties: isOpen, ...beside } = schema;
      const isPlain =
        Object.keys(beside).length === 0 && (isOpen === undefined || isOpen === false);
      return isPlain ? this.#flatOf(this.#schemas[name]) : undefined;
    }
    const { type } = schema;
    if (type === 'object') return objectIn(schema);
    if (type === 'array') return listIn(schema);
    const leaf = this.#leaves.of(schema);
    return leaf && { kind: 'leaf', leaf };
  }
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function heldIn(holder: Holder, key: string | number): Held {
  const { flat } = holder;
  if (flat.kind === 'list') return { holder, index: Number(key), isRequired: false };
  return { holder, index: -1, isRequired: flat.required.has(String(key)) };
}

function objectIn(schema: Members): Flat | undefined {
  if (Object.keys(schema).some((keyword) => !objectKeywords.has(keyword))) return undefined;
  const { properties = {}, required = [] } = schema;
  if (!isMembers(properties) || !Array.isArray(required)) return undefined;
  return { kind: 'object', properties, required: new Set(required.map(String)) };
}

function listIn(schema: Members): Flat | undefined {
  if (Object.keys(schema).some((keyword) => !listKeywords.has(keyword))) return undefined;
  const { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
  return { kind: 'list', items: items as JsonSchema, min: Number(minItems), max: Number(maxItems) };
}
