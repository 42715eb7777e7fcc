import { confidence } from '../../placement/confidence.ts';
import type { RequestRule } from '../rule.ts';

/** TRACE and its relatives, which show a script what the browser hides from it. */
export const requestMethod: RequestRule = {
  id: 'other.request-method',
  cwe: 'CWE-650',
  severity: 'low',
  score: confidence.likely,
  message:
    'uses a method that has the server repeat the request, open a tunnel or start a debugger',
  examples: [
    { body: { method: 'TRACE', path: '/' } },
    { body: { method: 'TRACK', path: '/account' } },
    { body: { method: 'DEBUG', path: '/app.aspx' } },
    { body: { method: 'CONNECT', path: 'intranet.example.net:443' } },
  ],
  lookalikes: [
    { body: { method: 'OPTIONS', path: '/' } },
    { body: { method: 'PROPFIND', path: '/calendars/anna' } },
    { body: { method: 'trace', level: '3' } },
    { body: { jsonrpc: '2.0', method: 'TRACE' } },
  ],
  judgeRequest(request) {
    const field = request.indexOf('method');
    if (field < 0) return undefined;
    const method = request.fields[field]?.text ?? '';
    if (!methods.has(method)) return undefined;
    const path = request.get('path') ?? '';
    const isTarget = path.startsWith('/') || path === '*' || authority.test(path);
    if (!isTarget) return undefined;
    return { field, start: 0, end: method.length };
  },
};

const methods: ReadonlySet<string> = new Set(['TRACE', 'TRACK', 'DEBUG', 'CONNECT']);
const authority = /^[\w.-]{1,200}:\d{1,5}$/;
