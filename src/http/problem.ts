import { STATUS_CODES } from 'node:http';
import { type ErrorCode, errorCatalogue, problemType } from '../contract/errors.ts';
import { type AnswerKind, answers } from '../contract/live.ts';
import { type Header, writeAnswer } from './answer.ts';
import type { Exchange } from './exchange.ts';

/** Media type of every error (RFC 9457). */
export const problemMediaType = 'application/problem+json';

/** What an answer with this code carries beside its body. */
const headersOf: Partial<Record<ErrorCode, readonly (readonly [ProblemHeader, string])[]>> = {
  'key-not-valid': [['www-authenticate', 'ApiKey, Bearer']],
  'metrics-not-allowed': [['www-authenticate', 'Bearer']],
  overloaded: [['retry-after', '1']],
  draining: [['retry-after', '1']],
  'deadline-too-short': [['retry-after', '1']],
  'worker-lost': [['retry-after', '1']],
  'storage-not-available': [['retry-after', '5']],
  'single-sign-on-not-available': [['retry-after', '5']],
  'too-many-listeners': [['retry-after', '30']],
};

type ProblemHeader = 'retry-after' | 'www-authenticate';

/** Names of the headers of an answer with this code. */
export function problemHeaderNames(code: ErrorCode): readonly ProblemHeader[] {
  // How long to wait until the limit is free again depends on the occasion.
  if (errorCatalogue[code].status === 429) return ['retry-after'];
  return headersOf[code]?.map(([name]) => name) ?? [];
}

/** After these the connection is not used again: the rest of the body is not wanted. */
const closing: ReadonlySet<ErrorCode> = new Set(['body-timeout', 'body-too-large', 'draining']);

/** One member that is not valid: where it stands, and what it must be. */
export interface FieldError {
  readonly pointer: string;
  readonly message: string;
}

interface Prepared {
  readonly status: string;
  readonly prefix: string;
  readonly advice: string;
  readonly headers: readonly Header[];
  readonly close: boolean;
  readonly kind: AnswerKind;
}

const prepared = new Map<ErrorCode, Prepared>(
  (Object.keys(errorCatalogue) as ErrorCode[]).map((code) => [code, prepare(code)]),
);

function prepare(code: ErrorCode): Prepared {
  const { status, title, advice } = errorCatalogue[code];
  const members = JSON.stringify({ type: problemType(code), title, status });
  return {
    status: statusLine(status),
    prefix: `${members.slice(0, -1)},"detail":`,
    advice: JSON.stringify(advice),
    headers: headersOf[code] ?? [],
    close: closing.has(code),
    kind: status >= 500 ? answers.refused : answers.rejected,
  };
}

/** Status code and reason phrase. */
export function statusLine(status: number): string {
  return `${status} ${STATUS_CODES[status] ?? ''}`;
}

/**
 * Answers with a problem document; without a detail of its own it gives the advice of the
 * catalogue.
 */
export function respondProblem(
  exchange: Exchange,
  code: ErrorCode,
  options: {
    readonly detail?: string;
    readonly errors?: readonly FieldError[];
    readonly headers?: readonly Header[];
    readonly close?: boolean;
  } = {},
): void {
  if (exchange.onProblem !== undefined) {
    exchange.onProblem(code);
    return;
  }
  const parts = prepared.get(code) ?? prepare(code);
  const detail = options.detail === undefined ? parts.advice : JSON.stringify(options.detail);
  const errors = options.errors === undefined ? '' : `,"errors":${JSON.stringify(options.errors)}`;
  writeAnswer(exchange, {
    status: parts.status,
    type: problemMediaType,
    body: `${parts.prefix}${detail},"id":"${exchange.decisionId}"${errors}}`,
    headers: options.headers ?? parts.headers,
    close: options.close ?? parts.close,
    kind: parts.kind,
    problem: code,
  });
}

/** Answers a defect of ours: the caller gets the id, the log gets the fault under that id. */
export function respondDefect(exchange: Exchange, error: unknown): void {
  const { decisionId, requestId, service } = exchange;
  service.log.error({ decisionId, requestId, err: error }, 'a request failed through a defect');
  respondProblem(exchange, 'internal-error');
}
