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

/**
 * A form of type text/plain whose field name and value together spell JSON: the way to send a JSON
 * body from a foreign page without asking the server first (Fetch standard, CORS-safelisted content
 * types).
 */
export const contentTypeConfusion: RequestRule = {
  id: 'csrf.content-type-confusion',
  cwe: 'CWE-352',
  severity: 'high',
  score: confidence.strong,
  message: 'spells a JSON body with a plain-text form, which a foreign page may send',
  examples: [
    {
      body: {
        method: 'POST',
        'header.content-type': 'text/plain',
        'body.{"amount":900,"to":"x","pad":"': '"}',
      },
    },
    {
      body: {
        method: 'POST',
        'header.content-type': 'text/plain;charset=UTF-8',
        'body.{"role":"admin","a": "': 'b"}',
      },
    },
  ],
  lookalikes: [
    {
      body: { method: 'GET', 'header.content-type': 'text/plain', 'body.{"a":"': 'b"}' },
    },
    {
      body: { method: 'POST', 'header.content-type': 'text/plain', 'body.{"event":"view"}': '' },
    },
    {
      body: { method: 'POST', 'header.content-type': 'text/plain', body: '{"event":"view"}' },
    },
    {
      body: {
        method: 'POST',
        'header.sec-fetch-site': 'same-origin',
        'header.content-type': 'application/json',
        'body.note': '{"a":1}',
      },
    },
  ],
  judgeRequest(request, policy) {
    const type = request.get('header.content-type');
    if (type === undefined || !type.trim().toLowerCase().startsWith('text/plain')) return undefined;
    if (isSafeMethod(effectiveMethod(request))) return undefined;
    if (provenanceOf(request, policy) === 'same') return undefined;
    const field = request.fields.findIndex(
      (one) => one.where === 'name' && one.text.startsWith('body.{') && one.text.endsWith('"'),
    );
    if (field < 0) return undefined;
    return { field, start: 0, end: request.fields[field]?.text.length ?? 0 };
  },
};
