import type { ShapeRoute } from '../contract/shape.ts';
import { type NamedRoute, namedRoute } from './named-route.ts';
import {
  decodedText,
  matchSegment,
  pathCharsMax,
  readSegment,
  segmentsOf,
  type TemplateSegment,
} from './template.ts';

export type RouteMatch =
  | {
      readonly kind: 'route';
      /** In the list of routes. */
      readonly index: number;
      /** Decoded values of the parameters in the path, in their order. */
      readonly values: readonly string[];
      /** The router of the application named it: the path by itself is that of no route. */
      readonly isNamed?: true;
    }
  | { readonly kind: 'no-such-method'; readonly methods: readonly string[] }
  /** A path that is declared, and a question about it rather than a request of it. */
  | { readonly kind: 'preflight' }
  | { readonly kind: 'no-such-route' };

interface Node {
  readonly texts: Map<string, Node>;
  /** Segments with parameters, the most particular first. */
  readonly templates: {
    readonly source: string;
    readonly segment: TemplateSegment;
    readonly node: Node;
  }[];
  readonly methods: Map<string, number>;
}

/** Finds the route of a request. Texts count before parameters, as OpenAPI says. */
export class RouteTable {
  readonly #root = newNode();

  constructor(routes: readonly ShapeRoute[]) {
    routes.forEach(({ method, path }, index) => {
      let node = this.#root;
      for (const segment of segmentsOf(path)) node = childFor(node, segment);
      if (!node.methods.has(method)) node.methods.set(method, index);
    });
  }

  find(method: string, path: string): RouteMatch {
    const segments = plainSegments(path);
    if (segments === undefined) return { kind: 'no-such-route' };
    const found: Found = { method, segments, values: [], other: undefined };
    const index = walk(this.#root, 0, found);
    if (index !== undefined) return { kind: 'route', index, values: found.values };
    if (found.other === undefined) return { kind: 'no-such-route' };
    if (method === 'OPTIONS') return { kind: 'preflight' };
    return { kind: 'no-such-method', methods: [...found.other.methods.keys()] };
  }

  /**
   * The same; where method and path find nothing, the route that the application's router named. They
   * come first, so that a name that is wrong or forged loosens nothing of what they find.
   */
  findOrNamed(method: string, path: string, nameOf: () => string | undefined): RouteMatch {
    const match = this.find(method, path);
    if (match.kind === 'route' || match.kind === 'preflight') return match;
    const template = nameOf();
    const named = template === undefined ? undefined : namedRoute(template, path);
    return (named && this.#findNamed(method, named)) ?? match;
  }

  #findNamed(method: string, { segments, texts, values }: NamedRoute): RouteMatch | undefined {
    let node: Node | undefined = this.#root;
    // The root has one segment, which is empty.
    if (segments.length === 0) node = node.texts.get('');
    for (const [at, segment] of segments.entries()) {
      node = node && namedChild(node, segment, texts[at] ?? '');
    }
    const index = node === undefined ? undefined : indexFor(node, method);
    if (index === undefined) return undefined;
    return { kind: 'route', index, values, isNamed: true };
  }
}

interface Found {
  readonly method: string;
  readonly segments: readonly string[];
  readonly values: string[];
  /** A place of the path without that method. */
  other: Node | undefined;
}

function walk(node: Node, at: number, found: Found): number | undefined {
  const segment = found.segments[at];
  if (segment === undefined) {
    const index = indexFor(node, found.method);
    if (index === undefined && node.methods.size > 0) found.other ??= node;
    return index;
  }
  const text = node.texts.get(segment);
  const inText = text === undefined ? undefined : walk(text, at + 1, found);
  if (inText !== undefined) return inText;
  const { values } = found;
  const before = values.length;
  for (const template of node.templates) {
    if (matchSegment(template.segment, segment, values)) {
      const index = walk(template.node, at + 1, found);
      if (index !== undefined) return index;
    }
    values.length = before;
  }
  return undefined;
}

/**
 * The child for a segment of a named template; undefined where a more particular one is declared for
 * what stands there. That one may run in the end: a guard on `/users/:id` also names `/USERS/me` so.
 */
function namedChild(
  { texts, templates }: Node,
  { literals, names }: TemplateSegment,
  text: string,
): Node | undefined {
  if (names.length === 0) return texts.get(literals[0] ?? '');
  const word = text.toLowerCase();
  for (const declared of texts.keys()) if (declared.toLowerCase() === word) return undefined;
  const first = templates.find(({ segment }) => matchSegment(segment, text, []));
  return first?.source === literals.join('{}') ? first.node : undefined;
}

function newNode(): Node {
  return { texts: new Map(), templates: [], methods: new Map() };
}

/** A GET is there for each HEAD. */
function indexFor({ methods }: Node, method: string): number | undefined {
  return methods.get(method) ?? (method === 'HEAD' ? methods.get('GET') : undefined);
}

function childFor(node: Node, source: string): Node {
  const segment = readSegment(source);
  if (segment === undefined || segment.names.length === 0) {
    const known = node.texts.get(source) ?? newNode();
    node.texts.set(source, known);
    return known;
  }
  // Names make no difference: /users/{id} and /users/{name} are one path.
  const shape = segment.literals.join('{}');
  const known = node.templates.find((one) => one.source === shape);
  if (known !== undefined) return known.node;
  const made = newNode();
  node.templates.push({ source: shape, segment, node: made });
  node.templates.sort((a, b) => b.source.length - a.source.length);
  return made;
}

/**
 * The decoded segments of a path; undefined where routers may disagree about it: `//`, `..`,
 * escaped slashes, backslashes. Such a path is no declared one.
 */
export function plainSegments(path: string): readonly string[] | undefined {
  if (!path.startsWith('/') || path.length > pathCharsMax || odd.test(path)) return undefined;
  const segments = segmentsOf(path);
  if (usual.test(path)) return segments;
  const isRoot = segments.length === 1 && segments[0] === '';
  const decoded: string[] = [];
  for (const segment of segments) {
    const text = decodedText(segment);
    if (text === undefined || text === '.' || text === '..' || oddText.test(text)) return undefined;
    if (text === '' && !isRoot) return undefined;
    decoded.push(text);
  }
  return decoded;
}

/** Paths that read the same decoded: in all that can be odd about others they have nothing. */
const usual = /^(?:\/[A-Za-z0-9_~-][A-Za-z0-9_~.-]*)+$/;
const odd = /[\\?#]/;
const oddText = /[/\\\x00-\x1f]/;
