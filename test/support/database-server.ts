import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findTool } from './require-tool.ts';

/** A user that a server may run as; empty for our own. */
export interface Account {
  readonly uid?: number;
  readonly gid?: number;
}

/** Our own account, or an unprivileged one where we are root: databases refuse to be root. */
export function unprivileged(): Account {
  if (process.geteuid?.() !== 0) return {};
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'mysql', 'nobody']) {
    const [, , uid, gid] = users.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error('A database does not run as root, and there is no user called nobody.');
}

/** The folder of `initdb` and `postgres`; Debian keeps it off the PATH. */
export function findPostgres(): string | undefined {
  const onPath = findTool('initdb');
  if (onPath !== undefined && findTool('postgres') !== undefined) return dirname(onPath);
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian) : [];
  return versions
    .map((version) => join(debian, version, 'bin'))
    .findLast((folder) => existsSync(join(folder, 'initdb')));
}
