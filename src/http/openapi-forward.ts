import { closed, ref, type Schema, text } from '../contract/schemas/api/build.ts';
import { idExample } from '../contract/schemas/control-answers.ts';
import { json, problemResponses, response, screeningHeaders } from './openapi-answers.ts';
import { problemMediaType } from './problem.ts';

const headers: Readonly<Record<string, string>> = {
  'x-forwarded-method': 'Of the request; so says x-original-method',
  'x-forwarded-uri': 'Path and query of the request, as they came; so says x-original-uri',
  'x-forwarded-host': 'Its host, where that of this request is another',
  'x-forwarded-proto': 'http or https',
  'x-forwarded-for': 'Addresses of the client and of the proxies that it came through',
  'x-original-method': 'As x-forwarded-method',
  'x-original-uri': 'As x-forwarded-uri',
  'x-original-url': 'As x-forwarded-uri, or as a whole URL',
  'x-envoy-auth-partial-body': 'true: the body of the request is longer than this one',
};

/** `/forward` in the OpenAPI document. It takes all methods; the document shows two. */
export function forwardPath(): Schema {
  const parameters = Object.entries(headers).map(([name, description]) => {
    return { name, in: 'header', description, schema: { type: 'string' } };
  });
  const words =
    'A threat, or what the policy of the key says of a request that could not be screened: a ' +
    'page for the client, in the format that it accepts';
  const question = {
    tags: ['screening'],
    summary: 'Screen a request on behalf of a proxy',
    description:
      'Takes every method. The body, if any, is that of the request, and every header that the ' +
      'proxy did not set is one of the request. Instead of the headers below, the path of the ' +
      'request may follow that of the route, and the method be its own, as Envoy does it.',
    security: [{ liveKey: [] }, { liveBearer: [] }],
    parameters,
    responses: {
      200: response(
        'The request may go on',
        json({
          ...closed({ id: text, decision: { const: 'allow' } }),
          examples: [{ id: idExample, decision: 'allow' }],
        }),
        screeningHeaders,
      ),
      403: response(
        words,
        {
          'text/html': { schema: text },
          'text/plain': { schema: text },
          [problemMediaType]: { schema: ref('Problem') },
        },
        ['cache-control', 'x-content-type-options', 'content-security-policy', ...screeningHeaders],
      ),
      ...problemResponses(['key-not-valid']),
    },
  };
  return {
    get: { operationId: 'getForward', ...question },
    post: { operationId: 'postForward', ...question },
  };
}
