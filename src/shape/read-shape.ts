import type { PolicyProblem } from '../contract/explanation.ts';
import { limits } from '../contract/limits.ts';
import type {
  DeclaredBody,
  DeclaredParameter,
  JsonSchema,
  ParameterPlace,
  Shape,
  ShapeRoute,
} from '../contract/shape.ts';
import type { ShapeOptions, ShapeOutcome } from '../contract/shape-reader.ts';
import { cleanReferred, cleanSchema } from './clean-schema.ts';
import { mediaRange, readOperations } from './openapi.ts';
import { readDocument } from './read-document.ts';
import { below, isMembers, memberOf, Reading, shortText } from './reading.ts';
import { Closing, circularSchemas, mapped } from './references.ts';
import { templateFault } from './template.ts';

/** Reads an OpenAPI document, a JSON Schema of whole bodies, or a shape. Never throws. */
export function readShape(text: string, options: ShapeOptions): ShapeOutcome {
  const document = readDocument(text);
  return document.kind === 'not-valid' ? document : shapeOf(document.value, options);
}

/** The same for a document that is parsed. A shape that was made here stays as it is. */
export function shapeOf(value: unknown, options: ShapeOptions = {}): ShapeOutcome {
  if (!isMembers(value)) return fault('', 'must be an OpenAPI document, a schema or a shape');
  const version = memberOf(value, 'openapi');
  if (version !== undefined) return fromOpenApi(value, version, options);
  if (memberOf(value, 'swagger') !== undefined) {
    return fault('/swagger', 'is OpenAPI 2; convert the document to OpenAPI 3 first');
  }
  const isShape = ['routes', 'body', 'unlisted'].some((name) => Object.hasOwn(value, name));
  return isShape ? fromShape(value, options) : fromSchema(value, options);
}

function fault(pointer: string, message: string): ShapeOutcome {
  return { kind: 'not-valid', problems: [{ pointer, message }] };
}

function fromOpenApi(value: unknown, version: unknown, options: ShapeOptions): ShapeOutcome {
  const [, minor] = /^3\.([01])(?:\.\d+)?$/.exec(String(version)) ?? [];
  if (minor === undefined) {
    return fault('/openapi', `is ${shortText(String(version))}; 3.0 and 3.1 can be read`);
  }
  const reading = new Reading(value, minor === '0' ? 'openapi-3.0' : '2020-12', options);
  const routes = readOperations(reading);
  const own = memberOf(value, 'x-sallyport');
  const body = memberOf(own, 'body');
  if (routes.length === 0 && body === undefined && reading.problems.length === 0) {
    reading.problem('/paths', 'declares no operation: everything would be refused');
  }
  const title: unknown = memberOf(memberOf(value, 'info'), 'title');
  return finished(reading, {
    ...(typeof title === 'string' ? { title: shortText(title) } : {}),
    ...givenSettings(reading, own, '/x-sallyport'),
    ...settingsOf(options),
    ...(body === undefined ? {} : { body: cleanSchema(reading, body, '/x-sallyport/body') }),
    ...(routes.length === 0 && body !== undefined ? {} : { routes }),
  });
}

const settings: Readonly<Record<string, readonly string[]>> = {
  unlisted: ['refuse', 'screen'],
  unknownParameters: ['refuse', 'allow'],
};

/** What a document says of requests and parameters that it does not declare. */
function givenSettings(reading: Reading, value: unknown, at: string): Partial<Shape> {
  const found: Record<string, unknown> = {};
  for (const [name, words] of Object.entries(settings)) {
    const given = memberOf(value, name);
    if (given === undefined) continue;
    if (words.includes(String(given))) found[name] = given;
    else reading.problem(below(at, name), `must be one of ${words.join(', ')}`);
  }
  return found;
}

function settingsOf({ closed, unlisted }: ShapeOptions): Partial<Shape> {
  return {
    ...(unlisted === undefined ? {} : { unlisted }),
    ...(closed === true ? { unknownParameters: 'refuse' } : {}),
  };
}

function fromSchema(value: unknown, options: ShapeOptions): ShapeOutcome {
  const reading = new Reading(value, '2020-12', options);
  return finished(reading, { body: cleanSchema(reading, value, '') });
}

const known = ['title', 'unlisted', 'unknownParameters', 'body', 'routes', 'schemas'];

function fromShape(value: Readonly<Record<string, unknown>>, options: ShapeOptions): ShapeOutcome {
  const reading = new Reading(value, '2020-12', options);
  for (const name of Object.keys(value)) {
    if (!known.includes(name)) reading.problem(below('', name), 'is not a known field; remove it');
  }
  const { title, body, routes } = value;
  // Names stay what they are, so that reading a shape again changes nothing.
  for (const name of isMembers(value['schemas']) ? Object.keys(value['schemas']) : []) {
    reading.nameOf(below('/schemas', name));
  }
  const shape: Shape = {
    ...(typeof title === 'string' ? { title: shortText(title) } : {}),
    ...givenSettings(reading, value, ''),
    ...settingsOf(options),
    ...(body === undefined ? {} : { body: cleanSchema(reading, body, '/body') }),
    ...(routes === undefined ? {} : { routes: readRoutes(reading, routes) }),
  };
  return finished(reading, shape);
}

function readRoutes(reading: Reading, given: unknown): ShapeRoute[] {
  if (!Array.isArray(given) || given.length > limits.shapeOperationsMax) {
    const most = limits.shapeOperationsMax;
    reading.problem('/routes', `must be a list of at most ${most} operations`);
    return [];
  }
  return given.flatMap((one: unknown, index) => {
    const at = below('/routes', index);
    const [method, path] = [memberOf(one, 'method'), memberOf(one, 'path')];
    if (typeof method !== 'string' || !/^[A-Z]{1,20}$/.test(method)) {
      reading.problem(below(at, 'method'), 'must be a method such as GET');
      return [];
    }
    const wrong = typeof path === 'string' ? templateFault(path) : 'must be a path template';
    if (wrong !== undefined || typeof path !== 'string') {
      reading.problem(below(at, 'path'), wrong ?? '');
      return [];
    }
    const parameters = memberOf(one, 'parameters') ?? [];
    const body = memberOf(one, 'body');
    return [
      {
        method,
        path,
        ...parametersOf(reading, parameters, below(at, 'parameters')),
        ...(body === undefined ? {} : { body: bodyOf(reading, body, below(at, 'body')) }),
      },
    ];
  });
}

const places = ['query', 'path', 'header', 'cookie'];

function parametersOf(reading: Reading, given: unknown, at: string): Partial<ShapeRoute> {
  if (!Array.isArray(given) || given.length > limits.shapeParametersMax) {
    reading.problem(at, `must be a list of at most ${limits.shapeParametersMax} parameters`);
    return {};
  }
  const parameters = given.flatMap((one: unknown, index): DeclaredParameter[] => {
    const place = below(at, index);
    const [name, where] = [memberOf(one, 'name'), memberOf(one, 'in')];
    if (typeof name !== 'string' || name === '' || !places.includes(String(where))) {
      reading.problem(place, 'must have a name, and in: query, path, header or cookie');
      return [];
    }
    const schema = memberOf(one, 'schema') ?? true;
    return [
      {
        in: where as ParameterPlace,
        name: where === 'header' ? name.toLowerCase() : name,
        ...(memberOf(one, 'required') === true ? { required: true } : {}),
        ...(memberOf(one, 'explode') === false ? { explode: false } : {}),
        schema: cleanSchema(reading, schema, below(place, 'schema')),
      },
    ];
  });
  return parameters.length === 0 ? {} : { parameters };
}

function bodyOf(reading: Reading, given: unknown, at: string): DeclaredBody {
  const content = memberOf(given, 'content');
  if (!isMembers(content)) {
    reading.problem(below(at, 'content'), 'must be an object of media types');
    return { content: {} };
  }
  const schemas: Record<string, JsonSchema> = {};
  for (const [type, schema] of Object.entries(content)) {
    const place = below(below(at, 'content'), type);
    if (mediaRange.test(type)) schemas[type] = cleanSchema(reading, schema, place);
    else reading.problem(place, 'must be a media type such as application/json, image/* or */*');
  }
  return { ...(memberOf(given, 'required') === true ? { required: true } : {}), content: schemas };
}

/** Reads what was referred to, closes what is to be closed, and holds all of it to the bounds. */
function finished(reading: Reading, made: Shape): ShapeOutcome {
  cleanReferred(reading);
  const schemas = { ...reading.schemas };
  const problems: PolicyProblem[] = [...reading.problems, ...circularSchemas(schemas)];
  if (problems.length > 0) return { kind: 'not-valid', problems };
  const isNamed = Object.keys(schemas).length > 0;
  const all: Shape = isNamed ? { ...made, schemas } : made;
  const shape = reading.options.closed === true ? closed(all) : all;
  const bytes = Buffer.byteLength(JSON.stringify(shape));
  if (bytes > limits.shapeBytesMax) {
    const most = limits.shapeBytesMax.toLocaleString('en');
    const message = `needs ${bytes.toLocaleString('en')} bytes, at most ${most} are kept; split it`;
    return fault('', message);
  }
  return { kind: 'shape', shape, notes: reading.notes };
}

function closed({ body, routes, schemas = {}, ...rest }: Shape): Shape {
  const closing = new Closing(schemas);
  const value = (schema: unknown) => closing.value(schema as JsonSchema);
  const inside = mapped(schemas, (one) =>
    isMembers(one) ? closing.beside(one) : one,
  ) as NonNullable<Shape['schemas']>;
  return {
    ...rest,
    ...(body === undefined ? {} : { body: closing.value(body) }),
    ...(routes === undefined
      ? {}
      : {
          routes: routes.map((route) =>
            route.body === undefined
              ? route
              : {
                  ...route,
                  body: {
                    ...route.body,
                    content: mapped(route.body.content, value) as DeclaredBody['content'],
                  },
                },
          ),
        }),
    ...(Object.keys(schemas).length === 0 ? {} : { schemas: inside }),
  };
}
