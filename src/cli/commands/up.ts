import { basename, relative } from 'node:path';
import { defaultConfig, settings } from '../../config/settings.ts';
import type { Command } from '../command.ts';
import { dashboardLink, reachableOrigin } from '../dashboard-link.ts';
import { formatMoment } from '../moment.ts';

const keyName = 'first steps';
const keyLifeMs = 30 * 86_400_000;

export const up: Command = {
  name: 'up',
  summary: 'Start and print requests to try, with a fresh key.',
  settings: settings.map((setting) => setting.name),
  async run(input, terminal) {
    const { withKeyRing } = await import('../key-ring.ts');
    const { issueKey } = await import('../../access/issue-key.ts');
    const { runSallyport } = await import('../../main.ts');
    const now = Date.now();
    const expiresAt = now + keyLifeMs;
    const { key } = await withKeyRing(input.config, (keys) =>
      issueKey(keys, { name: keyName, now, expiresAt }),
    );
    return runSallyport(input.config, (reachable) => {
      const { dataDir } = input.config;
      const { address } = reachable;
      const dashboard = dashboardLink(reachable);
      terminal.out(firstSteps({ address, key, expiresAt, dataDir, dashboard }));
    });
  },
};

/** What a newcomer can paste into a shell. */
function firstSteps(facts: {
  readonly address: string;
  readonly key: string;
  readonly expiresAt: number;
  readonly dataDir: string;
  readonly dashboard: string | undefined;
}): string {
  const { address, key, expiresAt, dataDir, dashboard } = facts;
  const place = dataDir === defaultConfig().dataDir ? '' : ` --data-dir ${quote(dataDir)}`;
  return `
Sallyport is ready at ${address}

A harmless login is answered 200:

${curl(address, key, { username: 'alice', password: 'correct horse battery staple' })}

An SQL injection is answered 403, with the reason:

${curl(address, key, { username: "' OR 1=1 --", password: 'correct horse battery staple' })}

This key is good until ${formatMoment(expiresAt)}. Make lasting ones with:

  ${thisProgram()} keys create --name my-app${place}
${dashboard === undefined ? '' : dashboardSteps(dashboard)}
Press Ctrl+C to stop.

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

/** The words that start this program: in a fresh clone there is no `sallyport` on the path. */
function thisProgram(): string {
  const [node = 'node', program = 'sallyport'] = process.argv;
  if (basename(program) === 'sallyport') return 'sallyport';
  return `${quote(node)} ${quote(relative('', program))}`;
}

/** A word for a POSIX shell. */
function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
