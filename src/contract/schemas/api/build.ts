import { categories } from '../../category.ts';
import { roles } from '../../roles.ts';

/** A JSON Schema, draft 2020-12. */
export type Schema = Readonly<Record<string, unknown>>;

type Members = Readonly<Record<string, Schema>>;

/** An object with these members and no other. */
export function closed(required: Members, optional: Members = {}): Schema {
  return {
    type: 'object',
    properties: { ...required, ...optional },
    required: Object.keys(required),
    additionalProperties: false,
  };
}

/** An object whose members all have the same shape, with names of the user's own. */
export function mapOf(values: Schema): Schema {
  return { type: 'object', additionalProperties: values };
}

export function listOf(items: Schema): Schema {
  return { type: 'array', items };
}

/** A schema of `components.ts`, by its name. */
export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** A text of 1 to `max` characters. */
export function textTo(max: number): Schema {
  return { type: 'string', minLength: 1, maxLength: max };
}

export const text: Schema = { type: 'string' };
export const flag: Schema = { type: 'boolean' };
export const count: Schema = { type: 'integer', minimum: 0 };
export const quantity: Schema = { type: 'number', minimum: 0 };
export const moment: Schema = { type: 'string', format: 'date-time' };
export const score: Schema = { type: 'integer', minimum: 0, maximum: 100 };
/** Where the evidence begins and ends. */
export const span: Schema = {
  type: 'array',
  prefixItems: [count, count],
  minItems: 2,
  maxItems: 2,
};
export const role: Schema = { enum: roles };
export const category: Schema = { enum: categories };
export const severity: Schema = { enum: ['low', 'medium', 'high', 'critical'] };
export const where: Schema = { enum: ['value', 'name', 'context'] };
