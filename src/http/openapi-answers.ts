import { type ErrorCode, errorCatalogue, problemType } from '../contract/errors.ts';
import { count, ref, type Schema, text } from '../contract/schemas/api/build.ts';
import { idExample } from '../contract/schemas/control-answers.ts';
import { problemHeaderNames, problemMediaType } from './problem.ts';

type Json = Readonly<Record<string, unknown>>;

/** Every header that answers carry beside those of HTTP itself, by its lower-case name. */
export const headers = {
  'x-request-id': always(
    'The x-request-id of the request if it is well-formed, else a new one',
    text,
  ),
  'x-decision-id': always('Names this answer in the log and in the events', {
    type: 'string',
    format: 'uuid',
  }),
  'retry-after': always('Seconds after which to try again', count),
  'www-authenticate': always('`ApiKey`, or `Bearer`', text),
  'cache-control': always('How long the answer may be kept', text),
  etag: always('Names the content; send it as if-none-match to be spared the same again', text),
  vary: always('`accept-encoding`: the answer comes compressed where that is taken', text),
  'content-encoding': sometimes('`br` or `gzip`', text),
  'x-content-type-options': always('`nosniff`', text),
  'content-security-policy': sometimes('Of a page: nothing is loaded or run', text),
  'content-disposition': always('A name for the file', text),
  'set-cookie': always('Sets or ends the session', text),
  ratelimit: sometimes('What is left of the limit of the key, if it has one', text),
  traceresponse: sometimes('The position of the request in the trace of its caller', text),
  'ratelimit-policy': sometimes('The limit of the key, if it has one', text),
} as const satisfies Json;

export type HeaderName = keyof typeof headers;

/** What answers to a key with a rate limit have, and those to a caller that names a trace. */
export const screeningHeaders: readonly HeaderName[] = [
  'ratelimit',
  'ratelimit-policy',
  'traceresponse',
];

function always(description: string, schema: Schema): Json {
  return { description, required: true, schema };
}

function sometimes(description: string, schema: Schema): Json {
  return { description, schema };
}

/** A response of the document. Every answer has its two ids. */
export function response(
  description: string,
  content: Json | undefined,
  furtherHeaders: readonly HeaderName[] = [],
): Json {
  const names: readonly HeaderName[] = ['x-request-id', 'x-decision-id', ...furtherHeaders];
  return {
    description,
    headers: Object.fromEntries(
      names.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
    ),
    ...(content === undefined ? {} : { content }),
  };
}

/** A JSON body; the examples of its schema are shown where tools for requests look for them. */
export function json(schema: Schema): Json {
  return { 'application/json': withExample(schema) };
}

/** The same for a form. */
export function form(schema: Schema): Json {
  return { 'application/x-www-form-urlencoded': withExample(schema) };
}

function withExample({ examples, ...schema }: Schema): Json {
  return { schema, ...(Array.isArray(examples) ? { example: examples[0] } : {}) };
}

/** One response for each status; its description names the problems that it stands for. */
export function problemResponses(
  codes: readonly ErrorCode[],
  furtherHeaders: readonly HeaderName[] = [],
): Json {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set(codes)) {
    const { status } = errorCatalogue[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, some]) => [status, problemResponse(some, furtherHeaders)]),
  );
}

function problemResponse(codes: readonly ErrorCode[], furtherHeaders: readonly HeaderName[]): Json {
  const names = new Set([...codes.flatMap(problemHeaderNames), ...furtherHeaders]);
  const examples = codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]);
  const content = { schema: ref('Problem'), examples: Object.fromEntries(examples) };
  const description = codes.map((code) => errorCatalogue[code].title).join('; ');
  return response(description, { [problemMediaType]: content }, [...names]);
}

/** What no operation answers with a problem of this schema, or no operation answers at all. */
const elsewhere: ReadonlySet<ErrorCode> = new Set([
  'threat-detected',
  'not-found',
  'method-not-allowed',
]);

/** Each problem as it is answered, except for a detail of the occurrence. */
export function problemExamples(): Json {
  const codes = Object.keys(errorCatalogue) as ErrorCode[];
  const shown = codes.filter((code) => !elsewhere.has(code));
  return Object.fromEntries(shown.map((code) => [code, problemExample(code)]));
}

function problemExample(code: ErrorCode): Json {
  const { status, title, advice } = errorCatalogue[code];
  const value = { type: problemType(code), title, status, detail: advice, id: idExample };
  return { summary: title, value };
}
