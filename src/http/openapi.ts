import { type ErrorCode, errorCatalogue } from '../contract/errors.ts';
import { contextParts } from '../contract/request.ts';
import { closed, listOf, ref, type Schema, text } from '../contract/schemas/api/build.ts';
import { components } from '../contract/schemas/api/components.ts';
import { controlAnswers } from '../contract/schemas/control-answers.ts';
import { controlRequestSchema, deadlineSchema } from '../contract/schemas/control-request.ts';
import type { ApiRoute } from './api/api-route.ts';
import { problemMediaType } from './problem.ts';
import { apiRoutes } from './routes/api/routes.ts';

type Json = Readonly<Record<string, unknown>>;

/** What every route of the management API can answer, beside errors of its own. */
const commonProblems: readonly ErrorCode[] = ['internal-error', 'storage-not-available'];
const bodyProblems: readonly ErrorCode[] = [
  'body-empty',
  'body-not-utf8',
  'body-not-json',
  'body-timeout',
  'body-too-large',
  'content-type-not-supported',
];
const controlProblems: readonly ErrorCode[] = [
  ...bodyProblems,
  'body-too-deep',
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
        'Threat screening: POST the data of a request to /control; 200 means carry on, 403 means ' +
        'stop. Everything below /api manages the service.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    paths: { ...screeningPaths(), ...managementPaths() },
    components: {
      schemas: { ...components, ...controlAnswers },
      securitySchemes: {
        liveKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'sp_live_…' },
        adminKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'sp_admin_…' },
        session: { type: 'apiKey', in: 'cookie', name: '__Host-sallyport' },
      },
    },
  };
}

function screeningPaths(): Json {
  const { $id: _request, ...request } = controlRequestSchema;
  const { $id: _deadline, ...deadline } = deadlineSchema;
  const context = contextParts.map(({ header }) => headerParameter(header, { type: 'string' }));
  const state = closed({ status: text, notReady: listOf(text), degraded: listOf(text) });
  return {
    '/control': {
      post: {
        operationId: 'postControl',
        tags: ['screening'],
        summary: 'Screen the data of a request',
        security: [{ liveKey: [] }],
        parameters: [
          headerParameter('x-request-id', { type: 'string', maxLength: 128 }),
          headerParameter('x-deadline-ms', deadline),
          ...context,
        ],
        requestBody: { required: true, content: json(request) },
        responses: {
          200: {
            description: 'No threat, or a key in monitor mode',
            content: json(ref('Allowed')),
          },
          403: {
            description: 'Threat detected',
            content: { [problemMediaType]: { schema: ref('Blocked') } },
          },
          ...problemResponses(controlProblems),
        },
      },
    },
    '/livez': probe('getLivez', 'The process serves', closed({ status: text }), false),
    '/readyz': probe('getReadyz', 'Whether requests should be sent here', state, true),
    '/openapi.json': probe('getOpenapi', 'This document', { type: 'object' }, false),
  };
}

function probe(operationId: string, summary: string, schema: Schema, canFail: boolean): Json {
  const failure = { 503: { description: 'Not ready', content: json(schema) } };
  const responses = { 200: { description: 'OK', content: json(schema) } };
  const get = { operationId, tags: ['health'], summary, security: [] };
  return { get: { ...get, responses: canFail ? { ...responses, ...failure } : responses } };
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
  const { method, path, tag, summary, body } = route;
  const isPublic = route.access === 'public';
  const names = [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '');
  const inPath = names.map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
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
    security: isPublic ? [] : [{ session: [] }, { adminKey: [] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: { required: true, content: json(body) } }),
    responses: { ...success(route), ...problemResponses(problemsOf(route)) },
    ...(method === 'GET' ? {} : { description: 'From a browser: from the same origin only.' }),
  };
}

/** `POST /api/keys/:id/rotate` as `postKeysIdRotate`. */
function operationId({ method, path }: ApiRoute): string {
  const words = path.split(/[/:-]+/).slice(2);
  const tail = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return `${method.toLowerCase()}${tail}`;
}

function success(route: ApiRoute): Json {
  const { status, answer, mediaType = 'application/json' } = route;
  if (status === 204) return { 204: { description: 'Done' } };
  const schema = answer ?? { type: 'string' };
  return { [status]: { description: 'Done', content: { [mediaType]: { schema } } } };
}

function problemsOf(route: ApiRoute): readonly ErrorCode[] {
  const takesInput = route.body !== undefined || route.query !== undefined;
  return [
    ...(route.access === 'public' ? [] : (['not-signed-in'] as const)),
    ...(route.method === 'GET' ? [] : (['cross-origin'] as const)),
    ...(route.body === undefined ? [] : bodyProblems),
    ...(takesInput ? (['request-not-valid'] as const) : []),
    ...(route.problems ?? []),
    ...commonProblems,
    'draining',
  ];
}

/** One response for each status; its description names the problems that it stands for. */
function problemResponses(codes: readonly ErrorCode[]): Json {
  const titles = new Map<number, string[]>();
  for (const code of new Set(codes)) {
    const { status, title } = errorCatalogue[code];
    titles.set(status, [...(titles.get(status) ?? []), title]);
  }
  const content = { [problemMediaType]: { schema: ref('Problem') } };
  return Object.fromEntries(
    [...titles].map(([status, all]) => [status, { description: all.join('; '), content }]),
  );
}

function json(schema: Schema): Json {
  return { 'application/json': { schema } };
}

function headerParameter(name: string, schema: Schema): Json {
  return { name, in: 'header', schema };
}
