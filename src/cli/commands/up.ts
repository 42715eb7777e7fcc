import { sep } from 'node:path';
import { defaultConfig } from '../../config/defaults.ts';
import { packageInfo } from '../../config/package-info.ts';
import { settings } from '../../config/settings.ts';
import type { Command } from '../command.ts';
import { dashboardLink, reachableOrigin } from '../dashboard-link.ts';
import { formatMoment } from '../moment.ts';

const keyName = 'first steps';
const keyLifeMs = 30 * 86_400_000;

export const up: Command = {
  name: 'up',
  summary: 'Start and print requests to try, with a key for them.',
  settings: settings.map((setting) => setting.name),
  notes: 'On a terminal the log is written for people; elsewhere it is one JSON line per block.',
  async run({ config }, terminal) {
    const { withKeyRing } = await import('../key-ring.ts');
    const { firstKey } = await import('../../access/first-key.ts');
    const { createReadableLog } = await import('../../telemetry/log/readable-log.ts');
    const { runSallyport } = await import('../../main.ts');
    const now = Date.now();
    const expiresAt = now + keyLifeMs;
    const key = await withKeyRing(config, async (keys, note) => {
      const { key, id } = await firstKey(keys, { name: keyName, now, expiresAt });
      const summary = `made the live key ${id} (${keyName})`;
      if (id !== undefined) await note({ action: 'key.create', target: id, summary });
      return key;
    });
    const write = (text: string) => terminal.out(text);
    const { paint, isInteractive } = terminal;
    const isTerminal = isInteractive.in && isInteractive.out;
    const log = isTerminal
      ? createReadableLog({ level: config.logLevel, write, paint, clock: Date.now })
      : undefined;
    return runSallyport(
      config,
      (reachable) => {
        const { dataDir } = config;
        const { address } = reachable;
        const dashboard = dashboardLink(reachable);
        const facts = { address, key, expiresAt, dataDir, dashboard, isTerminal };
        const steps = firstSteps(facts);
        terminal.out(steps);
        if (isTerminal) terminal.onLine(() => terminal.out(steps));
      },
      log,
    );
  },
};

/** What a newcomer can paste into a shell. */
function firstSteps(facts: {
  readonly address: string;
  readonly key: string;
  readonly expiresAt: number;
  readonly dataDir: string;
  readonly dashboard: string | undefined;
  readonly isTerminal: boolean;
}): string {
  const { address, key, expiresAt, dataDir, dashboard, isTerminal } = facts;
  const place = dataDir === defaultConfig().dataDir ? '' : ` --data-dir ${quote(dataDir)}`;
  return `
Sallyport is ready at ${address}

A harmless login is answered 200:

${curl(address, key, { username: 'alice', password: 'correct horse battery staple' })}

An SQL injection is answered 403, with the reason:

${curl(address, key, { username: "' OR 1=1 --", password: 'correct horse battery staple' })}

The key is the same at each start, and good until ${formatMoment(expiresAt)}. Make a key for your application:

  npx sallyport keys create --name my-app${place}
${dashboard === undefined ? '' : dashboardSteps(dashboard)}
Press Ctrl+C to stop${isTerminal ? ', Enter to see this again' : ''}. To start again: ${startAgain()}

`;
}

/** Where the block is explained: the evidence stands in a member that is stored. */
function dashboardSteps(link: string): string {
  return `
See the block explained, and manage keys and policies, in the dashboard:

  ${link}
`;
}

function curl(address: string, key: string, body: Readonly<Record<string, string>>): string {
  const unixPath = address.startsWith('unix:') ? address.slice('unix:'.length) : undefined;
  const target =
    unixPath === undefined
      ? quote(`${reachableOrigin(address)}/control`)
      : `--unix-socket ${quote(unixPath)} http://localhost/control`;
  return `  curl -i ${target} \\
    -H 'content-type: application/json' \\
    -H 'x-api-key: ${key}' \\
    -d ${quote(JSON.stringify(body))}`;
}

/** A clone installs and builds what has changed first; a package is there as it is. */
function startAgain(): string {
  const isPackage = packageInfo().root.split(sep).includes('node_modules');
  return isPackage ? 'npx sallyport up' : 'npm run up';
}

/** A word for a POSIX shell. */
function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
