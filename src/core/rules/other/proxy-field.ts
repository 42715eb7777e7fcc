import { confidence } from '../../placement/confidence.ts';
import type { ValueRule } from '../rule.ts';

/** `Proxy: http://203.0.113.5:8080`: CGI makes `HTTP_PROXY` of it, and clients obey. */
export const proxyField: ValueRule = {
  id: 'other.proxy-field',
  cwe: 'CWE-807',
  score: confidence.strong,
  message: 'sends a header field that no client has, and that sets the proxy of a CGI program',
  trigger: { literals: [['://']] },
  judge: ({ member, text }) =>
    member === 'header.proxy' ? { start: 0, end: Math.min(text.length, 120) } : undefined,
  examples: [{ body: { path: '/', 'header.proxy': 'http://203.0.113.5:8080' } }],
  lookalikes: [
    { body: { proxy: 'http://proxy.example.com:3128' } },
    { body: { path: '/', 'header.proxy-connection': 'keep-alive' } },
  ],
};
