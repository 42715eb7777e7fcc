import type { PolicyProblem } from '../contract/explanation.ts';
import type { JsonSchema, Shape } from '../contract/shape.ts';
import { isMembers, type Members } from './reading.ts';

/** Keywords whose schemas are about the same value as the one that they stand in. */
const listsInPlace = ['allOf', 'anyOf', 'oneOf'];
const schemasInPlace = ['not', 'if', 'then', 'else', 'propertyNames'];

const prefix = '#/schemas/';

/** The name of a schema that another one refers to. */
export function referredName(schema: Members): string | undefined {
  const reference = schema['$ref'];
  return typeof reference === 'string' ? reference.slice(prefix.length) : undefined;
}

/** The schemas beside a cleaned one that are about the same value, references not followed. */
export function schemasBeside(schema: Members): JsonSchema[] {
  const found: unknown[] = schemasInPlace.map((keyword) => schema[keyword]);
  for (const keyword of listsInPlace) {
    const list = schema[keyword];
    if (Array.isArray(list)) found.push(...list);
  }
  const dependent = schema['dependentSchemas'];
  if (isMembers(dependent)) found.push(...Object.values(dependent));
  return found.filter((one): one is JsonSchema => one !== undefined);
}

/** Schemas that refer to themselves for the same value: to check one would never end. */
export function circularSchemas(schemas: NonNullable<Shape['schemas']>): PolicyProblem[] {
  const problems: PolicyProblem[] = [];
  const state = new Map<string, 'open' | 'done'>();
  const visit = (name: string): void => {
    if (state.get(name) === 'done') return;
    if (state.get(name) === 'open') {
      const message = 'refers to itself for the same value; refer to it from a member or an item';
      problems.push({ pointer: `/schemas/${name}`, message });
      return;
    }
    state.set(name, 'open');
    walk(schemas[name] ?? true);
    state.set(name, 'done');
  };
  const walk = (schema: JsonSchema): void => {
    if (typeof schema === 'boolean') return;
    const name = referredName(schema);
    if (name !== undefined) visit(name);
    for (const one of schemasBeside(schema)) walk(one);
  };
  for (const name of Object.keys(schemas)) visit(name);
  return problems;
}

/**
 * The same schemas, with members that are not declared refused: by `additionalProperties` where one
 * schema alone says what an object has, else by `unevaluatedProperties`.
 */
export class Closing {
  readonly #schemas: NonNullable<Shape['schemas']>;
  readonly #declares = new Map<string, boolean>();

  constructor(schemas: NonNullable<Shape['schemas']>) {
    this.#schemas = schemas;
  }

  /** A schema of a value of its own. */
  value(schema: JsonSchema): JsonSchema {
    if (typeof schema === 'boolean') return schema;
    const made = this.beside(schema);
    if ('additionalProperties' in made || 'unevaluatedProperties' in made) return made;
    const isComposed = composing.some((keyword) => keyword in made);
    if (!isComposed) return 'properties' in made ? { ...made, additionalProperties: false } : made;
    return this.#declaresMembers(made) ? { ...made, unevaluatedProperties: false } : made;
  }

  /** A schema beside others, or that others refer to: only what stands in it is closed. */
  beside(schema: Members): Members {
    const made: Record<string, unknown> = { ...schema };
    for (const keyword of [...listsInPlace, ...schemasInPlace]) {
      const given = made[keyword];
      if (Array.isArray(given)) made[keyword] = given.map((one) => this.#besideOne(one));
      else if (given !== undefined) made[keyword] = this.#besideOne(given);
    }
    for (const keyword of ofValues) {
      const given = made[keyword];
      if (Array.isArray(given)) made[keyword] = given.map((one: JsonSchema) => this.value(one));
      else if (given !== undefined) made[keyword] = this.value(given as JsonSchema);
    }
    for (const keyword of ['properties', 'patternProperties']) {
      const given = made[keyword];
      if (isMembers(given)) {
        made[keyword] = mapped(given, (one) => this.value(one as JsonSchema));
      }
    }
    const dependent = made['dependentSchemas'];
    if (isMembers(dependent)) {
      made['dependentSchemas'] = mapped(dependent, (one) => this.#besideOne(one));
    }
    return made;
  }

  #besideOne(schema: unknown): unknown {
    return isMembers(schema) ? this.beside(schema) : schema;
  }

  #declaresMembers(schema: Members): boolean {
    if ('properties' in schema) return true;
    const name = referredName(schema);
    if (name !== undefined && this.#isDeclaring(name)) return true;
    return schemasBeside(schema).some((one) => isMembers(one) && this.#declaresMembers(one));
  }

  #isDeclaring(name: string): boolean {
    const known = this.#declares.get(name);
    if (known !== undefined) return known;
    this.#declares.set(name, false);
    const schema = this.#schemas[name] ?? true;
    const declares = typeof schema !== 'boolean' && this.#declaresMembers(schema);
    this.#declares.set(name, declares);
    return declares;
  }
}

const composing = ['$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'dependentSchemas'];
const ofValues = [
  ...['additionalProperties', 'unevaluatedProperties', 'contains', 'items', 'prefixItems'],
  'unevaluatedItems',
];

/** Members in the same order, none of them a prototype. */
export function mapped(given: Members, change: (one: unknown) => unknown): Members {
  return Object.fromEntries(Object.entries(given).map(([name, one]) => [name, change(one)]));
}
