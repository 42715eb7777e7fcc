import type { DeclaredParameter, JsonSchema, Shape, ShapeRoute } from '../contract/shape.ts';

/**
 * A shape as an OpenAPI 3.1 document. What OpenAPI has no words for stands in `x-sallyport`, so that
 * reading the document gives the same shape again.
 */
export function writeOpenApi(shape: Shape): object {
  const { title = 'Declared shape', unlisted, unknownParameters, body, routes = [] } = shape;
  const own = {
    ...(unlisted === undefined ? {} : { unlisted }),
    ...(unknownParameters === undefined ? {} : { unknownParameters }),
    ...(body === undefined ? {} : { body: referring(body) }),
  };
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route) };
  }
  const schemas = Object.entries(shape.schemas ?? {}).map(([name, one]) => [name, referring(one)]);
  return {
    openapi: '3.1.0',
    info: { title, version: '1' },
    ...(Object.keys(own).length === 0 ? {} : { 'x-sallyport': own }),
    paths,
    ...(schemas.length === 0 ? {} : { components: { schemas: Object.fromEntries(schemas) } }),
  };
}

function operationOf({ parameters = [], body }: ShapeRoute): object {
  return {
    ...(parameters.length === 0 ? {} : { parameters: parameters.map(parameterOf) }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            ...(body.required === true ? { required: true } : {}),
            content: Object.fromEntries(
              Object.entries(body.content).map(([media, schema]) => [
                media,
                schema === true ? {} : { schema: referring(schema) },
              ]),
            ),
          },
        }),
    responses: { default: { description: 'Any answer.' } },
  };
}

function parameterOf({ in: place, name, required, explode, schema }: DeclaredParameter): object {
  const isUsual = (place === 'query' || place === 'cookie') === (explode !== false);
  return {
    name,
    in: place,
    ...(required === true || place === 'path' ? { required: true } : {}),
    ...(isUsual ? {} : { explode: explode !== false }),
    schema: referring(schema),
  };
}

/** A schema whose references lead into the document. Only `$ref` of a schema is one. */
function referring(schema: JsonSchema): JsonSchema {
  if (typeof schema === 'boolean') return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [keyword, insideOf(keyword, value)]),
  );
}

const maps: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'dependentSchemas']);
const plain: ReadonlySet<string> = new Set(['enum', 'const', 'required', 'dependentRequired']);

function insideOf(keyword: string, value: unknown): unknown {
  if (keyword === '$ref') return String(value).replace('#/schemas/', '#/components/schemas/');
  if (plain.has(keyword) || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    return value.map((one: unknown) => (isSchema(one) ? referring(one) : one));
  }
  if (!maps.has(keyword)) return referring(value as JsonSchema);
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, referring(one as JsonSchema)]),
  );
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'boolean' || (typeof value === 'object' && value !== null);
}
