import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

interface Stored {
  readonly folder: string;
  readonly manifest: { readonly name: string; readonly version: string };
}

/**
 * A package registry on this machine with what lies in a `node_modules`: `npm install` of a tarball
 * finds its dependencies there as it would find them elsewhere, without a network.
 */
export async function startRegistry(t: TestContext, modules: string): Promise<string> {
  const packages = new Map<string, Stored[]>();
  for (const stored of storedIn(modules)) {
    const { name } = stored.manifest;
    packages.set(name, [...(packages.get(name) ?? []), stored]);
  }
  const server = createServer((request, response) => {
    const [name = '', version] = decodeURIComponent(request.url ?? '')
      .slice(1)
      .split('?v=');
    const found = packages.get(name) ?? [];
    const one = found.find(({ manifest }) => manifest.version === version);
    if (found.length === 0) response.writeHead(404).end('{}');
    else if (version === undefined) response.end(JSON.stringify(listOf(name, found, origin)));
    else if (one === undefined) response.writeHead(404).end('{}');
    else void sendTarball(one.folder, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return origin;
}

function storedIn(modules: string): Stored[] {
  const folders = readdirSync(modules)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) => {
      const path = join(modules, name);
      return name.startsWith('@') ? readdirSync(path).map((scoped) => join(path, scoped)) : [path];
    });
  return folders.flatMap((folder) => {
    const inner = join(folder, 'node_modules');
    const nested = statSync(inner, { throwIfNoEntry: false })?.isDirectory() ? storedIn(inner) : [];
    const path = join(folder, 'package.json');
    if (statSync(path, { throwIfNoEntry: false }) === undefined) return nested;
    return [{ folder, manifest: JSON.parse(readFileSync(path, 'utf8')) }, ...nested];
  });
}

function listOf(name: string, found: readonly Stored[], origin: string): object {
  const versions = found.map(({ manifest }) => {
    const tarball = `${origin}/${encodeURIComponent(name)}?v=${manifest.version}`;
    return [manifest.version, { ...manifest, dist: { tarball } }] as const;
  });
  return {
    name,
    'dist-tags': { latest: versions.at(-1)?.[0] },
    versions: Object.fromEntries(versions),
  };
}

async function sendTarball(folder: string, response: ServerResponse): Promise<void> {
  const words = ['-czf', '-', '--exclude=./node_modules', '--transform=s,^\\.,package,', '.'];
  const tar = spawn('tar', ['-C', folder, ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
  tar.stdout.pipe(response);
  await once(tar, 'close');
}
