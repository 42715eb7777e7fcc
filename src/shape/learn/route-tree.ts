import { limits } from '../../contract/limits.ts';
import { mergeValues } from './merge.ts';
import {
  addWeighted,
  bytesOf,
  fieldsIn,
  newText,
  newValue,
  type Observer,
  type ValueSummary,
} from './summary.ts';
import { isMade } from './text-facts.ts';

/** What was seen of one method of one path. */
export interface RouteSummary {
  count: number;
  first: number;
  last: number;
  /** An object of the parameters in the query. */
  readonly query: ValueSummary;
  /** By media type; '' where none was named. */
  readonly bodies: Map<string, ValueSummary>;
  /** Requests whose media type was not kept. */
  otherMedia: number;
}

/** A place in the tree of paths. */
export interface PathNode {
  readonly children: Map<string, PathNode>;
  /** Where any segment leads: a parameter. */
  any?: PathNode;
  /** Of a parameter: its values. */
  segment?: ValueSummary;
  /** There were too many texts here: all are values of one parameter. */
  isOpen?: boolean;
  readonly methods: Map<string, RouteSummary>;
}

const sizes = { node: 260, child: 80, route: 320 };

export function newNode(observer: Observer): PathNode {
  observer.bytes += sizes.node;
  return { children: new Map(), methods: new Map() };
}

export function newRoute(observer: Observer): RouteSummary {
  observer.bytes += sizes.route;
  const { now } = observer;
  const query = newValue(observer);
  return { count: 0, first: now, last: now, query, bodies: new Map(), otherMedia: 0 };
}

/** A segment of a path. */
export interface PathSegment {
  readonly text: string;
  readonly isParameter: boolean;
}

/** The segments of a path of which nothing is known: ids, digests and dates are parameters. */
export function guessed(texts: readonly string[]): PathSegment[] {
  return texts.map((text) => ({ text, isParameter: isMade(text) }));
}

/**
 * The node of a path, made where it is not there. What comes in too many texts is a parameter, too.
 * `known` is the tree from before; it says what is one already.
 */
export function nodeFor(
  root: PathNode,
  segments: readonly PathSegment[],
  observer: Observer,
  known: PathNode | undefined,
): { readonly node: PathNode; readonly known: PathNode | undefined } {
  let node = root;
  let before = known;
  for (const { text: segment, isParameter: isOne } of segments) {
    const isParameter = node.isOpen === true || before?.isOpen === true || isOne;
    if (isParameter && segment !== '') {
      node.any ??= newNode(observer);
      addSegment(node.any, segment, observer, 1);
      node = node.any;
      before = before?.any;
      continue;
    }
    let next = node.children.get(segment);
    if (next === undefined) {
      next = newNode(observer);
      observer.bytes += sizes.child + 2 * segment.length;
      node.children.set(segment, next);
    }
    const parent = node;
    node = next;
    before = before?.children.get(segment);
    if (parent.children.size > limits.learntSegmentsMax) {
      openUp(parent);
      node = parent.any ?? node;
      addSegment(node, segment, observer, 1);
    }
  }
  return { node, known: before };
}

function addSegment(node: PathNode, text: string, observer: Observer, weight: number): void {
  node.segment ??= newValue(observer);
  const { segment } = node;
  segment.count += weight;
  segment.first = Math.min(segment.first, observer.now);
  segment.last = Math.max(segment.last, observer.now);
  segment.kinds[4] = (segment.kinds[4] ?? 0) + weight;
  segment.text ??= newText(observer);
  segment.text.values = undefined;
  addWeighted(segment.text, text, weight);
}

/** Makes one parameter of all texts at a place. */
function openUp(node: PathNode): void {
  node.isOpen = true;
  for (const [text, child] of node.children) {
    const { count, first, last } = traffic(child);
    node.any ??= { children: new Map(), methods: new Map() };
    const observer = { now: first, salt: 0, fieldsLeft: 0, bytes: 0 };
    if (count > 0) {
      addSegment(node.any, text, observer, count);
      addSegment(node.any, text, { ...observer, now: last }, 0);
    }
    mergeNodes(node.any, child);
  }
  node.children.clear();
}

/** The requests at and below a place. */
function traffic(node: PathNode): { count: number; first: number; last: number } {
  const sum = { count: 0, first: Number.MAX_SAFE_INTEGER, last: 0 };
  const add = (one: { count: number; first: number; last: number }) => {
    sum.count += one.count;
    sum.first = Math.min(sum.first, one.first);
    sum.last = Math.max(sum.last, one.last);
  };
  for (const route of node.methods.values()) add(route);
  for (const child of node.children.values()) add(traffic(child));
  if (node.any !== undefined) add(traffic(node.any));
  return sum;
}

/** What two trees say together; the second is used up. */
export function mergeNodes(into: PathNode, from: PathNode): PathNode {
  if (from.isOpen === true) into.isOpen = true;
  if (from.segment !== undefined) {
    into.segment =
      into.segment === undefined ? from.segment : mergeValues(into.segment, from.segment);
  }
  if (from.any !== undefined) {
    into.any = into.any === undefined ? from.any : mergeNodes(into.any, from.any);
  }
  mergeMaps(into.methods, from.methods, mergeRoutes);
  mergeMaps(into.children, from.children, mergeNodes);
  if (into.isOpen === true || into.children.size > limits.learntSegmentsMax) openUp(into);
  return into;
}

export function mergeRoutes(into: RouteSummary, from: RouteSummary): RouteSummary {
  into.count += from.count;
  into.first = Math.min(into.first, from.first);
  into.last = Math.max(into.last, from.last);
  into.otherMedia += from.otherMedia;
  mergeValues(into.query, from.query);
  mergeMaps(into.bodies, from.bodies, mergeValues);
  return into;
}

export function mergeMaps<T>(
  into: Map<string, T>,
  from: ReadonlyMap<string, T>,
  merge: (a: T, b: T) => T,
): void {
  for (const [name, one] of from) {
    const known = into.get(name);
    into.set(name, known === undefined ? one : merge(known, one));
  }
}

export function nodeBytes(node: PathNode): number {
  let bytes = sizes.node + (node.segment === undefined ? 0 : bytesOf(node.segment));
  for (const route of node.methods.values()) bytes += routeBytes(route);
  for (const [text, child] of node.children) {
    bytes += sizes.child + 2 * text.length + nodeBytes(child);
  }
  return bytes + (node.any === undefined ? 0 : nodeBytes(node.any));
}

export function routeBytes({ query, bodies }: RouteSummary): number {
  let bytes = sizes.route + bytesOf(query);
  for (const body of bodies.values()) bytes += bytesOf(body);
  return bytes;
}

export function routeFields({ query, bodies }: RouteSummary): number {
  let fields = fieldsIn(query);
  for (const body of bodies.values()) fields += fieldsIn(body);
  return fields;
}

/** Removes what `isGone` says, and places where nothing is left; gives whether anything is. */
export function prune(node: PathNode, isGone: (route: RouteSummary) => boolean): boolean {
  for (const [method, route] of node.methods) if (isGone(route)) node.methods.delete(method);
  for (const [text, child] of node.children) {
    if (!prune(child, isGone)) node.children.delete(text);
  }
  if (node.any !== undefined && !prune(node.any, isGone)) delete node.any;
  return node.methods.size > 0 || node.children.size > 0 || node.any !== undefined;
}

/** A route of the tree as a path template. */
export interface FoundRoute {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly { readonly name: string; readonly value: ValueSummary }[];
  readonly route: RouteSummary;
}

/** All routes of a tree; a parameter is named by the text before it. */
export function routesOf(root: PathNode): FoundRoute[] {
  const found: FoundRoute[] = [];
  const walk = (node: PathNode, path: readonly string[], parameters: FoundRoute['parameters']) => {
    for (const [method, route] of node.methods) {
      found.push({ method, path: `/${path.join('/')}`, parameters, route });
    }
    for (const [text, child] of node.children) walk(child, [...path, text], parameters);
    if (node.any?.segment === undefined) return;
    const name = parameterName(path.at(-1), parameters);
    const value = node.any.segment;
    walk(node.any, [...path, `{${name}}`], [...parameters, { name, value }]);
  };
  walk(root, [], []);
  return found;
}

function parameterName(before: string | undefined, taken: FoundRoute['parameters']): string {
  const word = (before ?? '').replaceAll(/[^A-Za-z0-9]/g, '').replace(/(?<=\w\w)s$/, '');
  const own = before?.startsWith('{') === true || !/^[A-Za-z]/.test(word) ? 'id' : `${word}Id`;
  let name = own;
  for (let count = 2; taken.some((one) => one.name === name); count++) name = `${own}${count}`;
  return name;
}
