import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Hole, Shape } from '../../oracle/sql/shape.ts';
import type { Dialect } from '../../oracle/sql/shop.ts';
import { sqlmapFolder } from '../../rewrite/sql/tamper.ts';
import type { Made } from './productions.ts';
import type { Speaker } from './speaker.ts';

/** A test of sqlmap: what it sends, with places for what it asks. */
interface Payload {
  readonly file: string;
  readonly vector: string;
  readonly comment: string;
  /** 1 behind the value, 2 behind a wrong value, 3 in its place. */
  readonly where: number;
  /** Of sqlmap: 1 is a condition, 2 and 3 are ordering. */
  readonly clauses: string;
}

/** How sqlmap leaves a value and comes back. */
interface Boundary {
  readonly prefix: string;
  readonly suffix: string;
}

const products: Readonly<Record<Dialect, string>> = {
  sqlite: 'SQLite',
  postgres: 'PostgreSQL',
  mariadb: 'MySQL',
};

const known = new Map<Dialect, readonly Payload[]>();
let boundaries: readonly Boundary[] | undefined;

/** An attack as the installed sqlmap makes it; undefined where it has none for the place. */
export function sqlmapValue(
  say: Speaker,
  shape: Shape,
  hole: Hole,
  benign: string,
): Made | undefined {
  const folder = sqlmapFolder();
  if (folder === undefined) return undefined;
  const isOrder = hole.clause === 'order';
  if (hole.clause !== 'where' && !isOrder) return undefined;
  const fitting = payloadsOf(folder, say.dialect).filter(
    ({ clauses, where, file }) =>
      /[-,]|^0$/.test(clauses) &&
      (where !== 3 || hole.quote === '') &&
      (isOrder ? /[23]/.test(clauses) : true) &&
      (file !== 'stacked_queries' || shape.several === true || say.dialect === 'postgres'),
  );
  if (fitting.length === 0) return undefined;
  const payload = say.random.pick(fitting);
  const text = filled(payload.vector, say, shape, benign);
  const kind = `sqlmap/${payload.file}`;
  if (payload.where === 3) return { kind, value: text };
  const { prefix, suffix } = boundaryFor(folder, say, hole, payload);
  const start =
    payload.where === 2 || payload.file === 'union_query'
      ? `-${1 + say.random.below(9_000)}`
      : benign;
  const gap = /^[;,]/.test(text) ? '' : ' ';
  const end = filled(payload.comment === '' ? suffix : payload.comment, say, shape, benign);
  return { kind, value: `${start}${filled(prefix, say, shape, benign)}${gap}${text}${end}` };
}

function boundaryFor(folder: string, say: Speaker, hole: Hole, payload: Payload): Boundary {
  boundaries ??= readTags(join(folder, 'data/xml/boundaries.xml'), 'boundary').map((text) => ({
    prefix: tag(text, 'prefix'),
    suffix: tag(text, 'suffix'),
  }));
  const way = `${hole.quote}${hole.close}`;
  const fitting = boundaries.filter(({ prefix, suffix }) => {
    if (prefix !== way && !(prefix === '' && way === '')) return false;
    return payload.comment !== '' || suffix !== '' || way === '';
  });
  return fitting.length === 0
    ? { prefix: way, suffix: '[GENERIC_SQL_COMMENT]' }
    : say.random.pick(fitting);
}

function payloadsOf(folder: string, dialect: Dialect): readonly Payload[] {
  const before = known.get(dialect);
  if (before !== undefined) return before;
  const files = readdirSync(join(folder, 'data/xml/payloads')).filter((name) =>
    name.endsWith('.xml'),
  );
  const payloads = files.flatMap((name) =>
    readTags(join(folder, 'data/xml/payloads', name), 'test')
      .filter((text) => {
        const product = tag(text, 'dbms');
        return product === '' || product.includes(products[dialect]);
      })
      .map((text) => ({
        file: name.replace('.xml', ''),
        vector: tag(text, 'vector'),
        comment: tag(text, 'comment'),
        where: Number(tag(text, 'where').slice(0, 1)),
        clauses: tag(text, 'clause'),
      }))
      .filter(({ vector }) => vector !== '' && !vector.includes('[DELAYED]')),
  );
  // One union and its like stand in the files many times, for other numbers of columns.
  const unique = [
    ...new Map(payloads.map((one) => [`${one.vector} ${one.comment}`, one])).values(),
  ];
  known.set(dialect, unique);
  return unique;
}

function filled(text: string, say: Speaker, shape: Shape, benign: string): string {
  const numbers = new Map<string, string>();
  return text.replace(/\[([A-Z_]+)(\d*)\]/g, (whole, name: string) => {
    const before = numbers.get(whole);
    if (before !== undefined) return before;
    const made = places[name]?.(say, shape, benign) ?? whole;
    numbers.set(whole, made);
    return made;
  });
}

const places: Readonly<Record<string, (say: Speaker, shape: Shape, benign: string) => string>> = {
  RANDNUM: (say) => String(1_000 + say.random.below(9_000)),
  RANDSTR: (say) => `${say.name()}Q${say.name()}`,
  SLEEPTIME: (say) => String(1 + say.random.below(9)),
  DELIMITER_START: (say) => `q${say.name()}q`,
  DELIMITER_STOP: (say) => `q${say.name()}q`,
  GENERIC_SQL_COMMENT: (say) => `-- ${say.name()}`,
  ORIGVALUE: (_say, _shape, benign) => benign,
  QUERY: (say) => query(say),
  INFERENCE: (say) => inference(say),
  UNION: (say, shape) => {
    const at = shape.columns.indexOf('text');
    const list = shape.columns.map((_, i) => (i === Math.max(at, 0) ? delimited(say) : 'NULL'));
    return `UNION ALL SELECT ${list.join(',')}`;
  },
};

/** The column that sqlmap would read, with the casts that it puts around it. */
function query(say: Speaker): string {
  const { table, column, order } = say.random.pick([
    { table: 'users', column: 'password', order: 'id' },
    { table: 'cards', column: 'holder', order: 'id' },
    { table: 'users', column: 'bio', order: 'name' },
    {
      table: say.dialect === 'sqlite' ? 'users' : 'INFORMATION_SCHEMA.TABLES',
      column: say.dialect === 'sqlite' ? 'password' : 'table_name',
      order: '1 DESC',
    },
  ]);
  const limit = say.dialect === 'postgres' ? 'OFFSET 0 LIMIT 1' : 'LIMIT 0,1';
  return `SELECT ${cast(say, column)} FROM ${table} ORDER BY ${order} ${limit}`;
}

function cast(say: Speaker, column: string): string {
  if (say.dialect === 'mariadb') return `IFNULL(CAST(${column} AS NCHAR),0x20)`;
  if (say.dialect === 'postgres')
    return `COALESCE(CAST(${column} AS VARCHAR(10000))::text,(CHR(32)))`;
  return `COALESCE(CAST(${column} AS TEXT),CHAR(32))`;
}

function delimited(say: Speaker): string {
  const inner = `(${query(say)})`;
  if (say.dialect === 'mariadb') return `CONCAT(0x71${hex(say)},${inner},0x71${hex(say)})`;
  const code = say.dialect === 'postgres' ? 'CHR' : 'CHAR';
  return `${code}(113)||${code}(${97 + say.random.below(25)})||${inner}||${code}(113)`;
}

function hex(say: Speaker): string {
  return Buffer.from(`${say.name()}q`).toString('hex');
}

function inference(say: Speaker): string {
  const place = 1 + say.random.below(2);
  const limit = 101 + say.random.below(10);
  if (say.dialect === 'mariadb') return `ORD(MID((${query(say)}),${place},1))>${limit}`;
  if (say.dialect === 'postgres') {
    return `ASCII(SUBSTRING((${query(say)})::text FROM ${place} FOR 1))>${limit}`;
  }
  return `SUBSTR((${query(say)}),${place},1)>'${String.fromCharCode(limit)}'`;
}

function readTags(path: string, name: string): string[] {
  const text = readFileSync(path, 'utf8').replace(/<!--[\s\S]*?-->/g, '');
  return [...text.matchAll(new RegExp(`<${name}>([\\s\\S]*?)</${name}>`, 'g'))].map(
    ([, body = '']) => body,
  );
}

function tag(text: string, name: string): string {
  const found = new RegExp(`<${name}>([\\s\\S]*?)</${name}>`).exec(text)?.[1] ?? '';
  return found
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}
