import type { Policy } from '../../contract/policy.ts';
import type { RequestView } from '../extract/request-view.ts';
import { isSameHost, originOf } from '../grammars/url/origin.ts';
import { wordList } from '../text/words.ts';

/** What the browser said about where a request comes from. */
type Provenance = 'same' | 'trusted' | 'foreign' | 'unknown';

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', '']);

const overrideMembers: readonly string[] = wordList(
  'header.x-http-method-override header.x-http-method header.x-method-override',
  'query._method body._method',
);

/** The method that the application will act on; frameworks let a header or `_method` replace it. */
export function effectiveMethod(request: RequestView): string {
  const own = request.get('method');
  if (own === undefined) return '';
  const method = methodOf(own);
  if (method === '') return '';
  for (const member of overrideMembers) {
    const override = methodOf(request.get(member) ?? '');
    if (!safeMethods.has(override)) return override;
  }
  return method;
}

function methodOf(text: string): string {
  return text.trim().toUpperCase();
}

/**
 * True for the methods that must not change state (RFC 9110, section 9.2.1), and when none is
 * known.
 */
export function isSafeMethod(method: string): boolean {
  return safeMethods.has(method);
}

/**
 * Where the request comes from, as Go 1.25's `http.CrossOriginProtection` decides it:
 * Sec-Fetch-Site (Fetch Metadata) first, then Origin against Host; neither header means that no
 * browser sent it.
 */
export function provenanceOf(request: RequestView, policy: Policy): Provenance {
  const origin = (request.get('header.origin') ?? '').trim();
  const site = (request.get('header.sec-fetch-site') ?? '').trim().toLowerCase();
  if (site === 'same-origin' || site === 'none') return 'same';
  if (site === '' && origin === '') return 'unknown';
  if (policy.trustedOrigins.includes(originOf(origin))) return 'trusted';
  if (site !== '') return 'foreign';
  const host = request.get('header.host') ?? '';
  if (host === '') return 'unknown';
  return isSameHost(originOf(origin), host) ? 'same' : 'foreign';
}

/** The member that shows the foreign origin best. */
export function provenanceMember(request: RequestView): string {
  return request.get('header.origin') ? 'header.origin' : 'header.sec-fetch-site';
}
