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
  user: 'user.name',
  version: 'service.version',
};

type Members = Record<string, unknown>;

/** The fields of a line as nested objects, beside those that every line has. */
export function ecsFields(fields: Readonly<Members>): Members {
  const line: Members = { service: { name: 'sallyport' }, process: { pid: process.pid } };
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    put(line, (ecsPaths[name] ?? `sallyport.${snakeCase(name)}`).split('.'), value);
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
    into[name] = value;
  }
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
