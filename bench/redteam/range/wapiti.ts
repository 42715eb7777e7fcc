import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { browser, runTool, type Tool, withFolder } from './tool.ts';

/** Those that attack what the range has, and need no machine elsewhere. */
const modules = ['sql', 'blindsql', 'exec', 'file', 'xss,permanentxss', 'redirect'];

/** It attacks all routes in one run: it gets the time of some. */
const routesEach = 6;

/** What a report of wapiti holds, by kind of vulnerability. */
interface Report {
  readonly vulnerabilities?: Readonly<
    Record<string, readonly { readonly path: string; readonly parameter: string }[]>
  >;
}

/** One scan with each module: it finds the routes by the front page. */
export const wapiti: Tool = {
  name: 'wapiti',
  tools: ['wapiti'],
  fits: () => true,
  attacks: () =>
    modules.map((module) => ({
      name: `wapiti/${module}`,
      target: 'all that the front page leads to',
      run: (site, given) =>
        withFolder(async (folder) => {
          const seconds = routesEach * given;
          const report = join(folder, 'report.json');
          const args = [
            ...['-u', `${site}/`, '-m', module, '-A', browser, '-f', 'json', '-v', '0'],
            ...['-o', report, '--flush-session', '--no-bugreport', '-t', '1'],
            ...['--store-session', folder, '--store-config', folder],
            // The crawl comes first; the report is written when time is up.
            ...['--max-scan-time', String(seconds / 4), '--max-attack-time', String(seconds / 2)],
          ];
          await runTool('wapiti', args, { folder, seconds });
          return findingsIn(report);
        }),
    })),
};

function findingsIn(path: string): string[] {
  if (!existsSync(path)) return [];
  const { vulnerabilities = {} } = JSON.parse(readFileSync(path, 'utf8')) as Report;
  const all = Object.entries(vulnerabilities).flatMap(([kind, list]) =>
    list.map(({ path: at, parameter }) => `${kind}: ${at} ${parameter}`),
  );
  return [...new Set(all)];
}
