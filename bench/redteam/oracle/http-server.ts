import type { Oracle } from '../contract.ts';
import { lineOracle, oneField, runs } from './line-oracle.ts';

/** Headers of Python's `http.server`, which takes any value: another header or body is seen. */
export const httpServer: Oracle = lineOracle({
  name: 'http.server',
  category: 'crlf',
  language: 'crlf',
  tools: ['python3'],
  contexts: [
    oneField('Location', 'query.next', '/basket'),
    oneField('Location, path', 'query.page', 'tea'),
    oneField('Location, decoded', 'query.next', '%2Fbasket'),
    oneField('Set-Cookie', 'body.lang', 'en'),
    oneField('Content-Disposition', 'query.name', 'order.pdf'),
  ],
  ...runs.python('http_server.py'),
});
