import type { ClientRequest } from './request-members.ts';
import { valuesOf } from './request-members.ts';

export type RefusalStatus = keyof typeof titles;

/** What a refusal says of its reason; all else is for the operator. */
export type RefusalReason = keyof typeof details;

/** The answer to a request that is not to reach the application. */
export interface Refusal {
  readonly status: RefusalStatus;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * A page that says nothing of why: whoever sent an attack learns nothing, and whoever did not has
 * an id to ask about. JSON for programs, text for all others.
 */
export function refusalOf(
  request: ClientRequest,
  reason: { readonly why: RefusalReason; readonly status: RefusalStatus },
  id: string,
): Refusal {
  const { status } = reason;
  const title = titles[status];
  const detail = details[reason.why];
  const isJson = wantsJson(request);
  return {
    status,
    headers: {
      'content-type': isJson ? 'application/problem+json' : 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-decision-id': id,
      ...(status === 503 ? { 'retry-after': '1' } : {}),
    },
    body: isJson
      ? JSON.stringify({ type: 'about:blank', title, status, detail, id })
      : `${title}\n\n${detail}\n\nId: ${id}\n`,
  };
}

const titles = {
  400: 'Bad Request',
  403: 'Forbidden',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  503: 'Service Unavailable',
} as const;

const details = {
  harmful:
    'This request looks harmful and was refused. If it is not, tell the operator of this site the id.',
  unchecked: 'This request cannot be checked at the moment. Please try again.',
  large: 'This request is too large.',
  coded: 'The content encoding or charset of this request is not supported.',
  unreadable: 'This request cannot be read.',
} as const;

/** Whoever names neither JSON nor text is answered in the language of the question. */
function wantsJson(request: ClientRequest): boolean {
  const accept = valuesOf(request, 'accept').join(',').toLowerCase();
  if (/\bjson\b/.test(accept)) return true;
  if (accept.includes('text/')) return false;
  return valuesOf(request, 'content-type').join(',').toLowerCase().includes('json');
}
