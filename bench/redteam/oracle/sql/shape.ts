import type { Context } from '../../contract.ts';
import { decoders, doubled } from './decoders.ts';
import type { Dialect, Table } from './shop.ts';

/** Where in a statement a value stands, as an attacker finds it out. */
export interface Hole {
  /** What it stands between. */
  readonly quote: '' | "'" | '"' | '`';
  /** What has to be closed behind the quote, such as `)`. */
  readonly close: string;
  readonly clause: 'where' | 'order' | 'limit' | 'having' | 'column' | 'table' | 'comment' | Write;
  /** The other values of a row that is inserted. */
  readonly row?: { readonly before: readonly string[]; readonly behind: readonly string[] };
  /** What the application does with quotes: they are doubled, a way in needs another character. */
  readonly guard?: 'doubled';
  /** What the application does with the value at last; an attack is to be written that way. */
  readonly decoder?: keyof typeof decoders;
}

type Write = 'values' | 'set';

/** The types of the columns that a statement gives back. */
export type Columns = readonly ('int' | 'text')[];

/** What a statement may change: rows, or columns of rows. */
interface Mine {
  readonly table: Table;
  readonly where: string;
  readonly columns?: readonly string[];
}

/** A statement of an application into which it puts values as text. */
export interface Shape extends Context {
  readonly dialects: readonly Dialect[];
  readonly holes: readonly Hole[];
  statement(values: readonly string[]): string;
  /** What comes back. Empty where a statement changes rows. */
  readonly columns: Columns;
  /** All rows that any bound value could give. Absent: a value may make up cells by right. */
  readonly visible?: readonly string[] | undefined;
  /** A look-up gives rows of one value in this column only. */
  readonly key?: number;
  readonly mine?: Mine;
  /** The application lets several statements through, where its library asks for that. */
  readonly several?: boolean;
}

export const every: readonly Dialect[] = ['sqlite', 'postgres', 'mariadb'];
/** What a visitor may see of the goods. */
export const goods = 'SELECT id, name, price FROM products WHERE released = 1';
export const goodsColumns: Columns = ['int', 'text', 'int'];

interface Rest extends Partial<Omit<Shape, 'name' | 'statement' | 'benign' | 'holes'>> {
  readonly hole?: Partial<Hole>;
}

/** A statement with one value that gives goods. */
export function one(
  name: string,
  member: string,
  benign: string,
  statement: (value: string) => string,
  rest: Rest = {},
): Shape {
  const { hole, ...more } = rest;
  const decoder = hole?.decoder;
  return {
    name,
    members: [member],
    benign: [benign],
    dialects: every,
    columns: goodsColumns,
    ...(more.mine === undefined && { visible: [goods] }),
    ...more,
    holes: [{ quote: "'", close: '', clause: 'where', ...hole }],
    statement: ([value = '']) => {
      const guarded = hole?.guard === 'doubled' ? doubled(value) : value;
      return statement(decoder === undefined ? guarded : decoders[decoder].decode(guarded));
    },
  };
}
