import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { billOfMaterials } from '../../src/packaging/bill-of-materials.ts';
import { buildRelease } from '../../src/packaging/release.ts';
import { versionOf } from '../../src/packaging/version.ts';
import { bootContainer, type Container } from '../support/container.ts';
import { requireTool } from '../support/require-tool.ts';
import { tempDir } from '../support/temp-dir.ts';
import { until } from '../support/until.ts';
import { repository } from './empty-folder.ts';

const released = versionOf(repository);
const { version } = released;

function succeed(program: string, words: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(program, words, { cwd, encoding: 'utf8' });
  assert.equal(status, 0, `${program} ${words.join(' ')}\n${stdout}${stderr}`);
  return stdout;
}

test('the bill of materials has each dependency with its licence and hash', () => {
  const bill = JSON.parse(billOfMaterials(released));
  assert.equal(bill.bomFormat, 'CycloneDX');
  assert.equal(bill.metadata.component.purl, `pkg:npm/sallyport@${version}`);
  const { dependencies } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
  for (const [name, wanted] of Object.entries<string>(dependencies)) {
    const [, real = name, exact = wanted] = /^npm:(.+)@(.+)$/.exec(wanted) ?? [];
    const purl = `pkg:npm/${real.replace('@', '%40')}@${exact}`;
    const found = bill.components.find((one: { readonly purl: string }) => one.purl === purl);
    assert.ok(found !== undefined, `${purl} is missing`);
    assert.equal(found.hashes[0].alg, 'SHA-512', purl);
  }
  for (const one of bill.components) assert.ok(one.licenses.length > 0, one.purl);
  const text = JSON.stringify(bill);
  assert.ok(!text.includes('biome'), 'what is needed for development only is no part of it');
});

test('a release', async (t) => {
  if (!requireTool(t, 'dpkg-deb')) return;
  const folder = tempDir();
  const names = await buildRelease(released, folder);

  await t.test('has checksums that are right, and notice a change', () => {
    assert.deepEqual(readdirSync(folder).toSorted(), names.toSorted());
    const checked = succeed('sha256sum', ['--check', 'SHA256SUMS'], folder);
    assert.equal(checked.match(/: OK$/gm)?.length, names.length - 1, checked);
  });

  await t.test('is the same whenever it is built from the same files', async () => {
    const again = tempDir();
    await buildRelease(released, again);
    const sums = (place: string) => readFileSync(join(place, 'SHA256SUMS'), 'utf8');
    assert.equal(sums(again), sums(folder));
  });

  await t.test('has a tarball that runs as it stands and can be installed', () => {
    const place = tempDir();
    const name = `sallyport-${version}-${process.platform}-${process.arch}`;
    succeed('tar', ['-xzf', join(folder, `${name}.tar.gz`)], place);
    const root = join(place, name);
    const program = join(root, 'dist/src/cli/bin.js');
    const planned = succeed(process.execPath, [program, 'service', 'install', '--dry-run'], root);
    assert.match(planned, new RegExp(`^copy \\d+ files to /opt/sallyport/${version}-`, 'm'));
    assert.match(planned, /^systemctl restart sallyport@1\.service$/m);
    const scan = spawnSync(process.execPath, [program, 'scan', '-'], {
      cwd: root,
      encoding: 'utf8',
      input: '{"q":"<svg onload=alert(1)>"}',
    });
    assert.equal(scan.status, 1, scan.stderr);
    assert.match(scan.stdout, /"decision": ?"block"/);
    for (const part of ['test', 'bench', 'src/packaging']) {
      assert.equal(existsSync(join(root, 'dist', part)), false, part);
    }
  });

  const debian = names.find((name) => name.endsWith('.deb')) ?? '';
  await t.test('has a Debian package with all of its files below /usr', () => {
    const info = succeed('dpkg-deb', ['--info', debian], folder);
    assert.match(info, new RegExp(`^ Version: ${version}$`, 'm'));
    for (const script of ['postinst', 'prerm', 'postrm']) assert.ok(info.includes(script), script);
    const lines = succeed('dpkg-deb', ['--contents', debian], folder).trimEnd().split('\n');
    for (const line of lines) {
      assert.match(line, /^[-dl]rw[-x]r-[-x]r-[-x] root\/root .* \.\/(?:usr\/.*)?$/);
    }
    assert.ok(lines.some((line) => / \.\/usr\/share\/doc\/sallyport\/LICENSE\.nodejs$/.test(line)));
  });

  await t.test('whose Debian package installs, upgrades, goes back and leaves', async (t) => {
    const container = await bootContainer(t);
    if (container === undefined) return;
    mkdirSync(join(container.root, 'srv/packages'));
    copyFileSync(join(folder, debian), join(container.root, 'srv/packages/first.deb'));
    await lifeOfPackage(container);
  });
});

/** Runs a program in the container that must succeed; gives what it printed. */
function inside(on: Container, ...command: readonly string[]): string {
  const { status, out, err } = on.run(...command);
  assert.equal(status, 0, `${command.join(' ')}\n${out}${err}`);
  return out;
}

function statusOf(on: Container, key: string, body: object): string {
  const words = ['-s', '-o', '/dev/null', '-w', '%{http_code}', 'http://127.0.0.1:8080/control'];
  const headers = ['-H', 'content-type: application/json', '-H', `x-api-key: ${key}`];
  return on.run('curl', ...words, ...headers, '-d', JSON.stringify(body)).out;
}

const next = `set -e
dpkg-deb -R /srv/packages/first.deb /srv/packages/tree
cd /srv/packages/tree
sed -i 's/^Version: .*/Version: 99.0.0/' DEBIAN/control
sed -i '0,/"version": ".*"/s//"version": "99.0.0"/' usr/lib/sallyport/package.json
dpkg-deb -Znone --build . /srv/packages/next.deb
rm -r /srv/packages/tree
`;

async function lifeOfPackage(on: Container): Promise<void> {
  const injection = { q: "' OR 1=1 --" };
  const installedVersion = () => inside(on, 'sallyport', '--version').trim();
  inside(on, 'dpkg', '--force-unsafe-io', '--install', '/srv/packages/first.deb');
  const key = inside(on, 'sallyport', 'keys', 'create', '--name', 'app').trim();
  await until('the key works', () => statusOf(on, key, { q: 'tea' }) === '200');
  assert.equal(statusOf(on, key, injection), '403');
  assert.equal(installedVersion(), version);

  inside(on, 'sh', '-c', next);
  inside(on, 'sallyport', 'backup', '/var/lib/sallyport/before-upgrade.db');
  inside(on, 'dpkg', '--force-unsafe-io', '--install', '/srv/packages/next.deb');
  assert.equal(installedVersion(), '99.0.0');
  assert.equal(statusOf(on, key, injection), '403', 'the key is still good');
  const current = readlinkSync(join(on.root, 'opt/sallyport/current'));
  assert.match(current, /^99\.0\.0-/);

  inside(on, 'dpkg', '--force-unsafe-io', '--install', '/srv/packages/first.deb');
  assert.equal(installedVersion(), version, 'the way back');
  assert.equal(statusOf(on, key, injection), '403');
  inside(on, 'systemctl', 'stop', 'sallyport.target');
  inside(on, 'sallyport', 'restore', '/var/lib/sallyport/before-upgrade.db');
  inside(on, 'systemctl', 'start', 'sallyport.target');
  await until('it answers', () => statusOf(on, key, injection) === '403');

  inside(on, 'dpkg', '--remove', 'sallyport');
  const isThere = (path: string) => existsSync(join(on.root, path));
  for (const path of ['opt/sallyport', 'usr/lib/sallyport', 'usr/local/bin/sallyport']) {
    assert.equal(isThere(path), false, path);
  }
  assert.equal(statusOf(on, key, injection), '000', 'nothing listens any more');
  assert.ok(isThere('var/lib/sallyport/sallyport.db') && isThere('etc/sallyport/pepper'));

  inside(on, 'dpkg', '--force-unsafe-io', '--install', '/srv/packages/first.deb');
  assert.equal(statusOf(on, key, injection), '403', 'data and pepper were kept');
  inside(on, 'dpkg', '--purge', 'sallyport');
  for (const path of ['var/lib/sallyport', 'etc/sallyport', 'etc/sysusers.d/sallyport.conf']) {
    assert.equal(isThere(path), false, path);
  }
  assert.notEqual(on.run('id', 'sallyport').status, 0, 'the account is gone');
}
