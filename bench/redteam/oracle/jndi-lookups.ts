// The grammar of Log4j's lookups, as its manual and StrSubstitutor describe it: nested, with
// defaults behind `:-`, `$` before a lookup as an escape, prefixes in any case.

type Lookup = (key: string) => string | undefined;

const environment: Readonly<Record<string, string>> = {
  HOSTNAME: 'shop-1',
  USER: 'shop',
  HOME: '/home/shop',
  LANG: 'en',
  SHELL: '/bin/sh',
};
const properties: Readonly<Record<string, string>> = {
  'java.version': '1.8.0_181',
  'user.name': 'shop',
  'os.name': 'Linux',
  'file.separator': '/',
  'path.separator': ':',
};

/** The texts in single quotes of a date format; letters outside are fields of the date. */
function date(format: string): string {
  return format.replace(/'((?:[^']|'')*)'|[A-Za-z]+/g, (_, text: string | undefined) =>
    text === undefined ? '1' : text === '' ? "'" : text.replaceAll("''", "'"),
  );
}

function lookups(jndi: (name: string) => void): Readonly<Record<string, Lookup>> {
  const none: Lookup = () => undefined;
  return {
    lower: (key) => key.toLowerCase(),
    upper: (key) => key.toUpperCase(),
    env: (key) => environment[key],
    sys: (key) => properties[key],
    java: (key) => (key === 'version' ? 'Java version 1.8.0_181' : undefined),
    date,
    base64: (key) => Buffer.from(key, 'base64').toString(),
    jndi(key) {
      jndi(key);
      return undefined;
    },
    ctx: none,
    map: none,
    sd: none,
    main: none,
    marker: none,
    bundle: none,
    web: none,
    k8s: none,
    docker: none,
    spring: none,
  };
}

const stepsAtMost = 20_000;

/** The text with its lookups resolved; each name that JNDI is asked for goes to `jndi`. */
export function resolveLookups(text: string, jndi: (name: string) => void): string {
  const known = lookups(jndi);
  let steps = 0;

  function value(name: string): string | undefined {
    const colon = name.indexOf(':');
    if (colon < 0) return undefined;
    const lookup = known[name.slice(0, colon).toLowerCase()];
    return lookup?.(name.slice(colon + 1));
  }

  function resolve(from: string, depth: number): string {
    let rest = from;
    let done = '';
    for (;;) {
      steps += 1;
      if (steps > stepsAtMost || depth > 50) throw new RangeError('Infinite loop of lookups');
      const start = rest.indexOf('${');
      if (start < 0) return done + rest;
      if (start > 0 && rest[start - 1] === '$') {
        done += rest.slice(0, start - 1);
        // The escape goes, and what it stood before stays as it is.
        done += '${';
        rest = rest.slice(start + 2);
        continue;
      }
      const end = endOf(rest, start + 2);
      if (end === undefined)
        return done + rest.slice(0, start + 2) + resolve(rest.slice(start + 2), depth + 1);
      const expression = resolve(rest.slice(start + 2, end), depth + 1);
      const at = expression.indexOf(':-');
      const name = at < 0 ? expression : expression.slice(0, at);
      const found = value(name) ?? (at < 0 ? undefined : expression.slice(at + 2));
      done += rest.slice(0, start);
      done += found === undefined ? rest.slice(start, end + 1) : resolve(found, depth + 1);
      rest = rest.slice(end + 1);
    }
  }

  return resolve(text, 0);
}

function endOf(text: string, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    if (text.startsWith('${', at)) {
      depth += 1;
      at += 1;
    } else if (text[at] === '}') {
      if (depth === 0) return at;
      depth -= 1;
    }
  }
  return undefined;
}
