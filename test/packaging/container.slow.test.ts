import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { buildService, writeChecksums } from '../../src/packaging/release.ts';
import { versionOf } from '../../src/packaging/version.ts';
import { runCli } from '../support/cli.ts';
import { freePort } from '../support/ports.ts';
import { findTool, requireInstalled, requireTool } from '../support/require-tool.ts';
import { tempDir } from '../support/temp-dir.ts';
import { until } from '../support/until.ts';
import { repository } from './empty-folder.ts';

const sources = join(repository, 'src/deploy/container');

/** Packages of Debian whose files, as they lie on this machine, are the base of the image. */
const debianPackages = [
  ...['base-files', 'base-passwd', 'dash', 'coreutils', 'tar', 'gzip', 'libc6', 'libstdc++6'],
  ...['libgcc-s1', 'libselinux1', 'libacl1', 'libattr1', 'libpcre2-8-0', 'libgmp10', 'libssl3'],
];

const makeRoot = `set -e
mkdir -p usr/bin usr/sbin usr/lib usr/lib64 usr/local/bin tmp proc sys dev run
for name in bin sbin lib lib64; do ln -s usr/$name $name; done
for name in "$@"; do dpkg -L "$name" 2>/dev/null || true; done | sort -u |
  grep -vxE '/|/(bin|sbin|lib|lib64)|/usr/share/(doc|man|locale).*|.* diverted? .*' |
  while read -r path; do if [ -L "$path" ] || [ -f "$path" ]; then echo "$path"; fi; done |
  tar --no-recursion -cf - -T - 2>/dev/null | tar --keep-directory-symlink -xf -
`;

/** Podman with a storage of its own, gone after the test. */
function podmanOf(t: TestContext) {
  const storage = mkdtempSync(join(tmpdir(), 'sallyport-podman-'));
  // crun refuses the mixed control groups of older systems.
  const runtime = findTool('runc') === undefined ? [] : ['--runtime', 'runc'];
  const fixed = ['--root', join(storage, 'root'), '--runroot', join(storage, 'run')];
  const words = [...fixed, '--storage-driver', 'vfs', '--cgroup-manager', 'cgroupfs', ...runtime];
  t.after(() => {
    spawnSync('podman', [...words, 'rm', '--all', '--force', '--time', '0']);
    rmSync(storage, { recursive: true, force: true });
  });
  return (...command: readonly string[]) => {
    const done = spawnSync('podman', [...words, ...command], { encoding: 'utf8' });
    const ok = () => {
      assert.equal(done.status, 0, `podman ${command.join(' ')}\n${done.stdout}${done.stderr}`);
      return done.stdout.trim();
    };
    return { ok, status: done.status, err: done.stderr };
  };
}

type Podman = ReturnType<typeof podmanOf>;

/** The image from the released tarball, on bases that are made of what is on this machine. */
function buildImage(podman: Podman): void {
  const context = tempDir();
  buildService(versionOf(repository), { stage: tempDir(), folder: context });
  writeChecksums(context);
  const base = tempDir();
  const root = join(base, 'root');
  mkdirSync(root);
  const made = spawnSync('sh', ['-c', makeRoot, 'sh', ...debianPackages], { cwd: root });
  assert.equal(made.status, 0, String(made.stderr));
  copyFileSync(process.execPath, join(base, 'node'));
  const plain = 'FROM scratch\nCOPY root /\n';
  const build = [
    'build',
    '--isolation',
    'chroot',
    '--network',
    'host',
    '--format',
    'docker',
    '--layers=false',
  ];
  for (const [name, text] of [
    ['debian', plain],
    ['node', `${plain}COPY node /usr/local/bin/node\n`],
  ]) {
    writeFileSync(join(base, 'Containerfile'), text ?? '');
    podman(...build, '-t', `localhost/${name}`, base).ok();
  }
  const bases = ['NODE_IMAGE=localhost/node', 'BASE_IMAGE=localhost/debian'];
  const arguments_ = bases.flatMap((base) => ['--build-arg', base]);
  const file = join(sources, 'Containerfile');
  podman(...build, '--pull=never', ...arguments_, '-f', file, '-t', 'sallyport', context).ok();
}

test('the image runs without root, on a read-only system, and keeps its data', async (t) => {
  if (!requireTool(t, 'podman')) return;
  if (!requireInstalled(t, 'root for podman', process.geteuid?.() === 0)) return;
  const podman = podmanOf(t);
  buildImage(podman);
  const port = String(await freePort());
  const limits = ['--ulimit', 'nofile=4096:4096', '--ulimit', 'nproc=4096:4096'];
  const start = () => {
    const safe = ['--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'];
    const place = ['--network', 'host', '--volume', 'data:/var/lib/sallyport'];
    const environment = ['-e', `SALLYPORT_PORT=${port}`, '-e', 'SALLYPORT_HOST=127.0.0.1'];
    const words = [...safe, ...limits, ...place, ...environment, '--name', 'one'];
    podman('run', '--detach', ...words, 'sallyport', 'serve', '--workers', '1').ok();
  };
  const sallyport = ['/opt/sallyport/bin/node', '/opt/sallyport/dist/src/cli/bin.js'];
  const control = async (key: string, body: object): Promise<number> => {
    const response = await fetch(`http://127.0.0.1:${port}/control`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key, connection: 'close' },
      body: JSON.stringify(body),
    });
    await response.text();
    return response.status;
  };
  const isHealthy = () => podman('healthcheck', 'run', 'one').status === 0;

  start();
  await until('the image is healthy', isHealthy);
  const key = podman('exec', 'one', ...sallyport, 'keys', 'create', '--name', 'app').ok();
  await until('the key works', async () => (await control(key, { q: 'tea' })) === 200);
  assert.equal(await control(key, { q: "' OR 1=1 --" }), 403);
  const status = podman('exec', 'one', 'cat', '/proc/1/status').ok();
  assert.match(status, /^Uid:\s+10001\s+10001\s+10001\s+10001$/m);
  assert.match(status, /^CapEff:\s+0+$/m);
  assert.match(podman('exec', 'one', 'sh', '-c', 'echo > /opt/x').err, /Read-only file system/);

  podman('stop', '--time', '60', 'one').ok();
  assert.equal(podman('inspect', '--format', '{{.State.ExitCode}}', 'one').ok(), '0');
  assert.equal(isHealthy(), false, 'the health check can fail');
  podman('rm', 'one').ok();
  start();
  await until('it is healthy again', isHealthy);
  assert.equal(await control(key, { q: "' OR 1=1 --" }), 403, 'the key was kept');
});

/** What is looked at of a compose file. */
interface Compose {
  readonly services: Readonly<
    Record<
      string,
      {
        readonly secrets: readonly string[];
        readonly depends_on?: object;
        readonly read_only?: boolean;
        readonly cap_drop?: readonly string[];
        readonly build?: { readonly context: string; readonly dockerfile: string };
      }
    >
  >;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly volumes: object;
}

test('the compose file names what is there, and each of its secrets is made', async (t) => {
  if (!requireTool(t, 'python3')) return;
  const folder = tempDir();
  for (const name of ['compose.yaml', 'make-secrets']) {
    copyFileSync(join(sources, name), join(folder, name));
  }
  const make = () => spawnSync('sh', [join(folder, 'make-secrets')], { encoding: 'utf8' });
  assert.equal(make().stderr, '');
  const pepper = readFileSync(join(folder, 'secrets/sallyport-pepper'), 'utf8');
  assert.equal(make().status, 1, 'secrets are never made anew');
  assert.equal(readFileSync(join(folder, 'secrets/sallyport-pepper'), 'utf8'), pepper);
  assert.equal(statSync(join(folder, 'secrets')).mode & 0o777, 0o700);

  const read = 'import json, sys, yaml; print(json.dumps(yaml.safe_load(open(sys.argv[1]))))';
  const file = join(folder, 'compose.yaml');
  const parsed = spawnSync('python3', ['-c', read, file], { encoding: 'utf8' });
  if (!requireInstalled(t, 'python3-yaml', !parsed.stderr.includes('No module named'))) return;
  assert.equal(parsed.status, 0, parsed.stderr);
  const { services, secrets, volumes }: Compose = JSON.parse(parsed.stdout);
  assert.deepEqual(Object.keys(services), ['sallyport', 'postgres', 'redis']);
  const used = Object.values(services).flatMap((service) => service.secrets);
  assert.deepEqual(used.toSorted(), Object.keys(secrets).toSorted());
  for (const { file: path } of Object.values(secrets)) {
    assert.ok(statSync(join(folder, path)).size > 32, path);
  }
  for (const name of Object.keys(services['sallyport']?.depends_on ?? {})) {
    assert.ok(name in services, name);
  }
  assert.equal(services['sallyport']?.read_only, true);
  assert.deepEqual(services['sallyport']?.cap_drop, ['ALL']);
  assert.deepEqual(Object.keys(volumes), ['postgres', 'sallyport']);
  const context = join(sources, services['sallyport']?.build?.context ?? '');
  assert.equal(context, join(repository, 'dist/packages'));
  assert.ok(existsSync(join(context, services['sallyport']?.build?.dockerfile ?? '')));
  const printed = await runCli(['config', 'print'], {
    cwd: folder,
    environment: { SALLYPORT_CONFIG: join(folder, 'secrets/sallyport-config') },
  });
  assert.equal(printed.code, 0, printed.err);
  assert.match(printed.out, /postgresql:\/\/sallyport@postgres:5432\/sallyport/);
});
