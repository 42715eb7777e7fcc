import type { Oracle } from '../contract.ts';
import { lineOracle, oneField, runs } from './line-oracle.ts';

/** Server-side includes of nginx: a command in a page that was executed. It has no `exec`. */
export const ssi: Oracle = lineOracle({
  name: 'nginx SSI',
  category: 'ssi',
  language: 'ssi',
  tools: ['/usr/sbin/nginx', 'python3'],
  contexts: [
    oneField('text', 'body.comment', 'Good tea'),
    oneField('attribute', 'body.name', 'Alice'),
    oneField('title', 'query.title', 'Green tea'),
    oneField('comment', 'body.name', 'Alice'),
    oneField('script', 'query.q', 'tea'),
    oneField('text area', 'body.comment', 'Good tea'),
    oneField('behind an open comment', 'body.comment', 'Good tea'),
  ],
  ...runs.python('ssi.py'),
});
