import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Machine, StepError } from './machine.ts';
import { account, places } from './places.ts';
import type { Release } from './release.ts';

/** Settings by name, as the configuration file has them. */
export type Settings = Readonly<Record<string, unknown>>;

/** What is to be installed. */
export interface Wanted {
  /** Directory of the package. */
  readonly root: string;
  readonly release: Release;
  /** Settings to be written; what was set before and is not named stays. */
  readonly settings: Settings;
  /** Names of settings that may hold a password. */
  readonly secrets: ReadonlySet<string>;
  /** How many front ends; as many as there are when not said. */
  readonly instances: number | undefined;
}

/** What there was, for the way back. */
interface Before {
  readonly release: string | undefined;
  readonly config: string | undefined;
  readonly enabled: readonly string[];
}

/** How it came out. */
export interface Installed {
  readonly settings: Settings;
  readonly instances: number;
}

/** The instance that answers while the others are renewed. */
const standIn = 'sallyport@next.service';

/**
 * Installs the service, or renews the one that is there: a further instance of the new release is
 * started first, then one instance after the other is replaced, so that some always answer. When
 * the new release does not start, the old one goes on.
 */
export function installService(machine: Machine, wanted: Wanted): Installed {
  const { root, release } = wanted;
  const before: Before = {
    release: currentRelease(),
    config: readText(places.config),
    enabled: enabledInstances(),
  };
  const settings = { ...parseConfig(before.config), ...wanted.settings };
  const count = wanted.instances ?? Math.max(1, before.enabled.length);
  if (settings['socket'] !== undefined && count > 1) {
    throw new StepError(
      'Several front ends share a port, not a Unix socket: leave out the socket, or install one.',
    );
  }
  if (!existsSync(release.path)) machine.copy(release);
  prepareMachine(machine, root);
  const shown = Object.entries(settings).map(([name, value]) => [
    name,
    wanted.secrets.has(name) ? '…' : value,
  ]);
  writeConfig(machine, configText(settings), configText(Object.fromEntries(shown)));
  if (!existsSync(places.pepper)) {
    const pepper = `${randomBytes(32).toString('hex')}\n`;
    machine.write(places.pepper, 0o600, pepper, '(64 random digits)');
  }
  machine.link(places.current, release.name);
  machine.run('systemctl', 'daemon-reload');
  const instances = Array.from({ length: count }, (_, index) => unitOf(index + 1));
  machine.run('systemctl', 'enable', '--quiet', basename(places.target), ...instances);
  try {
    replaceInstances(machine, instances, before.enabled.length > 0);
  } catch (error) {
    goBack(machine, before, { release, instances });
    throw error;
  }
  const superfluous = before.enabled.filter((unit) => !instances.includes(unit));
  if (superfluous.length > 0) machine.run('systemctl', 'disable', '--now', ...superfluous);
  if (release.name !== before.release) removeOldReleases(machine, [release.name, before.release]);
  return { settings, instances: count };
}

/** Brings back what there was. After a first installation that is nothing: it stays, to be seen. */
function goBack(
  machine: Machine,
  before: Before,
  failed: { readonly release: Release; readonly instances: readonly string[] },
): void {
  if (before.release === undefined || before.config === undefined) return;
  machine.link(places.current, before.release);
  writeConfig(machine, before.config, '(as before)');
  const added = failed.instances.filter((unit) => !before.enabled.includes(unit));
  if (added.length > 0) machine.tried('systemctl', 'disable', '--now', ...added);
  // The stand-in answers until then.
  machine.tried('systemctl', 'start', ...before.enabled);
  machine.tried('systemctl', 'stop', standIn);
  if (failed.release.name !== before.release) machine.remove(failed.release.path);
}

/** Readable for the service and root: the address of a database can have a password in it. */
function writeConfig(machine: Machine, text: string, shown: string): void {
  machine.write(places.config, 0o640, text, shown);
  machine.run('chown', `root:${account}`, places.config);
}

function configText(settings: Settings): string {
  return `${JSON.stringify(settings, null, 2)}\n`;
}

/** Everything that is the same for each release. */
function prepareMachine(machine: Machine, root: string): void {
  const text = (name: string) => readFileSync(join(root, 'src', 'deploy', 'systemd', name), 'utf8');
  machine.write(places.sysusers, 0o644, text('sysusers.conf'));
  machine.run('systemd-sysusers', places.sysusers);
  machine.write(places.sysctl, 0o644, text('sysctl.conf'));
  // Not allowed in containers, which have what their host has; an old kernel does not know it.
  machine.tried('/usr/lib/systemd/systemd-sysctl', places.sysctl);
  machine.write(places.service, 0o644, text('sallyport@.service'));
  machine.write(places.target, 0o644, text('sallyport.target'));
  machine.write(places.command, 0o755, text('sallyport'));
}

function replaceInstances(machine: Machine, instances: readonly string[], isUpgrade: boolean) {
  // Else systemd refuses to start what it has given up.
  machine.tried('systemctl', 'reset-failed', '--quiet', 'sallyport@*.service');
  if (isUpgrade) start(machine, 'start', standIn);
  for (const unit of instances) start(machine, 'restart', unit);
  machine.run('systemctl', 'start', basename(places.target));
  if (isUpgrade) machine.run('systemctl', 'stop', standIn);
}

/** Returns when the instance answers. */
function start(machine: Machine, verb: 'start' | 'restart', unit: string): void {
  if (machine.tried('systemctl', verb, unit)) return;
  machine.tried('journalctl', '--unit', unit, '--lines', '20', '--no-pager', '--output', 'cat');
  throw new StepError(
    `${unit} did not start: the log above says why. What ran before goes on; see to the cause and ` +
      'install again.',
  );
}

function unitOf(instance: number): string {
  return `sallyport@${instance}.service`;
}

/** The instances that start with the machine. */
export function enabledInstances(): string[] {
  if (!existsSync(places.enabled)) return [];
  return readdirSync(places.enabled)
    .filter((name) => /^sallyport@\d+\.service$/.test(name))
    .toSorted();
}

function currentRelease(): string | undefined {
  try {
    return readlinkSync(places.current);
  } catch {
    return undefined;
  }
}

function removeOldReleases(machine: Machine, kept: readonly (string | undefined)[]): void {
  if (!existsSync(places.releases)) return;
  const names = readdirSync(places.releases).filter((name) => name !== basename(places.current));
  for (const name of names) {
    if (!kept.includes(name)) machine.remove(join(places.releases, name));
  }
}

function readText(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

function parseConfig(text = '{}'): Settings {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new StepError(`${places.config} is not JSON. Correct it and install again.`, { cause });
  }
}
