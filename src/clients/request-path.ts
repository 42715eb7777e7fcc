const schemeAndHost = /^[a-z][a-z0-9+.-]*:[/\\]{2}[^/\\?#]*/i;
const escapes = /(?:%[0-9a-f]{2})+/gi;
const asciiEscape = /%[0-7][0-9a-f]/gi;

/**
 * The path of a request target as most routers end up with: without scheme and host, query and
 * fragment; one slash between segments and none at the end, `.` and `..` resolved, escapes decoded
 * once. `/PAY/`, `http://x/PAY`, `//PAY`, `/x/../PAY` and `/%50AY` are all `/PAY`.
 */
export function pathOf(target: string): string {
  const path = target.replace(schemeAndHost, '').split(/[?#]/, 1)[0] ?? '';
  const segments: string[] = [];
  for (const raw of path.split(/[/\\]/)) {
    const segment = raw.replace(escapes, decoded);
    if (segment === '' || segment === '.') continue;
    if (segment === '..') segments.pop();
    else segments.push(segment);
  }
  return `/${segments.join('/')}`;
}

/** What is not UTF-8 stays; the escapes of ASCII beside it do not. */
function decoded(run: string): string {
  try {
    return decodeURIComponent(run);
  } catch {
    return run.replace(asciiEscape, decodeURIComponent);
  }
}

const doubtful = /^[^/]|[\\#]|\/\/|\/(?:\.|%2e){1,2}(?:\/|$)|%(?:2f|5c|25|00)/i;

/**
 * Whether all routers see the same path in a target. Where they may not, `/pay/../static/a` is a
 * static file to one and a payment to another.
 */
export function isPlainTarget(target: string): boolean {
  const question = target.indexOf('?');
  return !doubtful.test(question < 0 ? target : target.slice(0, question));
}
