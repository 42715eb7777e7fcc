import { createHash } from 'node:crypto';
import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { places } from './places.ts';

/** A copy of the program with all that it needs to run. It depends on nothing outside of it. */
export interface Release {
  /** Version and the start of a digest: different content has a different name. */
  readonly name: string;
  readonly path: string;
  /** Each file, by where it lies now and its place below the path. */
  readonly files: readonly { readonly from: string; readonly to: string }[];
  /** Where `package` leads to, from the path. */
  readonly packagePath: string;
}

/** The parts of our package that the service needs. */
const ownParts = ['package.json', 'LICENSE', 'README.md', 'dist', 'src/deploy/systemd'];

/** Compiled with the rest, and not needed by the service. */
const unneeded: ReadonlySet<string> = new Set([
  'node_modules',
  'dist/bench',
  'dist/packages',
  'dist/src/packaging',
  'dist/test',
]);

/** What a release of the package at `root`, run by the program `node`, consists of. */
export function planRelease(source: {
  readonly root: string;
  readonly node: string;
  readonly version: string;
}): Release {
  const { root, node, version } = source;
  const { base, packages } = dependenciesOf(root);
  const below = (path: string) => join('tree', relative(base, path));
  const sources = [...ownParts.map((part) => join(root, part)), ...packages];
  const files = sources
    .flatMap((path) => filesOf(path, root))
    .map((from) => ({ from, to: below(from) }));
  files.push({ from: node, to: join('bin', 'node') });
  const digest = createHash('sha256');
  for (const { from, to } of files) digest.update(`${to}\0`).update(readFileSync(from));
  const name = `${version}-${digest.digest('hex').slice(0, 8)}`;
  return { name, path: join(places.releases, name), files, packagePath: below(root) };
}

/** Copies a release into its place. A copy that was broken off leaves nothing there. */
export function copyRelease({ path, files, packagePath }: Release): void {
  const aside = `${path}.partial`;
  rmSync(aside, { recursive: true, force: true });
  for (const { from, to } of files) {
    const target = join(aside, to);
    mkdirSync(dirname(target), { recursive: true, mode: 0o755 });
    copyFileSync(from, target, constants.COPYFILE_FICLONE);
    // Readable for the account of the service, whatever the umask when the package was unpacked.
    chmodSync(target, to.startsWith('bin') ? 0o755 : 0o644);
  }
  symlinkSync(packagePath, join(aside, 'package'));
  renameSync(aside, path);
}

/**
 * The packages that the one at `root` needs, as Node finds them: `node_modules` beside it or above
 * it. Copied with their places below `base`, Node finds them again.
 */
function dependenciesOf(root: string): { readonly base: string; readonly packages: string[] } {
  const packages = new Set<string>();
  let base = root;
  const visit = (folder: string): void => {
    const { dependencies = {}, optionalDependencies = {} } = manifestOf(folder);
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const owner = ownerOf(folder, name);
      if (owner === undefined) {
        // The builds for other platforms are not installed.
        if (name in optionalDependencies) continue;
        throw new Error(`The package ${name} is missing: run \`npm ci\` in ${root} and try again.`);
      }
      if (owner.length < base.length) base = owner;
      const found = join(owner, 'node_modules', name);
      if (packages.has(found)) continue;
      packages.add(found);
      visit(found);
    }
  };
  visit(root);
  return { base, packages: [...packages].toSorted() };
}

/** The folder at or above the given one whose `node_modules` has the package. */
function ownerOf(folder: string, name: string): string | undefined {
  if (existsSync(join(folder, 'node_modules', name, 'package.json'))) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : ownerOf(parent, name);
}

function manifestOf(folder: string): {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
} {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

function filesOf(path: string, root: string): string[] {
  const entries = readEntries(path);
  if (entries === undefined) return existsSync(path) ? [path] : [];
  return entries
    .filter((name) => !unneeded.has(name) && !unneeded.has(relative(root, join(path, name))))
    .toSorted()
    .flatMap((name) => filesOf(join(path, name), root));
}

/** The names in a folder; undefined for anything else. */
function readEntries(path: string): string[] | undefined {
  try {
    return readdirSync(path);
  } catch {
    return undefined;
  }
}
