import { Socket } from 'node:net';
import { Kysely, type KyselyPlugin, PostgresDialect, sql } from 'kysely';
import { Pool } from 'pg';
import { withoutNulls } from './postgres-text.ts';
import { StorageError } from './storage-error.ts';
import type { Tables } from './tables.ts';

/** Connections of one node: the API, the writers and the followers take turns. */
const connectionsMax = 8;
const connectMsMax = 3_000;
/** No statement of ours takes this long; one that does must not hold a connection for ever. */
const statementMsMax = 15_000;
/** Longer than any statement. Without it, a dead machine is noticed after 15 minutes. */
const silenceMsDefault = 20_000;

/** Advice by error code, https://www.postgresql.org/docs/current/errcodes-appendix.html */
const adviceByCode: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'start PostgreSQL, or correct host and port in the database URL',
  ENOTFOUND: 'correct the host in the database URL',
  ENOENT: 'correct the path of the socket in the database URL',
  ETIMEDOUT: 'check the host in the database URL, and the firewall',
  '28P01': 'correct user and password in the database URL',
  '28000': 'let the user connect (pg_hba.conf), or correct the user in the database URL',
  '3D000': 'make the database with `createdb`, or correct its name in the database URL',
  '42501': 'give the user the right to make tables in the schema public',
  '53300': 'PostgreSQL has no connection left: raise max_connections',
};

interface Patience {
  readonly silenceMsMax?: number;
}

/** How Kysely reaches PostgreSQL: through a pool of connections, none of which is made yet. */
export function postgresAccess(
  url: string,
  { silenceMsMax = silenceMsDefault }: Patience = {},
): { readonly dialect: PostgresDialect; readonly plugins: KyselyPlugin[] } {
  const pool = new Pool({
    connectionString: url,
    max: connectionsMax,
    connectionTimeoutMillis: connectMsMax,
    statement_timeout: statementMsMax,
    keepAlive: true,
    application_name: 'sallyport',
    stream: () => socketWithin(silenceMsMax),
  });
  // A connection that breaks is replaced by the next query; unheard it would end the process. The
  // pool listens to those that are idle only.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return { dialect: new PostgresDialect({ pool }), plugins: [withoutNulls()] };
}

/** Opens a pool of connections. Throws with advice when there is no database to talk to. */
export async function openPostgres(url: string, patience?: Patience): Promise<Kysely<Tables>> {
  const database = new Kysely<Tables>(postgresAccess(url, patience));
  try {
    await sql`select 1`.execute(database);
    return database;
  } catch (error) {
    await database.destroy();
    throw postgresError(url, error);
  }
}

/** A socket that breaks when nothing has come for too long. */
function socketWithin(silenceMsMax: number): Socket {
  const socket = new Socket().setTimeout(silenceMsMax);
  return socket.once('timeout', () => {
    socket.destroy(new StorageError(`PostgreSQL has said nothing for ${silenceMsMax} ms.`));
  });
}

/** An error of the driver with advice. It never contains the password of the URL. */
export function postgresError(url: string, error: unknown): StorageError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const advice = adviceByCode[code] ?? 'see the log of PostgreSQL';
  // A refused connection to a name with two addresses has no message of its own.
  const reason = error instanceof Error && error.message !== '' ? error.message : code;
  return new StorageError(
    `The database ${postgresPlace(url)} cannot be used (${reason}): ${advice}.`,
    { cause: error },
  );
}

/** Host and name of a database, without user and password. */
export function postgresPlace(url: string): string {
  if (!URL.canParse(url)) return 'of the database URL';
  const { protocol, host, pathname, searchParams } = new URL(url);
  const socket = searchParams.get('host');
  return `${protocol}//${host === '' && socket !== null ? socket : host}${pathname}`;
}
