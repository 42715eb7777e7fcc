import { categories } from '../category.ts';
import { limits } from '../limits.ts';

const category = { enum: categories } as const;
const pointer = {
  type: 'string',
  maxLength: limits.policyPointerCharsMax,
  format: 'pointer-pattern',
  description: 'RFC 6901 pointer; * stands for one segment, a final ** for any rest.',
} as const;
const moment = { type: 'string', format: 'moment', description: 'ISO 8601, UTC.' } as const;
const texts = {
  type: 'array',
  items: { type: 'string', minLength: 1, maxLength: limits.policyExampleCharsMax },
  minItems: 1,
  maxItems: limits.policyExamplesMax,
} as const;

const exclusion = {
  type: 'object',
  properties: {
    id: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' },
    pointer,
    category,
    rule: { type: 'string', pattern: '^[a-z]+\\.[a-z0-9.-]+$', maxLength: 100 },
    method: {
      type: 'string',
      format: 'method',
      description: 'Only for requests with this method, in capitals.',
    },
    path: {
      type: 'string',
      maxLength: limits.policyPointerCharsMax,
      format: 'path-pattern',
      description:
        'Only for requests at this path; * stands for one segment, a final ** for any rest.',
    },
    clients: {
      type: 'array',
      items: { type: 'string', maxLength: 64 },
      minItems: 1,
      maxItems: limits.exclusionClientsMax,
      description: 'Only for clients at one of these addresses and networks, IPv4 or IPv6.',
    },
    reason: { type: 'string', minLength: 1, maxLength: 1_000 },
    author: { type: 'string', minLength: 1, maxLength: 100 },
    createdAt: moment,
    expiresAt: moment,
  },
  required: ['id', 'pointer', 'reason', 'author', 'createdAt'],
  oneOf: [{ required: ['category'] }, { required: ['rule'] }],
  additionalProperties: false,
} as const;

const customRule = {
  type: 'object',
  properties: {
    id: { type: 'string', pattern: '^custom\\.[a-z0-9]+(?:-[a-z0-9]+)*$', maxLength: 100 },
    category,
    cwe: { type: 'string', pattern: '^CWE-[1-9][0-9]{0,5}$' },
    severity: { enum: ['low', 'medium', 'high', 'critical'] },
    score: { type: 'integer', minimum: 1, maximum: 100 },
    message: { type: 'string', minLength: 1, maxLength: 200 },
    pointer,
    pattern: { type: 'string', minLength: 1, maxLength: limits.patternCharsMax },
    literals: {
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: 200 },
      minItems: 1,
      maxItems: 100,
    },
    examples: texts,
    lookalikes: texts,
  },
  required: ['id', 'category', 'cwe', 'severity', 'score', 'message', 'examples', 'lookalikes'],
  oneOf: [{ required: ['pattern'] }, { required: ['literals'] }],
  additionalProperties: false,
} as const;

const word = { type: 'string', minLength: 1, maxLength: limits.policyPointerCharsMax } as const;
const schema = {
  type: ['object', 'boolean'],
  additionalProperties: true,
  description: 'JSON Schema 2020-12; references are #/schemas/<name>.',
} as const;

/** What may come in. Its schemas are read and compiled before it is stored. */
const shape = {
  type: 'object',
  description: 'What may come in. /api/policies/{id}/shape makes it of an OpenAPI document.',
  properties: {
    title: { type: 'string' },
    unlisted: {
      enum: ['refuse', 'screen'],
      description: 'What becomes of a request that no route declares; refused when left out.',
    },
    unknownParameters: {
      enum: ['refuse', 'allow'],
      description: 'Parameters of the query that a route does not declare; allowed when left out.',
    },
    body: schema,
    routes: {
      type: 'array',
      maxItems: limits.shapeOperationsMax,
      items: {
        type: 'object',
        properties: {
          method: word,
          path: { type: 'string', minLength: 1, maxLength: 2_000 },
          parameters: {
            type: 'array',
            maxItems: limits.shapeParametersMax,
            items: {
              type: 'object',
              properties: {
                in: { enum: ['query', 'path', 'header', 'cookie'] },
                name: word,
                required: { type: 'boolean' },
                explode: { type: 'boolean' },
                schema,
              },
              required: ['in', 'name', 'schema'],
              additionalProperties: false,
            },
          },
          body: {
            type: 'object',
            properties: {
              required: { type: 'boolean' },
              content: { type: 'object', additionalProperties: schema },
            },
            required: ['content'],
            additionalProperties: false,
          },
        },
        required: ['method', 'path'],
        additionalProperties: false,
      },
    },
    schemas: { type: 'object', additionalProperties: schema },
  },
  additionalProperties: false,
} as const;

/** A policy document. What is left out has its default. */
export const policySchema = {
  $id: 'urn:sallyport:schema:policy',
  title: 'Policy',
  description: 'How requests with the keys that name this policy are screened and answered.',
  type: 'object',
  properties: {
    mode: { enum: ['block', 'monitor', 'off'], default: 'block' },
    sensitivity: { enum: [1, 2, 3, 4], default: 2 },
    categoriesOff: { type: 'array', items: category, uniqueItems: true, default: [] },
    trustedOrigins: {
      type: 'array',
      items: { type: 'string', format: 'origin' },
      maxItems: 1_000,
      default: [],
    },
    onIncomplete: {
      enum: ['allow', 'block'],
      default: 'block',
      description: 'What happens to a request that could not be screened completely.',
    },
    onOutage: {
      enum: ['allow', 'block'],
      default: 'block',
      description: 'What /forward answers when a request could not be screened.',
    },
    detail: { enum: ['minimal', 'standard', 'full'], default: 'full' },
    exclusions: {
      type: 'array',
      items: exclusion,
      maxItems: limits.policyExclusionsMax,
      default: [],
    },
    customRules: {
      type: 'array',
      items: customRule,
      maxItems: limits.policyCustomRulesMax,
      default: [],
    },
    limits: {
      type: 'object',
      properties: {
        bodyBytes: { type: 'integer', minimum: 1, maximum: limits.bodyBytesMax },
        depth: { type: 'integer', minimum: 1, maximum: limits.jsonDepthMax },
        members: { type: 'integer', minimum: 1, maximum: limits.jsonMembersMax },
      },
      additionalProperties: false,
      default: {},
    },
    rateLimit: {
      type: 'object',
      properties: {
        requests: { type: 'integer', minimum: 1, maximum: 1_000_000_000 },
        perSeconds: { type: 'integer', minimum: 1, maximum: 86_400 },
        burst: { type: 'integer', minimum: 1, maximum: 1_000_000_000 },
      },
      required: ['requests', 'perSeconds'],
      additionalProperties: false,
    },
    shape,
    learnShape: {
      type: 'boolean',
      description: 'Whether a shape is learnt from the traffic, to be proposed; off when left out.',
    },
  },
  additionalProperties: false,
} as const;
