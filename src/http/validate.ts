import { isUtf8 } from 'node:buffer';
import { Ajv } from 'ajv';
import type { BodyFault } from '../contract/errors.ts';
import { limits } from '../contract/limits.ts';
import type { Policy } from '../contract/policy.ts';
import { controlRequestSchema, deadlineSchema } from '../contract/schemas/control-request.ts';
import { ownSchemas } from '../contract/schemas/own-schemas.ts';
import type { Exchange } from './exchange.ts';
import { respondProblem } from './problem.ts';
import type { UwsRequest } from './uws.ts';

const ajv = new Ajv(ownSchemas);
const isControlRequest = ajv.compile(controlRequestSchema);
const isDeadline = ajv.compile(deadlineSchema);

const digits = /^[0-9]{1,7}$/;

/**
 * Step 2: the time of `performance.now()` at which the caller stops waiting, Infinity when it states
 * none: then `Service.deadlineMs` counts from when the body is there. Answers 400 and returns
 * undefined when the header makes no sense.
 */
export function readDeadline(exchange: Exchange, req: UwsRequest): number | undefined {
  const text = req.getHeader('x-deadline-ms');
  if (text === '') return Number.POSITIVE_INFINITY;
  const waitMs = digits.test(text) ? Number(text) : Number.NaN;
  if (isDeadline(waitMs)) return performance.now() + waitMs;
  respondProblem(exchange, 'header-not-valid', {
    detail:
      'Send x-deadline-ms as a whole number of milliseconds from 1 to ' +
      `${limits.deadlineMsMax.toLocaleString('en')}, digits only, or leave it out.`,
  });
  return undefined;
}

/**
 * Step 3c: whether a body has the shape of a request, by `JSON.parse` and Ajv. Depth and members
 * are counted by the core. Bodies above `limits.bodyInlineBytesMax` are not parsed here, so that
 * this thread never stalls: `pool/shape.ts` does the same for them on the screening thread. Answers
 * 400 or 422 when something is wrong, and says where.
 */
export function validateBody(exchange: Exchange, body: Uint8Array): boolean {
  if (body.length === 0) {
    respondProblem(exchange, 'body-empty');
    return false;
  }
  if (body.length > limits.bodyInlineBytesMax) return true;
  const text = textOf(body);
  if (text === undefined) {
    respondBodyFault(exchange, 'body-not-utf8', body);
    return false;
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    respondProblem(exchange, 'body-not-json', { detail: syntaxAdvice(error) });
    return false;
  }
  if (isControlRequest(value)) return true;
  respondProblem(exchange, 'body-not-object');
  return false;
}

/**
 * The text of a body, undefined when it is not UTF-8. The decoder puts U+FFFD in the place of what
 * is not, so that only a text that holds one is worth a second look.
 */
function textOf(body: Uint8Array): string | undefined {
  const bytes = Buffer.isBuffer(body)
    ? body
    : Buffer.from(body.buffer, body.byteOffset, body.length);
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') && !isUtf8(bytes) ? undefined : text;
}

const parsePosition = /in JSON at position (\d+)/;

function syntaxAdvice(error: unknown): string {
  const advice = 'Send one well-formed JSON object (RFC 8259).';
  const position = error instanceof Error ? parsePosition.exec(error.message)?.[1] : undefined;
  return position === undefined ? advice : `${advice} The text fails at character ${position}.`;
}

/** Answers a fault that the screening thread found, or that the bytes of a body have. */
export function respondBodyFault(
  exchange: Exchange,
  fault: BodyFault,
  body: Uint8Array,
  policy?: Policy,
): void {
  if (fault === 'body-not-utf8' && body[0] === 0x1f && body[1] === 0x8b) {
    const detail = 'The body is compressed. Send it without content-encoding.';
    respondProblem(exchange, fault, { detail });
  } else {
    respondProblem(exchange, fault, policy === undefined ? {} : faultAdvice(fault, policy));
  }
}

/** The catalogue speaks of the bounds of the service; a policy can have tighter ones. */
export function faultAdvice(
  fault: BodyFault,
  { limits: bounds }: Policy,
): { readonly detail?: string } {
  if (fault === 'body-too-deep' && bounds.depth !== undefined) {
    return {
      detail: `Nest at most ${bounds.depth} levels: the policy of this key allows no more.`,
    };
  }
  if (fault === 'body-too-many-members' && bounds.members !== undefined) {
    return {
      detail: `Send at most ${bounds.members} fields: the policy of this key allows no more.`,
    };
  }
  return {};
}
