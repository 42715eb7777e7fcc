import { existsSync } from 'node:fs';
import { defaultConfig } from '../../config/defaults.ts';
import { packageInfo } from '../../config/package-info.ts';
import { type SettingName, settings } from '../../config/settings.ts';
import type { Installed } from '../../deploy/install.ts';
import type { Machine } from '../../deploy/machine.ts';
import { places } from '../../deploy/places.ts';
import { type Command, CommandError, type Terminal, UsageError } from '../command.ts';
import { reachableOrigin } from '../dashboard-link.ts';

const instancesMax = 64;

/** Settings that the unit makes for itself. */
const fixed: readonly SettingName[] = ['config', 'dataDir', 'pepperFile', 'sharePort'];

export const serviceInstall: Command = {
  name: 'service install',
  summary: 'Install or upgrade the systemd service on this machine.',
  options: [
    { name: 'instances', value: '<n>', help: 'front ends that share the port; 1, or as before' },
    { name: 'dry-run', help: 'only print what would be done' },
  ],
  settings: settings.map(({ name }) => name).filter((name) => !fixed.includes(name)),
  notes: `Copies this version and its Node to ${places.releases}, makes the account, the folders, the
pepper and the units, and starts the service. Run again, from another version, it upgrades
without losing a request. Settings that are given, as flags or variables, are written to
${places.config}; those of before stay.`,
  async run(input, terminal) {
    const instances = instancesOf(input.text('instances'));
    const isDry = input.isOn('dry-run');
    const machine = await machineFor(isDry, terminal);
    await checkNode();
    const { root, version } = packageInfo();
    const { installService } = await import('../../deploy/install.ts');
    const { planRelease } = await import('../../deploy/release.ts');
    const given = settings.filter(({ name }) => {
      const source = input.sources[name];
      return (
        serviceInstall.settings.includes(name) && (source === 'flag' || source === 'environment')
      );
    });
    const installed = installService(machine, {
      root,
      release: planRelease({ root, version, node: process.execPath }),
      settings: Object.fromEntries(given.map(({ name }) => [name, input.config[name]])),
      secrets: new Set(settings.filter(({ isSecret }) => isSecret).map(({ name }) => name)),
      instances,
    });
    terminal.out(isDry ? 'Nothing was changed: this was a dry run.\n' : nextSteps(installed));
    return 0;
  },
};

/** Refuses to copy a Node, for root to start, that another account may have put in place. */
async function checkNode(): Promise<void> {
  const { nodeComplaint } = await import('../../deploy/known-node.ts');
  const complaint = nodeComplaint({
    path: process.execPath,
    version: process.version,
    platform: `${process.platform}-${process.arch}`,
  });
  if (complaint !== undefined) throw new CommandError(complaint);
}

/** The machine to be changed, or one on paper. Refuses with advice what cannot be. */
export async function machineFor(isDry: boolean, terminal: Terminal): Promise<Machine> {
  const { paperMachine, thisMachine } = await import('../../deploy/machine.ts');
  if (isDry) return paperMachine((line) => terminal.out(`${line}\n`));
  if (!existsSync('/run/systemd/system')) {
    throw new CommandError(
      'systemd does not run on this machine. See what would be done with --dry-run, or run ' +
        '`sallyport serve` under whatever supervises services here.',
    );
  }
  if (process.geteuid?.() !== 0) {
    throw new CommandError('Only root may change services: run it with sudo, or try --dry-run.');
  }
  // What is copied must be readable for the account of the service.
  process.umask(0o022);
  return thisMachine((line) => terminal.err(`${line}\n`));
}

function instancesOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const count = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= instancesMax) return count;
  throw new UsageError(`--instances must be a whole number from 1 to ${instancesMax}.`);
}

function nextSteps({ settings: set, instances }: Installed): string {
  const { host, port } = { ...defaultConfig(), ...set };
  const { socket, tlsCert } = set;
  const scheme = tlsCert === undefined ? 'http' : 'https';
  const name = String(host).includes(':') ? `[${host}]` : host;
  const origin = reachableOrigin(`${scheme}://${name}:${port}`);
  const target =
    socket === undefined ? `${origin}/control` : `--unix-socket ${socket} http://localhost/control`;
  const dashboard =
    socket === undefined
      ? `
Find the link that makes the first administrator of ${origin}/dashboard/:
  sudo journalctl --output cat --unit 'sallyport@*' | grep Dashboard: | tail -1
`
      : '';
  return `
Sallyport answers at ${socket ?? origin} (${instances === 1 ? '1 front end' : `${instances} front ends`}).

Make a key, which is shown once, and try it:
  KEY=$(sudo sallyport keys create --name my-app)
  curl -i ${target} \\
    -H "x-api-key: $KEY" -H 'content-type: application/json' -d '{"q":"hello"}'
${dashboard}
See how it does:
  systemctl status 'sallyport@*'
  journalctl --follow --unit 'sallyport@*'

Settings are in ${places.config}; \`sudo sallyport service install\` puts a change
in force without losing a request. Back up ${places.data} and ${places.pepper}.
`;
}
