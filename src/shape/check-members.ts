import type { DeclaredRole, MemberValue, ShapeField } from '../contract/shape.ts';
import { putPlain } from './body-tree.ts';
import { jsonContentFor } from './check-body.ts';
import type { CompiledRoute, DeclaredContent, DeclaredEntry, DeclaredPlace } from './declared.ts';
import { type Matched, topRole } from './field-roles.ts';
import type { BodyPlace, PlaceBudget } from './places.ts';
import { isBodyName, typeHeader } from './request-parts.ts';
import type { RouteTable } from './routes.ts';

type Roles = readonly (DeclaredRole | undefined)[];

/**
 * The short way for what almost all requests are: members as our own clients write them, each once,
 * all of them as declared. Nothing is parsed again, and hardly anything is allocated. Every other
 * request goes the long way, which reports what is wrong with it.
 */
export class MemberCheck {
  readonly #table: RouteTable;
  readonly #routeAt: (index: number) => CompiledRoute;
  readonly #budget: PlaceBudget;
  /** Numbers requests, to see a name that comes again. */
  #request = 0;
  /** What is known of the request so far. */
  #type: string | undefined;
  #content: DeclaredContent | undefined;
  #neededCount = 0;
  #isFlat = true;
  /** Places of the members in their order, and roles of the fields. Reused. */
  readonly #places: Partial<DeclaredPlace & BodyPlace>[] = [];
  readonly #roles: (DeclaredRole | undefined)[] = [];

  constructor(table: RouteTable, routeAt: (index: number) => CompiledRoute, budget: PlaceBudget) {
    this.#table = table;
    this.#routeAt = routeAt;
    this.#budget = budget;
  }

  /** What is declared of each field; undefined for a request that has to go the long way. */
  rolesOf(fields: readonly ShapeField[], values: readonly MemberValue[]): Roles | undefined {
    const method = ownText(fields, 0, 'method');
    const path = ownText(fields, 2, 'path');
    if (method === undefined || path === undefined || path.includes('?')) return undefined;
    const match = this.#table.find(method, path);
    if (match.kind !== 'route') return undefined;
    const route = this.#routeAt(match.index);
    for (const [name, { declared }] of route.parameters.path) {
      const text = match.values.get(name);
      if (text !== undefined && !declared.takes(text, true)) return undefined;
    }
    if (!this.#takesMembers(route, fields, values) || !this.#isComplete(route, values)) {
      return undefined;
    }
    return this.#rolesIn({ route, match, content: this.#content }, fields, values);
  }

  #takesMembers(
    route: CompiledRoute,
    fields: readonly ShapeField[],
    values: readonly MemberValue[],
  ): boolean {
    this.#request += 1;
    this.#type = undefined;
    this.#content = undefined;
    this.#neededCount = 0;
    this.#isFlat = true;
    const { generation } = this.#budget;
    let field = 0;
    for (let at = 0; at < values.length; at++) {
      const value = values[at];
      const name = fields[field]?.text ?? '';
      field += typeof value === 'string' ? 2 : 1;
      const place =
        value === undefined
          ? undefined
          : isBodyName(name)
            ? this.#bodyPlace(route, name, value)
            : this.#otherPlace(route, name, value);
      if (place === undefined) return false;
      this.#places[at] = place;
    }
    // Tables that began anew in between do not know which names came before.
    if (generation !== this.#budget.generation) return false;
    // Nested members were not checked.
    return field === fields.length;
  }

  #bodyPlace(route: CompiledRoute, name: string, value: MemberValue): BodyPlace | undefined {
    if (this.#content === undefined) {
      if (route.route.body === undefined) return undefined;
      this.#content = jsonContentFor(this.#type, route.content);
      this.#content?.flat.begin();
    }
    const known = this.#content?.places.known(name);
    if (known === undefined || known.seenIn === this.#request) return undefined;
    known.seenIn = this.#request;
    const { place } = known;
    if (this.#isFlat && !place.isListText) {
      const { flat } = place;
      this.#isFlat =
        flat !== undefined && this.#content?.flat.takes(flat, value, this.#request) === true;
    }
    return place;
  }

  #otherPlace(route: CompiledRoute, name: string, value: MemberValue): DeclaredPlace | undefined {
    const known = route.places.known(name);
    if (known === undefined || known.seenIn === this.#request) return undefined;
    known.seenIn = this.#request;
    const { place } = known;
    const { entry } = place;
    if (place.isRefused === true) return undefined;
    if (place.isType === true) {
      // One of several, or behind the body, for which another one was chosen.
      if (name !== typeHeader || this.#content !== undefined || typeof value !== 'string') {
        return undefined;
      }
      this.#type = value;
    }
    if (entry === undefined) return place;
    if (!place.isDeclaredName || !isAsDeclared(entry, value)) return undefined;
    if (entry.isNeeded) this.#neededCount += 1;
    return place;
  }

  /** Whether nothing is missing, and the body as a whole is as declared. */
  #isComplete({ route, parameters }: CompiledRoute, values: readonly MemberValue[]): boolean {
    if (this.#neededCount < parameters.neededCount) return false;
    const content = this.#content;
    // A type without members is an empty body.
    if (content === undefined) return this.#type === undefined && route.body?.required !== true;
    if (this.#isFlat && content.flat.isWhole()) return true;
    const tree: Record<string, unknown> = {};
    for (let at = 0; at < values.length; at++) {
      const place = this.#places[at];
      if (place === undefined || !('segments' in place)) continue;
      if (!putPlain(tree, place as BodyPlace, values[at])) return false;
    }
    return content.declared.takes(tree, false);
  }

  #rolesIn(matched: Matched, fields: readonly ShapeField[], values: readonly MemberValue[]): Roles {
    const roles = this.#roles;
    let count = 0;
    for (let at = 0; at < values.length; at++) {
      const place = this.#places[at];
      roles[count] = topRole(place, matched, fields[count] as ShapeField);
      count += 1;
      if (typeof values[at] !== 'string') continue;
      roles[count] = topRole(place, matched, fields[count] as ShapeField);
      count += 1;
    }
    roles.length = count;
    return roles;
  }
}

/** The text of a member that our clients write at the beginning. */
function ownText(fields: readonly ShapeField[], at: number, name: string): string | undefined {
  const own = fields[at];
  if (own?.where !== 'name' || own.text !== name || own.node.parent !== undefined) return undefined;
  const value = fields[at + 1];
  return value?.where === 'value' && value.node === own.node ? value.text : undefined;
}

/** A parameter that comes once. Lists are left to the long way. */
function isAsDeclared({ parameter, declared }: DeclaredEntry, text: MemberValue): boolean {
  if (typeof text !== 'string' || declared.roles.mayBeList) return false;
  if (text === '' && !declared.roles.mayBeText && parameter.required !== true) return true;
  return declared.takes(text, true);
}
