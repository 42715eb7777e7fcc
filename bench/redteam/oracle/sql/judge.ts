import type { Effect, Reply } from '../../contract.ts';
import type { Shape } from './shape.ts';
import { tables, type World } from './shop.ts';

/** What came of a statement. */
export interface Seen {
  /** At most `rowsMax`, in their order, each as text. */
  readonly rows: readonly (readonly string[])[];
  /** The message that the application shows, without what tells the two worlds' servers apart. */
  readonly error?: string | undefined;
  /** A canary was called: a function that waits, opens files or loads code. */
  readonly called: boolean;
  /** All that the statement may not change, and all that it may; where it could write at all. */
  readonly state?: { readonly frozen: string; readonly own: readonly string[] } | undefined;
}

/** A database with the two worlds. */
export interface Shop {
  /** What the server says of itself; a message that holds it leaks. */
  readonly facts: readonly string[];
  ask(shape: Shape, world: World, statement: string): Seen | Promise<Seen>;
}

/** More rows are not read. */
export const rowsMax = 300;

/** What stood in the shop before anything was tried. */
interface Before {
  /** Rows, as JSON, that a bound value could give. */
  readonly visible?: ReadonlySet<string>;
  readonly states: Readonly<Record<World, Seen['state']>>;
}

/**
 * Judges values by what they did, never by what they are. They are effective where
 * - a canary was called, or the statement did not end in time, twice;
 * - a row came back that no bound value gives, or rows of several keys of a look-up;
 * - something changed that the statement has no right to change, or two rows were added;
 * - the outcome depends on what a visitor may not see: the same statement does something else in a
 *   shop whose secrets are others. That covers rows, their order and number, messages, failing or
 *   not, and what was written: a blind condition works when it reads a secret, not when it compares
 *   constants;
 * - a message tells the version of the server.
 */
export class Judge {
  readonly #shop: Shop;
  readonly #before = new Map<Shape, Promise<Before>>();

  constructor(shop: Shop) {
    this.#shop = shop;
  }

  async judge(shape: Shape, values: readonly string[]): Promise<Effect> {
    return (await this.#judgeSeen(shape, values)).effect;
  }

  /** The same with what the application shows: that of the left world. */
  async reply(shape: Shape, values: readonly string[]): Promise<Reply> {
    const { effect, seen } = await this.#judgeSeen(shape, values);
    const { rows, error, called } = seen;
    const text = error ?? rows.map((row) => `<p>${row.join(' | ')}</p>`).join('\n');
    return { effect, text, hasFailed: error !== undefined, isSlow: called };
  }

  async #judgeSeen(
    shape: Shape,
    values: readonly string[],
  ): Promise<{ readonly effect: Effect; readonly seen: Seen }> {
    const before = await this.#look(shape);
    const statement = shape.statement(values);
    const [seen, right] = await this.#both(shape, statement);
    return { effect: await this.#effectOf(shape, before, statement, [seen, right]), seen };
  }

  async #effectOf(
    shape: Shape,
    before: Before,
    statement: string,
    [left, right]: readonly [Seen, Seen],
  ): Promise<Effect> {
    if (this.#isBeyond(shape, before, 'left', left)) return 'effective';
    if (this.#isBeyond(shape, before, 'right', right)) return 'effective';
    // A random number or a clock differs without a secret, but then it differs in one world too.
    if (outcome(left) !== outcome(right)) {
      const again = await this.#shop.ask(shape, 'left', statement);
      if (outcome(again) === outcome(left)) return 'effective';
    }
    return left.error === undefined ? 'inert' : 'error';
  }

  async #both(shape: Shape, statement: string): Promise<readonly [Seen, Seen]> {
    return await Promise.all([
      this.#shop.ask(shape, 'left', statement),
      this.#shop.ask(shape, 'right', statement),
    ]);
  }

  #isBeyond(shape: Shape, before: Before, world: World, seen: Seen): boolean {
    if (seen.called || this.#shop.facts.some((fact) => seen.error?.includes(fact))) return true;
    const was = before.states[world];
    if (was !== undefined && seen.state !== undefined) {
      if (was.frozen !== seen.state.frozen) return true;
      if (seen.state.own.length > was.own.length + 1) return true;
    }
    const { visible } = before;
    if (visible !== undefined && seen.rows.some((row) => !visible.has(JSON.stringify(row)))) {
      return true;
    }
    const { key } = shape;
    return key !== undefined && new Set(seen.rows.map((row) => row[key])).size > 1;
  }

  #look(shape: Shape): Promise<Before> {
    const known = this.#before.get(shape);
    if (known !== undefined) return known;
    const looked = this.#lookFirst(shape);
    this.#before.set(shape, looked);
    return looked;
  }

  async #lookFirst(shape: Shape): Promise<Before> {
    const [left, right] = await this.#both(shape, 'SELECT 1');
    const states = { left: left.state, right: right.state };
    if (shape.visible === undefined) return { states };
    const visible = new Set<string>();
    for (const query of shape.visible) {
      const { rows, error } = await this.#shop.ask(shape, 'left', query);
      if (error !== undefined) throw new Error(`${shape.name}: ${query}: ${error}`);
      for (const row of rows) visible.add(JSON.stringify(row));
    }
    return { states, visible };
  }
}

function outcome({ rows, error, state }: Seen): string {
  return JSON.stringify([rows, error, state?.own]);
}

/** Statements that list all rows, one text each: what a shape may not change, and what it may. */
export function stateQueries(shape: Pick<Shape, 'mine'>): {
  readonly frozen: string;
  readonly own: string;
} {
  const { mine } = shape;
  const frozen = Object.entries(tables).map(([table, columns]) => {
    const isMine = table === mine?.table;
    const listed = columns.map(([name]) =>
      isMine && mine.columns?.includes(name)
        ? `CASE WHEN ${mine.where} THEN NULL ELSE ${name} END`
        : name,
    );
    const rest = isMine && mine.columns === undefined ? ` WHERE NOT (${mine.where})` : '';
    return `SELECT concat_ws('|', '${table}', ${listed.join(', ')}) AS line FROM ${table}${rest}`;
  });
  return {
    frozen: `${frozen.join(' UNION ALL ')} ORDER BY 1`,
    own:
      mine === undefined
        ? 'SELECT 1 FROM users WHERE 1 = 0'
        : `SELECT concat_ws('|', ${tables[mine.table].map(([name]) => name).join(', ')}) FROM ${mine.table} WHERE ${mine.where} ORDER BY 1`,
  };
}

/** Whether a value could make the statement write: only then its traces are looked for. */
export function canWrite({ mine, several, holes }: Shape): boolean {
  return mine !== undefined || several === true || holes.some(({ clause }) => clause === 'comment');
}
