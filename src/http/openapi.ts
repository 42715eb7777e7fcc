import type { ErrorCode } from '../contract/errors.ts';
import { contextInBody, contextInHeader, contextParts } from '../contract/request.ts';
import { mayAct, roles } from '../contract/roles.ts';
import { document } from '../contract/schemas/api/bodies.ts';
import { closed, listOf, ref, type Schema, text } from '../contract/schemas/api/build.ts';
import { components } from '../contract/schemas/api/components.ts';
import {
  allowedExample,
  blockedExample,
  controlAnswers,
  idExample,
} from '../contract/schemas/control-answers.ts';
import {
  controlExamples,
  controlRequestSchema,
  deadlineSchema,
} from '../contract/schemas/control-request.ts';
import type { ApiRoute } from './api/api-route.ts';
import { apiRoutes } from './api/routes/routes.ts';
import {
  form,
  type HeaderName,
  headers,
  json,
  problemExamples,
  problemResponses,
  response,
  screeningHeaders,
} from './openapi-answers.ts';
import { clientReportPath, keyStatusOperation } from './openapi-clients.ts';
import { forwardPath } from './openapi-forward.ts';
import { problemMediaType } from './problem.ts';

type Json = Readonly<Record<string, unknown>>;

/** What every route of the management API can answer, beside errors of its own. */
const commonProblems: readonly ErrorCode[] = ['internal-error', 'storage-not-available'];
const bodyProblems: readonly ErrorCode[] = [
  'body-empty',
  'body-not-utf8',
  'body-not-json',
  'body-too-deep',
  'body-timeout',
  'body-too-large',
  'content-type-not-supported',
];
const formProblems: readonly ErrorCode[] = bodyProblems.filter(
  (code) => code !== 'body-not-json' && code !== 'body-too-deep',
);
const controlProblems: readonly ErrorCode[] = [
  ...bodyProblems,
  'body-too-many-members',
  'header-not-valid',
  'key-not-valid',
  'body-not-object',
  'rate-limited',
  'overloaded',
  'draining',
  'deadline-too-short',
  'worker-lost',
  'internal-error',
];

/** The OpenAPI 3.1 document of everything that this server answers, from the schemas it uses. */
export function openApiDocument(version: string): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sallyport',
      version,
      description:
        'Threat screening: POST the data of a request to /control; 200 means proceed, 403 means ' +
        'do not. Everything below /api manages the service. Errors are problems of RFC 9457: 404 for ' +
        'an unknown path and 405 for a method that the Allow header does not name, everywhere.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      {
        url: '{origin}',
        description: 'Your Sallyport',
        variables: {
          origin: {
            default: 'http://127.0.0.1:8080',
            description: 'The address of Sallyport, without a trailing slash',
          },
        },
      },
    ],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: { ...screeningPaths(), ...managementPaths() },
    components: {
      schemas: { ...components, ...controlAnswers },
      headers,
      examples: problemExamples(),
      securitySchemes: {
        liveKey: keyScheme('sp_live_…: `sallyport keys create --name app` prints one'),
        liveBearer: bearerScheme('The same key, where x-api-key cannot be set'),
        adminKey: keyScheme('sp_admin_…: `sallyport keys create --admin --name ops` prints one'),
        adminBearer: bearerScheme('The same key, where x-api-key cannot be set'),
        metricsToken: { type: 'http', scheme: 'bearer', description: 'The metricsToken, if set' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-sallyport',
          description: 'Set by POST /api/session: for browsers, from the same origin only',
        },
      },
    },
  };
}

/** The groups of operations. */
const tags = {
  screening: 'What application servers and proxies ask',
  health: 'For load balancers and supervisors',
  session: 'Set-up, sign-in and sign-out of people',
  administrators: 'Who may sign in',
  overview: 'What goes on now',
  events: 'Blocks, with what they were for',
  stats: 'Figures over time',
  keys: 'API keys, from creation to revocation',
  policies: 'What is done for the callers of a key: versions, candidates, exclusions',
  addresses: 'Networks that are denied, or pass unscreened',
  notifications: 'Who is notified of events, and what was sent',
  explain: 'Trying something out; nothing is counted or stored',
  rules: 'What is looked for',
  audit: 'Who changed what',
} as const;

function keyScheme(description: string): Json {
  return { type: 'apiKey', in: 'header', name: 'x-api-key', description };
}

function bearerScheme(description: string): Json {
  return { type: 'http', scheme: 'bearer', description };
}

function screeningPaths(): Json {
  const { $id: _request, ...request } = controlRequestSchema;
  const { $id: _deadline, ...deadline } = deadlineSchema;
  const context = contextParts.map(({ header }) => headerParameter(header, { type: 'string' }));
  const snapshot = closed({
    ageSeconds: { type: 'integer', minimum: 0 },
    inForce: { type: 'boolean' },
  });
  const listed = { status: text, notReady: listOf(text), degraded: listOf(text) };
  const state = closed(listed, { snapshot });
  return {
    '/control': {
      get: keyStatusOperation,
      post: {
        operationId: 'postControl',
        tags: ['screening'],
        summary: 'Screen the data of a request',
        security: [{ liveKey: [] }, { liveBearer: [] }],
        parameters: [
          headerParameter('x-request-id', { type: 'string', maxLength: 128 }),
          headerParameter('x-deadline-ms', deadline),
          headerParameter('traceparent', { type: 'string' }),
          headerParameter(contextInHeader, { type: 'string', const: contextInBody }),
          ...context,
        ],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: request, examples: controlExamples } },
        },
        responses: {
          200: response(
            'No threat, or a key in monitor mode',
            json({ ...ref('Allowed'), examples: [allowedExample] }),
            screeningHeaders,
          ),
          403: response(
            'Threat detected',
            { [problemMediaType]: { schema: ref('Blocked'), example: blockedExample } },
            screeningHeaders,
          ),
          ...problemResponses(controlProblems, screeningHeaders),
        },
      },
    },
    '/control/report': clientReportPath,
    '/forward': forwardPath(),
    '/livez': probe('getLivez', 'The process serves', closed({ status: text }), false),
    '/readyz': probe('getReadyz', 'Whether requests should be sent here', state, true),
    '/metrics': metricsPath(),
    '/openapi.json': documentPath(),
  };
}

function documentPath(): Json {
  const names = ['cache-control', 'etag', 'vary'] as const;
  return {
    get: {
      operationId: 'getOpenapi',
      tags: ['health'],
      summary: 'This document',
      security: [],
      responses: {
        200: response('OK', json({ type: 'object' }), [...names, 'content-encoding']),
        304: response('The same as the one that if-none-match names', undefined, names),
      },
    },
  };
}

function metricsPath(): Json {
  const content = { 'text/plain': { schema: { type: 'string' } } };
  return {
    get: {
      operationId: 'getMetrics',
      tags: ['health'],
      summary: 'Metrics of this process for Prometheus, from this machine or with the token',
      security: [{}, { metricsToken: [] }],
      responses: {
        200: response('OK', content, ['cache-control']),
        ...problemResponses(['metrics-not-allowed']),
      },
    },
  };
}

function probe(operationId: string, summary: string, schema: Schema, canFail: boolean): Json {
  const names = ['cache-control'] as const;
  const failure = canFail
    ? { 503: response('Not ready', json(schema), [...names, 'retry-after']) }
    : {};
  const responses = { 200: response('OK', json(schema), names), ...failure };
  return { get: { operationId, tags: ['health'], summary, security: [], responses } };
}

function managementPaths(): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of apiRoutes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] ??= {};
    Object.assign(paths[path], { [route.method.toLowerCase()]: operation(route) });
  }
  return paths;
}

function operation(route: ApiRoute): Json {
  const { path, tag, summary, body } = route;
  const isPublic = route.access === 'public';
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
    example: exampleParameter(path, name),
  }));
  const inQuery = Object.entries(route.query ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    schema,
  }));
  const parameters = [...inPath, ...inQuery];
  return {
    operationId: operationId(route),
    tags: [tag],
    summary,
    // Programs that import the document take the first.
    security: isPublic ? [] : [{ adminKey: [] }, { adminBearer: [] }, { session: [] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: contentOf(documented(body), route) } }),
    responses: { ...success(route), ...problemResponses(problemsOf(route)) },
    ...descriptionOf(route),
  };
}

function contentOf(body: Schema, { isForm }: ApiRoute): Json {
  return isForm === true ? form(body) : json(body);
}

function descriptionOf({ access, method, isForm }: ApiRoute): Json {
  const sentences = [
    ...(access === 'public' ? [] : [`Least role: ${access}.`]),
    ...(method === 'GET' || isForm ? [] : ['From a browser: from the same origin only.']),
  ];
  return sentences.length === 0 ? {} : { description: sentences.join(' ') };
}

/** A body as the document has it: what the policies validate by themselves is written in full. */
function documented(body: Schema): Schema {
  const members = Object.entries(body['properties'] ?? {}).map(([name, schema]) => {
    return [name, schema === document ? ref('PolicyDocument') : schema];
  });
  return { ...body, properties: Object.fromEntries(members) };
}

/** `POST /api/keys/:id/rotate` as `postKeysIdRotate`. */
function operationId({ method, path }: ApiRoute): string {
  const words = path.split(/[/:-]+/).slice(2);
  const tail = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return `${method.toLowerCase()}${tail}`;
}

/** Something that is there, as far as anything is there from the start. */
function exampleParameter(path: string, name: string): string {
  if (name !== 'id') return name === 'n' ? '1' : 'ada';
  if (path.startsWith('/api/policies')) return 'default';
  return path.startsWith('/api/keys') ? 'Ab12Cd34' : idExample;
}

function success(route: ApiRoute): Json {
  const { status, answer, mediaType = 'application/json', headers: own = [] } = route;
  const names: readonly HeaderName[] = ['cache-control', 'x-content-type-options', ...own];
  if (status === 204) return { 204: response('Done', undefined, names) };
  if (answer !== undefined && mediaType === 'application/json') {
    return { [status]: response('Done', json(answer), names) };
  }
  // A stream of texts, each of which is JSON.
  const text = { type: 'string', contentMediaType: mediaType };
  const schema = answer === undefined ? text : { ...text, contentSchema: answer };
  return { [status]: response('Done', { [mediaType]: { schema } }, names) };
}

function problemsOf(route: ApiRoute): readonly ErrorCode[] {
  return [
    ...(route.access === 'public' ? [] : (['not-signed-in'] as const)),
    // Every role may do what a viewer may.
    ...(isForAll(route) ? [] : (['role-not-sufficient'] as const)),
    ...(isOpenBefore(route) ? [] : (['second-factor-required'] as const)),
    ...(route.method === 'GET' || route.isForm ? [] : (['cross-origin'] as const)),
    ...(route.body === undefined ? [] : route.isForm ? formProblems : bodyProblems),
    // An unknown parameter of the query is refused everywhere.
    'request-not-valid',
    ...(route.problems ?? []),
    ...commonProblems,
    'draining',
  ];
}

/** Whether those who must set up a second factor first may use it. */
function isOpenBefore({ access, withoutSecondFactor }: ApiRoute): boolean {
  return access === 'public' || withoutSecondFactor === true;
}

function isForAll({ access }: ApiRoute): boolean {
  return access === 'public' || mayAct({ role: roles[0] }, access);
}

function headerParameter(name: string, schema: Schema): Json {
  return { name, in: 'header', schema };
}
