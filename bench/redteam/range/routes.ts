import type { Oracle } from '../contract.ts';
import { chromiumOracle } from '../oracle/chromium/chromium.ts';
import { templateOracles } from '../oracle/code/templates.ts';
import { nodeFiles } from '../oracle/files/node.ts';
import { dash } from '../oracle/shell/shells.ts';
import { mariadb } from '../oracle/sql/mariadb.ts';
import { postgres } from '../oracle/sql/postgres.ts';
import { sqlite } from '../oracle/sql/sqlite.ts';
import { nodeUrl } from '../oracle/urls/urls.ts';
import { redirects } from './redirects.ts';
import type { Engine, Placement, Route } from './route.ts';

// DELIBERATELY VULNERABLE: each route puts values of the request into what an interpreter runs.

const [jinja, , , nunjucks, ejs] = templateOracles as readonly [
  Oracle,
  Oracle,
  Oracle,
  Oracle,
  Oracle,
];

/** The routes: interpreter, context, place, and where the value is shown again. */
const table: readonly (readonly [Engine, string, Placement, 'stored'?])[] = [
  [sqlite, 'number', 'query'],
  [sqlite, 'LIKE', 'json'],
  [sqlite, 'log-in', 'form'],
  [sqlite, 'string, Base64', 'cookie'],
  [postgres, 'number, condition behind it', 'path'],
  [postgres, 'string, in parentheses', 'query'],
  [postgres, 'ORDER BY', 'query'],
  [postgres, 'log-in', 'json'],
  [postgres, 'several statements, string', 'form'],
  [mariadb, 'string, single quotes', 'form'],
  [mariadb, 'number, in parentheses', 'cookie'],
  [mariadb, 'string, condition behind it', 'header'],
  [mariadb, 'LIKE, twice in parentheses', 'query'],
  [mariadb, 'INSERT, last string', 'form'],
  [chromiumOracle, 'text', 'query'],
  [chromiumOracle, 'attribute, double quotes', 'query'],
  [chromiumOracle, 'script string, single quotes', 'query'],
  [chromiumOracle, 'before a script', 'form', 'stored'],
  [nunjucks, 'text', 'form'],
  [ejs, 'expression string', 'json'],
  [jinja, 'text', 'query'],
  [dash, 'argument, unquoted', 'form'],
  [dash, 'argument, double quotes', 'query'],
  [nodeFiles, 'path.join', 'query'],
  [nodeFiles, 'folder in the middle', 'path'],
  [nodeUrl, 'whole', 'form'],
  [nodeUrl, 'host', 'query'],
  [redirects, 'path of the shop', 'query'],
];

/** All routes, in the order of the front page. */
export const routes: readonly Route[] = table.map(([engine, name, at, stored]) => {
  const context = engine.contexts.find((one) => one.name === name);
  if (context === undefined) throw new Error(`${engine.name} has no context ${name}.`);
  return {
    path: `/${slug(engine.name)}/${slug(name)}`,
    at,
    engine,
    context,
    fields:
      at === 'header' ? ['referer'] : context.members.map((member) => member.split('.')[1] ?? ''),
    isStored: stored !== undefined,
  };
});

function slug(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]+/g, '-');
}
