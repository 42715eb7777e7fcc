import type { LearntEffect, LearntEvidence } from '../../contract/learnt-shape.ts';
import { limits } from '../../contract/limits.ts';
import type { DeclaredParameter, JsonSchema, Shape, ShapeRoute } from '../../contract/shape.ts';
import { mediaRange } from '../openapi.ts';
import { segmentsOf, templateFault } from '../template.ts';
import {
  enough,
  type FieldProposal,
  kindsIn,
  scalarSchema,
  times,
  typeNames,
} from './field-schema.ts';
import type { Learnt } from './learner.ts';
import { type FoundRoute, mergeRoutes, routesOf } from './route-tree.ts';
import type { ValueSummary } from './summary.ts';

/** A shape that is proposed, why, and what it would have done. */
export interface Proposal {
  /** Undefined while too little was seen. */
  readonly shape: Shape | undefined;
  readonly evidence: readonly LearntEvidence[];
  readonly effect: Omit<LearntEffect, 'events'>;
}

/** Share of requests without a proposed route up to which others are refused. */
const strayShareMax = 0.001;
const strayRequestsMin = 1_000;

/** The shape that the traffic had. The summary is used up. */
export function propose(learnt: Learnt): Proposal {
  const notes = new Notes();
  const found = allRoutes(learnt);
  const routes = found.filter((one) => isProposed(one)).slice(0, limits.shapeOperationsMax);
  const stray =
    found.reduce((sum, { route }) => sum + route.count, 0) -
    routes.reduce((sum, { route }) => sum + route.count, 0);
  const proposed = routes.map((one) => notes.route(one));
  const { whole } = learnt;
  const hasWhole = whole !== undefined && whole.count >= enough.route && routes.length === 0;
  const body = hasWhole ? notes.body(whole, { method: '', path: '' }) : undefined;
  if (proposed.length === 0 && body === undefined) {
    return { shape: undefined, evidence: [], effect: notes.effect(0) };
  }
  const isSettled = learnt.requests >= strayRequestsMin && stray <= strayShareMax * learnt.requests;
  const isClosed = routes.length > 0 && routes.every(({ route }) => hasAllNames(route.query));
  const shape: Shape = {
    title: 'Learnt from traffic',
    ...(proposed.length === 0 ? {} : { unlisted: isSettled ? 'refuse' : 'screen' }),
    ...(isClosed ? { unknownParameters: 'refuse' } : {}),
    ...(body === undefined ? {} : { body }),
    ...(proposed.length === 0 ? {} : { routes: proposed }),
  };
  return { shape, evidence: notes.evidence, effect: notes.effect(isSettled ? stray : 0) };
}

function isProposed({ path, route }: FoundRoute): boolean {
  return route.count >= enough.route && templateFault(path) === undefined;
}

function hasAllNames({ count, object }: ValueSummary): boolean {
  return count >= enough.closed && (object?.others ?? 0) === 0;
}

/** The methods of a path, in the order in which a document has them. */
const methods = ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE'];
const orderOf = (method: string): number =>
  (methods.indexOf(method) + methods.length) % methods.length;

/** Routes that were inferred and those that are declared, each template once, in order. */
export function allRoutes(learnt: Learnt): FoundRoute[] {
  const all = new Map<string, FoundRoute>();
  const declared = [...learnt.declared].map(([key, { route, path: values }]): FoundRoute => {
    const [method = '', path = ''] = key.split(' ', 2);
    const members = [...(values.object?.members ?? [])];
    return { method, path, route, parameters: members.map(([name, value]) => ({ name, value })) };
  });
  for (const one of [...declared, ...routesOf(learnt.root)]) {
    if (!methods.includes(one.method)) continue;
    const key = `${one.method} ${segmentsOf(one.path)
      .join('/')
      .replaceAll(/\{[^}]*\}/g, '{}')}`;
    const known = all.get(key);
    if (known === undefined) all.set(key, one);
    else mergeRoutes(known.route, one.route);
  }
  return [...all.values()].sort((a, b) =>
    a.path < b.path ? -1 : a.path > b.path ? 1 : orderOf(a.method) - orderOf(b.method),
  );
}

interface Place {
  readonly method: string;
  readonly path: string;
}

/** Writes schemas, and notes what speaks for each. */
class Notes {
  readonly evidence: LearntEvidence[] = [];
  #values = 0;
  #spared = 0;

  effect(refusedRequests: number): Proposal['effect'] {
    return { refusedRequests, values: this.#values, sparedValues: this.#spared };
  }

  route({ method, path, parameters, route }: FoundRoute): ShapeRoute {
    const place = { method, path };
    this.#note(place, '', {
      constraint: 'route',
      evidence: `seen ${times(route.count)}`,
      count: route.count,
    });
    const all: DeclaredParameter[] = parameters.map(({ name, value }) => ({
      in: 'path',
      name,
      required: true,
      explode: false,
      schema: this.#schema(value, { ...place, field: `path.${name}`, name, isTextual: true }),
    }));
    for (const [name, value] of sorted(route.query)) {
      const schema = this.#schema(value, {
        ...place,
        field: `query.${name}`,
        name,
        isTextual: true,
      });
      all.push({
        in: 'query',
        name,
        schema,
        ...this.#required(place, `query.${name}`, value, route.query),
      });
    }
    const kept = all.slice(0, limits.shapeParametersMax);
    const content = [...route.bodies].filter(([media]) => mediaRange.test(media));
    const sent = content.reduce((sum, [, { count }]) => sum + count, 0);
    const isAlways = sent === route.count && route.count >= enough.required;
    // A body of a type that was not kept would be refused.
    const hasBody =
      content.length === route.bodies.size && content.length > 0 && route.otherMedia === 0;
    return {
      method,
      path,
      ...(kept.length === 0 ? {} : { parameters: kept }),
      ...(hasBody
        ? {
            body: {
              ...(isAlways ? { required: true } : {}),
              content: this.#content(content, place),
            },
          }
        : {}),
    };
  }

  body(value: ValueSummary, place: Place, isTextual = false): JsonSchema {
    return this.#schema(value, { ...place, field: 'body', name: '', isTextual });
  }

  #content(content: readonly (readonly [string, ValueSummary])[], place: Place) {
    const isForm = (media: string) => media.endsWith('form-data') || media.endsWith('urlencoded');
    return Object.fromEntries(
      content
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([media, value]) => [media, this.body(value, place, isForm(media))]),
    );
  }

  #schema(
    value: ValueSummary,
    at: Place & { field: string; name: string; isTextual: boolean },
  ): JsonSchema {
    const kinds = kindsIn(value);
    const others = kinds.filter((kind) => kind !== 'null' && kind !== 'unknown');
    const hasNull = others.length < kinds.length;
    const isOne = others.length === 1 && value.count >= enough.field;
    if (isOne && others[0] === 'object' && value.object !== undefined) {
      const made = this.#object(value, at);
      return hasNull ? { ...made, type: ['object', 'null'] } : made;
    }
    if (isOne && others[0] === 'list' && value.list !== undefined) {
      const { items, max } = value.list;
      const made = {
        type: hasNull ? ['array', 'null'] : 'array',
        maxItems: 2 ** Math.ceil(Math.log2(Math.max(8, 2 * max))),
        items: this.#schema(items, { ...at, field: `${at.field}[]` }),
      };
      const evidence = `seen ${times(value.count)}, at most ${max} items`;
      this.#note(at, at.field, {
        constraint: `list of at most ${made.maxItems}`,
        evidence,
        count: value.count,
      });
      return made;
    }
    if (others.includes('list') && at.isTextual && !others.includes('object')) return true;
    this.#values += value.count;
    const scalar = mixed(others) ? this.#mixed(value, others, hasNull) : scalarSchema(value, at);
    if (scalar === undefined) return true;
    if (scalar.isClosed) this.#spared += value.count;
    this.#note(at, at.field, { ...scalar, count: value.count });
    return scalar.schema;
  }

  /** What is now this and now that: its types are known, and no more. */
  #mixed(value: ValueSummary, kinds: readonly (keyof typeof typeNames)[], hasNull: boolean) {
    if (value.count < enough.field) return undefined;
    const types = [...new Set(kinds.map((kind) => typeNames[kind])), ...(hasNull ? ['null'] : [])];
    const words = types.join(' or ');
    const evidence = `seen ${times(value.count)}, ${words}`;
    return { schema: { type: types }, constraint: words, evidence, isClosed: false };
  }

  #object(value: ValueSummary, at: Place & { field: string; isTextual: boolean }) {
    const object = value.object ?? {
      count: 0,
      members: new Map<string, ValueSummary>(),
      others: 0,
    };
    const properties: [string, JsonSchema][] = [];
    const required: string[] = [];
    for (const [name, member] of sorted(value)) {
      const field = `${at.field}.${name}`;
      properties.push([name, this.#schema(member, { ...at, field, name })]);
      if (this.#required(at, field, member, value).required === true) required.push(name);
    }
    const isWhole = object.count >= enough.closed && object.others === 0;
    if (isWhole) {
      const evidence = `seen ${times(object.count)}, never another field`;
      this.#note(at, at.field, { constraint: 'no other fields', evidence, count: object.count });
    }
    return {
      type: 'object',
      ...(properties.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
      ...(required.length === 0 ? {} : { required }),
      ...(isWhole ? { additionalProperties: false } : {}),
    };
  }

  #required(place: Place, field: string, member: ValueSummary, inside: ValueSummary) {
    const { count = 0 } = inside.object ?? {};
    if (count < enough.required || member.count !== count) return {};
    const evidence = `in all of ${times(count).replace(' times', ' requests')}`;
    this.#note(place, field, { constraint: 'required', evidence, count });
    return { required: true };
  }

  #note(
    { method, path }: Place,
    field: string,
    what: Pick<LearntEvidence, 'constraint' | 'evidence' | 'count'> & Partial<FieldProposal>,
  ): void {
    const { constraint, evidence, count, isClosed = false } = what;
    this.evidence.push({ method, path, field, constraint, evidence, count, isClosed });
  }
}

function mixed(kinds: readonly string[]): boolean {
  return kinds.length > 1 && (kinds.includes('object') || kinds.includes('list'));
}

function sorted({ object }: ValueSummary): [string, ValueSummary][] {
  return [...(object?.members ?? [])].sort(([a], [b]) => (a < b ? -1 : 1));
}
