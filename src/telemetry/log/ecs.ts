// The fields of a line under the names of the Elastic Common Schema,
// https://www.elastic.co/docs/reference/ecs

/** The version of the schema that the names are taken from. */
export const ecsVersion = '8.17.0';

/** What our fields are called there. What has no name there stands below `sallyport`. */
const ecsPaths: Readonly<Record<string, string>> = {
  decisionId: 'event.id',
  requestId: 'http.request.id',
  traceId: 'trace.id',
  err: 'error',
  reason: 'error.message',
  path: 'file.path',
  address: 'service.address',
  client: 'source.ip',
  method: 'http.request.method',
  domain: 'url.domain',
  urlPath: 'url.path',
  user: 'user.name',
  version: 'service.version',
};

/** Sets of fields that may be given whole, in the form of the schema. */
const fieldSets: ReadonlySet<string> = new Set(['event', 'http', 'rule', 'trace', 'sallyport']);

type Members = Record<string, unknown>;

/** The fields of a line as nested objects, beside those that every line has. */
export function ecsFields(fields: Readonly<Members>): Members {
  const line: Members = { service: { name: 'sallyport' }, process: { pid: process.pid } };
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    const own = fieldSets.has(name) ? name : `sallyport.${snakeCase(name)}`;
    put(line, (ecsPaths[name] ?? own).split('.'), value);
  }
  return line;
}

function put(into: Members, [name = '', ...rest]: readonly string[], value: unknown): void {
  const held = into[name];
  if (rest.length > 0) {
    const members = isMembers(held) ? held : {};
    into[name] = members;
    put(members, rest, value);
  } else {
    into[name] = isMembers(held) && isMembers(value) ? { ...held, ...value } : value;
  }
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
