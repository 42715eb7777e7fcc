import type { Random } from '../../../lib/random.ts';
import type { Dialect } from '../../oracle/sql/shop.ts';
import type { Piece } from './fragment.ts';
import {
  all,
  isKeyword,
  isWord,
  mariadb,
  neighbour,
  type Patch,
  partner,
  postgres,
  rewriter,
  type SqlRewriter,
  sqlite,
  textOf,
} from './rewriter.ts';

const real: readonly Dialect[] = ['postgres', 'mariadb'];

/** A whole select: up to what closes or ends it. Undefined where a quote of the statement does. */
function selectAt(pieces: readonly Piece[], at: number): Patch | undefined {
  if (!isWord(pieces[at], 'select')) return undefined;
  let depth = 0;
  let to = at;
  for (let place = at; place < pieces.length; place += 1) {
    const piece = pieces[place];
    if (piece?.kind === 'tail') return undefined;
    if (piece?.text === '(') depth += 1;
    if (piece?.text === ')') depth -= 1;
    if (depth < 0 || piece?.kind === 'end' || piece?.text === ';') break;
    if (piece?.kind !== 'space') to = place;
  }
  return { from: at, to, text: textOf(pieces, at, to) };
}

/** The items of the list of a select, as places of their first and last pieces. */
function itemsOf(pieces: readonly Piece[], select: number): { from: number; to: number }[] {
  const items: { from: number; to: number }[] = [];
  let from = neighbour(pieces, select, 1);
  for (let place = from; place < pieces.length; place += 1) {
    const piece = pieces[place];
    if (piece?.text === '(') place = partner(pieces, place) ?? pieces.length;
    const isEnd = isWord(pieces[place], 'from') || pieces[place] === undefined;
    if (isEnd || piece?.text === ',') items.push({ from, to: neighbour(pieces, place, -1) });
    if (isEnd) return items;
    if (piece?.text === ',') from = neighbour(pieces, place, 1);
  }
  return [];
}

function isAfterUnion(pieces: readonly Piece[], at: number): boolean {
  const before = neighbour(pieces, at, -1);
  const isAll = isWord(pieces[before], 'all', 'distinct');
  return isWord(pieces[isAll ? neighbour(pieces, before, -1) : before], 'union');
}

/** A new name. */
export const alias = (random: Random) => `${random.pick([...'pqrtv'])}${random.below(99)}`;

type Form = readonly [
  name: string,
  make: (select: string, random: Random) => string,
  dialects?: readonly Dialect[],
];

/** Other forms of the select behind a UNION. */
const unions: readonly Form[] = [
  ['derived', (select, random) => `SELECT * FROM (${select}) ${alias(random)}`],
  [
    'derived-as',
    (select, random) => {
      const name = `${alias(random)}z`;
      return `SELECT ${name}.* FROM (${select}) AS ${name}`;
    },
  ],
  [
    'with',
    (select, random) => {
      const name = `${alias(random)}w`;
      return `SELECT * FROM (WITH ${name} AS (${select}) SELECT * FROM ${name}) x`;
    },
  ],
  ['parentheses', (select) => `(${select})`, real],
  [
    'where',
    (select, random) =>
      /\b(?:where|limit|order)\b/i.test(select)
        ? `${select}`
        : `${select} WHERE ${random.below(99)}<100`,
  ],
  ['more', (select) => `${select} UNION ${select}`],
  ['intersect', (select) => `SELECT * FROM (${select} INTERSECT ${select}) x`],
  [
    'except',
    (select, random) =>
      `SELECT * FROM (${select}) x WHERE 1=1 ORDER BY ${random.pick(['1', '1 DESC'])}`,
  ],
  [
    'cross',
    (select, random) => `SELECT x.* FROM (${select}) x CROSS JOIN (SELECT ${random.below(99)} q) y`,
  ],
];

const modifiers: readonly (readonly [string, readonly string[], readonly Dialect[]])[] = [
  ['all', ['ALL', 'all'], all],
  ['distinct', ['DISTINCT', 'distinct'], all],
  [
    'hints',
    [
      'SQL_NO_CACHE',
      'HIGH_PRIORITY',
      'STRAIGHT_JOIN',
      'SQL_BUFFER_RESULT',
      'DISTINCTROW',
      'SQL_SMALL_RESULT',
    ],
    mariadb,
  ],
];

/** Other forms of a table behind FROM. */
const froms: readonly Form[] = [
  ['alias', (table, random) => `${table} ${random.pick(['', 'AS ', 'as '])}${alias(random)}`],
  ['derived', (table, random) => `(SELECT * FROM ${table}) ${alias(random)}`],
  [
    'cross',
    (table, random) => `${table} CROSS JOIN (SELECT ${random.below(99)} zq) ${alias(random)}`,
  ],
  [
    'left',
    (table, random) => `${table} LEFT JOIN (SELECT ${random.below(99)} zq) ${alias(random)} ON 1=1`,
  ],
  ['parentheses', (table) => `(${table})`, ['sqlite', 'mariadb']],
  ['where', (table, random) => `${table} WHERE ${random.below(9)}<>${10 + random.below(9)} OR 1=0`],
  ['only', (table) => `ONLY ${table}`, postgres],
  ['star', (table) => `${table}*`, postgres],
  [
    'partition',
    (table, random) => `${table} ${random.pick(['IGNORE INDEX ()', 'USE INDEX ()'])}`,
    mariadb,
  ],
  ['not-indexed', (table) => `${table} NOT INDEXED`, sqlite],
  ['table', (table, random) => `(TABLE ${table}) ${alias(random)}`, postgres],
];

/** The shape of a select. */
export const structure: readonly SqlRewriter[] = [
  ...unions.map(([name, make, dialects = all]) =>
    rewriter(
      `union/${name}`,
      (pieces, at, random) => {
        const select = isAfterUnion(pieces, at) ? selectAt(pieces, at) : undefined;
        return select === undefined ? undefined : { ...select, text: make(select.text, random) };
      },
      dialects,
    ),
  ),
  rewriter('union/all', (pieces, at, random) => {
    if (!isWord(pieces[at], 'union')) return undefined;
    const next = neighbour(pieces, at, 1);
    if (isWord(pieces[next], 'all'))
      return { from: at, to: next, text: random.pick(['UNION', 'UNION DISTINCT']) };
    return random.pick(['UNION ALL', 'union all', 'Union All']);
  }),
  ...modifiers.map(([name, texts, dialects]) =>
    rewriter(
      `select/${name}`,
      (pieces, at, random) =>
        isWord(pieces[at], 'select') ? `${pieces[at]?.text} ${random.pick(texts)}` : undefined,
      dialects,
    ),
  ),
  rewriter('select/columns', (pieces, at, random) => {
    if (!isWord(pieces[at], 'select')) return undefined;
    const items = itemsOf(pieces, at);
    const [first] = items;
    const last = items.at(-1);
    if (first === undefined || last === undefined) return undefined;
    const named = items.map(({ from, to }) => {
      const item = textOf(pieces, from, to);
      return isKeyword(pieces[to]) || item.includes('*')
        ? item
        : `${item} ${random.pick(['', 'AS '])}${alias(random)}`;
    });
    return { from: first.from, to: last.to, text: named.join(random.pick([',', ', ', ' ,'])) };
  }),
  rewriter('select/parentheses', (pieces, at) => {
    if (!isWord(pieces[at], 'select') || pieces[at - 1]?.text !== '(') return undefined;
    const select = selectAt(pieces, at);
    return select === undefined ? undefined : { ...select, text: `(${select.text})` };
  }),
  rewriter('select/limit', (pieces, at, random) => {
    const select = pieces[at - 1]?.text === '(' ? selectAt(pieces, at) : undefined;
    if (select === undefined || /\blimit\b/i.test(select.text)) return undefined;
    return { ...select, text: `${select.text} LIMIT ${1 + random.below(9)}` };
  }),
  rewriter('select/with', (pieces, at, random) => {
    const select = pieces[at - 1]?.text === '(' ? selectAt(pieces, at) : undefined;
    if (select === undefined) return undefined;
    const name = `${alias(random)}w`;
    return { ...select, text: `WITH ${name} AS (${select.text}) SELECT * FROM ${name}` };
  }),
  ...froms.map(([name, make, dialects = all]) =>
    rewriter(
      `from/${name}`,
      (pieces, at, random) => {
        if (!isWord(pieces[at], 'from')) return undefined;
        const place = neighbour(pieces, at, 1);
        const table = pieces[place];
        const next = pieces[neighbour(pieces, place, 1)];
        if (
          table?.kind !== 'word' ||
          isKeyword(table) ||
          (next?.kind === 'word' && !isKeyword(next))
        ) {
          return undefined;
        }
        if (name === 'where' && (isWord(next, 'where') || next?.kind === 'tail')) return undefined;
        return { from: place, to: place, text: make(table.text, random) };
      },
      dialects,
    ),
  ),
];
