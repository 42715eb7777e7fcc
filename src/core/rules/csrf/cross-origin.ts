import { confidence } from '../../placement/confidence.ts';
import {
  effectiveMethod,
  isSafeMethod,
  provenanceMember,
  provenanceOf,
} from '../../placement/request-context.ts';
import type { RequestRule } from '../rule.ts';

/** A state-changing request that a page of another origin made the browser send. */
export const crossOrigin: RequestRule = {
  id: 'csrf.cross-origin',
  cwe: 'CWE-352',
  severity: 'high',
  score: confidence.certain,
  message: 'changes state on behalf of a page of another origin',
  examples: [
    {
      body: {
        method: 'POST',
        path: '/account/email',
        'header.host': 'shop.test',
        'header.origin': 'https://elsewhere.test',
        'header.sec-fetch-site': 'cross-site',
        'body.email': 'me@elsewhere.test',
      },
    },
    { body: { method: 'DELETE', 'header.host': 'a.test', 'header.origin': 'null' } },
    { body: { method: 'POST', 'header.host': 'a.test', 'header.sec-fetch-site': 'same-site' } },
    { body: { method: 'PUT', 'header.host': 'a.test', 'header.origin': 'https://a.test.b.test' } },
    {
      body: {
        method: 'GET',
        'query._method': 'delete',
        'header.host': 'a.test',
        'header.sec-fetch-site': 'cross-site',
      },
    },
  ],
  lookalikes: [
    {
      body: {
        method: 'POST',
        path: '/account/email',
        'header.host': 'shop.test:443',
        'header.origin': 'https://shop.test',
        'header.sec-fetch-site': 'same-origin',
      },
    },
    { body: { method: 'POST', 'header.host': 'A.test', 'header.origin': 'https://a.test' } },
    { body: { method: 'GET', 'header.host': 'a.test', 'header.sec-fetch-site': 'cross-site' } },
    { body: { method: 'POST', 'header.host': 'a.test', 'body.text': 'sent by curl' } },
    { body: { origin: 'https://elsewhere.test', method: 'card' } },
  ],
  judgeRequest(request, policy) {
    if (isSafeMethod(effectiveMethod(request))) return undefined;
    if (provenanceOf(request, policy) !== 'foreign') return undefined;
    const member = provenanceMember(request);
    return {
      field: request.indexOf(member),
      start: 0,
      end: (request.get(member) ?? '').length,
    };
  },
};
