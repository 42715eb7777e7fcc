import type { ShapeDrift } from '../../contract/learnt-shape.ts';
import type { JsonSchema, Shape, ShapeRoute } from '../../contract/shape.ts';
import { groupsOf } from '../check-parameters.ts';
import { isMembers, type Members } from '../reading.ts';
import { referredName, schemasBeside } from '../references.ts';
import { RouteTable } from '../routes.ts';
import { enough, kindsIn, times, typeNames } from './field-schema.ts';
import type { Learnt } from './learner.ts';
import { type RouteSummary, routesOf } from './route-tree.ts';
import type { ValueSummary } from './summary.ts';
import { lengthBucket, textFormats } from './text-facts.ts';

const driftMax = 200;
/** A field that came, and did not come for so long while its route was in use. */
const vanishedMs = 86_400_000;

/** What traffic has that a declared shape has not, and the other way round; most frequent first. */
export function driftOf(learnt: Learnt, shape: Shape): ShapeDrift[] {
  const finder = new Finder(shape);
  const table = new RouteTable(shape.routes ?? []);
  for (const { method, path, route } of routesOf(learnt.root)) {
    // Requests from before their route was declared were learnt as an undeclared route.
    if (table.find(method, path.replaceAll(parameter, 'x')).kind === 'route') continue;
    const message = `is no declared route; seen ${times(route.count)}`;
    finder.add({ ...spanOf(route), kind: 'new-route', method, path, field: '', message });
  }
  for (const one of shape.routes ?? []) {
    const found = learnt.declared.get(`${one.method} ${one.path}`);
    if (found !== undefined) finder.route(one, found.route, found.path);
  }
  if (shape.body !== undefined && learnt.whole !== undefined) {
    finder.value(learnt.whole, [shape.body], {
      method: '',
      path: '',
      field: 'body',
      isTextual: false,
    });
  }
  return finder.found.toSorted((a, b) => b.count - a.count).slice(0, driftMax);
}

const parameter = /\{[^}]*\}/g;

function spanOf({ count, first, last }: { count: number; first: number; last: number }) {
  return { count, first, last };
}

interface Place {
  readonly method: string;
  readonly path: string;
  readonly field: string;
  readonly isTextual: boolean;
}

class Finder {
  readonly found: ShapeDrift[] = [];
  readonly #schemas: NonNullable<Shape['schemas']>;

  constructor({ schemas = {} }: Shape) {
    this.#schemas = schemas;
  }

  add(drift: ShapeDrift): void {
    this.found.push(drift);
  }

  route(
    { method, path, parameters = [], body }: ShapeRoute,
    route: RouteSummary,
    inPath: ValueSummary,
  ) {
    const at = { method, path, field: '', isTextual: true };
    for (const place of ['path', 'query'] as const) {
      const values = (place === 'path' ? inPath : route.query).object?.members;
      const declared = new Map(
        parameters.filter((one) => one.in === place).map((one) => [one.name, one.schema]),
      );
      for (const [name, value] of values ?? []) {
        const field = `${place}.${name}`;
        const schema = declared.get(nameOf(name, declared));
        if (schema !== undefined) this.value(value, [schema], { ...at, field });
        else this.#note(value, 'new-parameter', { ...at, field }, 'is no declared parameter');
      }
    }
    for (const [media, value] of body === undefined ? [] : route.bodies) {
      const schema = body?.content[media] ?? rangeOf(body?.content ?? {}, media);
      const isTextual = /form-data$|urlencoded$/.test(media);
      if (schema !== undefined) this.value(value, [schema], { ...at, field: 'body', isTextual });
      else if (media !== '') {
        this.#note(value, 'new-media-type', { ...at, field: 'body' }, `${media} is not declared`);
      }
    }
  }

  /** Holds what was seen at a place against all schemas about it. */
  value(value: ValueSummary, given: readonly JsonSchema[], place: Place): void {
    const schemas = this.#about(given);
    if (schemas.length === 0) return;
    this.#types(value, schemas, place);
    this.#lengths(value, schemas, place);
    this.#range(value, schemas, place);
    if (value.object !== undefined) this.#members(value, schemas, place);
    const items = schemas.flatMap(({ items: one }) =>
      one === undefined ? [] : [one as JsonSchema],
    );
    if (value.list !== undefined && items.length > 0) {
      this.value(value.list.items, items, { ...place, field: `${place.field}[]` });
    }
  }

  #types(value: ValueSummary, schemas: readonly Members[], place: Place): void {
    const declared = new Set(
      schemas.flatMap(({ type }) => (type === undefined ? [] : [type].flat())),
    );
    if (declared.size === 0) return;
    if (declared.has('number')) declared.add('integer');
    const what = [...declared].join(' or ');
    if (place.isTextual) {
      if (declared.has('string') || declared.has('array') || value.text === undefined) return;
      const fits = textFormats.map((name, at) =>
        declared.has(name) ? (value.text?.formats[at] ?? 0) : 0,
      );
      const others = value.text.count - Math.max(...fits);
      const message = `is not always ${what}, as declared: ${times(others)}`;
      if (others > 0) this.#note({ ...value, count: others }, 'new-type', place, message);
      return;
    }
    for (const kind of kindsIn(value)) {
      if (kind === 'unknown' || declared.has(typeNames[kind])) continue;
      const count = value.kinds[kindOrder.indexOf(kind)] ?? 0;
      const message = `is ${typeNames[kind]} where ${what} is declared`;
      this.#note({ ...value, count }, 'new-type', place, message);
    }
  }

  #lengths(value: ValueSummary, schemas: readonly Members[], place: Place): void {
    const most = smallest(schemas, 'maxLength');
    const { text } = value;
    if (most === undefined || text === undefined || text.max <= most) return;
    const beyond = text.lengths.slice(lengthBucket(most) + 1).reduce((sum, one) => sum + one, 0);
    const message = `has up to ${text.max} characters where ${most} are declared`;
    this.#note({ ...value, count: Math.max(1, beyond) }, 'longer', place, message);
  }

  #range(value: ValueSummary, schemas: readonly Members[], place: Place): void {
    const { number } = value;
    if (number === undefined) return;
    const [least, most] = [largest(schemas, 'minimum'), smallest(schemas, 'maximum')];
    const isBelow = least !== undefined && number.min < least;
    if (!isBelow && (most === undefined || number.max <= most)) return;
    const message = isBelow
      ? `is as small as ${number.min} where at least ${least} is declared`
      : `is as large as ${number.max} where at most ${most} is declared`;
    this.#note({ ...value, count: 1 }, 'out-of-range', place, message);
  }

  #members(value: ValueSummary, schemas: readonly Members[], place: Place): void {
    const declared = new Map<string, JsonSchema[]>();
    let isOpen = false;
    for (const { properties, patternProperties } of schemas) {
      if (patternProperties !== undefined) isOpen = true;
      for (const [name, schema] of Object.entries(Object(properties))) {
        declared.set(name, [...(declared.get(name) ?? []), schema as JsonSchema]);
      }
    }
    if (declared.size === 0) return;
    const members = value.object?.members ?? new Map<string, ValueSummary>();
    for (const [name, member] of members) {
      const at = { ...place, field: `${place.field}.${name}` };
      const inside = declared.get(name);
      if (inside !== undefined) this.value(member, inside, at);
      else if (!isOpen) this.#note(member, 'new-field', at, 'is no declared field');
    }
    this.#vanished(value, [...declared.keys()], place);
  }

  #vanished(value: ValueSummary, names: readonly string[], place: Place): void {
    const { count = 0, members } = value.object ?? {};
    for (const name of names) {
      const member = members?.get(name);
      const at = { ...place, field: `${place.field}.${name}` };
      if (member === undefined && count >= enough.closed) {
        this.#note(value, 'vanished', at, `is declared, and was in none of ${count} requests`);
      } else if (member !== undefined && value.last - member.last > vanishedMs) {
        const since = new Date(member.last).toISOString().slice(0, 10);
        this.#note(member, 'vanished', at, `is declared, and was not seen since ${since}`);
      }
    }
  }

  /** All schemas about the same value, references followed. */
  #about(given: readonly JsonSchema[]): Members[] {
    const all = new Set<Members>();
    const add = (schema: JsonSchema): void => {
      if (!isMembers(schema) || all.has(schema)) return;
      all.add(schema);
      const name = referredName(schema);
      if (name !== undefined) add(this.#schemas[name] ?? true);
      for (const one of schemasBeside(schema)) add(one);
    };
    for (const schema of given) add(schema);
    return [...all];
  }

  #note(
    span: { count: number; first: number; last: number },
    kind: ShapeDrift['kind'],
    { method, path, field }: Place,
    message: string,
  ): void {
    this.add({ kind, method, path, field, message, ...spanOf(span) });
  }
}

const kindOrder = Object.keys(typeNames);

/** The name that a parameter is declared under: `filter[a]` is a part of `filter`. */
function nameOf(name: string, declared: ReadonlyMap<string, unknown>): string {
  const given = { name, text: '', path: [], where: 'value' } as const;
  return [...groupsOf([given], declared).keys()][0] ?? name;
}

function rangeOf(content: Readonly<Record<string, JsonSchema>>, media: string) {
  return content[`${media.split('/', 1)[0]}/*`] ?? content['*/*'];
}

function numbersIn(schemas: readonly Members[], keyword: string): number[] {
  return schemas.map((schema) => schema[keyword]).filter((one) => typeof one === 'number');
}

function smallest(schemas: readonly Members[], keyword: string): number | undefined {
  const all = numbersIn(schemas, keyword);
  return all.length === 0 ? undefined : Math.min(...all);
}

function largest(schemas: readonly Members[], keyword: string): number | undefined {
  const all = numbersIn(schemas, keyword);
  return all.length === 0 ? undefined : Math.max(...all);
}
