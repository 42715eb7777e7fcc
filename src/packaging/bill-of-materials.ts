import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Version } from './version.ts';

/** A package in the lock file. */
interface Locked {
  readonly version: string;
  /** Where it is installed under another name. */
  readonly name?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
}

/**
 * What a release depends on, as CycloneDX from the lock file. Not by `npm sbom --omit=dev`: that
 * leaves out what development needs as well, such as Ajv.
 */
export function billOfMaterials({ root, version, epoch }: Version): string {
  const lock: { readonly packages: Readonly<Record<string, Locked>> } = JSON.parse(
    readFileSync(join(root, 'package-lock.json'), 'utf8'),
  );
  const components = new Map<string, object>();
  for (const [path, locked] of Object.entries(lock.packages)) {
    if (path === '' || locked.dev === true) continue;
    const name = locked.name ?? path.replace(/^.*node_modules\//, '');
    components.set(`${name}@${locked.version}`, componentOf(name, locked));
  }
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      timestamp: new Date(epoch * 1_000).toISOString(),
      component: {
        ...describe('sallyport', version),
        type: 'application',
        licenses: [{ license: { id: 'Apache-2.0' } }],
      },
    },
    components: [...components.keys()].toSorted().map((key) => components.get(key)),
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}

function componentOf(name: string, locked: Locked): object {
  const { version, license, integrity, optional } = locked;
  const [algorithm, digest = ''] = integrity?.split('-') ?? [];
  return {
    ...describe(name, version),
    type: 'library',
    scope: optional === true ? 'optional' : 'required',
    ...(license === undefined ? {} : { licenses: [{ expression: license }] }),
    ...(algorithm === 'sha512'
      ? { hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] }
      : {}),
  };
}

function describe(name: string, version: string) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return { 'bom-ref': purl, name, version, purl };
}
