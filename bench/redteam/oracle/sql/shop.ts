/** The interpreters of SQL. */
export type Dialect = 'sqlite' | 'postgres' | 'mariadb';

/** Two shops that differ in nothing but what a visitor may not see. */
export type World = 'left' | 'right';

/** Both, in the order in which they are asked. */
export const worlds: readonly World[] = ['left', 'right'];

/** The account of the attacker: what it owns is no secret, and it may change it. */
export const me = { id: 7, name: 'alice', password: 'wonderland', pin: 2468 } as const;

/** A column and its type, as a statement that makes the table needs it. */
type Column = readonly [name: string, type: 'int' | 'text'];

/** The tables. An attacker finds them out step by step; the grammar knows them from the start. */
export const tables = {
  users: [
    ['id', 'int'],
    ['name', 'text'],
    ['password', 'text'],
    ['pin', 'int'],
    ['role', 'text'],
    ['bio', 'text'],
  ],
  products: [
    ['id', 'int'],
    ['name', 'text'],
    ['category', 'text'],
    ['price', 'int'],
    ['released', 'int'],
    ['details', 'text'],
  ],
  orders: [
    ['id', 'int'],
    ['owner', 'int'],
    ['item', 'text'],
    ['amount', 'int'],
    ['status', 'text'],
  ],
  comments: [
    ['owner', 'int'],
    ['body', 'text'],
    ['approved', 'int'],
  ],
  cards: [
    ['id', 'int'],
    ['owner', 'int'],
    ['holder', 'text'],
    ['number', 'text'],
  ],
} as const satisfies Readonly<Record<string, readonly Column[]>>;

export type Table = keyof typeof tables;
type Row = readonly (number | string)[];

const people = ['admin', 'bruno', 'chloe', 'dmitri', 'esra', 'farid'];

const goods: readonly (readonly [string, string, number])[] = [
  ['lamp', 'home', 25],
  ['chair', 'home', 40],
  ['teapot', 'kitchen', 15],
  ['kettle', 'kitchen', 30],
  ['spoon', 'kitchen', 2],
  ['pen', 'office', 1],
  ['stapler', 'office', 9],
  ['notebook', 'office', 4],
];

/**
 * Secrets of the left world stand low in each order (`a`, 1), those of the right one high (`z`, 9),
 * and there are more of them: whatever a condition compares, it comes out otherwise.
 */
const secrets = {
  left: { letter: 'a', number: 1_111, extra: 1 },
  right: { letter: 'z', number: 9_999, extra: 4 },
} as const;

/** The password of an account in a world: a blind guess is right in one of them. */
function passwordOf(user: number, world: World): string {
  const { letter, number } = secrets[world];
  return `${letter}${(number * (user + 3)) % 997}${world === 'left' ? 'dawn' : 'twilight'}`;
}

/** All rows of a world. */
function rowsOf(world: World): Readonly<Record<Table, readonly Row[]>> {
  const { letter, number, extra } = secrets[world];
  const secret = (text: string, i: number) => `${letter}-${text}-${world}-${i}`;
  const hidden = Array.from({ length: 1 + extra }, (_, i) => i);
  return {
    users: [
      ...people.map(
        (name, i): Row => [
          i + 1,
          name,
          passwordOf(i + 1, world),
          number + i,
          i === 0 ? 'admin' : 'member',
          secret('bio', i),
        ],
      ),
      [me.id, me.name, me.password, me.pin, 'member', 'hello'],
    ],
    products: [
      ...goods.map(
        ([name, category, price], i): Row => [i + 1, name, category, price, 1, '{"size":"m"}'],
      ),
      ...hidden.map(
        (i): Row => [50 + i, secret('plan', i), 'home', number + i, 0, `{"size":"${letter}"}`],
      ),
    ],
    orders: [
      [1, me.id, 'lamp', 1, 'new'],
      [2, me.id, 'spoon', 6, 'new'],
      [3, me.id, 'pen', 2, 'sent'],
      ...hidden.map((i): Row => [20 + i, 1 + i, secret('gift', i), number + i, 'new']),
    ],
    comments: [
      [me.id, 'nice lamp', 1],
      [me.id, 'blunt spoon', 0],
      ...hidden.map((i): Row => [1 + i, secret('note', i), 0]),
    ],
    cards: hidden.map((i): Row => [1 + i, 1 + i, secret('holder', i), `${number}${4_000 + i}`]),
  };
}

/** Statements that make the tables of a world and fill them. */
export function shopStatements(world: World, dialect: Dialect): string[] {
  const rows = rowsOf(world);
  const made = (Object.keys(tables) as Table[]).flatMap((table) => [
    `CREATE TABLE ${table} (${tables[table].map(([name, type]) => `${name} ${typeOf(type, dialect)}`)})`,
    `INSERT INTO ${table} VALUES ${rows[table].map((row) => `(${row.map(literal)})`)}`,
  ]);
  // What only one world has: names and counts in the catalogue are no secret otherwise.
  return world === 'left' ? made : [...made, 'CREATE TABLE zz_audit (z_entry int)'];
}

function typeOf(type: Column[1], dialect: Dialect): string {
  if (type === 'int') return 'int';
  return dialect === 'mariadb' ? 'varchar(400)' : 'text';
}

function literal(value: number | string): string {
  return typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`;
}
