import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { collect } from './cli.ts';
import { requireTool } from './require-tool.ts';
import { tempDir } from './temp-dir.ts';
import { until } from './until.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** A machine with systemd, with this one's files, on which nothing else runs. */
export interface Container {
  /** Where its files can be read from outside. */
  readonly root: string;
  /** Runs a program to its end. */
  run(...command: readonly string[]): {
    readonly status: number | null;
    readonly out: string;
    readonly err: string;
  };
  spawn(...command: readonly string[]): ChildProcess;
}

/**
 * The files are those of this machine below an overlay in memory: what the container changes is
 * gone with it. The mounts are made in a namespace of their own, and go with it as well.
 */
const boot = `set -e
mount -t tmpfs tmpfs /run
mount -t tmpfs tmpfs "$1"
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"
rm -rf "$1"/root/etc/systemd/system/*.wants "$1/root/etc/machine-id"
: > "$1/root/etc/machine-id"
exec setpriv --pdeathsig TERM systemd-nspawn --quiet --directory="$1/root" --boot \\
  --register=no --keep-unit --private-network --link-journal=no --console=pipe \\
  --machine="$2" --bind-ro="$3" --bind-ro="$4" -- --unit=multi-user.target
`;

/** Boots a container that is gone after the test; undefined where this machine cannot have one. */
export async function bootContainer(t: TestContext): Promise<Container | undefined> {
  if (!requireTool(t, 'systemd-nspawn')) return undefined;
  if (process.geteuid?.() !== 0) {
    if (process.env['SALLYPORT_TEST_ALL'] === '1') {
      throw new Error('Only root can boot a container, and SALLYPORT_TEST_ALL=1 forbids to skip.');
    }
    t.skip('only root can boot a container');
    return undefined;
  }
  const places = [
    tempDir(),
    `sallyport-test-${process.pid}`,
    repository,
    dirname(process.execPath),
  ];
  const words = ['--mount', '--propagation', 'private', 'sh', '-c', boot, 'boot', ...places];
  const nspawn = spawn('unshare', words, { stdio: ['ignore', 'pipe', 'pipe'] });
  const said = [collect(nspawn.stdout), collect(nspawn.stderr)];
  const gone = once(nspawn, 'close');
  let leader: string | undefined;
  t.after(async () => {
    if (leader === undefined) nspawn.kill('SIGKILL');
    else process.kill(Number(leader), 'SIGKILL');
    await gone;
  });
  const enter = (command: readonly string[]): string[] => [
    ...['--target', String(leader), '--all', `--wd=/proc/${leader}/root`],
    ...command,
  ];
  const container: Container = {
    get root() {
      return `/proc/${leader}/root`;
    },
    run(...command) {
      const done = spawnSync('nsenter', enter(command), { encoding: 'utf8' });
      return { status: done.status, out: done.stdout, err: done.stderr };
    },
    spawn: (...command) => spawn('nsenter', enter(command), { stdio: 'pipe' }),
  };
  await until('the container runs', () => {
    if (nspawn.exitCode !== null) throw new Error(`It ended: ${said.map((text) => text())}`);
    leader ??= childOf(nspawn.pid);
    return leader !== undefined && container.run('systemctl', 'is-system-running').out !== '';
  });
  container.run('systemctl', 'is-system-running', '--wait');
  return container;
}

/** The init of the container; nspawn has other children on the way there, named otherwise. */
function childOf(pid: number | undefined): string | undefined {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children.split(' ').find((child) => commandOf(child) === 'systemd\n');
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8');
  } catch {
    return '';
  }
}
