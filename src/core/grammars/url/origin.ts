/** Scheme, host and port of an Origin header or a URL, lower case; `''` when there is none. */
export function originOf(url: string): string {
  const scheme = url.indexOf('://');
  if (scheme <= 0 || scheme > 20) return '';
  const end = endOfAuthority(url, scheme + 3);
  const authority = url.slice(scheme + 3, end);
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  return `${url.slice(0, scheme)}://${host}`.toLowerCase();
}

/** Host and port of an origin. */
function hostOf(origin: string): string {
  return origin.slice(origin.indexOf('://') + 3);
}

/**
 * True when a Host header names the same host and port as an origin; default ports may be left out.
 */
export function isSameHost(origin: string, host: string): boolean {
  const normalise = (one: string): string => one.trim().toLowerCase().replace(defaultPort, '');
  return normalise(hostOf(origin)) === normalise(host);
}

const defaultPort = /:(?:80|443)$/;

function endOfAuthority(url: string, start: number): number {
  for (let i = start; i < url.length; i++) {
    if (endsAuthority.includes(url[i] as string)) return i;
  }
  return url.length;
}

const endsAuthority = '/?#\\';
