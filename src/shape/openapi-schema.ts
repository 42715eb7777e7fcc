import { isMembers, type Members } from './reading.ts';

/**
 * A Schema Object of OpenAPI 3.0 in the words of JSON Schema 2020-12: `nullable` is a type,
 * exclusive bounds are numbers, nothing counts beside a reference.
 */
export function asJsonSchema(given: Members): Members {
  if ('$ref' in given) return { $ref: given['$ref'] };
  const schema: Record<string, unknown> = { ...given };
  for (const [bound, exclusive] of bounds) {
    if (typeof schema[exclusive] !== 'boolean') continue;
    const isExclusive = schema[exclusive] === true && bound in schema;
    delete schema[exclusive];
    if (!isExclusive) continue;
    schema[exclusive] = schema[bound];
    delete schema[bound];
  }
  // Files of a form, as some write them.
  if (schema['type'] === 'file') schema['type'] = 'string';
  return given['nullable'] === true ? orNull(schema) : schema;
}

const bounds = [
  ['minimum', 'exclusiveMinimum'],
  ['maximum', 'exclusiveMaximum'],
] as const;

function orNull(schema: Record<string, unknown>): Members {
  const { enum: values, ...rest } = schema;
  const all = Array.isArray(values)
    ? { ...rest, enum: values.includes(null) ? values : [...values, null] }
    : rest;
  if (typeof schema['type'] === 'string') return { ...all, type: [schema['type'], 'null'] };
  const { nullable: _, ...others } = all as Record<string, unknown>;
  const saysSomething = Object.keys(others).some((name) => composed.has(name));
  return saysSomething && isMembers(others) ? { anyOf: [others, { type: 'null' }] } : others;
}

const composed: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'const']);
