import { acceptedIn } from './accepted.ts';
import {
  escaped,
  type PageSubject,
  pageLanguageOf,
  pageSecurityPolicy,
  type RefusalStatus,
  refusalPage,
} from './refusal-page.ts';
import type { RefusalReason } from './refusal-texts.ts';
import type { ClientRequest } from './request-members.ts';
import { valuesOf } from './request-members.ts';

/** A page of the application's own: HTML in which `{{id}}` stands for the id, or what makes it. */
export type BlockPage = string | ((subject: PageSubject) => string);

/** The answer to a request that is not to reach the application. */
export interface Refusal {
  readonly status: RefusalStatus;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * An answer without the reason: an attacker learns nothing from it, and any other user has an id to
 * ask about. A page for browsers, JSON for programs, text for all others.
 */
export function refusalOf(
  request: ClientRequest,
  reason: { readonly why: RefusalReason; readonly status: RefusalStatus },
  id: string,
  blockPage?: BlockPage,
): Refusal {
  const { status } = reason;
  const { headers, body } = contentOf(request, { ...reason, id }, blockPage);
  return {
    status,
    headers: {
      ...headers,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-decision-id': id,
      ...(status === 503 ? { 'retry-after': '1' } : {}),
    },
    body,
  };
}

interface Content {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

function contentOf(
  request: ClientRequest,
  { why, status, id }: Omit<PageSubject, 'language'>,
  blockPage: BlockPage | undefined,
): Content {
  const title = titles[status];
  const detail = details[why];
  switch (formFor(request)) {
    case 'html': {
      const language = pageLanguageOf(valuesOf(request, 'accept-language'));
      return htmlOf({ why, status, id, language }, blockPage);
    }
    case 'json':
      return {
        headers: { 'content-type': 'application/problem+json' },
        body: JSON.stringify({ type: 'about:blank', title, status, detail, id }),
      };
    case 'text':
      return {
        headers: { 'content-type': 'text/plain; charset=utf-8' },
        body: `${title}\n\n${detail}\n\nId: ${id}\n`,
      };
  }
}

function htmlOf(subject: PageSubject, blockPage: BlockPage | undefined): Content {
  const headers = { 'content-type': 'text/html; charset=utf-8' };
  const own = ownPage(subject, blockPage);
  // What a page of the application's own may load is for the application to say.
  if (own !== undefined) return { headers, body: own };
  return {
    headers: { ...headers, 'content-security-policy': pageSecurityPolicy },
    body: refusalPage(subject),
  };
}

/** Undefined for the usual page, also where the application fails to make one. */
function ownPage(subject: PageSubject, blockPage: BlockPage | undefined): string | undefined {
  if (typeof blockPage === 'string') return blockPage.replaceAll('{{id}}', escaped(subject.id));
  try {
    const page: unknown = blockPage?.(subject);
    return typeof page === 'string' ? page : undefined;
  } catch {
    return undefined;
  }
}

const titles = {
  400: 'Bad Request',
  403: 'Forbidden',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  503: 'Service Unavailable',
} as const satisfies Readonly<Record<RefusalStatus, string>>;

const details = {
  harmful:
    'This request looks harmful and was refused. If it is not, tell the operator of this site the id.',
  partial:
    'This request could not be inspected completely and was refused. The operator of this site can say why: tell them the id.',
  unchecked: 'This request cannot be checked at the moment. Please try again.',
  large: 'This request is too large.',
  coded: 'The content encoding or charset of this request is not supported.',
  unreadable: 'This request cannot be read.',
} as const satisfies Readonly<Record<RefusalReason, string>>;

/** A client that accepts none of the three is answered in the media type of its request. */
function formFor(request: ClientRequest): 'html' | 'json' | 'text' {
  for (const type of acceptedIn(valuesOf(request, 'accept'))) {
    if (type === 'text/html' || type === 'application/xhtml+xml') return 'html';
    if (/\bjson\b/.test(type)) return 'json';
    if (type.startsWith('text/')) return 'text';
  }
  const sent = valuesOf(request, 'content-type').join(',').toLowerCase();
  return sent.includes('json') ? 'json' : 'text';
}
