import type { DeclaredRole, MemberValue, ShapeField } from '../contract/shape.ts';
import { putPlain } from './body-tree.ts';
import { membersContentFor } from './check-body.ts';
import type { CompiledRoute, DeclaredContent, DeclaredPlace } from './compiled-route.ts';
import type { DeclaredEntry } from './declared.ts';
import { isClosedPath, ownPlace, tableFor } from './field-roles.ts';
import { roleInLeaf } from './leaf.ts';
import type { PlaceBudget } from './place-budget.ts';
import type { BodyPlace, KnownName } from './places.ts';
import { isBodyName, typeHeader } from './request-parts.ts';
import type { RouteTable } from './routes.ts';

type Roles = readonly (DeclaredRole | undefined)[];
type BodyName = KnownName<BodyPlace>;
type OtherName = KnownName<DeclaredPlace>;

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
  #isForm = false;
  #neededCount = 0;
  #isFlat = true;
  #pathRole: DeclaredRole | undefined;
  /** The declared template. */
  #template = '';
  /** Members of the body in their order, and roles of the fields. Reused. */
  readonly #names: (BodyName | undefined)[] = [];
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
    return this.#takesPath(route, match.values, path) &&
      this.#takesMembers(route, fields, values) &&
      this.#isComplete(route, values)
      ? this.#roles
      : undefined;
  }

  #takesPath(
    { route: { path: template }, parameters: { inPath } }: CompiledRoute,
    values: readonly string[],
    path: string,
  ): boolean {
    for (let at = 0; at < values.length; at++) {
      const entry = inPath[at];
      if (entry !== undefined && !entry.takes(values[at] ?? '')) return false;
    }
    this.#template = template;
    this.#pathRole = isClosedPath(path, values, inPath, roleOfEntry) ? 'closed' : undefined;
    return true;
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
    const roles = this.#roles;
    const { generation } = this.#budget;
    let field = 0;
    for (let at = 0; at < values.length; at++) {
      const value = values[at];
      const name = fields[field]?.text ?? '';
      // What is nested was not checked.
      if (value === undefined) return false;
      const isBody = isBodyName(name);
      const known = isBody ? this.#bodyName(route, name) : tableFor(name, route.places).known(name);
      if (known === undefined || known.seenIn === this.#request) return false;
      known.seenIn = this.#request;
      this.#names[at] = isBody ? (known as BodyName) : undefined;
      const isTaken = isBody
        ? this.#takesBody(known as BodyName, name, value)
        : this.#takesOther(known as OtherName, name, value);
      if (!isTaken) return false;
      roles[field] = known.isDeclaredName ? 'closed' : undefined;
      field += 1;
      if (typeof value !== 'string') continue;
      roles[field] = this.#roleOf(known, name, value);
      field += 1;
    }
    roles.length = field;
    // Tables that began anew in between do not know which names came before.
    return generation === this.#budget.generation && field === fields.length;
  }

  #bodyName(route: CompiledRoute, name: string): BodyName | undefined {
    if (this.#content === undefined) {
      if (route.route.body === undefined) return undefined;
      const chosen = membersContentFor(this.#type, route.content);
      if (chosen === undefined) return undefined;
      this.#content = chosen.content;
      this.#isForm = chosen.isForm;
      this.#content.flat.begin();
    }
    const { fields, places } = this.#content;
    return (this.#isForm ? fields : places).known(name);
  }

  /** False for a request that has to go the long way. */
  #takesBody({ flat, place }: BodyName, name: string, value: MemberValue): boolean {
    const body = this.#content?.flat;
    if (!this.#isForm) {
      if (!this.#isFlat || place.isListText) return true;
      this.#isFlat = flat !== undefined && body?.takes(flat, value, this.#request) === true;
      return true;
    }
    // A form as it was sent, beside its fields.
    if (name === 'body') return typeof value === 'string';
    if (flat === undefined || typeof value !== 'string') return false;
    const { mayBeList, mayBeText } = flat.leaf.roles;
    if (mayBeList) return false;
    // An empty field of a form says that there is no number.
    if (value === '' && !mayBeText) return true;
    return body?.takesText(flat, value, this.#request) === true;
  }

  #takesOther({ place, entry }: OtherName, name: string, value: MemberValue): boolean {
    if (place.isRefused === true) return false;
    if (place.isType === true) {
      // One of several, or behind the body, for which another one was chosen.
      if (name !== typeHeader || this.#content !== undefined || typeof value !== 'string') {
        return false;
      }
      this.#type = value;
    }
    if (entry === undefined) return true;
    if (!place.isDeclaredName || !isAsDeclared(entry, value)) return false;
    if (entry.isNeeded) this.#neededCount += 1;
    return true;
  }

  #roleOf(
    { place, entry, flat, roles }: BodyName | OtherName,
    name: string,
    text: string,
  ): DeclaredRole | undefined {
    if (place === ownPlace) return this.#ownRole(name, text);
    // An empty text may be taken for none at all.
    if (text !== '' && entry !== undefined) return roleOfEntry(entry, text);
    if (text !== '' && flat !== undefined && this.#isFlat) return roleInLeaf(flat.leaf, text);
    return roles?.of(text);
  }

  #ownRole(name: string, text: string): DeclaredRole | undefined {
    if (name === 'path') return this.#pathRole;
    return name === 'method' || text === this.#template ? 'closed' : undefined;
  }

  /** Whether nothing is missing, and the body as a whole is as declared. */
  #isComplete({ route, parameters }: CompiledRoute, values: readonly MemberValue[]): boolean {
    if (this.#neededCount < parameters.neededCount) return false;
    const content = this.#content;
    // A type without members is an empty body.
    if (content === undefined) return this.#type === undefined && route.body?.required !== true;
    if (this.#isFlat && content.flat.isWhole()) return true;
    if (this.#isForm) return false;
    const tree: Record<string, unknown> = {};
    for (let at = 0; at < values.length; at++) {
      const place = this.#names[at]?.place;
      if (place !== undefined && !putPlain(tree, place, values[at])) return false;
    }
    return content.declared.takes(tree, false);
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
function isAsDeclared(entry: DeclaredEntry, text: MemberValue): boolean {
  return typeof text === 'string' && !entry.declared.roles.mayBeList && entry.takes(text);
}

function roleOfEntry({ declared, leaf }: DeclaredEntry, text: string): DeclaredRole | undefined {
  return leaf === undefined ? declared.roles.of(text) : roleInLeaf(leaf, text);
}
