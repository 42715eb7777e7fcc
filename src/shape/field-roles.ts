import type { DeclaredRole, ShapeField } from '../contract/shape.ts';
import { segmentsIn } from './body-tree.ts';
import { contentFor } from './check-body.ts';
import { parameterName } from './check-parameters.ts';
import type { CompiledRoute } from './declared.ts';
import type { RequestParts } from './request-parts.ts';
import type { RoleSet } from './roles.ts';
import type { RouteMatch } from './routes.ts';

interface Matched {
  readonly route: CompiledRoute;
  readonly match: Extract<RouteMatch, { kind: 'route' }>;
}

/** A place that is declared: what may stand there, and whether its name is a declared one. */
interface DeclaredPlace {
  readonly roles: RoleSet | undefined;
  readonly isDeclaredName: boolean;
}

/** Names of members that our own clients give to parts of each request. */
const ownNames: ReadonlySet<string> = new Set(['method', 'path']);

/** What is declared of each field of one request. */
export class FieldRoles {
  readonly #parts: RequestParts;
  readonly #matched: Matched | undefined;
  readonly #whole: RoleSet | undefined;
  readonly #body: RoleSet | undefined;
  #place: DeclaredPlace | undefined;
  #placeKey = '';

  constructor(parts: RequestParts, matched: Matched | undefined, whole: RoleSet | undefined) {
    this.#parts = parts;
    this.#matched = matched;
    this.#whole = whole;
    this.#body =
      matched === undefined || parts.body.kind === 'none'
        ? undefined
        : contentFor(parts, matched.route.content)?.declared.roles;
  }

  of(fields: readonly ShapeField[]): readonly (DeclaredRole | undefined)[] {
    if (this.#matched === undefined && this.#whole === undefined) return [];
    return fields.map((field) => this.#roleOf(field));
  }

  #roleOf({ where, text, node }: ShapeField): DeclaredRole | undefined {
    if (where === 'context') return undefined;
    const isTop = node.parent === undefined;
    if (isTop && this.#parts.hasHeaders) {
      const key = String(node.key);
      const place = this.#topPlace(key);
      if (where === 'name') return place?.isDeclaredName === true ? 'closed' : undefined;
      if (key === 'method') return this.#matched === undefined ? undefined : 'closed';
      if (key === 'path') return this.#isClosedPath(text) ? 'closed' : undefined;
      return place?.roles?.of(text);
    }
    const place = this.#nestedPlace(node);
    if (where === 'name') return place?.isDeclaredName === true ? 'closed' : undefined;
    return place?.roles?.of(text);
  }

  /** A name and its value come one after the other. */
  #topPlace(key: string): DeclaredPlace | undefined {
    if (key === this.#placeKey) return this.#place;
    this.#placeKey = key;
    this.#place = this.#findTopPlace(key);
    return this.#place;
  }

  #findTopPlace(key: string): DeclaredPlace | undefined {
    if (this.#matched === undefined) return undefined;
    if (ownNames.has(key)) return { roles: undefined, isDeclaredName: true };
    if (key.startsWith('body')) return this.#bodyPlace(key.slice('body'.length));
    const dot = key.indexOf('.');
    const place = dot < 0 ? '' : key.slice(0, dot);
    if (place !== 'query' && place !== 'header' && place !== 'cookie') return undefined;
    const declared = this.#matched.route.parameters[place];
    const own = key.slice(dot + 1);
    const name = parameterName(own, declared);
    const entry = declared.get(name);
    if (entry === undefined) return undefined;
    const { roles } = entry.declared;
    const isList = roles.mayBeList && entry.parameter.explode !== false;
    return { roles: isList ? roles.items() : roles, isDeclaredName: own === name };
  }

  #bodyPlace(rest: string): DeclaredPlace | undefined {
    if (this.#body === undefined || (rest !== '' && !/^[.[]/.test(rest))) return undefined;
    const segments = segmentsIn(rest, this.#body);
    if (segments === undefined) return undefined;
    return declaredAt(this.#body, segments);
  }

  #nestedPlace(node: ShapeField['node']): DeclaredPlace | undefined {
    const path: (string | number)[] = [];
    for (let at: ShapeField['node'] | undefined = node; at !== undefined; at = at.parent) {
      path.unshift(at.key);
    }
    const { body } = this.#parts;
    if (body.kind === 'json' && body.path.every((name, at) => path[at] === name)) {
      const inBody = declaredAt(this.#body, path.slice(body.path.length));
      if (inBody !== undefined) return inBody;
    }
    return declaredAt(this.#whole, path);
  }

  /** A path of declared words, and of values that are closed. */
  #isClosedPath(text: string): boolean {
    if (this.#matched === undefined || text.includes('%') || text.includes('?')) return false;
    const { match, route } = this.#matched;
    for (const [name, value] of match.values) {
      const entry = route.parameters.path.get(name);
      if (entry?.declared.roles.of(value) !== 'closed') return false;
    }
    return true;
  }
}

function declaredAt(
  from: RoleSet | undefined,
  segments: readonly (string | number)[],
): DeclaredPlace | undefined {
  const roles = from?.at(segments);
  return roles === undefined ? undefined : { roles, isDeclaredName: true };
}
