import { Ajv, type ErrorObject } from 'ajv';
import { clientProblems, withWrittenClients } from '../contract/exclusion-clients.ts';
import type { PolicyProblem } from '../contract/explanation.ts';
import { limits } from '../contract/limits.ts';
import type { Policy } from '../contract/policy.ts';
import { ownSchemas } from '../contract/schemas/own-schemas.ts';
import { policySchema } from '../contract/schemas/policy.ts';

export type DocumentCheck =
  | { readonly kind: 'valid'; readonly document: Policy }
  | { readonly kind: 'not-valid'; readonly problems: readonly PolicyProblem[] };

// The branches of a `oneOf` speak of members that are defined beside it.
const ajv = new Ajv({
  ...ownSchemas,
  allErrors: true,
  strictTypes: false,
  strictRequired: false,
  useDefaults: true,
});
ajv.addFormat('pointer-pattern', /^(?:\/(?:[^~/]|~[01])*)*$/);
ajv.addFormat('method', /^[A-Z][A-Z-]{0,31}$/);
ajv.addFormat('path-pattern', /^\/[^?#\\;\s]*$/);
ajv.addFormat('moment', isMoment);
ajv.addFormat('origin', isOrigin);
const fits = ajv.compile<Policy>(policySchema);

/** Fills a document with defaults and holds it against its schema. */
export function validateDocument(given: unknown): DocumentCheck {
  const text = JSON.stringify(given) ?? '';
  const shapeLength = shapeLengthOf(given);
  if (shapeLength > limits.shapeBytesMax) {
    const message = `must be at most ${limits.shapeBytesMax} bytes of JSON; split it`;
    return { kind: 'not-valid', problems: [{ pointer: '/shape', message }] };
  }
  if (text.length - shapeLength > limits.policyBytesMax) {
    const message = `must be at most ${limits.policyBytesMax} bytes of JSON; split it`;
    return { kind: 'not-valid', problems: [{ pointer: '', message }] };
  }
  const document: unknown = text === '' ? undefined : JSON.parse(text);
  if (!fits(document)) return { kind: 'not-valid', problems: problemsOf(fits.errors ?? []) };
  const problems = clientProblemsIn(document);
  if (problems.length > 0) return { kind: 'not-valid', problems };
  return {
    kind: 'valid',
    document: { ...document, exclusions: document.exclusions.map(withWrittenClients) },
  };
}

function clientProblemsIn({ exclusions }: Policy): readonly PolicyProblem[] {
  return exclusions.flatMap(({ clients = [] }, at) =>
    clientProblems(clients).map(({ index, problem }) => ({
      pointer: `/exclusions/${at}/clients/${index}`,
      message: problem,
    })),
  );
}

/** A shape has a bound of its own. */
function shapeLengthOf(given: unknown): number {
  const shape: unknown = Reflect.get(Object(given), 'shape');
  return shape === undefined ? 0 : (JSON.stringify(shape) ?? '').length;
}

function problemsOf(errors: readonly ErrorObject[]): PolicyProblem[] {
  // `oneOf` says in one line what its branches say in several.
  const said = errors.filter((error) => !/\/oneOf\/\d/.test(error.schemaPath));
  return said.map((error) => ({ pointer: placeOf(error), message: messageOf(error) }));
}

function placeOf({ instancePath, keyword, params }: ErrorObject): string {
  const name: unknown = params['missingProperty'] ?? params['additionalProperty'];
  if (keyword !== 'required' && keyword !== 'additionalProperties') return instancePath;
  return `${instancePath}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function messageOf(error: ErrorObject): string {
  switch (error.keyword) {
    case 'required':
      return 'is missing';
    case 'additionalProperties':
      return 'is not a known field; remove it';
    case 'enum':
      return `must be one of ${(error.params['allowedValues'] as readonly unknown[]).join(', ')}`;
    case 'oneOf':
      return error.instancePath.startsWith('/exclusions')
        ? 'must have one of category and rule, and not both'
        : 'must have one of pattern and literals, and not both';
    case 'format':
      return formatAdvice[String(error.params['format'])] ?? 'has not the right form';
    default:
      return error.message ?? 'is not valid';
  }
}

const formatAdvice: Readonly<Record<string, string>> = {
  'pointer-pattern':
    'must be an RFC 6901 pointer, which begins with a slash, such as /user/name, /items/*/q or /html/**',
  method: 'must be a method in capitals, such as POST',
  'path-pattern': 'must be a path such as /articles, /articles/* or /admin/**, without a query',
  moment: 'must be a moment such as 2030-12-31T18:00:00Z',
  origin: 'must be an origin such as https://app.example.com',
};

const moment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?Z$/;

function isMoment(text: string): boolean {
  return moment.test(text) && !Number.isNaN(Date.parse(text));
}

function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return (url.protocol === 'https:' || url.protocol === 'http:') && url.origin === text;
}
