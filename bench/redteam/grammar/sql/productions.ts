import type { Hole, Shape } from '../../oracle/sql/shape.ts';
import type { Speaker } from './speaker.ts';

/** What stands behind the way in: it can be cut off by a comment, or leads back into the quote. */
interface Part {
  readonly kind: string;
  readonly text: string;
  /** It ends in a condition, to which another one can be joined. */
  readonly isOpen?: boolean;
}

/** A value, and the production that made it. */
export interface Made {
  readonly kind: string;
  readonly value: string;
}

type Production = (say: Speaker, shape: Shape, hole: Hole) => Part;

const or = (say: Speaker) => say.k(say.random.pick([' OR ', ' or ', ' OR NOT FALSE AND ', ' OR ']));

const conditions: readonly Production[] = [
  (say) => ({ kind: 'tautology', text: `${or(say)}${say.tautology()}`, isOpen: true }),
  (say) => ({ kind: 'blind', text: `${say.k(' AND ')}${say.condition()}`, isOpen: true }),
  (say) => ({ kind: 'blind-or', text: `${or(say)}${say.condition()}`, isOpen: true }),
  (say, shape) => ({ kind: 'union', text: ` ${say.union(shape.columns)}` }),
  (say, shape) => ({ kind: 'union-wide', text: ` ${say.union(shape.columns)}`, isOpen: true }),
  (say) => ({
    kind: 'delay',
    text: `${say.k(say.random.pick([' AND ', ' OR ']))}${comparable(say, say.delay())}`,
    isOpen: true,
  }),
  (say) => ({
    kind: 'error',
    text: `${say.k(say.random.pick([' AND ', ' OR ']))}${comparable(say, say.error())}`,
    isOpen: true,
  }),
  (say) => ({
    kind: 'case',
    text: `${say.k(' AND CASE WHEN ')}${say.condition()}${say.k(' THEN 1 ELSE 0 END')}=1`,
    isOpen: true,
  }),
  (say) => ({ kind: 'order', text: `${say.k(' ORDER BY ')}${ordering(say)}` }),
];

const stacked: Production = (say) => ({
  kind: 'stacked',
  text: `;${spaced(say)}${say.statement()}`,
});

function spaced(say: Speaker): string {
  return say.random.pick(['', ' ']);
}

/** PostgreSQL takes nothing but a boolean for a condition. */
function comparable(say: Speaker, expression: string): string {
  if (say.dialect !== 'postgres' && say.random.chance(50)) return expression;
  return `${expression}${say.random.pick(['=1', ' IS NOT NULL', '>0', ' IS NULL'])}`;
}

function ordering(say: Speaker): string {
  const { random } = say;
  const [a, b] = random.shuffled(['id', 'price', 'name', 'category']);
  const sides = random.pick([
    ['id', 'price'],
    ['id', '-id'],
    ['1', 'id'],
    ['name', 'category'],
    [a, a === b ? 'id' : a],
  ]);
  return random.pick([
    `${say.k('CASE WHEN ')}${say.condition()}${say.k(' THEN ')}${sides[0]}${say.k(' ELSE ')}${sides[1]}${say.k(' END')}`,
    `(${say.k('CASE WHEN ')}(${say.condition()})${say.k(' THEN ')}${sides[0]}${say.k(' ELSE ')}${sides[1]}${say.k(' END')})`,
    `(${say.k('SELECT ')}${say.k('CASE WHEN ')}${say.condition()}${say.k(' THEN ')}${sides[0]}${say.k(' ELSE ')}${sides[1]}${say.k(' END')})`,
    `(${comparable(say, say.error())})`,
    `(${say.delay()})`,
    ...(say.dialect === 'postgres' ? [] : [`id*(${say.condition()})`, `(${say.condition()})`]),
    ...(say.dialect === 'mariadb' ? [`if(${say.condition()},${sides[0]},${sides[1]})`] : []),
    ...(say.dialect === 'sqlite' ? [`iif(${say.condition()},${sides[0]},${sides[1]})`] : []),
  ]);
}

/** A value that stands in a condition: `WHERE`, `HAVING`, and what else it must close first. */
export function conditionValue(say: Speaker, shape: Shape, hole: Hole, benign: string): Made {
  const { random } = say;
  const isStacking = (shape.several === true || say.dialect === 'postgres') && random.chance(25);
  if (hole.quote === '' && !isStacking && random.chance(15)) return operand(say);
  if (hole.quote !== '' && random.chance(10)) return joined(say, hole);
  const part = (isStacking ? stacked : random.pick(conditions))(say, shape, hole);
  const start = part.kind.startsWith('blind') || part.kind === 'order' || part.kind === 'case';
  const before = start || random.chance(40) ? benign : lead(say, hole);
  return { kind: part.kind, value: `${before}${close(say, hole, part)}` };
}

function lead(say: Speaker, { quote, clause }: Hole): string {
  if (clause === 'having') return '99';
  if (quote !== '') return say.random.chance(15) ? '' : say.word();
  return say.random.pick(['0', '-1', '1', String(say.random.below(9_999)), 'NULL', '1.5']);
}

/** The way in, the part, and a way out. */
function close(say: Speaker, hole: Hole, part: Part): string {
  const { quote, close: closing, guard } = hole;
  const isOpenable = part.isOpen === true && /^\)*$/.test(closing) && guard === undefined;
  if (isOpenable && say.random.chance(50)) {
    const reopened = '('.repeat(closing.length);
    const join = part.kind === 'union-wide' ? 'WHERE' : say.random.pick(['AND', 'OR']);
    const n = say.random.below(99);
    const w = say.name();
    if (quote === '') {
      if (closing === '' && part.kind !== 'union-wide') return part.text;
      return `${closing}${part.text} ${say.k(join)} ${reopened}${n}=${n}`;
    }
    return `${quote}${closing}${part.text} ${say.k(join)} ${reopened}${quote}${w}${quote}=${quote}${w}`;
  }
  if (quote === '' && closing === '' && part.kind.startsWith('union') && say.random.chance(50)) {
    return part.text;
  }
  // A quote that is doubled still closes the string if a backslash takes the first of the two.
  const backslash = guard === 'doubled' && hole.decoder === undefined && quote !== '' ? '\\' : '';
  return `${backslash}${quote}${closing}${part.text}${say.terminator()}`;
}

/** In place of a number. */
function operand(say: Speaker): Made {
  const { random } = say;
  const forms: readonly (readonly [string, string])[] = [
    ['operand/case', `(${say.k('CASE WHEN ')}${say.condition()}${say.k(' THEN 3 ELSE 4 END')})`],
    ['operand/select', `(${say.k('SELECT ')}3 ${say.k('WHERE ')}${say.condition()})`],
    [
      'operand/delay',
      `(${say.k('CASE WHEN ')}${comparable(say, say.delay())}${say.k(' THEN 3 ELSE 4 END')})`,
    ],
    ['operand/error', say.error()],
    ['operand/in', `(${say.k('SELECT ')}3)${say.k(' AND ')}${say.condition()}`],
  ];
  const [kind, value] = random.pick(forms);
  return { kind, value };
}

/** Joined to a string from both sides, without a comment. */
function joined(say: Speaker, { quote, guard }: Hole): Made {
  const { random } = say;
  const q = guard === 'doubled' ? '' : quote;
  const choice = `(${say.k('CASE WHEN ')}${say.condition()}${say.k(' THEN ')}${say.string('lamp')}${say.k(' ELSE ')}${say.string('pen')}${say.k(' END')})`;
  if (say.dialect === 'mariadb') {
    const sign = random.pick(['^', '+', '-', '*', '|', '=', ' IN ', '<']);
    const inner = random.pick([`(${say.condition()})`, say.delay(), say.error()]);
    return { kind: 'joined', value: `${q}${sign}(${inner})${random.pick(['^', '+', '='])}${q}` };
  }
  const inner = random.pick([choice, `(${say.error()})`, `(${say.delay()})`]);
  return { kind: 'joined', value: `${q}||${inner}||${q}` };
}

/** A value that rows are ordered by. */
export function orderValue(say: Speaker, shape: Shape, hole: Hole, benign: string): Made {
  const { random } = say;
  if (hole.quote !== '') {
    const term = random.pick([
      `${say.k(' * CASE WHEN ')}${say.condition()}${say.k(' THEN 1 ELSE -1 END')}`,
      `${say.k(' IS NULL, ')}${ordering(say)}`,
    ]);
    return { kind: 'order/quoted', value: `${benign}${hole.quote}${term}${say.terminator()}` };
  }
  if (shape.name.endsWith('direction')) {
    return {
      kind: 'order/direction',
      value: `${random.pick(['', 'DESC', 'ASC'])}, ${ordering(say)}`,
    };
  }
  if (say.dialect === 'postgres' && random.chance(15)) {
    return { kind: 'stacked', value: `${benign};${say.statement()}${say.terminator()}` };
  }
  return { kind: 'order/expression', value: ordering(say) };
}

/** A value that says how many rows come. */
export function limitValue(say: Speaker): Made {
  const { random } = say;
  const forms: readonly (readonly [string, string])[] = [
    [
      'limit/count',
      `(${say.k('SELECT count(*) FROM ')}${random.pick(['cards', 'users', 'orders', 'products'])})`,
    ],
    [
      'limit/case',
      `(${say.k('CASE WHEN ')}${say.condition()}${say.k(' THEN ')}${1 + random.below(3)}${say.k(' ELSE 7 END')})`,
    ],
    ['limit/length', `length((${say.secret('text')}))-${random.below(6)}`],
    ['limit/error', `(${say.error()})`],
    ['limit/delay', `(${say.delay()})`],
    ['stacked', `${1 + random.below(5)};${say.statement()}${say.terminator()}`],
  ];
  const [kind, value] = random.pick(forms);
  return { kind, value };
}

/** A value that names a column, or stands among the columns. */
export function columnValue(say: Speaker, shape: Shape, hole: Hole, benign: string): Made {
  const { random } = say;
  const from = say.k(` FROM products`);
  const union = `${say.union(shape.columns)}`;
  if (hole.quote === '') {
    const forms: readonly (readonly [string, string])[] = [
      ['column/subselect', `(${say.secret('text')})`],
      ['column/union', `${benign}${from} ${union}${say.terminator()}`],
      ['column/table', `${say.k('password FROM users')}${say.terminator()}`],
      ['column/case', `${say.k('CASE WHEN ')}${say.condition()}${say.k(' THEN 1 ELSE 0 END')}`],
      ['column/error', say.error()],
    ];
    const [kind, value] = random.pick(forms);
    return { kind, value };
  }
  const { quote, close: closing } = hole;
  const out = closing.includes('FROM') ? closing : `${closing}${from}`;
  const forms: readonly (readonly [string, string])[] = [
    ['column/union', `${benign}${quote}${out} ${union}${say.terminator()}`],
    ['column/where', `${benign}${quote}${out}${say.k(' WHERE released=0')}${say.terminator()}`],
    ['column/all', `${benign}${quote}${out}${say.terminator()}`],
  ];
  const [kind, value] = random.pick(forms);
  return { kind, value };
}

/** A value that names a table. */
export function tableValue(say: Speaker): Made {
  const { random } = say;
  const alias = `${say.name()}x`;
  const forms: readonly (readonly [string, string])[] = [
    ['table/subselect', `(${say.k('SELECT id,password name,1 released FROM users')})${alias}`],
    ['table/subselect', `(${say.k('SELECT id,holder AS name,1 AS released FROM cards')}) ${alias}`],
    ['table/comment', `${random.pick(['users', 'products'])}${say.terminator()}`],
    ['table/union', `products ${say.union(['int', 'text'])}${say.terminator()}`],
    ['table/where', `products${say.k(' WHERE ')}${say.tautology()}${say.terminator()}`],
    ['table/or', `products${say.k(' WHERE released=0 OR 1=0')}${say.terminator()}`],
    [
      'table/join',
      `(${say.k('SELECT p.id,u.password name,released FROM products p,users u')})${alias}`,
    ],
  ];
  const [kind, value] = random.pick(forms);
  return { kind, value };
}

/** A value that stands in a comment. */
export function commentValue(say: Speaker, shape: Shape, hole: Hole): Made {
  const { random } = say;
  if (hole.close === '*/') {
    const part = random.pick([
      `${say.k('WHERE ')}${say.tautology()}`,
      say.union(shape.columns),
      `${say.k('WHERE id=3 AND ')}${say.condition()}`,
      `${say.k('WHERE ')}${comparable(say, say.delay())}`,
    ]);
    const start = random.chance(50) ? say.word() : '';
    return {
      kind: 'comment/block',
      value: `${start}*/ ${part}${random.pick([say.terminator(), ' /*'])}`,
    };
  }
  const rest = `${say.k('UNION')}${random.chance(30) ? say.k(' ALL') : ''}`;
  const select = say
    .union(shape.columns)
    .replace(/^union (?:all )?/i, '')
    .replace(/ limit 5$/i, '');
  const value = random.chance(75)
    ? `${say.word()}\n${select} ${rest} -- `
    : `\n${say.statement()} -- `;
  return { kind: 'comment/line', value };
}
