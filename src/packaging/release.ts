import { createHash } from 'node:crypto';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { planRelease } from '../deploy/release.ts';
import { billOfMaterials } from './bill-of-materials.ts';
import { writeClientPackage } from './client-package.ts';
import { buildDebianPackage } from './debian-package.ts';
import { run } from './run.ts';
import type { Version } from './version.ts';

/** Builds everything that is released, with checksums, into a folder; gives the names. */
export async function buildRelease(released: Version, folder: string): Promise<string[]> {
  const { root, version } = released;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const stage = mkdtempSync(join(tmpdir(), 'sallyport-release-'));
  try {
    await writeClientPackage(root, join(stage, 'client'));
    pack(join(stage, 'client'), folder);
    writeFileSync(join(folder, `sallyport-${version}.cdx.json`), billOfMaterials(released));
    const program = buildService(released, { stage, folder });
    buildDebianPackage(released, { program, stage, folder });
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
  return writeChecksums(folder);
}

/** Writes the digest of each file in a folder; gives the names. */
export function writeChecksums(folder: string): string[] {
  const names = readdirSync(folder).toSorted();
  const sums = names.map((name) => `${digestOf(join(folder, name))}  ${name}\n`);
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
  return [...names, 'SHA256SUMS'];
}

/** Builds the npm package of the service and its tarball; gives the folder it was made from. */
export function buildService(
  released: Version,
  { stage, folder }: { readonly stage: string; readonly folder: string },
): string {
  const name = `sallyport-${released.version}-${process.platform}-${process.arch}`;
  const program = join(stage, name);
  const tarball = pack(released.root, folder);
  stagePackage(released.root, { tarball: join(folder, tarball), to: program });
  buildTarball(released, { parent: stage, name, target: join(folder, `${name}.tar.gz`) });
  return program;
}

/** What `npm publish` would send. npm writes the same bytes for the same files. */
function pack(root: string, folder: string): string {
  const words = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const [{ filename }] = JSON.parse(run('npm', words, root)) as [{ readonly filename: string }];
  return filename;
}

/** The package as npm would unpack it, with its production dependencies: it runs as it stands. */
function stagePackage(root: string, { tarball, to }: { tarball: string; to: string }): void {
  mkdirSync(to);
  run('tar', ['-xzf', tarball, '--strip-components=1', '-C', to]);
  const { files } = planRelease({ root, node: process.execPath, version: '' });
  for (const file of files) {
    const place = /^tree\/(node_modules\/.*)$/.exec(file.to)?.[1];
    if (place === undefined) continue;
    mkdirSync(dirname(join(to, place)), { recursive: true });
    copyFileSync(file.from, join(to, place));
  }
}

function buildTarball(
  { epoch }: Version,
  { parent, name, target }: { parent: string; name: string; target: string },
): void {
  const same = ['--sort=name', `--mtime=@${epoch}`, '--owner=0', '--group=0', '--numeric-owner'];
  const words = [...same, '--mode=u+rwX,go+rX,go-w', '--format=gnu', '-C', parent, '-cf'];
  run('tar', [...words, join(parent, 'release.tar'), name]);
  run('gzip', ['-n', '-9', join(parent, 'release.tar')]);
  renameSync(join(parent, 'release.tar.gz'), target);
}

function digestOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
