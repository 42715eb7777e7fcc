/** No router has a longer template. */
const charsMax = 1_024;
const withoutParameters = /^[\w./~@,-]+$/;
/** `:id`, `{id}`, or what is none of both. */
const part = /:(\w{1,64})|\{(\w{1,64})(?=[:}])|[^:{}()[\]*+?\\|^$%#"'<>\s]+/y;
/** `/users{/:id}`: a last segment that may be left out, in the words of Express 5 and Koa. */
const lastGroup = /\{(\/:\w+)\}$/;

/**
 * The path template of a router as OpenAPI writes it: `/users/{id}` for `/users/:id`, `/users/:id?`,
 * `/users/:id(\d+)`, `/users/:id{[0-9]+}`, `/users/{id:\d+}`. Patterns of parameters say nothing about
 * the place of one, and look like calls of functions. A last segment that may be left out is there
 * where the path has as many. Undefined for what is no path with parameters: a catch-all, a regular
 * expression.
 */
export function plainTemplate(template: string, path: string): string | undefined {
  if (!template.startsWith('/') || template.length > charsMax) return undefined;
  if (withoutParameters.test(template)) return template;
  const text = template.replace(lastGroup, '$1?');
  let plain = '';
  for (let at = 0; at < text.length; ) {
    part.lastIndex = at;
    const [own, name, braced] = part.exec(text) ?? [];
    if (own === undefined) return undefined;
    at = part.lastIndex;
    if (braced !== undefined) {
      at = patternEnd(text, at - own.length);
      plain += `{${braced}}`;
    } else if (name === undefined) plain += own;
    else {
      if (text[at] === '(' || text[at] === '{') at = patternEnd(text, at);
      plain += `{${name}}`;
    }
    if (at < 0) return undefined;
    if (text[at] !== '?') continue;
    const last = `{${name ?? braced}}`;
    const isLast = at + 1 === text.length && plain.endsWith(`/${last}`);
    return isLast ? withOptional(plain, last, path) : undefined;
  }
  return plain;
}

function withOptional(plain: string, last: string, path: string): string {
  const isLeftOut = segmentCount(path) < segmentCount(plain);
  return isLeftOut ? plain.slice(0, -last.length - 1) || '/' : plain;
}

/** Behind the bracket that closes the one at a place; -1 without one. */
function patternEnd(text: string, start: number): number {
  const open = text[start];
  const close = open === '(' ? ')' : '}';
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === open) depth += 1;
    else if (text[at] === close && --depth === 0) return at + 1;
  }
  return -1;
}

function segmentCount(path: string): number {
  let count = 0;
  for (const segment of path.split('/')) if (segment !== '') count += 1;
  return count;
}
