import type { Policy } from '../../../contract/policy.ts';
import type { RequestView } from '../../extract/request-view.ts';
import { originOf } from '../../grammars/url/origin.ts';
import { assignsOfPath, changesByPath, type Parameter } from '../../knowledge/state-change.ts';
import { confidence } from '../../placement/confidence.ts';
import { effectiveMethod, isSafeMethod } from '../../placement/request-context.ts';
import type { RequestMatch, RequestRule } from '../rule.ts';

/** A GET that changes something, which a page of another site lets the browser send by itself. */
export const changingAddress: RequestRule = {
  id: 'csrf.changing-address',
  cwe: 'CWE-352',
  severity: 'high',
  score: confidence.likely,
  message: 'asks for a change by its address, and a page of another site made the browser send it',
  examples: [
    {
      body: {
        ...{ method: 'GET', path: '/account/delete', 'header.sec-fetch-site': 'cross-site' },
        ...{ 'header.sec-fetch-mode': 'no-cors', 'cookie.sid': 'x7', 'query.confirm': 'yes' },
      },
    },
    {
      body: {
        ...{ method: 'GET', path: '/transfer', 'header.sec-fetch-site': 'cross-site' },
        ...{ 'header.sec-fetch-mode': 'navigate', 'cookie.sid': 'x7' },
        ...{ 'query.to': 'mallory', 'query.amount': '900' },
      },
    },
    {
      body: {
        ...{ method: 'GET', path: '/users/7/role', 'header.sec-fetch-site': 'cross-site' },
        ...{ 'header.sec-fetch-mode': 'navigate', 'cookie.sid': 'x7', 'query.role': 'admin' },
      },
    },
    {
      body: {
        ...{ method: 'GET', path: '/users', 'header.sec-fetch-site': 'cross-site' },
        ...{ 'header.sec-fetch-mode': 'no-cors', 'header.cookie': 'sid=x7' },
        ...{ 'query.action': 'delete', 'query.id': '7' },
      },
    },
  ],
  lookalikes: [
    {
      body: {
        ...{ method: 'GET', path: '/account/delete', 'header.sec-fetch-site': 'cross-site' },
        ...{ 'header.sec-fetch-mode': 'navigate', 'cookie.sid': 'x7' },
      },
    },
    {
      // A visitor has clicked on the link.
      body: {
        ...{ method: 'GET', path: '/cart/add', 'header.sec-fetch-site': 'cross-site' },
        ...{ 'header.sec-fetch-mode': 'navigate', 'header.sec-fetch-user': '?1' },
        ...{ 'cookie.sid': 'x7', 'query.id': '120' },
      },
    },
    {
      // No other site knows the token.
      body: {
        ...{ method: 'GET', path: '/password/reset', 'header.sec-fetch-site': 'cross-site' },
        ...{ 'header.sec-fetch-mode': 'navigate', 'cookie.sid': 'x7', 'query.user': '7' },
        'query.token': '3f9a0c77b1d24e58a6',
      },
    },
    {
      // No session, so that nothing is done in the name of a visitor.
      body: {
        ...{ method: 'GET', path: '/cart/add', 'header.sec-fetch-site': 'cross-site' },
        ...{ 'header.sec-fetch-mode': 'no-cors', 'query.id': '120' },
      },
    },
    {
      body: {
        ...{ method: 'GET', path: '/icons/delete.svg', 'header.sec-fetch-site': 'cross-site' },
        ...{ 'header.sec-fetch-mode': 'no-cors', 'cookie.sid': 'x7', 'query.v': '3' },
      },
    },
    {
      body: {
        ...{ method: 'GET', path: '/collect', 'header.sec-fetch-site': 'cross-site' },
        ...{ 'header.sec-fetch-mode': 'no-cors', 'cookie.sid': 'x7' },
        ...{ 'query.event': 'delete', 'query.action': 'add_to_cart' },
      },
    },
    {
      body: {
        ...{ method: 'GET', path: '/checkout/confirm', 'header.sec-fetch-site': 'cross-site' },
        ...{ 'header.sec-fetch-mode': 'navigate', 'cookie.sid': 'x7', 'query.order': '81723' },
      },
    },
    {
      body: {
        ...{ method: 'GET', path: '/cart/add', 'header.sec-fetch-site': 'same-site' },
        ...{ 'header.sec-fetch-mode': 'navigate', 'cookie.sid': 'x7', 'query.id': '120' },
      },
    },
  ],
  judgeRequest(request, policy): RequestMatch | undefined {
    const field = request.indexOf('header.sec-fetch-site');
    if (field < 0 || request.get('header.sec-fetch-site')?.trim() !== 'cross-site')
      return undefined;
    if (!isUnasked(request) || !isSafeMethod(effectiveMethod(request))) return undefined;
    const path = request.get('path');
    if (path === undefined || isTrusted(request, policy)) return undefined;
    const parameters = parametersOf(request);
    if (parameters === undefined || parameters.length === 0) return undefined;
    const [plainPath = ''] = path.split('?', 1);
    const isChange = changesByPath(plainPath, parameters) || assignsOfPath(plainPath, parameters);
    const shown = request.indexOf('path');
    return isChange ? { field: shown, start: 0, end: path.length } : undefined;
  },
};

/**
 * The browser says how it came to send the request, and no click or key of the visitor did it
 * (Fetch Metadata, 2.4).
 */
function isUnasked(request: RequestView): boolean {
  if (request.get('header.sec-fetch-mode') === undefined) return false;
  return request.get('header.sec-fetch-user')?.trim() !== '?1';
}

function isTrusted(request: RequestView, { trustedOrigins }: Policy): boolean {
  if (trustedOrigins.length === 0) return false;
  const from = request.get('header.origin') ?? request.get('header.referer') ?? '';
  return trustedOrigins.includes(originOf(from.trim()));
}

/** Of a request with a cookie; undefined where there is none, or a secret that no other site has. */
function parametersOf({ fields }: RequestView): readonly Parameter[] | undefined {
  const parameters: Parameter[] = [];
  let hasCookie = false;
  for (const { where, node, text } of fields) {
    if (where === 'name' || node.parent !== undefined || typeof node.key !== 'string') continue;
    if (node.key.startsWith('query.') && parameters.length < parametersMax) {
      if (secret.test(text)) return undefined;
      parameters.push({ name: node.key.slice('query.'.length).toLowerCase(), value: text });
    } else if (node.key.startsWith('cookie.') || node.key === 'header.cookie') hasCookie = true;
  }
  return hasCookie ? parameters : undefined;
}

const parametersMax = 40;
/** Long, with letters and digits mixed: drawn by lot. */
const secret = /^(?=[^\d]{0,40}\d)(?=[^a-z]{0,40}[a-z])[\w.~+/=-]{16,2048}$/i;
