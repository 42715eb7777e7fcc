import { chmodSync, copyFileSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run } from './run.ts';
import type { Version } from './version.ts';

/** Processors as Debian calls them. */
const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

const scripts = ['postinst', 'prerm', 'postrm'];

/**
 * A package for Debian 12, Ubuntu 22.04 and newer, with the Node that runs this: no release of
 * Debian has one that is new enough. Its scripts are `service install` and `service uninstall`.
 */
export function buildDebianPackage(
  { root, version, epoch }: Version,
  from: {
    /** Folder of the program, with its dependencies; moved away. */
    readonly program: string;
    readonly stage: string;
    readonly folder: string;
  },
): void {
  const architecture = architectures[process.arch] ?? process.arch;
  const tree = join(from.stage, 'debian');
  const library = join(tree, 'usr/lib/sallyport');
  mkdirSync(join(tree, 'usr/lib'), { recursive: true });
  renameSync(from.program, library);
  mkdirSync(join(library, 'bin'));
  copyFileSync(process.execPath, join(library, 'bin/node'));
  const documents = join(tree, 'usr/share/doc/sallyport');
  mkdirSync(documents, { recursive: true });
  writeFileSync(join(documents, 'copyright'), copyright());
  copyFileSync(licenceOfNode(), join(documents, 'LICENSE.nodejs'));
  copyFileSync(join(root, 'CHANGELOG.md'), join(documents, 'changelog'));
  run('gzip', ['-n', '-9', join(documents, 'changelog')]);

  run('chmod', ['-R', 'u+rwX,go+rX,go-w,a-s', tree]);
  chmodSync(join(library, 'bin/node'), 0o755);
  mkdirSync(join(tree, 'DEBIAN'));
  for (const name of scripts) {
    const target = join(tree, 'DEBIAN', name);
    copyFileSync(join(root, 'src/packaging/debian', name), target);
    chmodSync(target, 0o755);
  }
  const [kilobytes = ''] = run('du', ['-sk', '--apparent-size', tree]).split('\t');
  writeFileSync(join(tree, 'DEBIAN/control'), control({ version, architecture, kilobytes }));
  const target = join(from.folder, `sallyport_${version}_${architecture}.deb`);
  run('env', [
    `SOURCE_DATE_EPOCH=${epoch}`,
    ...['dpkg-deb', '--root-owner-group', '-Zzstd', '-z9', '--build', tree, target],
  ]);
}

/** The licence goes where the program goes. */
function licenceOfNode(): string {
  const home = join(dirname(process.execPath), '..');
  const platform = `node-${process.platform}-${process.arch}`;
  const places = ['LICENSE', `node_modules/${platform}/LICENSE`, `../${platform}/LICENSE`];
  const found = places.map((place) => join(home, place)).find((path) => existsSync(path));
  if (found !== undefined) return found;
  throw new Error(`There is no LICENSE with ${process.execPath}: use the Node.js of nodejs.org.`);
}

function control(facts: {
  readonly version: string;
  readonly architecture: string;
  readonly kilobytes: string;
}): string {
  return `Package: sallyport
Version: ${facts.version}
Architecture: ${facts.architecture}
Maintainer: The Sallyport project <sallyport@localhost>
Installed-Size: ${facts.kilobytes}
Depends: libc6 (>= 2.31), libgcc-s1, libstdc++6, passwd, systemd (>= 249)
Section: net
Priority: optional
Description: self-hosted threat screening of requests
 Applications and reverse proxies send the data of a request and get allow, or
 a block that says where and why: SQL injection, cross-site scripting, path
 traversal, command injection and more.
 .
 The package holds the Node.js that it runs on.
`;
}

function copyright(): string {
  return `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: sallyport

Files: *
Copyright: the Sallyport authors
License: Apache-2.0
 On Debian systems the text is in /usr/share/common-licenses/Apache-2.0.

Files: usr/lib/sallyport/bin/node
Copyright: Node.js contributors, and others named in the LICENSE file of Node.js
License: MIT
 Node.js, under the MIT licence, with parts under other licences: all of them
 are in /usr/share/doc/sallyport/LICENSE.nodejs.

Files: usr/lib/sallyport/node_modules/*
Copyright: their authors
License: as the package.json and LICENSE files in each folder say
`;
}
