import type { Answer, Failed, FailureCode, Outcome } from './outcome.ts';
import { failed } from './outcome.ts';
import type { ServiceStatus } from './service-status.ts';

/** What an HTTP answer means. Only what Sallyport itself can have said allows or blocks. */
export function readAnswer(status: number, text: string): Outcome {
  const body = objectIn(text);
  if (status === 200 || status === 403) {
    const expected = status === 200 ? 'allow' : 'block';
    const answer = body?.['decision'] === expected ? answerIn(body, expected) : undefined;
    if (answer !== undefined) return { kind: status === 200 ? 'allowed' : 'blocked', answer };
  }
  return failureIn(status, body);
}

/** What an answer to the question for the status means. */
export function readStatus(
  status: number,
  text: string,
): Failed | { readonly kind: 'status'; readonly status: ServiceStatus } {
  const body = objectIn(text);
  if (status !== 200) return failureIn(status, body);
  const { policy, mode, version } = body ?? {};
  const isText = typeof policy === 'string' && typeof version === 'string';
  if (!isText || (mode !== 'block' && mode !== 'monitor' && mode !== 'off')) {
    return failed('not-understood', notUnderstood(status));
  }
  return { kind: 'status', status: { policy, mode, version } };
}

/** What an answer to a report means. */
export function readReceipt(status: number, text: string): Failed | { readonly kind: 'received' } {
  return status === 204 ? { kind: 'received' } : failureIn(status, objectIn(text));
}

function failureIn(status: number, body: Readonly<Record<string, unknown>> | undefined): Failed {
  const code = codeOf(status);
  if (code === 'not-understood' || body === undefined) {
    return failed('not-understood', notUnderstood(status));
  }
  const detail = typeof body['detail'] === 'string' ? body['detail'] : 'No detail was given.';
  return failed(code, `Sallyport answered ${status}: ${detail.slice(0, detailCharsMax)}`);
}

const detailCharsMax = 300;

function notUnderstood(status: number): string {
  const advice = 'check that url leads to one; it is the address without /control.';
  return `${status} without a decision is no answer of Sallyport: ${advice}`;
}

function codeOf(status: number): FailureCode {
  if (status === 401) return 'key-refused';
  if (status === 429) return 'rate-limited';
  if (status === 408 || status >= 500) return 'unavailable';
  return notAcceptable.has(status) ? 'not-acceptable' : 'not-understood';
}

const notAcceptable: ReadonlySet<number> = new Set([400, 413, 415, 422]);

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Undefined unless it has what every decision has. The id is printed on pages: it must be one. */
function answerIn(
  body: Readonly<Record<string, unknown>>,
  decision: Answer['decision'],
): Answer | undefined {
  const { id, score, would, detail, findings, coverage } = body;
  if (typeof id !== 'string' || !saneId.test(id) || typeof score !== 'number') return undefined;
  const monitored = would === 'allow' || would === 'block' ? would : undefined;
  return {
    id,
    decision: monitored ?? decision,
    score,
    findings: Array.isArray(findings) ? findings.filter(isObject) : [],
    ...(monitored === undefined ? {} : { would: monitored }),
    ...(typeof detail === 'string' ? { detail } : {}),
    ...(isCoverage(coverage) ? { coverage } : {}),
  };
}

const saneId = /^[A-Za-z0-9-]{1,64}$/;

function isCoverage(value: unknown): value is NonNullable<Answer['coverage']> {
  if (!isObject(value) || typeof value['complete'] !== 'boolean') return false;
  return typeof value['bytes'] === 'number' && Array.isArray(value['reasons']);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
