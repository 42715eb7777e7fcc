import { Client, type DatabaseError, type QueryArrayResult } from 'pg';
import { inTime } from '../../../../src/storage/in-time.ts';
import { canWrite, rowsMax, type Seen, type Shop, stateQueries } from './judge.ts';
import type { Shape } from './shape.ts';
import { shopStatements, type World, worlds } from './shop.ts';

/** A statement that takes longer was made to. */
const limitMs = 250;

/** After this the connection is broken off: the statement has switched its own limit off. */
const patienceMs = 2_000;

/** Rows of the last statement, or what went wrong. */
interface Answer {
  readonly rows: readonly (readonly string[])[];
  /** Those of the first statement. */
  readonly first: readonly (readonly string[])[];
  readonly error?: string | undefined;
  /** Of PostgreSQL, or `late`. */
  readonly code?: string | undefined;
}

/** A connection to one world, and what was noticed on it. */
interface Visit {
  readonly client: Client;

  called: boolean;
  /** The statement ended the transaction that was to be rolled back. */
  hasEscaped: boolean;
}

/** The shop in PostgreSQL: a database for each world. */
export class PostgresShop implements Shop {
  readonly #host: string;
  readonly #visits = new Map<World, Visit>();
  /** All that a world holds at first. */
  readonly #pristine = new Map<World, string>();
  #facts: readonly string[] = [];

  private constructor(host: string) {
    this.#host = host;
  }

  static async open(host: string): Promise<PostgresShop> {
    const shop = new PostgresShop(host);
    for (const world of worlds) await shop.#rebuild(world);
    const visit = await shop.#visit('left');
    const { rows } = await visit.client.query<{ readonly server_version: string }>(
      'SHOW server_version',
    );
    shop.#facts = [`PostgreSQL ${rows[0]?.server_version}`];
    return shop;
  }

  get facts(): readonly string[] {
    return this.#facts;
  }

  async ask(shape: Shape, world: World, statement: string): Promise<Seen> {
    const first = await this.#try(shape, world, statement);
    // A slow moment of the machine does not come twice.
    return first.isLate ? await this.#try(shape, world, statement) : first;
  }

  async close(): Promise<void> {
    for (const { client } of this.#visits.values()) await client.end().catch(() => undefined);
  }

  async #try(shape: Shape, world: World, statement: string): Promise<Seen & { isLate?: boolean }> {
    const visit = await this.#visit(world);
    visit.called = false;
    visit.hasEscaped = false;
    const asked = await this.#within(visit, `BEGIN;${statement}`);
    if (asked.code === 'late') {
      await this.#rebuild(world);
      return { rows: [], called: true, isLate: true };
    }
    const isLate = asked.code === '57014';
    // A text that cannot be read does not even begin: there is nothing to look at.
    if (asked.code === '42601') return { ...asked, called: false };
    let state = asked.error === undefined ? await this.#state(visit, shape) : undefined;
    if (asked.error !== undefined || canWrite(shape)) await this.#within(visit, 'ROLLBACK');
    // What ends the transaction may have left something.
    if (visit.hasEscaped && (await this.#everything(visit)) !== this.#pristine.get(world)) {
      state = { frozen: 'changed for good', own: [] };
      await this.#rebuild(world);
    }
    return { rows: asked.rows, error: asked.error, called: visit.called || isLate, state, isLate };
  }

  async #within({ client }: Visit, text: string): Promise<Answer> {
    // The protocol ends a text at its first zero byte; so does each binding.
    const query = client.query({ text: text.split('\0', 1)[0] ?? '', rowMode: 'array' });
    const answer = query.then(
      (result: unknown) => {
        const results = (Array.isArray(result) ? result : [result]) as QueryArrayResult[];
        return { rows: textOf(results.at(-1)), first: textOf(results[0]) };
      },
      (thrown: DatabaseError) => ({
        rows: [],
        first: [],
        error: thrown.message,
        code: thrown.code,
      }),
    );
    return (await inTime(answer, patienceMs)) ?? { rows: [], first: [], code: 'late' };
  }

  /** Without the right to write, whether it wrote at all; with it, what. */
  async #state(visit: Visit, shape: Shape): Promise<Seen['state']> {
    if (!canWrite(shape)) {
      const isClean = 'SELECT pg_current_xact_id_if_assigned() IS NULL';
      const asked = await this.#within(visit, `${isClean};ROLLBACK`);
      return { frozen: String(asked.first[0]), own: [] };
    }
    const { own } = stateQueries(shape);
    const asked = await this.#within(visit, own);
    return { frozen: await this.#everything(visit, shape), own: asked.rows.map(String) };
  }

  /** All tables and rows, but for what a shape may change. */
  async #everything(visit: Visit, shape: Pick<Shape, 'mine'> = {}): Promise<string> {
    const relations =
      "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY 1";
    const tables = await this.#within(visit, relations);
    const rows = await this.#within(visit, stateQueries(shape).frozen);
    return JSON.stringify([tables, rows]);
  }

  async #visit(world: World): Promise<Visit> {
    const known = this.#visits.get(world);
    if (known !== undefined) return known;
    const client = await this.#connect(world, 'visitor');
    const visit: Visit = { client, called: false, hasEscaped: false };
    client.on('notice', ({ message, code }) => {
      if (message === canary) visit.called = true;
      if (code === '25P01') visit.hasEscaped = true;
    });
    client.on('error', () => this.#visits.delete(world));
    await client.query(`SET statement_timeout = ${limitMs}`);
    // A function of ours stands in front of the one that waits.
    await client.query('SET search_path = public, canary, pg_catalog');
    this.#pristine.set(world, await this.#everything(visit));
    this.#visits.set(world, visit);
    return visit;
  }

  /** Whatever was done to a world: it is made again. */
  async #rebuild(world: World): Promise<void> {
    this.#visits.delete(world);
    const keeper = await this.#connect(world, 'keeper');
    await keeper.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'visitor' AND datname = current_database()",
    );
    await keeper.query('DROP OWNED BY visitor CASCADE; DROP SCHEMA IF EXISTS canary CASCADE');
    await keeper.query(
      'DROP SCHEMA IF EXISTS public CASCADE; CREATE SCHEMA public AUTHORIZATION visitor',
    );
    await keeper.query(
      `CREATE SCHEMA canary; GRANT USAGE ON SCHEMA canary TO visitor;
       CREATE FUNCTION canary.pg_sleep(double precision) RETURNS void LANGUAGE plpgsql VOLATILE
       AS $$BEGIN RAISE NOTICE '${canary}'; END$$`,
    );
    await keeper.query(`SET ROLE visitor; ${shopStatements(world, 'postgres').join(';')}`);
    await keeper.end();
  }

  async #connect(world: World, user: string): Promise<Client> {
    const client = new Client({ host: this.#host, user, database: `${world}_shop` });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }
}

const canary = 'the canary was called';

function textOf(result: QueryArrayResult | undefined): string[][] {
  return (result?.rows ?? []).slice(0, rowsMax).map((row) => row.map(String));
}
