import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { collect } from '../support/cli.ts';

/** What one run of sqlmap came to. */
export interface SqlmapRun {
  /** Injection points that it is sure of, such as `q (GET): UNION query`. */
  readonly found: readonly string[];
  /** Everything that it said. */
  readonly log: string;
}

/**
 * Runs sqlmap to its end with nothing to ask anybody, and as hard with a guard as without: refusals
 * count as answers, and it does not look for a guard first.
 */
export async function runSqlmap(args: readonly string[]): Promise<SqlmapRun> {
  const home = mkdtempSync(join(tmpdir(), 'sqlmap-'));
  try {
    const child = spawn('sqlmap', [...always, '--output-dir', home, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      // It keeps its settings and its history below HOME.
      env: { ...process.env, HOME: home, XDG_DATA_HOME: home },
    });
    const [out, err] = [collect(child.stdout), collect(child.stderr)];
    const [code] = await once(child, 'close');
    const log = out() + err();
    if (code !== 0) throw new Error(`sqlmap ended with ${String(code)}:\n${log}`);
    return { found: pointsIn(log), log };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Its own name alone would be refused. */
const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';

const always = [
  ...['--user-agent', browser],
  ...'--batch --ignore-stdin --flush-session --disable-coloring --retries 0 --threads 4'.split(' '),
  ...'--skip-waf --ignore-code 401,403,500'.split(' '),
  ...'--dbms sqlite --technique BEUQ --level 3 --risk 3'.split(' '),
];

function pointsIn(log: string): string[] {
  let parameter = '';
  return log.split('\n').flatMap((line) => {
    const [, name] = /^Parameter: (.+)$/.exec(line) ?? [];
    if (name !== undefined) parameter = name;
    const [, type] = /^ {4}Type: (.+)$/.exec(line) ?? [];
    return type === undefined ? [] : [`${parameter}: ${type}`];
  });
}
