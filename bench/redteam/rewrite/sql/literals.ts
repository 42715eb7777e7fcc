import type { Random } from '../../../lib/random.ts';
import type { Dialect } from '../../oracle/sql/shop.ts';
import { all, mariadb, postgres, rewriter, type SqlRewriter, sqlite } from './rewriter.ts';

const loose: readonly Dialect[] = ['sqlite', 'mariadb'];

type Form<T> = readonly [
  name: string,
  make: (value: T, random: Random) => string | undefined,
  dialects?: readonly Dialect[],
];

const numberForms: readonly Form<number>[] = [
  ['hex', (n) => `0x${n.toString(16)}`, loose],
  [
    'scientific',
    (n, random) => random.pick([`${n}e0`, `${n * 10}e-1`, `${n}E+00`, `.${n}e${String(n).length}`]),
  ],
  ['float', (n, random) => random.pick([`${n}.0`, `${n}.`, `${n}.000`])],
  ['zeros', (n, random) => `${'0'.repeat(1 + random.below(5))}${n}`],
  ['sum', (n, random) => split(n, random, (a, b) => `${a}+${b}`)],
  ['difference', (n, random) => split(n, random, (a) => `(${n + a}-${a})`)],
  ['product', (n, random) => random.pick([`${n}*1`, `(${n * 2}/2)`, `${n * 3}/3`])],
  ['modulo', (n, random) => `${n}%${n + 1 + random.below(99)}`],
  ['negative', (n, random) => random.pick([`-(-${n})`, `- -${n}`, `-(-(${n}))`])],
  ['complement', (n) => `(~ -${n + 1})`],
  ['shift', (n, random) => random.pick([`${n * 2}>>1`, `(${n}<<0)`, `(${n}|0)`, `(${n}&${n})`])],
  ['parentheses', (n, random) => random.pick([`(${n})`, `((${n}))`, `( ${n} )`])],
  ['quoted', (n) => `'${n}'`],
  [
    'select',
    (n, random) => random.pick([`(SELECT ${n})`, `(select(${n}))`, `(SELECT ${n} WHERE 1=1)`]),
  ],
  [
    'abs',
    (n, random) => random.pick([`abs(-${n})`, `abs(${n})`, `round(${n}.1)`, `coalesce(${n},0)`]),
  ],
  ['length', (n, random) => (n < 20 ? `length('${letters(n, random)}')` : undefined)],
  ['nullif', (n, random) => `nullif(${n},${n + 1 + random.below(9)})`],
  ['case', (n, random) => `CASE ${n} WHEN ${n} THEN ${n} ELSE ${random.below(9)} END`],
  [
    'cast',
    (n, random) =>
      `CAST(${random.pick([`'${n}'`, String(n)])} AS ${random.pick(['decimal', 'DECIMAL', 'decimal(9)'])})`,
  ],
  ['true', (n, random) => (n === 1 ? random.pick(['true', 'TRUE', '(true)']) : undefined), loose],
  ['truth', (n, random) => truth(n, random), loose],
  ['position', (n) => (n > 0 && n < 20 ? `instr('${'q'.repeat(n - 1)}x','x')` : undefined), loose],
  [
    'colon-cast',
    (n, random) => random.pick([`${n}::int`, `'${n}'::int`, `${n}::text::int`, `int'${n}'`]),
    postgres,
  ],
  [
    'greatest',
    (n, random) => random.pick([`greatest(${n},0)`, `least(${n},${n + 9})`]),
    ['postgres', 'mariadb'],
  ],
  [
    'max',
    (n, random) =>
      random.pick([`max(${n},0)`, `min(${n},${n + 9})`, `ifnull(${n},0)`, `iif(1,${n},0)`]),
    sqlite,
  ],
  ['underscore', (n) => (n > 9 ? String(n).replace(/^(\d)/, '$1_') : undefined), sqlite],
  [
    'bit-literal',
    (n, random) =>
      random.pick([`b'${n.toString(2)}'`, `0b${n.toString(2)}`, `B'0${n.toString(2)}'`]),
    mariadb,
  ],
  [
    'if',
    (n, random) =>
      random.pick([`if(1,${n},0)`, `ifnull(${n},0)`, `elt(1,${n})`, `interval(${n},${n})*${n}`]),
    mariadb,
  ],
  [
    'conv',
    (n, random) =>
      random.pick([
        `conv('${n.toString(16)}',16,10)`,
        `conv('${n.toString(2)}',2,10)`,
        `conv('${n.toString(36)}',36,10)`,
      ]),
    mariadb,
  ],
  ['div', (n) => `${n * 2} DIV 2`, mariadb],
];

const stringForms: readonly Form<string>[] = [
  [
    'pipes',
    (text, random) =>
      parts(text, random, (list) => list.map(quote).join(random.pick(['||', ' || ']))),
    ['sqlite', 'postgres'],
  ],
  [
    'concat',
    (text, random) => parts(text, random, (list) => `concat(${list.map(quote).join(',')})`),
  ],
  [
    'concat-ws',
    (text, random) => parts(text, random, (list) => `concat_ws('',${list.map(quote).join(',')})`),
  ],
  ['replace', (text, random) => marked(text, random.pick(['#', '~', '^', 'ZZ']))],
  ['substring', (text, random) => `substr(${quote(`${letters(2, random)}${text}`)},3)`],
  ['trim', (text, random) => `${random.pick(['trim', 'ltrim', 'rtrim'])}(${quote(text)})`],
  ['case', (text) => (/^[a-z]+$/.test(text) ? `lower(${quote(text.toUpperCase())})` : undefined)],
  [
    'coalesce',
    (text, random) => random.pick([`coalesce(NULL,${quote(text)})`, `nullif(${quote(text)},'')`]),
  ],
  ['select', (text) => `(SELECT ${quote(text)})`],
  ['parentheses', (text) => `(${quote(text)})`],
  ['cast', (text) => `CAST(${quote(text)} AS char(${text.length}))`],
  ['char', (text) => `char(${codes(text).join(',')})`, loose],
  ['double-quotes', (text) => `"${text}"`, loose],
  ['hex-cast', (text) => `CAST(x'${hex(text)}' AS text)`, sqlite],
  ['unhex', (text) => `CAST(unhex('${hex(text)}') AS char)`, loose],
  [
    'printf',
    (text, random) =>
      `${random.pick(['printf', 'format'])}('%s%s',${quote(text.slice(0, 1))},${quote(text.slice(1))})`,
    sqlite,
  ],
  [
    'json',
    (text, random) => random.pick([`json_extract('["${text}"]','$[0]')`, `'"${text}"'->>'$'`]),
    sqlite,
  ],
  [
    'hex',
    (text, random) => random.pick([`0x${hex(text)}`, `x'${hex(text)}'`, `X'${hex(text)}'`]),
    mariadb,
  ],
  ['adjacent', (text, random) => parts(text, random, (list) => list.map(quote).join(' ')), mariadb],
  [
    'national',
    (text, random) => `${random.pick(['N', 'n'])}${quote(text)}`,
    ['postgres', 'mariadb'],
  ],
  [
    'introducer',
    (text, random) =>
      random.pick([`_utf8mb4${quote(text)}`, `_latin1 0x${hex(text)}`, `_latin1${quote(text)}`]),
    mariadb,
  ],
  [
    'backslash',
    (text) =>
      /^[c-mo-qs-y ]+$/.test(text) ? `'${[...text].map((one) => `\\${one}`).join('')}'` : undefined,
    mariadb,
  ],
  ['reverse', (text) => `reverse(${quote([...text].reverse().join(''))})`, ['postgres', 'mariadb']],
  [
    'left',
    (text, random) => `left(${quote(`${text}${letters(3, random)}`)},${text.length})`,
    ['postgres', 'mariadb'],
  ],
  [
    'elt',
    (text, random) =>
      random.pick([
        `elt(1,${quote(text)})`,
        `insert(${quote(text)},1,0,'')`,
        `make_set(1,${quote(text)})`,
      ]),
    mariadb,
  ],
  ['base64', (text) => `from_base64('${Buffer.from(text).toString('base64')}')`, mariadb],
  ['collate', (text) => `${quote(text)} COLLATE utf8mb4_bin`, mariadb],
  [
    'chr',
    (text) =>
      `(${codes(text)
        .map((code) => `chr(${code})`)
        .join('||')})`,
    postgres,
  ],
  [
    'dollar',
    (text, random) => tagged(text, random.chance(50) ? '$$' : `$${letters(3, random)}$`),
    postgres,
  ],
  [
    'escape',
    (text, random) =>
      `${random.pick(['E', 'e'])}'${[...text].map((one) => escaped(one, random)).join('')}'`,
    postgres,
  ],
  [
    'unicode',
    (text, random) =>
      `${random.pick(['U&', 'u&'])}'${[...text].map((one) => `\\${hex4(one)}`).join('')}'`,
    postgres,
  ],
  [
    'newline',
    (text, random) => parts(text, random, (list) => list.map(quote).join('\n')),
    ['postgres', 'mariadb'],
  ],
  [
    'colon-cast',
    (text, random) => `${quote(text)}::${random.pick(['text', 'varchar', 'text::text'])}`,
    postgres,
  ],
  ['decode', (text) => `convert_from(decode('${hex(text)}','hex'),'UTF8')`, postgres],
];

/** Numbers and strings, written in other ways. */
export const literals: readonly SqlRewriter[] = [
  ...numberForms.map(([name, make, dialects = all]) =>
    rewriter(
      `number/${name}`,
      (pieces, at, random) => {
        const piece = pieces[at];
        if (piece?.kind !== 'number' || !/^\d{1,9}$/.test(piece.text)) return undefined;
        return make(Number(piece.text), random);
      },
      dialects,
    ),
  ),
  ...stringForms.map(([name, make, dialects = all]) =>
    rewriter(
      `string/${name}`,
      (pieces, at, random) => {
        const piece = pieces[at];
        if (piece?.kind !== 'string' || !/^'[\w %.,{}-]{1,60}'$/.test(piece.text)) return undefined;
        return make(piece.text.slice(1, -1), random);
      },
      dialects,
    ),
  ),
];

function quote(text: string): string {
  return `'${text}'`;
}

function marked(text: string, mark: string): string {
  return `replace(${quote(`${text}${mark}`)},${quote(mark)},'')`;
}

function tagged(text: string, tag: string): string {
  return `${tag}${text}${tag}`;
}

function hex(text: string): string {
  return Buffer.from(text).toString('hex');
}

function hex4(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, '0');
}

function codes(text: string): number[] {
  return [...text].map((one) => one.charCodeAt(0));
}

function letters(count: number, random: Random): string {
  return random.times(count, () => random.pick([...'abcdefghij'])).join('');
}

function escaped(character: string, random: Random): string {
  const code = character.charCodeAt(0);
  return random.pick([
    character,
    `\\x${code.toString(16)}`,
    `\\${code.toString(8).padStart(3, '0')}`,
    `\\u${hex4(character)}`,
  ]);
}

function split(n: number, random: Random, join: (a: number, b: number) => string): string {
  const a = random.below(n + 1);
  return join(a, n - a);
}

/** A text in two or more parts; one letter has an empty one beside it. */
function parts(text: string, random: Random, join: (list: readonly string[]) => string): string {
  const list = text.length < 2 ? [text, ''] : [];
  let rest = text.length < 2 ? '' : text;
  while (rest !== '') {
    const length =
      1 + random.below(rest.length > 1 && list.length === 0 ? rest.length - 1 : rest.length);
    list.push(rest.slice(0, length));
    rest = rest.slice(length);
  }
  return join(list);
}

function truth(n: number, random: Random): string | undefined {
  if (n > 1) return undefined;
  const a = random.below(99);
  return n === 1 ? random.pick([`(${a}=${a})`, `(${a}<${a + 1})`, '(NOT 0)']) : `(${a}>${a})`;
}
