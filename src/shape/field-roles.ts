import type { DeclaredRole, ShapeField } from '../contract/shape.ts';
import { parameterName } from './check-parameters.ts';
import type {
  CompiledRoute,
  DeclaredContent,
  DeclaredPlace,
  NamePlaces,
} from './compiled-route.ts';
import type { DeclaredEntry, ParameterBook } from './declared.ts';
import type { KnownPlace, PlaceTable } from './places.ts';
import { isBodyName, isTypeName, type RequestParts } from './request-parts.ts';
import type { RoleSet } from './roles.ts';
import type { RouteMatch } from './routes.ts';

export interface Matched {
  readonly route: CompiledRoute;
  readonly match: Extract<RouteMatch, { kind: 'route' }>;
  /** What is declared of the body for its media type. */
  readonly content: DeclaredContent | undefined;
}

type Roles = readonly (DeclaredRole | undefined)[];

/** What is declared of each field of a request; empty where nothing is. */
export function rolesOf(
  parts: RequestParts,
  matched: Matched | undefined,
  whole: RoleSet | undefined,
  fields: readonly ShapeField[],
): Roles {
  if (matched === undefined && whole === undefined) return [];
  const roles: (DeclaredRole | undefined)[] = [];
  for (let at = 0; at < fields.length; at++) {
    const field = fields[at] as ShapeField;
    const { where, node } = field;
    if (where === 'context') roles.push(contextRole(parts, matched, field));
    else if (node.parent === undefined && parts.hasHeaders) {
      // A name and its value come one after the other, with one node.
      const value = where === 'name' ? fields[at + 1] : undefined;
      const place = topPlace(matched, node.key);
      roles.push(topRole(place, parts, matched, field));
      if (value?.node !== node) continue;
      roles.push(topRole(place, parts, matched, value));
      at += 1;
    } else roles.push(nestedRole(parts, matched, whole, field));
  }
  return roles;
}

function topPlace(matched: Matched | undefined, key: string | number): KnownPlace | undefined {
  if (matched === undefined) return undefined;
  const name = String(key);
  return isBodyName(name)
    ? matched.content?.places.of(name)
    : tableFor(name, matched.route.places).of(name);
}

/** The table that a name is looked up in, by its first letter. */
export function tableFor(name: string, places: NamePlaces): PlaceTable<DeclaredPlace> {
  switch (name[0]) {
    case 'h':
      return places.header;
    case 'q':
      return places.query;
    case 'c':
      return places.cookie;
    default:
      return places.others;
  }
}

/** What is declared of the name or the value of a member that stands at a place. */
function topRole(
  place: KnownPlace | undefined,
  parts: RequestParts,
  matched: Matched | undefined,
  { where, text, node }: ShapeField,
): DeclaredRole | undefined {
  if (place === undefined) return undefined;
  if (where === 'name') return place.isDeclaredName ? 'closed' : undefined;
  if (place === ownPlace) {
    return isClosedOwn(node.key, text, parts, matched) ? 'closed' : undefined;
  }
  return place.roles?.of(text);
}

function isClosedOwn(
  key: string | number,
  text: string,
  { method, path }: RequestParts,
  matched: Matched | undefined,
): boolean {
  if (key === 'route') return text === matched?.route.route.path;
  // A second method or path was compared with no route.
  return key === 'method' ? text === method : text === path && hasClosedPath(matched, text);
}

/** Of `method`, `path` and `route`, members that our own clients give to a request. */
export const ownPlace: DeclaredPlace = { roles: undefined, isDeclaredName: true };
const nothingDeclared: DeclaredPlace = { roles: undefined, isDeclaredName: false };

/** What is declared of a member that is no part of a body. */
export function topLevelPlace(key: string, book: ParameterBook): DeclaredPlace {
  if (key === 'method' || key === 'path' || key === 'route') return ownPlace;
  const end = key.indexOf('.');
  const place = end < 0 ? '' : key.slice(0, end);
  if (place !== 'query' && place !== 'header' && place !== 'cookie') return nothingDeclared;
  const own = key.slice(end + 1);
  const name = parameterName(own, book[place]);
  const entry = book[place].get(name);
  const isType = isTypeName(key);
  if (entry === undefined) {
    const isRefused = place === 'query' && book.refusesUnknown;
    return isType || isRefused ? { ...nothingDeclared, isType, isRefused } : nothingDeclared;
  }
  const { roles } = entry.declared;
  const isList = roles.mayBeList && entry.parameter.explode !== false;
  return { roles: isList ? roles.items() : roles, isDeclaredName: own === name, entry, isType };
}

function nestedRole(
  { body }: RequestParts,
  matched: Matched | undefined,
  whole: RoleSet | undefined,
  { where, text, node }: ShapeField,
): DeclaredRole | undefined {
  const path: (string | number)[] = [];
  for (let at: ShapeField['node'] | undefined = node; at !== undefined; at = at.parent) {
    path.push(at.key);
  }
  path.reverse();
  const declared = matched?.content?.declared.roles;
  const isInside = body.kind === 'json' && body.path.every((name, at) => path[at] === name);
  const inBody = isInside ? declared?.at(path.slice(body.path.length)) : undefined;
  const roles = inBody ?? whole?.at(path);
  if (where === 'name') return roles === undefined ? undefined : 'closed';
  return roles?.of(text);
}

/** Of what context headers say, the method and the path are declared. */
function contextRole(
  parts: RequestParts,
  matched: Matched | undefined,
  field: ShapeField,
): DeclaredRole | undefined {
  const { key } = field.node;
  return key === 'method' || key === 'path'
    ? topRole(matched && ownPlace, parts, matched, field)
    : undefined;
}

function hasClosedPath(matched: Matched | undefined, path: string): boolean {
  // Of a path that is none by itself nothing is known but what stands for its parameters.
  if (matched === undefined || matched.match.isNamed === true) return false;
  const { match, route } = matched;
  return isClosedPath(path, match.values, route.parameters.inPath, ({ declared }, text) =>
    declared.roles.of(text),
  );
}

/** Whether a path is made of declared words, and of values that are closed. */
export function isClosedPath(
  path: string,
  values: readonly string[],
  inPath: ParameterBook['inPath'],
  roleOf: (entry: DeclaredEntry, text: string) => DeclaredRole | undefined,
): boolean {
  if (path.includes('%') || path.includes('?')) return false;
  for (let at = 0; at < values.length; at++) {
    const entry = inPath[at];
    if (entry === undefined || roleOf(entry, values[at] ?? '') !== 'closed') return false;
  }
  return true;
}
