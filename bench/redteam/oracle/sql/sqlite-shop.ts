import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { canWrite, rowsMax, type Seen, type Shop, stateQueries } from './judge.ts';
import type { Shape } from './shape.ts';
import { shopStatements, type World, worlds } from './shop.ts';

/** Blobs of more bytes are made to waste time. */
const blobBytesMax = 100_000;

/** Statements of one text are not run beyond this many. */
const statementsMax = 20;

/** The shop in SQLite: both worlds in memory. */
export class SqliteShop implements Shop {
  readonly facts: readonly string[] = [];
  readonly #open = new Map<World, DatabaseSync>();
  #called = false;

  constructor() {
    for (const world of worlds) this.#open.set(world, this.#fresh(world));
  }

  ask(shape: Shape, world: World, statement: string): Seen {
    this.#called = false;
    if (!canWrite(shape)) return this.#read(this.#database(world), statement);
    // Whatever may come first in a statement, or second, can leave its transaction.
    const isAnything = shape.several === true || shape.mine === undefined;
    const database = isAnything ? this.#fresh(world) : this.#database(world);
    if (!isAnything) database.exec('BEGIN');
    const seen = this.#read(database, statement, {
      statements: shape.several === true ? statementsMax : 1,
      isAnything,
    });
    const called = this.#called;
    const state = stateOf(database, shape);
    if (isAnything) database.close();
    else database.exec('ROLLBACK');
    return { ...seen, called, state };
  }

  #database(world: World): DatabaseSync {
    const database = this.#open.get(world);
    if (database === undefined) throw new Error(`No database ${world}.`);
    return database;
  }

  #read(
    database: DatabaseSync,
    text: string,
    { statements, isAnything } = { statements: 1, isAnything: false },
  ): Seen {
    const rows: string[][] = [];
    let error: string | undefined;
    let rest = text;
    try {
      for (let i = 0; i < statements && rest.trim() !== ''; i += 1) {
        const statement = database.prepare(rest);
        const source = statement.sourceSQL;
        // Files are the one thing that a statement in memory could leave behind.
        if (isAnything && opensFile(database, source)) {
          this.#called = true;
          break;
        }
        statement.setReturnArrays(true);
        // The types of this Node know rows as objects only.
        for (const row of statement.iterate() as Iterable<unknown>) {
          rows.push((row as SQLOutputValue[]).map(textOf));
          if (rows.length >= rowsMax) break;
        }
        rest = rest.slice(source.length);
      }
    } catch (thrown) {
      error = String((thrown as Error).message);
    }
    // What is left of the text may be a comment: that is no statement.
    if (error === 'statement has been finalized' && rest !== text) error = undefined;
    return { rows, error, called: this.#called };
  }

  #fresh(world: World): DatabaseSync {
    const database = new DatabaseSync(':memory:', { enableDoubleQuotedStringLiterals: true });
    database.exec(shopStatements(world, 'sqlite').join(';'));
    const canary = () => {
      this.#called = true;
      return null;
    };
    // What bindings and the command line tool of SQLite add to it.
    for (const name of ['sleep', 'load_extension', 'readfile', 'writefile', 'system', 'edit']) {
      database.function(name, { varargs: true }, canary);
    }
    database.function('load_extension', (_file: unknown) => canary());
    database.function('load_extension', (_file: unknown, _entry: unknown) => canary());
    const blob = (bytes: unknown) => {
      if (Number(bytes) > blobBytesMax) return canary();
      return new Uint8Array(Math.max(1, Number(bytes) || 1));
    };
    database.function('randomblob', blob);
    database.function('zeroblob', blob);
    return database;
  }
}

function stateOf(database: DatabaseSync, shape: Shape): NonNullable<Seen['state']> {
  const queries = stateQueries(shape);
  const list = (query: string) =>
    database
      .prepare(query)
      .all()
      .map((row) => String(Object.values(row)[0]));
  const schema = "SELECT concat_ws('|', type, name, sql) FROM sqlite_schema ORDER BY 1";
  try {
    return {
      frozen: [...list(schema), ...list(queries.frozen)].join('\n'),
      own: list(queries.own),
    };
  } catch (thrown) {
    return { frozen: String(thrown), own: [] };
  }
}

function opensFile(database: DatabaseSync, statement: string): boolean {
  return database
    .prepare(`EXPLAIN ${statement.replace(/^[\s;]+/, '')}`)
    .all()
    .some(({ opcode, p4 }) => opcode === 'Vacuum' || String(p4).startsWith('sqlite_attach'));
}

function textOf(value: SQLOutputValue): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value);
}
