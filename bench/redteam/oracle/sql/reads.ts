import { goods, type Hole, one, type Shape } from './shape.ts';

const bare: Partial<Hole> = { quote: '' };
const double: Partial<Hole> = { quote: '"' };

/** Statements that read, with one value. */
export const reads: readonly Shape[] = [
  one('string, single quotes', 'body.name', 'lamp', (v) => `${goods} AND name = '${v}'`, {
    key: 1,
  }),
  one(
    'string, double quotes',
    'body.name',
    'lamp',
    (v) => `SELECT id, name, price FROM products WHERE name = "${v}" AND released = 1`,
    { key: 1, hole: double, dialects: ['sqlite', 'mariadb'] },
  ),
  one(
    'string, condition behind it',
    'query.category',
    'office',
    (v) => `SELECT id, name, price FROM products WHERE category = '${v}' AND released = 1`,
  ),
  one(
    'string, in parentheses',
    'query.category',
    'home',
    (v) => `SELECT id, name, price FROM products WHERE (category = '${v}') AND released = 1`,
    { hole: { close: ')' } },
  ),
  one(
    'string, in two parentheses',
    'query.category',
    'home',
    (v) => `${goods} AND ((category = '${v}') OR (name = 'pen')) ORDER BY price`,
    { hole: { close: '))' } },
  ),
  one('number', 'query.id', '3', (v) => `${goods} AND id = ${v}`, { key: 0, hole: bare }),
  one(
    'number, condition behind it',
    'query.id',
    '3',
    (v) => `SELECT id, name, price FROM products WHERE id = ${v} AND released = 1 LIMIT 20`,
    { key: 0, hole: bare },
  ),
  one('number, in parentheses', 'query.id', '4', (v) => `${goods} AND (id = ${v})`, {
    key: 0,
    hole: { quote: '', close: ')' },
  }),
  one('number, quotes doubled', 'query.id', '4', (v) => `${goods} AND id = ${v}`, {
    key: 0,
    hole: { quote: '', guard: 'doubled' },
  }),
  one('LIKE', 'body.q', 'sp', (v) => `${goods} AND name LIKE '%${v}%' ORDER BY name`),
  one(
    'LIKE, twice in parentheses',
    'query.q',
    'o',
    (v) => `${goods} AND (name LIKE '%${v}%' OR category LIKE '%${v}%')`,
    { hole: { close: ')' } },
  ),
  one('list of numbers', 'query.ids', '1,2,5', (v) => `${goods} AND id IN (${v})`, {
    hole: { quote: '', close: ')' },
  }),
  one('list of strings', 'query.names', 'lamp', (v) => `${goods} AND name IN ('pen', '${v}')`, {
    hole: { close: ')' },
  }),
  one('ORDER BY', 'query.sort', 'price', (v) => `${goods} ORDER BY ${v}`, {
    hole: { quote: '', clause: 'order' },
  }),
  one('ORDER BY, direction', 'query.dir', 'DESC', (v) => `${goods} ORDER BY category ${v}`, {
    hole: { quote: '', clause: 'order' },
  }),
  one('LIMIT', 'query.limit', '3', (v) => `${goods} ORDER BY id LIMIT ${v}`, {
    hole: { quote: '', clause: 'limit' },
    dialects: ['sqlite', 'postgres'],
  }),
  one('OFFSET', 'query.offset', '2', (v) => `${goods} ORDER BY id LIMIT 4 OFFSET ${v}`, {
    hole: { quote: '', clause: 'limit' },
    dialects: ['sqlite', 'postgres'],
  }),
  one(
    'HAVING',
    'query.min',
    '1',
    (v) =>
      `SELECT category, count(*) FROM products WHERE released = 1 GROUP BY category HAVING count(*) > ${v}`,
    {
      hole: { quote: '', clause: 'having' },
      columns: ['text', 'int'],
      visible: ['SELECT category, count(*) FROM products WHERE released = 1 GROUP BY category'],
    },
  ),
  one(
    'count',
    'query.category',
    'home',
    (v) => `SELECT count(*) FROM products WHERE released = 1 AND category = '${v}'`,
    {
      columns: ['int'],
      visible: ['SELECT id - 1 FROM products WHERE released = 1 AND id < 5'],
    },
  ),
  one(
    'argument of a function',
    'body.name',
    'Lamp',
    (v) => `${goods} AND lower(name) = lower('${v}')`,
    { hole: { close: ')' } },
  ),
  one(
    'nested calls',
    'body.name',
    ' pen ',
    (v) => `${goods} AND name = coalesce(nullif(trim('${v}'), ''), 'lamp') ORDER BY id`,
    { hole: { close: "), ''), 'lamp')" } },
  ),
  one(
    'CASE',
    'query.category',
    'office',
    (v) =>
      `SELECT id, name, CASE WHEN category = '${v}' THEN 1 ELSE 0 END FROM products WHERE released = 1`,
    {
      hole: { close: ' THEN 1 ELSE 0 END FROM products', clause: 'column' },
      visible: [0, 1].map((hit) => `SELECT id, name, ${hit} FROM products WHERE released = 1`),
    },
  ),
  one(
    'subselect',
    'query.item',
    'pen',
    (v) => `${goods} AND name IN (SELECT item FROM orders WHERE owner = 7 AND item = '${v}')`,
    { hole: { close: ')' } },
  ),
  one(
    'JOIN',
    'query.status',
    'new',
    (v) =>
      `SELECT o.id, o.item, o.amount FROM products p JOIN orders o ON o.item = p.name AND o.status = '${v}' WHERE o.owner = 7`,
    { visible: ['SELECT id, item, amount FROM orders WHERE owner = 7'] },
  ),
  one(
    'half of a UNION',
    'query.name',
    'pen',
    (v) =>
      `SELECT id, name, price FROM products WHERE released = 1 AND name = '${v}' UNION ALL SELECT id, item, amount FROM orders WHERE owner = 7`,
    { visible: [goods, 'SELECT id, item, amount FROM orders WHERE owner = 7'] },
  ),
  one(
    'concatenated pattern',
    'body.q',
    'ket',
    (v) => `${goods} AND name LIKE concat('%', '${v}', '%')`,
    {
      hole: { close: ", '%')" },
    },
  ),
  one('column', 'query.field', 'name', (v) => `SELECT id, ${v} FROM products WHERE released = 1`, {
    hole: { quote: '', clause: 'column' },
    columns: ['int', 'text'],
    visible: undefined,
  }),
  one(
    'identifier, double quotes',
    'query.field',
    'name',
    (v) => `SELECT id, "${v}" FROM products WHERE released = 1`,
    {
      hole: { quote: '"', clause: 'column' },
      columns: ['int', 'text'],
      dialects: ['sqlite', 'postgres'],
      visible: undefined,
    },
  ),
  one('identifier, backticks', 'query.sort', 'price', (v) => `${goods} ORDER BY \`${v}\``, {
    hole: { quote: '`', clause: 'order' },
    dialects: ['sqlite', 'mariadb'],
  }),
  one('table', 'query.list', 'products', (v) => `SELECT id, name FROM ${v} WHERE released = 1`, {
    hole: { quote: '', clause: 'table' },
    columns: ['int', 'text'],
    visible: ['SELECT id, name FROM products WHERE released = 1'],
  }),
  one(
    'comment, block',
    'query.from',
    'newsletter',
    (v) => `SELECT id, name, price FROM products /* ${v} */ WHERE released = 1 AND id = 3`,
    { hole: { quote: '', clause: 'comment', close: '*/' }, key: 0 },
  ),
  one(
    'comment, line',
    'query.from',
    'newsletter',
    (v) => `-- ${v}\nSELECT id, name, price FROM products WHERE released = 1 AND id = 3`,
    { hole: { quote: '', clause: 'comment', close: '\n' }, key: 0 },
  ),
];
