import type { Policy } from '../../../contract/policy.ts';
import type { RequestView } from '../../extract/request-view.ts';
import { originOf } from '../../grammars/url/origin.ts';
import { assignsOfPath, changesByPath, type Parameter } from '../../knowledge/state-change.ts';
import { confidence } from '../../placement/confidence.ts';
import {
  effectiveMethod,
  isSafeMethod,
  provenanceMember,
  provenanceOf,
} from '../../placement/request-context.ts';
import type { Example, RequestMatch, RequestRule } from '../rule.ts';

/** A state-changing request that a page of another origin made the browser send. */
export const crossOrigin: RequestRule = {
  id: 'csrf.cross-origin',
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

function plainForm(
  method: string,
  members: Readonly<Record<string, string>>,
  type = 'text/plain',
): Example {
  return { body: { method, 'header.content-type': type, ...members } };
}

/**
 * A form of type text/plain whose field name and value together spell JSON: the way to send a JSON
 * body from a foreign page without asking the server first (Fetch standard, CORS-safelisted content
 * types).
 */
export const contentTypeConfusion: RequestRule = {
  id: 'csrf.content-type-confusion',
  score: confidence.strong,
  message: 'spells a JSON body with a plain-text form, which a foreign page may send',
  examples: [
    plainForm('POST', { 'body.{"amount":900,"to":"x","pad":"': '"}' }),
    plainForm('POST', { 'body.{"role":"admin","a": "': 'b"}' }, 'text/plain;charset=UTF-8'),
  ],
  lookalikes: [
    plainForm('GET', { 'body.{"a":"': 'b"}' }),
    plainForm('POST', { 'body.{"event":"view"}': '' }),
    plainForm('POST', { body: '{"event":"view"}' }),
    plainForm('POST', { 'body.note': '{"a":1}' }, 'application/json'),
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

/** A GET of a browser with a session, for a page of another site. */
function fetched(
  mode: 'navigate' | 'no-cors',
  path: string,
  members: Readonly<Record<string, string | undefined>>,
): Example {
  const sent = { 'header.sec-fetch-site': 'cross-site', 'header.sec-fetch-mode': mode };
  const body = { method: 'GET', path, ...sent, 'cookie.sid': 'x7', ...members };
  return { body: Object.fromEntries(Object.entries(body).filter(([, one]) => one !== undefined)) };
}

/** A GET that changes something, which a page of another site lets the browser send by itself. */
export const changingAddress: RequestRule = {
  id: 'csrf.changing-address',
  score: confidence.likely,
  message: 'asks for a change by its address, and a page of another site made the browser send it',
  examples: [
    fetched('no-cors', '/account/delete', { 'query.confirm': 'yes' }),
    fetched('navigate', '/transfer', { 'query.to': 'mallory', 'query.amount': '900' }),
    fetched('navigate', '/users/7/role', { 'query.role': 'admin' }),
    fetched('no-cors', '/users', {
      ...{ 'cookie.sid': undefined, 'header.cookie': 'sid=x7' },
      ...{ 'query.action': 'delete', 'query.id': '7' },
    }),
  ],
  lookalikes: [
    fetched('navigate', '/account/delete', {}),
    // A visitor has clicked on the link.
    fetched('navigate', '/cart/add', { 'header.sec-fetch-user': '?1', 'query.id': '120' }),
    // No other site knows the token.
    fetched('navigate', '/password/reset', {
      ...{ 'query.user': '7', 'query.token': '3f9a0c77b1d24e58a6' },
    }),
    // No session, so that nothing is done in the name of a visitor.
    fetched('no-cors', '/cart/add', { 'cookie.sid': undefined, 'query.id': '120' }),
    fetched('no-cors', '/icons/delete.svg', { 'query.v': '3' }),
    fetched('no-cors', '/collect', { 'query.event': 'delete', 'query.action': 'add_to_cart' }),
    fetched('navigate', '/checkout/confirm', { 'query.order': '81723' }),
    fetched('navigate', '/cart/add', { 'header.sec-fetch-site': 'same-site', 'query.id': '120' }),
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
