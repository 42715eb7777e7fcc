import type { Category } from '../contract.ts';
import type { Route } from './route.ts';
import { browser, runTool, type Tool, type ToolAttack, withFolder } from './tool.ts';

/** Where Debian has its lists. */
const lists = '/usr/share/wfuzz/wordlist/Injections';

/** The list for a route; the others get the one that has something of each. */
const listOf: Readonly<Partial<Record<Category, string>>> = {
  sqli: 'SQL',
  xss: 'XSS',
  traversal: 'Traversal',
};

/** Each list on the first field of each route that it suits. It reports no findings, only answers. */
export const wfuzz: Tool = {
  name: 'wfuzz',
  tools: ['wfuzz', lists],
  fits: () => true,
  attacks: (routes) => routes.map(wfuzzAttack),
};

function wfuzzAttack(route: Route): ToolAttack {
  const list = listOf[route.engine.category] ?? 'All_attack';
  // Forms and addresses need escapes; in JSON they would be part of the value.
  const encoder = route.at === 'json' || route.at === 'header' ? '' : ',urlencode';
  return {
    name: `wfuzz/${list}`,
    target: route.path,
    run: (site, seconds) =>
      withFolder(async (folder) => {
        const args = [
          ...['-z', `file,${lists}/${list}.txt${encoder}`, '-t', '8', '-Z', '--req-delay', '10'],
          ...['-H', `User-Agent: ${browser}`, ...placeOf(route, site)],
        ];
        await runTool('wfuzz', args, { folder, seconds });
        return [];
      }),
  };
}

function placeOf({ path, at, fields, context }: Route, site: string): string[] {
  const pairs = fields.map((name, i) => [name, i === 0 ? 'FUZZ' : (context.benign[i] ?? '')]);
  const form = pairs.map((pair) => pair.join('=')).join('&');
  const url = `${site}${path}`;
  switch (at) {
    case 'query':
      return [`${url}?${form}`];
    case 'form':
      return ['-d', form, url];
    case 'json':
      return [
        ...['-H', 'Content-Type: application/json'],
        ...['-d', JSON.stringify(Object.fromEntries(pairs)), url],
      ];
    case 'path':
      return [`${url}/FUZZ`];
    case 'cookie':
      return ['-b', form, url];
    case 'header':
      return ['-H', 'Referer: FUZZ', url];
  }
}
