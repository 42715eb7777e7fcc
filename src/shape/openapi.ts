import { limits } from '../contract/limits.ts';
import type {
  DeclaredBody,
  DeclaredParameter,
  JsonSchema,
  ParameterPlace,
  ShapeRoute,
} from '../contract/shape.ts';
import { cleanSchema } from './clean-schema.ts';
import {
  below,
  isMembers,
  type Members,
  memberOf,
  type Reading,
  resolve,
  shortText,
} from './reading.ts';
import { templateFault } from './template.ts';

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
const places: readonly string[] = ['query', 'path', 'header', 'cookie'];
/** They are declared elsewhere in the document (OpenAPI 3.1, 4.8.12.1). */
const ownHeaders: ReadonlySet<string> = new Set(['accept', 'content-type', 'authorization']);
const basesMax = 4;

/** The operations of an OpenAPI document. */
export function readOperations(reading: Reading): ShapeRoute[] {
  const paths = memberOf(reading.root, 'paths');
  if (!isMembers(paths)) {
    reading.problem('/paths', 'must be an object of paths and what can be done there');
    return [];
  }
  const routes: ShapeRoute[] = [];
  const bases = basesOf(reading);
  for (const [path, given] of Object.entries(paths)) {
    if (path.startsWith('x-')) continue;
    const at = below('/paths', path);
    const item = followed(reading, given, at);
    if (item === undefined) continue;
    const fault = templateFault(path);
    if (fault !== undefined) {
      reading.problem(at, fault);
      continue;
    }
    for (const route of readItem(reading, item)) {
      for (const base of bases) {
        if (routes.length < limits.shapeOperationsMax) {
          routes.push({ ...route, path: `${base}${path}` });
        } else if (routes.length === limits.shapeOperationsMax) {
          const most = `is beyond ${limits.shapeOperationsMax} operations`;
          reading.problem(at, `${most}; split the document, one policy for each part`);
          return routes;
        }
      }
    }
  }
  return routes;
}

/** The paths of the servers, below which all operations stand. */
function basesOf(reading: Reading): readonly string[] {
  const servers = memberOf(reading.root, 'servers');
  if (!Array.isArray(servers) || servers.length === 0) return [''];
  const bases = new Set<string>();
  servers.forEach((server: unknown, index) => {
    const url = memberOf(server, 'url');
    const path = typeof url === 'string' ? pathOfServer(url) : undefined;
    if (path === undefined) {
      reading.note(`/servers/${index}`, 'has no plain path; its operations stand at the root');
    }
    bases.add(path ?? '');
  });
  return [...bases].slice(0, basesMax);
}

function pathOfServer(url: string): string | undefined {
  const path = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '').replace(/\/+$/, '');
  if (path === '' || /^(?:\/[\w.~-]+)+$/.test(path)) return path;
  return undefined;
}

/** What a reference leads to, or the value itself. */
function followed(
  reading: Reading,
  given: unknown,
  at: string,
): { readonly value: Members; readonly at: string } | undefined {
  if (!isMembers(given)) {
    reading.problem(at, 'must be an object');
    return undefined;
  }
  if (!('$ref' in given)) return { value: given, at };
  const found = resolve(reading, given['$ref']);
  if (found.kind === 'fault') reading.problem(below(at, '$ref'), found.message);
  else if (isMembers(found.value)) return { value: found.value, at: found.pointer };
  else reading.problem(found.pointer, 'must be an object');
  return undefined;
}

type PlacedMembers = NonNullable<ReturnType<typeof followed>>;

function readItem(
  reading: Reading,
  { value: item, at }: PlacedMembers,
): Omit<ShapeRoute, 'path'>[] {
  const shared = readParameters(reading, item['parameters'], below(at, 'parameters'));
  return methods.flatMap((method) => {
    if (!Object.hasOwn(item, method)) return [];
    const place = below(at, method);
    const operation = item[method];
    if (!isMembers(operation)) {
      reading.problem(place, 'must be an object');
      return [];
    }
    const own = readParameters(reading, operation['parameters'], below(place, 'parameters'));
    const isOwn = new Set(own.map(keyOf));
    const parameters = [
      ...shared.filter((one) => !isOwn.has(keyOf(one))),
      ...own,
      ...credentialsOf(reading, operation),
    ];
    const known = new Map(parameters.toReversed().map((one) => [keyOf(one), one]));
    const body = readBody(reading, operation['requestBody'], below(place, 'requestBody'));
    return [
      {
        method: method.toUpperCase(),
        ...(known.size === 0 ? {} : { parameters: [...known.values()].toReversed() }),
        ...(body === undefined ? {} : { body }),
      },
    ];
  });
}

const keyOf = ({ in: place, name }: DeclaredParameter): string => `${place} ${name}`;

function readParameters(reading: Reading, given: unknown, at: string): DeclaredParameter[] {
  if (given === undefined) return [];
  if (!Array.isArray(given)) {
    reading.problem(at, 'must be a list of parameters');
    return [];
  }
  if (given.length > limits.shapeParametersMax) {
    reading.problem(at, `must have at most ${limits.shapeParametersMax} parameters`);
    return [];
  }
  return given.flatMap((one: unknown, index) => {
    const found = followed(reading, one, below(at, index));
    const parameter = found && readParameter(reading, found);
    return parameter === undefined ? [] : [parameter];
  });
}

function readParameter(
  reading: Reading,
  { value: given, at }: PlacedMembers,
): DeclaredParameter | undefined {
  const { in: place, name, required, explode } = given;
  if (typeof name !== 'string' || name === '' || !places.includes(String(place))) {
    reading.problem(at, 'must have a name, and in: query, path, header or cookie');
    return undefined;
  }
  const lower = name.toLowerCase();
  if (place === 'header' && ownHeaders.has(lower)) return undefined;
  const usual = place === 'query' || place === 'cookie' ? 'form' : 'simple';
  return {
    in: place as ParameterPlace,
    name: place === 'header' ? lower : name,
    ...(required === true || place === 'path' ? { required: true } : {}),
    ...((explode ?? usual === 'form') === true ? {} : { explode: false }),
    schema: schemaOfParameter(reading, { value: given, at }, usual),
  };
}

function schemaOfParameter(
  reading: Reading,
  { value: { schema, content, style }, at }: PlacedMembers,
  usual: string,
): JsonSchema {
  const isUsual = style === undefined || style === usual;
  if (!isUsual) {
    reading.note(below(at, 'style'), `${shortText(String(style))}: the value is not checked`);
  }
  if (schema === undefined && content !== undefined) {
    reading.note(below(at, 'content'), 'the value is taken for a text');
  }
  return schema === undefined || !isUsual
    ? true
    : cleanSchema(reading, schema, below(at, 'schema'));
}

/** Keys that a security scheme sends are parameters too. */
function credentialsOf(reading: Reading, operation: Members): DeclaredParameter[] {
  const security = operation['security'] ?? memberOf(reading.root, 'security');
  const schemes = memberOf(memberOf(reading.root, 'components'), 'securitySchemes');
  if (!Array.isArray(security)) return [];
  const used = new Set(security.flatMap((one) => (isMembers(one) ? Object.keys(one) : [])));
  return [...used].flatMap((name): DeclaredParameter[] => {
    const given = memberOf(schemes, name);
    const found = '$ref' in Object(given) ? resolve(reading, memberOf(given, '$ref')) : undefined;
    const scheme = found?.kind === 'found' ? found.value : given;
    const [place, own] = [memberOf(scheme, 'in'), memberOf(scheme, 'name')];
    if (memberOf(scheme, 'type') !== 'apiKey' || typeof own !== 'string') return [];
    if (!places.includes(String(place))) return [];
    const schema = { type: 'string', 'x-sallyport': { is: 'secret' } };
    const parameter = place === 'header' ? own.toLowerCase() : own;
    return [{ in: place as ParameterPlace, name: parameter, schema }];
  });
}

function readBody(reading: Reading, given: unknown, at: string): DeclaredBody | undefined {
  if (given === undefined) return undefined;
  const found = followed(reading, given, at);
  if (found === undefined) return undefined;
  const { required, content } = found.value;
  if (!isMembers(content)) {
    reading.problem(below(found.at, 'content'), 'must be an object of media types');
    return undefined;
  }
  const schemas: Record<string, JsonSchema> = {};
  for (const [type, one] of Object.entries(content)) {
    const place = below(below(found.at, 'content'), type);
    const media = type.split(';', 1)[0]?.trim().toLowerCase() ?? '';
    if (!mediaRange.test(media)) {
      reading.problem(place, 'must be a media type such as application/json, image/* or */*');
      continue;
    }
    const schema = memberOf(one, 'schema');
    schemas[media] =
      schema === undefined ? true : cleanSchema(reading, schema, below(place, 'schema'));
  }
  return { ...(required === true ? { required: true } : {}), content: schemas };
}

export const mediaRange = /^(?:\*\/\*|[\w!#$&^.+-]{1,100}\/(?:\*|[\w!#$&^.+-]{1,100}))$/;
