import { type Header, writeAnswer } from '../answer.ts';
import { writeDocument } from '../document.ts';
import type { Exchange } from '../exchange.ts';
import { respondProblem, statusLine } from '../problem.ts';
import type { UwsRequest } from '../uws.ts';

const base = '/dashboard';

/** The page is our own files and nothing else: no inline script, no inline style, no frame. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const protection: readonly Header[] = [
  ['content-security-policy', contentSecurityPolicy],
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
  ['cross-origin-opener-policy', 'same-origin'],
  ['cross-origin-resource-policy', 'same-origin'],
];

/** `GET /dashboard` and everything below: the page and its files. */
export function dashboard(exchange: Exchange, req: UwsRequest): void {
  const file = exchange.service.pages?.find(req.getUrl().slice(base.length));
  if (file === undefined) {
    const detail = 'File not found. Reload the page after an update.';
    respondProblem(exchange, 'not-found', { detail });
    return;
  }
  const cacheControl = file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache';
  writeDocument(exchange, req, file, [...protection, ['cache-control', cacheControl]]);
}

/** `GET /`: users who open the bare address look for the page. */
export function home(exchange: Exchange): void {
  writeAnswer(exchange, {
    status: statusLine(302),
    type: '',
    body: '',
    // Without a length a client waits for a body until the connection closes.
    headers: [
      ['location', base],
      ['content-length', '0'],
    ],
  });
}
