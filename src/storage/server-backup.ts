import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs';
import { Client } from 'pg';
import { postgresError, postgresPlace } from './postgres.ts';
import { StorageError } from './storage-error.ts';

/** The environment of the programs of PostgreSQL. */
type Environment = Readonly<Record<string, string | undefined>>;

/** Which PostgreSQL, and what its programs inherit. */
export interface Server {
  readonly url: string;
  readonly environment: Environment;
}

/** Writes a dump of the database as it is at one moment, by `pg_dump`. Never over another file. */
export function backUpServer(server: Server, target: string): void {
  if (existsSync(target)) {
    throw new StorageError(`${target} is there already: name a new file, or move that one away.`);
  }
  const aside = `${target}.partial`;
  try {
    closeSync(openSync(aside, 'wx', 0o600));
    run(server, 'pg_dump', ['--format=custom', '--no-owner', `--file=${aside}`]);
    renameSync(aside, target);
  } finally {
    rmSync(aside, { force: true });
  }
}

/**
 * Puts a dump in the place of what the database holds, in one transaction. What was there before is
 * dumped first, to the file `previous`. No Sallyport may be connected.
 */
export async function restoreServer(
  server: Server,
  files: { readonly source: string; readonly previous: string },
): Promise<void> {
  const { source, previous } = files;
  if (!existsSync(source)) {
    throw new StorageError(`There is no backup ${source}: name a file that backup has written.`);
  }
  await refuseRunning(server.url);
  backUpServer(server, previous);
  const words = ['--clean', '--if-exists', '--no-owner', '--single-transaction'];
  run(server, 'pg_restore', [...words, '--exit-on-error', source]);
}

async function refuseRunning(url: string): Promise<void> {
  const client = new Client({ connectionString: url, application_name: 'sallyport-restore' });
  let connected: number;
  try {
    await client.connect();
    const { rows } = await client.query<{ readonly n: number }>(
      'select count(*)::int as n from pg_stat_activity ' +
        "where datname = current_database() and application_name = 'sallyport'",
    );
    connected = rows[0]?.n ?? 0;
  } catch (error) {
    throw postgresError(url, error);
  } finally {
    await client.end();
  }
  if (connected === 0) return;
  throw new StorageError(
    `The database ${postgresPlace(url)} is in use: stop every Sallyport that is connected to it, ` +
      'restore, and start them again.',
  );
}

/** The password goes by the environment: other users see command lines. */
function run(server: Server, program: string, words: readonly string[]): void {
  const url = new URL(server.url);
  const password = decodeURIComponent(url.password);
  url.password = '';
  const done = spawnSync(program, [`--dbname=${url.href}`, ...words], {
    env: { ...server.environment, ...(password === '' ? {} : { PGPASSWORD: password }) },
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  if (done.error !== undefined) {
    throw new StorageError(
      `${program} does not run (${done.error.message}): install the client programs of PostgreSQL ` +
        `(Debian: apt-get install postgresql-client), or run where they are: ` +
        `${program} --dbname='${url.href}' ${words.join(' ')}`,
    );
  }
  if (done.status === 0) return;
  throw new StorageError(`${program} failed: ${done.stderr.trim()}`);
}
