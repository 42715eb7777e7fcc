import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the package lies and which version it is. */
export interface PackageInfo {
  readonly root: string;
  readonly version: string;
}

/** Found by walking up, because the compiled files lie one directory deeper than the sources. */
export function packageInfo(): PackageInfo {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) {
      throw new Error('package.json is missing: install Sallyport again, whole.');
    }
    folder = parent;
  }
  const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const version =
    typeof manifest === 'object' && manifest !== null && 'version' in manifest
      ? String(manifest.version)
      : 'unknown';
  return { root: folder, version };
}
