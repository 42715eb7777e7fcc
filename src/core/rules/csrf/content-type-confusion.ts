import { confidence } from '../../placement/confidence.ts';
import { effectiveMethod, isSafeMethod, provenanceOf } from '../../placement/request-context.ts';
import type { RequestRule } from '../rule.ts';

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
