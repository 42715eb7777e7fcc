import { timingSafeEqual } from 'node:crypto';
import { existsSync } from 'node:fs';
import { SqliteAdapter, sql } from 'kysely';
import { digestOf, pepperMark } from '../../access/key-digest.ts';
import { keyIdOf } from '../../access/key-format.ts';
import { isSecretLive, type KeyRecord, keyStateAt } from '../../access/key-store.ts';
import { loadPepper, pepperPath } from '../../access/pepper.ts';
import { createSqlKeyStore, readPepperMark } from '../../access/sql-key-store.ts';
import type { Config } from '../../config/settings.ts';
import { readSchema } from '../../storage/migrate.ts';
import { type PeekedDatabase, peekDatabase } from '../../storage/peek.ts';
import { requireDatabase } from '../stored.ts';
import { type Check, fail, ok, reasonOf, warn } from './check.ts';

const busyTimeoutMs = 2_000;
const expiresSoonMs = 14 * 86_400_000;

/** The checks of what is stored, and the newest time in it. */
export interface StoredChecks {
  readonly checks: readonly Check[];
  readonly newest: number | undefined;
}

/** Database, pepper and keys. `key` is a key of a client to be verified. */
export async function checkStored(
  config: Config,
  key: string | undefined,
  now: number,
): Promise<StoredChecks> {
  const { dataDir, databaseUrl } = config;
  const pepper = readPepper(config);
  try {
    requireDatabase(config);
    return await peekDatabase({ dataDir, databaseUrl, busyTimeoutMs }, async (peeked) => {
      const database = await checkDatabase(peeked);
      if (database.state === 'fail' || !(await hasKeyTables(peeked))) {
        return { checks: [database, pepper.check], newest: undefined };
      }
      const store = createSqlKeyStore(peeked.database);
      const keys = await store.list();
      const mark = await readPepperMark(peeked.database);
      const checks = [
        database,
        checkMark(pepper, mark, keys),
        checkKeys(keys, now),
        ...(key === undefined ? [] : [verifyKey({ key, keys, pepper: pepper.bytes, now })]),
      ];
      return { checks, newest: await newestMoment(peeked) };
    });
  } catch (error) {
    const isMissing = databaseUrl === undefined && !existsSync(dataDir);
    const tell = isMissing ? warn : fail;
    const database = tell('Database', { text: reasonOf(error) });
    return { checks: [database, pepper.check], newest: undefined };
  }
}

async function checkDatabase({ database, place }: PeekedDatabase): Promise<Check> {
  const name = 'Database';
  const { done, pending, newer, foreignTable } = await readSchema(database);
  if (foreignTable !== undefined) {
    const text = `${place} belongs to another program (it has a table "${foreignTable}")`;
    return fail(name, { text, advice: 'name another one with --data-dir or --database-url' });
  }
  if (newer !== undefined) {
    const text = `${place} was written by a newer version (migration ${newer})`;
    return fail(name, { text, advice: 'run that version, or a newer one' });
  }
  if (pending.length > 0 && done.length > 0) {
    const text = `${place} is of an older version: ${pending.length} migrations are pending`;
    return warn(name, { text, advice: 'back it up; the next start brings it up to date' });
  }
  if (pending.length > 0) return ok(name, `${place} is empty; the first start fills it`);
  const damage = await damageOf(database);
  if (damage !== undefined) {
    const advice = 'stop the server and restore a backup';
    return fail(name, { text: `${place} is damaged (${damage})`, advice });
  }
  return ok(name, `${place} is up to date`);
}

/** What SQLite finds wrong with its file; PostgreSQL checks its own. */
async function damageOf(database: PeekedDatabase['database']): Promise<string | undefined> {
  if (!(database.getExecutor().adapter instanceof SqliteAdapter)) return undefined;
  const { rows } = await sql<{ readonly quick_check: string }>`pragma quick_check(1)`.execute(
    database,
  );
  const said = rows[0]?.quick_check;
  return said === 'ok' ? undefined : said;
}

async function hasKeyTables({ database }: PeekedDatabase): Promise<boolean> {
  return (await readSchema(database)).pending.length === 0;
}

/** The newest time that a server wrote. */
async function newestMoment({ database }: PeekedDatabase): Promise<number | undefined> {
  const rows = await Promise.all([
    database
      .selectFrom('event')
      .select((eb) => eb.fn.max('at').as('at'))
      .executeTakeFirst(),
    database
      .selectFrom('audit_entry')
      .select((eb) => eb.fn.max('at').as('at'))
      .executeTakeFirst(),
  ]);
  const moments = rows.flatMap((row) => (row?.at == null ? [] : [Number(row.at)]));
  return moments.length === 0 ? undefined : Math.max(...moments);
}

interface Pepper {
  readonly check: Check;
  readonly bytes: Buffer | undefined;
}

/** Reads the pepper where there is one; none is made. */
function readPepper(config: Config): Pepper {
  const name = 'Pepper';
  const path = config.pepperFile ?? pepperPath(config.dataDir);
  if (!existsSync(path)) {
    const text = `there is no file ${path}`;
    if (config.pepperFile === undefined) {
      const check = warn(name, {
        text,
        advice: 'restore the one that your keys were made with; a first start makes one',
      });
      return { check, bytes: undefined };
    }
    const advice = 'restore the one that your keys were made with: a new one voids every key';
    return { check: fail(name, { text, advice }), bytes: undefined };
  }
  try {
    return { check: ok(name, path), bytes: loadPepper(config) };
  } catch (error) {
    const advice = 'restore the one that your keys were made with: a new one voids every key';
    return { check: fail(name, { text: reasonOf(error), advice }), bytes: undefined };
  }
}

function checkMark(
  { check, bytes }: Pepper,
  mark: string | undefined,
  keys: readonly KeyRecord[],
): Check {
  const advice = 'restore the pepper file that the keys were made with';
  if (bytes === undefined) {
    if (keys.length === 0) return check;
    return fail(check.name, { text: `${check.text}, and there are keys`, advice });
  }
  if (mark === undefined || keys.length === 0) return check;
  if (pepperMark(bytes) === mark) return ok(check.name, `${check.text} is that of the stored keys`);
  const text = `${check.text} is not the one that the keys were made with: none is accepted`;
  return fail(check.name, { text, advice });
}

function checkKeys(keys: readonly KeyRecord[], now: number): Check {
  const name = 'Keys';
  const live = keys.filter((key) => key.kind === 'live' && keyStateAt(key, now) === 'active');
  if (live.length === 0) {
    const advice = 'make one: `sallyport keys create --name my-app`';
    return warn(name, { text: 'no key is live, so that nothing is screened', advice });
  }
  const soon = live.filter(({ expiresAt = Number.POSITIVE_INFINITY }) => {
    return expiresAt < now + expiresSoonMs;
  });
  if (soon.length === 0) return ok(name, `${live.length} live`);
  const text = `${soon.map((key) => `${key.id} (${key.name})`).join(', ')} expire within 14 days`;
  return warn(name, { text, advice: 'make new ones, or set another expiry in the dashboard' });
}

/** Follows a key as the server does. The key itself is never printed. */
function verifyKey(parts: {
  readonly key: string;
  readonly keys: readonly KeyRecord[];
  readonly pepper: Buffer | undefined;
  readonly now: number;
}): Check {
  const name = 'SALLYPORT_KEY';
  const { key, keys, pepper, now } = parts;
  const id = keyIdOf(key);
  if (id === undefined) {
    const text = 'is no whole key: its checksum is wrong';
    return fail(name, { text, advice: 'copy it again, from sp_ to the last character' });
  }
  const found = keys.find((one) => one.id === id);
  const advice = 'make a key: `sallyport keys create --name my-app`';
  if (found === undefined) {
    return fail(name, { text: `the key ${id} is not in this database`, advice });
  }
  const state = keyStateAt(found, now);
  if (state !== 'active') return fail(name, { text: `the key ${id} is ${state}`, advice });
  if (pepper === undefined) {
    const text = `the key ${id} is known, but without the pepper it cannot be verified`;
    return fail(name, { text, advice: 'restore the pepper file' });
  }
  const digest = digestOf(key, pepper);
  const isRight = found.secrets
    .filter((secret) => isSecretLive(secret, now))
    .some((secret) => isSame(digest, Buffer.from(secret.digest, 'hex')));
  if (!isRight) {
    const text = `the secret of the key ${id} is not the stored one; was it rotated?`;
    return fail(name, { text, advice: 'use the newest secret, or rotate it again' });
  }
  return ok(name, `the key ${id} (${found.name}) is accepted`);
}

function isSame(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
