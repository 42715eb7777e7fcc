import { inTime } from '../../../../src/storage/in-time.ts';
import { canWrite, type Seen, type Shop, stateQueries } from './judge.ts';
import { type Answer, commands, MariadbConnection } from './mariadb-connection.ts';
import type { Shape } from './shape.ts';
import { shopStatements, type World, worlds } from './shop.ts';

/** A statement that takes longer was made to; the server ends it. */
export const limitSeconds = 0.03;

/** After this the connection is broken off: the statement has switched its own limit off. */
const patienceMs = 2_000;

/** The shop in MariaDB: a database for each world, and an account that may do nothing else. */
export class MariadbShop implements Shop {
  readonly #socket: string;
  readonly #keeper: MariadbConnection;
  readonly #visitors = new Map<World, MariadbConnection>();
  readonly #pristine = new Map<World, string>();
  #facts: readonly string[] = [];

  private constructor(socket: string, keeper: MariadbConnection) {
    this.#socket = socket;
    this.#keeper = keeper;
  }

  /** `keeper` is an account with all rights. */
  static async open(socket: string, keeper: string): Promise<MariadbShop> {
    const shop = new MariadbShop(socket, await MariadbConnection.open(socket, keeper));
    await shop.#keep(['SET max_statement_time = 0', 'CREATE USER visitor@localhost']);
    for (const world of worlds) {
      await shop.#keep([`GRANT ALL ON ${world}_shop.* TO visitor@localhost`]);
      await shop.#rebuild(world);
    }
    const [answer] = await shop.#keeper.run([commands.query('SELECT version()')]);
    shop.#facts = [answer?.rows[0]?.[0] ?? ''].filter((fact) => fact !== '');
    return shop;
  }

  get facts(): readonly string[] {
    return this.#facts;
  }

  async ask(shape: Shape, world: World, statement: string): Promise<Seen> {
    const first = await this.#try(shape, world, statement);
    // A slow moment of the machine does not come twice.
    return first.called ? await this.#try(shape, world, statement) : first;
  }

  async close(): Promise<void> {
    for (const visitor of this.#visitors.values()) visitor.close();
    this.#keeper.close();
  }

  async #try(shape: Shape, world: World, statement: string): Promise<Seen> {
    const visitor = await this.#visitor(world);
    const { frozen, own } = stateQueries(shape);
    const looks = canWrite(shape) ? [tableList, frozen, own].map(commands.query) : [];
    const began = performance.now();
    const answers = await this.#within(visitor, [
      commands.reset,
      commands.database(`${world}_shop`),
      commands.several(shape.several === true),
      commands.query('START TRANSACTION'),
      commands.query(statement),
      ...looks,
      commands.query('ROLLBACK'),
    ]);
    if (answers === undefined) {
      visitor.close();
      await this.#rebuild(world);
      return { rows: [], called: true };
    }
    const isSlow = performance.now() - began > 500 * limitSeconds;
    const called = isSlow && (await this.#wasInterrupted(visitor));
    const { rows, error } = answers[4] ?? { rows: [] };
    const state = canWrite(shape) ? stateOf(answers.slice(5, -1)) : undefined;
    // The end of a transaction, and each change of a table, is for good.
    const isLasting = shape.several === true || shape.mine === undefined;
    if (looks.length > 0 && isLasting) await this.#restore(visitor, world);
    return {
      rows: rows.map((row) => [...row]),
      error: error?.replaceAll(/(?:left|right)_shop/g, 'shop'),
      called,
      state,
    };
  }

  /** What waits does not always fail when it is interrupted: the server counts it. */
  async #wasInterrupted(visitor: MariadbConnection): Promise<boolean> {
    const counted = "SHOW SESSION STATUS LIKE 'Max_statement_time_exceeded'";
    const answers = await this.#within(visitor, [commands.query(counted)]);
    return answers?.[0]?.rows[0]?.[1] !== '0';
  }

  async #restore(visitor: MariadbConnection, world: World): Promise<void> {
    if ((await this.#everything(visitor, world)) !== this.#pristine.get(world)) {
      await this.#rebuild(world);
    }
  }

  async #everything(visitor: MariadbConnection, world: World): Promise<string | undefined> {
    const answers = await this.#within(visitor, [
      commands.reset,
      commands.database(`${world}_shop`),
      commands.query(tableList),
      commands.query(stateQueries({}).frozen),
    ]);
    return answers === undefined ? undefined : JSON.stringify(answers.slice(2));
  }

  async #within(
    visitor: MariadbConnection,
    list: Parameters<MariadbConnection['run']>[0],
  ): Promise<Answer[] | undefined> {
    return await inTime(
      visitor.run(list).catch(() => undefined),
      patienceMs,
    );
  }

  async #visitor(world: World): Promise<MariadbConnection> {
    const known = this.#visitors.get(world);
    if (known !== undefined) return known;
    const visitor = await MariadbConnection.open(this.#socket, 'visitor');
    this.#visitors.set(world, visitor);
    return visitor;
  }

  /** Whatever was done to a world: it is made again. */
  async #rebuild(world: World): Promise<void> {
    this.#visitors.get(world)?.close();
    this.#visitors.delete(world);
    const [running] = await this.#keeper.run([
      commands.query(
        `SELECT id FROM information_schema.processlist WHERE user = 'visitor' AND db = '${world}_shop'`,
      ),
    ]);
    // One that has just ended is no error.
    for (const [id] of running?.rows ?? []) await this.#keeper.run([commands.query(`KILL ${id}`)]);
    await this.#keep([
      `DROP DATABASE IF EXISTS ${world}_shop`,
      `CREATE DATABASE ${world}_shop CHARACTER SET utf8mb4`,
      `USE ${world}_shop`,
      ...shopStatements(world, 'mariadb'),
    ]);
    const everything = await this.#everything(await this.#visitor(world), world);
    if (everything !== undefined) this.#pristine.set(world, everything);
  }

  async #keep(statements: readonly string[]): Promise<void> {
    const answers = await this.#keeper.run(statements.map(commands.query));
    for (const { error } of answers) if (error !== undefined) throw new Error(error);
  }
}

const tableList =
  "SELECT concat_ws('|', table_name, table_type) FROM information_schema.tables WHERE table_schema = database() ORDER BY 1";

function stateOf([relations, frozen, own]: readonly Answer[]): NonNullable<Seen['state']> {
  return {
    frozen: JSON.stringify([relations, frozen]),
    own: (own?.rows ?? []).map(String),
  };
}
