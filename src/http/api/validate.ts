import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { closed, type Schema } from '../../contract/schemas/api/build.ts';
import { ownSchemas } from '../../contract/schemas/own-schemas.ts';
import type { FieldError } from '../problem.ts';
import type { ApiRoute } from './api-route.ts';

/** RFC 3339, section 5.6. */
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;

const bodyAjv = withFormats(new Ajv2020({ ...ownSchemas, allErrors: true, strictRequired: false }));
// A query is text: numbers in it are read as what their schema says.
// Infinity, which 1e400 becomes, counts as a number so that a maximum refuses it.
const queryAjv = withFormats(
  new Ajv2020({ ...ownSchemas, allErrors: true, coerceTypes: true, strictNumbers: false }),
);

/** More would make a long answer of a long body, and help no user. */
const errorsToldMax = 100;

/** A value that fits, or what is wrong with it. */
export type Validated =
  | { readonly kind: 'valid'; readonly value: unknown }
  | { readonly kind: 'not-valid'; readonly errors: readonly FieldError[] };

/** Checks the requests of one route. */
export interface RouteValidator {
  body(value: unknown): Validated;
  query(text: string): Validated;
}

/** Compiles the schema of a body. */
export function bodyValidator(schema: Schema): (value: unknown) => Validated {
  const isValid = bodyAjv.compile(schema);
  return (value) => check(isValid, value);
}

/** Compiles the schemas of a route. */
export function routeValidator(route: ApiRoute): RouteValidator {
  const checkBody = route.body === undefined ? undefined : bodyValidator(route.body);
  const isQuery = queryAjv.compile(closed({}, route.query ?? {}));
  return {
    body: (value) => checkBody?.(value) ?? { kind: 'valid', value },
    query: (text) => {
      const given = [...new URLSearchParams(text)].filter(([, value]) => value !== '');
      return check(isQuery, Object.fromEntries(given));
    },
  };
}

function check(isValid: ValidateFunction, value: unknown): Validated {
  if (isValid(value)) return { kind: 'valid', value };
  return {
    kind: 'not-valid',
    errors: (isValid.errors ?? []).slice(0, errorsToldMax).map(fieldError),
  };
}

function fieldError(error: ErrorObject): FieldError {
  const { instancePath, keyword, params } = error;
  switch (keyword) {
    case 'required':
      return { pointer: `${instancePath}/${params['missingProperty']}`, message: 'is missing' };
    case 'additionalProperties':
      return {
        pointer: `${instancePath}/${params['additionalProperty']}`,
        message: 'is not a known field; remove it',
      };
    case 'enum':
      return { pointer: instancePath, message: `must be one of ${params['allowedValues']}` };
    case 'format':
      return { pointer: instancePath, message: 'must be a time such as 2030-12-31T18:00:00Z' };
    case 'oneOf':
      return { pointer: instancePath, message: 'must have exactly one of its alternatives' };
    case 'pattern':
      return { pointer: instancePath, message: 'must be printable text' };
    default:
      return { pointer: instancePath, message: error.message ?? 'is not valid' };
  }
}

function withFormats(ajv: Ajv2020): Ajv2020 {
  const isMoment = (value: string) => dateTime.test(value) && !Number.isNaN(Date.parse(value));
  return ajv.addFormat('date-time', isMoment);
}
