import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { sep } from 'node:path';

/**
 * SHA-256 of `bin/node` in the npm package `node-<platform>-<processor>` of that version. Read from
 * the package itself, whose SHA-512 the registry gave; not yet compared with SHASUMS256.txt
 * of nodejs.org.
 */
const knownNodes: Readonly<Record<string, string>> = {
  'v22.23.3 linux-x64': 'fde6a4bf8d0562f7751d1a2d6cb9b417c4cfe107bbcb0aa3e9a24e125e348f48',
};

/** A program file of Node, and what it says that it is. */
export interface NodeProgram {
  readonly path: string;
  /** Such as `v22.23.3`. */
  readonly version: string;
  /** Such as `linux-x64`. */
  readonly platform: string;
}

/**
 * Why root should not start this Node; undefined when there is no reason. One that npm has fetched
 * was put in place by a script outside of any lock file: it must be one that we know. One that the
 * machine's owner has installed is trusted as everything else there.
 */
export function nodeComplaint({ path, version, platform }: NodeProgram): string | undefined {
  if (!path.split(sep).includes('node_modules')) return undefined;
  const advice =
    'Install Node.js 22.16 or newer from your system or from nodejs.org, and run this command ' +
    'with it: `sudo /usr/bin/node dist/src/cli/bin.js service install`.';
  const known = knownNodes[`${version} ${platform}`];
  if (known === undefined) {
    return `The Node that npm fetched (${version}, ${platform}) is none that we know. ${advice}`;
  }
  const digest = createHash('sha256').update(readFileSync(path)).digest('hex');
  if (digest === known) return undefined;
  return (
    `The Node that npm fetched is not the one that we know: ${path} has the SHA-256 ${digest}, ` +
    `and ${version} for ${platform} has ${known}. ${advice}`
  );
}
