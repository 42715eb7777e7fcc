import { confidence } from '../../placement/confidence.ts';
import type { ValueRule } from '../rule.ts';

/** `X-Original-URL: /admin`: the access rules look at one path, the application serves another. */
export const rewrittenPath: ValueRule = {
  id: 'other.rewritten-path',
  cwe: 'CWE-436',
  score: confidence.likely,
  message: 'has the application serve another path than the one that was checked',
  trigger: { literals: [restricted()] },
  judge: (subject) => {
    const { text, member } = subject;
    if (subrequestMember.test(member)) {
      return subrequest.test(text)
        ? { start: 0, end: Math.min(text.length, 160), score: confidence.strong }
        : undefined;
    }
    if (!pathMember.test(member) || !restrictedPath.test(text)) return undefined;
    return { start: 0, end: Math.min(text.length, 160) };
  },
  examples: [
    { body: { method: 'GET', path: '/', 'header.x-original-url': '/admin/users?delete=1' } },
    { body: { method: 'GET', path: '/', 'header.x-rewrite-url': '/actuator/env' } },
    { body: { path: '/panel', 'header.x-middleware-subrequest': 'middleware:middleware' } },
    { body: { path: '/panel', 'header.x-middleware-subrequest': 'src/middleware' } },
  ],
  lookalikes: [
    { body: { method: 'GET', path: '/shop', 'header.x-original-url': '/shop?page=2' } },
    { body: { method: 'GET', path: '/', 'header.referer': 'https://www.example.com/admin/' } },
    { body: { note: 'x-original-url: /admin' } },
    { body: { 'header.x-request-source': 'middleware' } },
  ],
};

function restricted(): readonly string[] {
  return [
    ...['middleware', 'admin', 'console', 'internal', 'manage', 'actuator', 'debug', 'config'],
    ...['private', 'delete', 'dashboard', 'setup', 'install', 'root', 'secret', 'server-status'],
  ];
}

const pathMember =
  /^header\.(?:x-original-url|x-rewrite-url|x-override-url|x-http-destinationurl|x-proxy-url|x-custom-url)$/i;
const restrictedPath =
  /^\s{0,4}(?:https?:\/\/[^/]{1,120})?\/{1,3}(?:[\w.-]{1,40}\/){0,4}[\w-]{0,20}(?:admin|console|internal|manage|actuator|debug|config|private|delete|dashboard|setup|install|root|secret|server-status)/i;
const subrequestMember = /^header\.x-middleware-subrequest$/i;
const subrequest = /^(?:[\w.-]{1,40}\/){0,6}_?middleware(?::|$)/;
