import { limits } from '../../contract/limits.ts';
import type { ScreeningRequest } from '../../contract/request.ts';
import type { Shape, ShapeField, ShapeRoute } from '../../contract/shape.ts';
import { Work } from '../ajv.ts';
import { treesOf } from '../body-tree.ts';
import { fileFact, formType, jsonType, mediaIn } from '../check-body.ts';
import { groupsOf } from '../check-parameters.ts';
import { namedRoute } from '../named-route.ts';
import { PlaceBudget } from '../place-budget.ts';
import { bodyPlace, PlaceTable } from '../places.ts';
import { type BodyMember, partsOf, type RequestParts } from '../request-parts.ts';
import { RoleBook } from '../roles.ts';
import { plainSegments, RouteTable } from '../routes.ts';
import { namesIn } from '../template.ts';
import { mergeValues } from './merge.ts';
import {
  guessed,
  mergeMaps,
  mergeNodes,
  mergeRoutes,
  newRoute,
  nodeBytes,
  nodeFor,
  type PathNode,
  type PathSegment,
  prune,
  type RouteSummary,
  routeBytes,
  routeFields,
} from './route-tree.ts';
import {
  bytesOf,
  fieldsIn,
  newValue,
  type Observer,
  observe,
  type ValueSummary,
} from './summary.ts';

/** Requests of a declared route. */
export interface DeclaredSummary {
  readonly route: RouteSummary;
  /** An object of the parameters in the path. */
  readonly path: ValueSummary;
}

/** What was seen of the requests of one policy. */
export interface Learnt {
  /** Requests that were learnt from, and those that were left out. */
  requests: number;
  leftOut: number;
  first: number;
  last: number;
  readonly root: PathNode;
  /** By `METHOD /template` of the shape that the policy declares. */
  readonly declared: Map<string, DeclaredSummary>;
  /** Bodies of requests that name no path. */
  whole?: ValueSummary;
}

/** A learnt shape, and requests that only the declared one refused: they show what changed. */
export interface LearntPair {
  readonly passed: Learnt;
  readonly refused: Learnt;
}

export function emptyLearnt(): Learnt {
  return {
    requests: 0,
    leftOut: 0,
    first: Number.MAX_SAFE_INTEGER,
    last: 0,
    root: { children: new Map(), methods: new Map() },
    declared: new Map(),
  };
}

export function emptyPair(): LearntPair {
  return { passed: emptyLearnt(), refused: emptyLearnt() };
}

/** What one request adds to. */
export interface Lesson {
  readonly into: Learnt;
  /** What is held from before. */
  readonly known: Learnt;
  readonly table: DeclaredTable | undefined;
  readonly now: number;
  readonly salt: number;
}

/** The declared routes of a policy. */
export class DeclaredTable {
  readonly #routes: readonly ShapeRoute[];
  readonly #table: RouteTable;

  constructor({ routes = [] }: Shape) {
    this.#routes = routes;
    this.#table = new RouteTable(routes);
  }

  find(method: string, path: string, nameOf: () => string | undefined) {
    const match = this.#table.findOrNamed(method, path, nameOf);
    const route = match.kind === 'route' ? this.#routes[match.index] : undefined;
    if (match.kind !== 'route' || route === undefined) return undefined;
    const inPath = Object.fromEntries(
      namesIn(route.path).map((name, at) => [name, match.values[at] ?? '']),
    );
    return { key: `${route.method} ${route.path}`, inPath };
  }
}

/** Learns from one request. Gives the bytes that it added, about. Never throws for any request. */
export function learn(
  request: ScreeningRequest,
  fields: readonly ShapeField[],
  lesson: Lesson,
): number {
  const { into, now, salt } = lesson;
  const observer: Observer = { now, salt, fieldsLeft: limits.learntFieldsMax, bytes: 0 };
  const parts = partsOf(request, fields);
  if (parts.method === undefined || parts.path === undefined) {
    into.whole ??= newValue(observer);
    const known = lesson.known.whole;
    observer.fieldsLeft -= Math.max(
      fieldsIn(into.whole),
      known === undefined ? 0 : fieldsIn(known),
    );
    observe(into.whole, parts.whole, observer, { known });
  } else {
    const { method, path, route } = parts;
    const found = placeOf({ method, path, template: route() }, lesson, observer);
    if (found === undefined) {
      into.leftOut += 1;
      return observer.bytes;
    }
    addRequest(found, parts, observer);
  }
  into.requests += 1;
  into.first = Math.min(into.first, now);
  into.last = Math.max(into.last, now);
  return observer.bytes;
}

interface Found {
  readonly route: RouteSummary;
  readonly known: RouteSummary | undefined;
}

/** Of a request, what its route is found by. */
interface Target {
  readonly method: string;
  readonly path: string;
  /** What the router of the application named. */
  readonly template: string | undefined;
}

/** Where a request is counted; undefined for one that is not learnt from. */
function placeOf(
  { method: given, path, template }: Target,
  { into, known, table }: Lesson,
  observer: Observer,
): Found | undefined {
  const method = given === 'HEAD' ? 'GET' : given;
  if (method === 'OPTIONS' || !/^[A-Z]{1,20}$/.test(method)) return undefined;
  const declared = table?.find(method, path, () => template);
  if (declared !== undefined) {
    const { key, inPath } = declared;
    const own = into.declared.get(key) ?? newDeclared(observer);
    into.declared.set(key, own);
    const before = known.declared.get(key);
    observe(own.path, inPath, observer, { known: before?.path });
    return { route: own.route, known: before?.route };
  }
  const segments = segmentsIn(path, template);
  if (segments === undefined || segments.length > limits.learntPathDepthMax) return undefined;
  const { node, known: before } = nodeFor(into.root, segments, observer, known.root);
  let route = node.methods.get(method);
  if (route === undefined) {
    if (node.methods.size >= limits.learntMethodsMax) return undefined;
    route = newRoute(observer);
    node.methods.set(method, route);
  }
  return { route, known: before?.methods.get(method) };
}

/**
 * A path as segments: by the template that was named, where it is that of the path. Its words count
 * as those of any path, since a router may name what its client wrote.
 */
function segmentsIn(path: string, template: string | undefined): PathSegment[] | undefined {
  const named = template === undefined ? undefined : namedRoute(template, path);
  if (named === undefined || named.segments.length === 0) {
    const texts = plainSegments(path);
    return texts === undefined ? undefined : guessed(texts);
  }
  const { before, segments, texts } = named;
  const own = segments.map(({ literals, names }, at) => {
    const [word = ''] = literals;
    const text = texts[at] ?? '';
    return names.length > 0 ? [{ text, isParameter: true }] : guessed([word]);
  });
  return [...guessed(before), ...own.flat()];
}

function newDeclared(observer: Observer): DeclaredSummary {
  return { route: newRoute(observer), path: newValue(observer) };
}

function addRequest({ route, known }: Found, parts: RequestParts, observer: Observer): void {
  route.count += 1;
  route.last = observer.now;
  observer.fieldsLeft -= Math.max(routeFields(route), known === undefined ? 0 : routeFields(known));
  observe(route.query, textsByName(parts), observer, { known: known?.query });
  const body = bodyOf(parts);
  if (body === undefined) return;
  const { media, value } = body;
  let into = route.bodies.get(media);
  if (into === undefined) {
    const kept = Math.max(route.bodies.size, known?.bodies.size ?? 0);
    if (kept >= limits.learntMediaMax && known?.bodies.has(media) !== true) {
      route.otherMedia += 1;
      return;
    }
    into = newValue(observer);
    observer.bytes += 2 * media.length;
    route.bodies.set(media, into);
  }
  observe(into, value, observer, { known: known?.bodies.get(media) });
}

const nothing: ReadonlyMap<string, unknown> = new Map();

/** The parameters of the query: a text each, or a list where a name came again. */
function textsByName(parts: RequestParts): object {
  const groups = groupsOf(parts.given('query'), nothing);
  return Object.fromEntries(
    [...groups].map(([name, values]) => {
      const texts = values.map(({ text }) => text);
      return [name, texts.length === 1 ? texts[0] : texts];
    }),
  );
}

/** Names of members, without a declared one among them. */
const undeclared = new RoleBook({}, new Work()).of([]);
const places = new PlaceTable(new PlaceBudget(), (name) => bodyPlace(name, undeclared));

function bodyOf({ body, contentTypes }: RequestParts) {
  if (body.kind === 'none') return undefined;
  const [type = ''] = contentTypes;
  const media = mediaIn(type).slice(0, 100);
  if (body.kind === 'json') return { media, value: body.value };
  if (formType.test(media)) return { media, value: formOf(body.members) };
  if (media === '' || jsonType.test(media)) {
    return { media, value: treesOf(body.members, places)?.[0] };
  }
  return { media, value: body.members.find(({ key }) => key === 'body')?.value ?? '' };
}

/** The fields of a form. Of a file nothing is read: its value is of no kind. */
function formOf(members: readonly BodyMember[]): object {
  const form = new Map<string, unknown[]>();
  const files = new Set<string>();
  for (const { key, value } of members) {
    const name = key.slice('body.'.length).replace(/\[\d{1,9}\]$/, '');
    const file = fileFact.exec(name);
    if (file !== null) files.add(name.slice(0, file.index));
    else if (!name.endsWith('[]') && name !== '')
      form.set(name, [...(form.get(name) ?? []), value]);
  }
  for (const name of files) form.set(name, [undefined]);
  return Object.fromEntries(
    [...form].map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  );
}

/** What two nodes learnt, together; the second is used up. */
export function mergePairs(into: LearntPair, from: LearntPair): LearntPair {
  mergeLearnt(into.passed, from.passed);
  mergeLearnt(into.refused, from.refused);
  return into;
}

/** What two summaries say together; the second is used up. */
export function mergeLearnt(into: Learnt, from: Learnt): void {
  into.requests += from.requests;
  into.leftOut += from.leftOut;
  into.first = Math.min(into.first, from.first);
  into.last = Math.max(into.last, from.last);
  mergeNodes(into.root, from.root);
  mergeMaps(into.declared, from.declared, (a, b) => {
    mergeRoutes(a.route, b.route);
    mergeValues(a.path, b.path);
    return a;
  });
  if (from.whole !== undefined) {
    into.whole = into.whole === undefined ? from.whole : mergeValues(into.whole, from.whole);
  }
}

/** The bytes that a learnt shape counts for. */
export function pairBytes({ passed, refused }: LearntPair): number {
  return learntBytes(passed) + learntBytes(refused);
}

function learntBytes({ root, declared, whole }: Learnt): number {
  let bytes = nodeBytes(root) + (whole === undefined ? 0 : bytesOf(whole));
  for (const [key, { route, path }] of declared) {
    bytes += 2 * key.length + routeBytes(route) + bytesOf(path);
  }
  return bytes;
}

/** Drops the routes that were used least until what is left has the size; gives how many went. */
export function shrink(pair: LearntPair, bytesMax: number): number {
  let bytes = pairBytes(pair);
  if (bytes <= bytesMax) return 0;
  const all = [pair.passed, pair.refused].flatMap((one) => allRoutes(one));
  all.sort((a, b) => a.count - b.count || a.last - b.last);
  const gone = new Set<RouteSummary>();
  for (const route of all) {
    if (bytes <= bytesMax) break;
    gone.add(route);
    bytes -= routeBytes(route);
  }
  for (const { root, declared } of [pair.passed, pair.refused]) {
    prune(root, (route) => gone.has(route));
    for (const [key, { route }] of declared) if (gone.has(route)) declared.delete(key);
  }
  return gone.size;
}

function allRoutes({ root, declared }: Learnt): RouteSummary[] {
  const found = [...declared.values()].map(({ route }) => route);
  const walk = (node: PathNode): void => {
    found.push(...node.methods.values());
    for (const child of node.children.values()) walk(child);
    if (node.any !== undefined) walk(node.any);
  };
  walk(root);
  return found;
}
