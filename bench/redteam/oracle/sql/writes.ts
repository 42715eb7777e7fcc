import { every, goods, goodsColumns, one, type Shape } from './shape.ts';
import { me } from './shop.ts';

const bio = { table: 'users', where: 'id = 7', columns: ['bio'] } as const;
const amount = { table: 'orders', where: 'owner = 7', columns: ['amount'] } as const;
const status = { table: 'orders', where: 'owner = 7', columns: ['status'] } as const;
const comments = { table: 'comments', where: 'owner = 7 AND approved = 0' } as const;
const orders = { table: 'orders', where: 'owner = 7' } as const;

/** Statements that change rows, with one value. */
export const writes: readonly Shape[] = [
  one(
    'INSERT, last string',
    'body.comment',
    'well made',
    (v) => `INSERT INTO comments (owner, approved, body) VALUES (7, 0, '${v}')`,
    {
      columns: [],
      mine: comments,
      hole: { clause: 'values', close: ')', row: { before: ['7', '0'], behind: [] } },
    },
  ),
  one(
    'INSERT, first string',
    'body.comment',
    'well made',
    (v) => `INSERT INTO comments (body, owner, approved) VALUES ('${v}', 7, 0)`,
    {
      columns: [],
      mine: comments,
      hole: { clause: 'values', close: ', 7, 0)', row: { before: [], behind: ['7', '0'] } },
    },
  ),
  one(
    'INSERT, number',
    'body.amount',
    '2',
    (v) =>
      `INSERT INTO orders (id, owner, item, amount, status) VALUES (90, 7, 'pen', ${v}, 'new')`,
    {
      columns: [],
      mine: orders,
      hole: {
        quote: '',
        clause: 'values',
        close: ", 'new')",
        row: { before: ['91', '7', "'pen'"], behind: ["'new'"] },
      },
    },
  ),
  one(
    'UPDATE, string',
    'body.bio',
    'Fond of tea',
    (v) => `UPDATE users SET bio = '${v}' WHERE id = 7`,
    { columns: [], mine: bio, hole: { clause: 'set', close: ' WHERE id = 7' } },
  ),
  one(
    'UPDATE, number',
    'body.amount',
    '5',
    (v) => `UPDATE orders SET amount = ${v} WHERE owner = 7 AND id = 1`,
    { columns: [], mine: amount, hole: { quote: '', clause: 'set', close: ' WHERE id = 1' } },
  ),
  one(
    'UPDATE, condition on a number',
    'query.id',
    '2',
    (v) => `UPDATE orders SET status = 'seen' WHERE owner = 7 AND id = ${v}`,
    { columns: [], mine: status, hole: { quote: '' } },
  ),
  one(
    'UPDATE, condition on a string',
    'query.item',
    'lamp',
    (v) => `UPDATE orders SET status = 'seen' WHERE owner = 7 AND item = '${v}'`,
    { columns: [], mine: status },
  ),
  one(
    'DELETE, condition on a number',
    'body.id',
    '3',
    (v) => `DELETE FROM orders WHERE owner = 7 AND id = ${v}`,
    { columns: [], mine: orders, hole: { quote: '' } },
  ),
  one(
    'DELETE, condition on a string',
    'body.text',
    'blunt spoon',
    (v) => `DELETE FROM comments WHERE owner = 7 AND approved = 0 AND body = '${v}'`,
    { columns: [], mine: comments },
  ),
  one(
    'several statements, number',
    'body.id',
    '2',
    (v) => `UPDATE orders SET status = 'seen' WHERE owner = 7 AND id = ${v};`,
    { columns: [], mine: status, several: true, hole: { quote: '' } },
  ),
  one(
    'several statements, string',
    'body.item',
    'lamp',
    (v) => `UPDATE orders SET status = 'seen' WHERE owner = 7 AND item = '${v}';`,
    { columns: [], mine: status, several: true },
  ),
];

const string = { quote: "'", close: '', clause: 'where' } as const;
const number = { quote: '', close: '', clause: 'where' } as const;
const account = ['SELECT id, name FROM users WHERE id = 7'];

/** Statements with two values, and log-ins. */
export const pairs: readonly Shape[] = [
  {
    name: 'log-in',
    members: ['body.user', 'body.password'],
    benign: [me.name, me.password],
    dialects: every,
    holes: [string, string],
    statement: ([user, password]) =>
      `SELECT id, name FROM users WHERE name = '${user}' AND password = '${password}'`,
    columns: ['int', 'text'],
    visible: account,
  },
  {
    name: 'log-in, PIN',
    members: ['body.user', 'body.pin'],
    benign: [me.name, String(me.pin)],
    dialects: every,
    holes: [{ ...string, close: ')' }, number],
    statement: ([user, pin]) =>
      `SELECT id, name FROM users WHERE lower(name) = lower('${user}') AND pin = ${pin}`,
    columns: ['int', 'text'],
    visible: account,
  },
  {
    name: 'two strings',
    members: ['query.name', 'query.category'],
    benign: ['lamp', 'home'],
    dialects: every,
    holes: [string, string],
    statement: ([name, category]) => `${goods} AND name = '${name}' AND category = '${category}'`,
    columns: goodsColumns,
    visible: [goods],
    key: 1,
  },
  {
    name: 'BETWEEN',
    members: ['query.min', 'query.max'],
    benign: ['2', '20'],
    dialects: every,
    holes: [number, number],
    statement: ([min, max]) => `${goods} AND price BETWEEN ${min} AND ${max} ORDER BY price`,
    columns: goodsColumns,
    visible: [goods],
  },
];

/** The log-in of an application that hashes the password; a hash is hexadecimal. */
const hashed = one(
  'log-in, hashed password',
  'body.user',
  me.name,
  (v) => `SELECT id, name FROM users WHERE name = '${v}' AND password = 'd41d8cd98f00b204e9800998'`,
  { columns: ['int', 'text'], visible: account },
);

/** Statements behind one more decoding, or behind an escape that is not enough. */
export const guarded: readonly Shape[] = [
  hashed,
  one('string, percent-decoded', 'query.name', 'lamp', (v) => `${goods} AND name = '${v}'`, {
    key: 1,
    hole: { decoder: 'percent', guard: 'doubled' },
  }),
  one('number, percent-decoded', 'query.id', '5', (v) => `${goods} AND id = ${v}`, {
    key: 0,
    hole: { quote: '', decoder: 'percent' },
  }),
  one('string, Base64', 'query.name', 'bGFtcA==', (v) => `${goods} AND name = '${v}'`, {
    key: 1,
    hole: { decoder: 'base64' },
  }),
  one('string, escapes of JSON', 'body.name', 'lamp', (v) => `${goods} AND name = '${v}'`, {
    key: 1,
    hole: { decoder: 'json' },
  }),
  one('string, normalised', 'body.name', 'lamp', (v) => `${goods} AND name = '${v}'`, {
    key: 1,
    hole: { decoder: 'nfkc' },
  }),
  one('string, HTML entities', 'body.name', 'lamp', (v) => `${goods} AND name = '${v}'`, {
    key: 1,
    hole: { decoder: 'html' },
  }),
  one('string, quotes doubled', 'body.name', 'lamp', (v) => `${goods} AND name = '${v}'`, {
    key: 1,
    hole: { guard: 'doubled' },
    dialects: ['mariadb'],
  }),
  one('string, E and quotes doubled', 'body.name', 'lamp', (v) => `${goods} AND name = E'${v}'`, {
    key: 1,
    hole: { guard: 'doubled' },
    dialects: ['postgres'],
  }),
  one(
    'JSON path',
    'query.field',
    'size',
    (v) => `SELECT id, name, json_extract(details, '$.${v}') FROM products WHERE released = 1`,
    {
      hole: { close: ')', clause: 'column' },
      dialects: ['sqlite', 'mariadb'],
      columns: ['int', 'text', 'text'],
      visible: undefined,
    },
  ),
  one(
    'JSON key',
    'query.field',
    'size',
    (v) => `SELECT id, name, details::json->>'${v}' FROM products WHERE released = 1`,
    {
      hole: { clause: 'column' },
      dialects: ['postgres'],
      columns: ['int', 'text', 'text'],
      visible: undefined,
    },
  ),
];
