import { ref, type Schema } from '../contract/schemas/api/build.ts';
import { clientReportExample, clientReportSchema } from '../contract/schemas/client-report.ts';
import { json, problemResponses, response } from './openapi-answers.ts';

const keyFaults = ['key-not-valid', 'overloaded'] as const;

/** `GET /control` in the OpenAPI document. */
export const keyStatusOperation: Schema = {
  operationId: 'getControl',
  tags: ['screening'],
  summary: 'What a key is good for: asked by clients when they start, and not counted',
  security: [{ liveKey: [] }, { liveBearer: [] }],
  responses: {
    200: response(
      'The key is live',
      json({
        ...ref('KeyStatus'),
        examples: [{ policy: 'Default', policyVersion: 1, mode: 'block', version: '0.1.0' }],
      }),
      ['cache-control'],
    ),
    ...problemResponses(keyFaults),
  },
};

/** `/control/report` in the OpenAPI document. */
export const clientReportPath: Schema = {
  post: {
    operationId: 'postControlReport',
    tags: ['screening'],
    summary: 'Report requests that a client could not have screened, for metrics and the overview',
    security: [{ liveKey: [] }, { liveBearer: [] }],
    requestBody: {
      required: true,
      content: json({ ...clientReportSchema, examples: [clientReportExample] }),
    },
    responses: {
      204: response('Counted', undefined),
      ...problemResponses([
        ...keyFaults,
        'body-empty',
        'body-not-utf8',
        'body-not-json',
        'body-timeout',
        'body-too-large',
        'content-type-not-supported',
        'body-not-object',
        'request-not-valid',
        'internal-error',
      ]),
    },
  },
};
