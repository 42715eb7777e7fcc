import { membersOf } from '../../src/client-request/request-members.ts';
import type { ScreeningRequest } from '../../src/contract/request.ts';
import type { DeclaredParameter, ShapeRoute } from '../../src/contract/shape.ts';
import type { Random } from '../lib/random.ts';
import type { Values } from './values.ts';

/** A request of the client of an application, before our middleware has written it. */
export interface ShapedRequest {
  readonly route: ShapeRoute;
  /** Values of the parameters, by place and name. */
  readonly parameters: readonly {
    readonly parameter: DeclaredParameter;
    readonly value: unknown;
  }[];
  /** Undefined where the route takes none. */
  readonly body: { readonly media: string; readonly value: unknown } | undefined;
  /** What the router of the application has matched, as it writes it; undefined for none. */
  readonly template: string | undefined;
}

/** A request as a route declares it. */
export function requestFor(route: ShapeRoute, values: Values, random: Random): ShapedRequest {
  const parameters = (route.parameters ?? [])
    .filter(({ required, in: place }) => required === true || place === 'path' || random.chance(60))
    .map((parameter) => ({ parameter, value: values.of(parameter.schema) }));
  const [content] = Object.entries(route.body?.content ?? {});
  const body = content && { media: content[0], value: values.of(content[1]) };
  return { route, parameters, body, template: route.path.replaceAll(/\{(\w+)\}/g, ':$1') };
}

/** What a browser sends with each request. */
const headers = {
  host: 'shop.example',
  'user-agent':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  accept: 'application/json',
  'accept-language': 'en-GB,en;q=0.9,de;q=0.7',
  'accept-encoding': 'gzip, deflate, br',
  referer: 'https://shop.example/orders',
  origin: 'https://shop.example',
  cookie: 'session=5f0c8a7be19d4c22a1; theme=dark',
};

/** What the middleware sends to Sallyport about it. */
export async function textsOf(request: ShapedRequest): Promise<readonly string[]> {
  const { route, parameters, body, template } = request;
  const isForm = body?.media.includes('form') === true;
  const bytes =
    body === undefined ? undefined : Buffer.from(isForm ? formOf(body.value) : jsonOf(body.value));
  const type = body === undefined ? {} : { 'content-type': body.media };
  const own = parameters.filter(({ parameter }) => parameter.in === 'header');
  const cookies = parameters.filter(({ parameter }) => parameter.in === 'cookie');
  const { texts } = await membersOf(
    {
      method: route.method,
      url: targetOf(request),
      route: template,
      address: '203.0.113.9',
      headers: {
        ...headers,
        ...type,
        ...Object.fromEntries(own.map(({ parameter, value }) => [parameter.name, String(value)])),
        cookie: [
          headers.cookie,
          ...cookies.map(
            ({ parameter, value }) => `${parameter.name}=${encodeURIComponent(String(value))}`,
          ),
        ].join('; '),
      },
    },
    bytes === undefined ? { kind: 'none' } : { kind: 'raw', bytes, isComplete: true },
  );
  return texts;
}

/** The same where a proxy hands the body over as it came, and the rest in context headers. */
export function withContext(request: ShapedRequest): ScreeningRequest {
  const { route, body } = request;
  return {
    body: body === undefined ? '{}' : jsonOf(body.value),
    context: {
      method: route.method,
      proto: 'https',
      host: headers.host,
      uri: targetOf(request),
      for: '203.0.113.9',
      origin: headers.origin,
      referer: headers.referer,
      secFetchSite: 'same-origin',
      contentType: body?.media ?? '',
      cookie: headers.cookie,
    },
  };
}

function targetOf({ route, parameters }: ShapedRequest): string {
  const inPath = new Map(
    parameters
      .filter(({ parameter }) => parameter.in === 'path')
      .map(({ parameter, value }) => [parameter.name, value]),
  );
  const path = route.path.replaceAll(/\{([^}]+)\}/g, (_, name: string) =>
    encodeURIComponent(String(inPath.get(name) ?? '1')),
  );
  const query = parameters
    .filter(({ parameter }) => parameter.in === 'query')
    .flatMap(({ parameter, value }) => {
      if (!Array.isArray(value)) return [pairOf(parameter.name, value)];
      if (parameter.explode === false) return [pairOf(parameter.name, value.join(','))];
      return value.map((one) => pairOf(parameter.name, one));
    });
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

const pairOf = (name: string, value: unknown): string =>
  `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`;

function formOf(value: unknown): string {
  return Object.entries(Object(value))
    .flatMap(([name, one]) => [one].flat().map((item) => pairOf(name, item)))
    .join('&');
}

function jsonOf(value: unknown): string {
  return JSON.stringify(value) ?? 'null';
}
