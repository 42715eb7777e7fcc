import type { ProxiedRequest } from '../../contract/ports.ts';
import { bearerKeyIn } from '../api-key.ts';
import type { UwsRequest } from '../uws.ts';

/** Where the route begins; what follows it is the path of the client's request. */
export const forwardPath = '/forward';

/** The client's request but for its body, or why the proxy did not make clear what it is. */
export type Told =
  | { readonly kind: 'request'; readonly request: Omit<ProxiedRequest, 'body'> }
  | { readonly kind: 'unclear'; readonly request: Named; readonly reason: string };

type Named = Pick<ProxiedRequest, 'headers'>;

const urlHeader = 'x-original-url';
const uriHeaders = ['x-forwarded-uri', 'x-original-uri', urlHeader];
const methodHeaders = ['x-forwarded-method', 'x-original-method'];

/**
 * The client's request as a proxy describes it: in headers, or, as Envoy does, with the path behind
 * that of the route and the method as it is.
 *
 * A client can send the same headers. A proxy that sets one of them and passes on another of the
 * client's would have the wrong request screened, so all headers with the URI must agree, and so
 * must all with the method: an unclear request is refused. The key is the proxy's, and no part of
 * the request.
 */
export function readProxied(req: UwsRequest, key: string): Told {
  // Without a prototype: the names are the client's.
  const headers: Record<string, string[]> = Object.create(null);
  req.forEach((name, value) => {
    headers[name] ??= [];
    headers[name].push(value);
  });
  const path = req.getUrl().slice(forwardPath.length);
  const query = req.getQuery() ?? '';
  const uris = uriHeaders.flatMap((name) => {
    const values = headers[name] ?? [];
    return name === urlHeader ? values.map(pathOf) : values;
  });
  const methods = methodHeaders.flatMap((name) => headers[name] ?? []);
  if (path !== '') {
    uris.push(query === '' ? path : `${path}?${query}`);
    methods.push(req.getCaseSensitiveMethod());
  }
  const url = theOne(uris);
  const method = theOne(methods);
  const unclear = (reason: string): Told => ({ kind: 'unclear', request: { headers }, reason });
  if (url === undefined) return unclear(advice(uris, 'URI', uriHeaders));
  if (method === undefined) return unclear(advice(methods, 'method', methodHeaders));
  const host = headers['x-forwarded-host'];
  if (path === '' && host !== undefined) {
    // The host of the question is that of Sallyport.
    headers['host'] = host;
    delete headers['x-forwarded-host'];
  }
  for (const name of [...uriHeaders, ...methodHeaders]) delete headers[name];
  removeKey(headers, key);
  const isBodyComplete = headers['x-envoy-auth-partial-body']?.includes('true') !== true;
  return { kind: 'request', request: { method, url, headers, isBodyComplete } };
}

/** Takes away the headers that hold the key of the proxy. Another key there is the client's. */
function removeKey(headers: Record<string, string[]>, key: string): void {
  if (headers['x-api-key']?.[0] === key) delete headers['x-api-key'];
  if (bearerKeyIn(headers['authorization']?.[0] ?? '') === key) delete headers['authorization'];
}

/** ingress-nginx sends a whole URL. */
function pathOf(url: string): string {
  return url.replace(/^https?:\/\/[^/?#]*/i, '');
}

function theOne(values: readonly string[]): string | undefined {
  const [first] = values;
  return values.every((value) => value === first) && first !== '' ? first : undefined;
}

function advice(values: readonly string[], what: string, names: readonly string[]): string {
  const header = names[0] ?? '';
  if (values.every((value) => value === '')) {
    return `the proxy does not send the ${what} of the request; have it set ${header}`;
  }
  const others = names.slice(1).join(' and ');
  return `the proxy sends two different ${what}s; have it set ${header} and remove the ${others} of clients`;
}
