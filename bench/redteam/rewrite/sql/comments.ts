import type { Random } from '../../../lib/random.ts';
import type { Dialect } from '../../oracle/sql/shop.ts';
import { isKeyword, isWord, rewriter, type SqlRewriter } from './rewriter.ts';
import { between } from './spaces.ts';

const plain: readonly Dialect[] = ['sqlite', 'postgres'];
const unnested: readonly Dialect[] = ['sqlite', 'mariadb'];

const words = [
  'size',
  'of',
  'tea',
  'lamp',
  'see',
  'the',
  'note',
  'blue',
  'new',
  'at',
  'home',
  'for',
];
const odd = [
  "'",
  '"',
  '`',
  "''",
  ';',
  '--',
  '#',
  '(',
  ')',
  '=',
  '!',
  '\\',
  '%',
  '{',
  '}',
  '$',
  '@',
  '+',
  '<',
  '>',
];
const commands = [
  'union',
  'select',
  'or',
  'and',
  'from',
  'where',
  'drop',
  'insert',
  "'x'='x'",
  '1=1',
];

const prose = (random: Random) =>
  random.times(1 + random.below(5), () => random.pick(words)).join(' ');
const marks = (random: Random) =>
  random.times(1 + random.below(4), () => random.pick(odd)).join('');

/** Contents of a comment: they mean nothing, so they may be anything. */
const contents: readonly (readonly [
  name: string,
  make: (random: Random) => string,
  dialects?: readonly Dialect[],
])[] = [
  ['empty', () => '/**/'],
  ['prose', (random) => `/*${prose(random)}*/`],
  // What begins with `!` or `M!` is no comment to MariaDB.
  ['marks', (random) => `/*${random.pick(words)}${marks(random)}${random.pick(['', ...words])}*/`],
  ['quote', (random) => `/*${random.pick(["'", '"', '`', "\\'", "it's"])}*/`],
  ['commands', (random) => `/* ${random.pick(commands)} ${random.pick(commands)}*/`],
  ['stars', (random) => `/*${'*'.repeat(random.below(6))} *${prose(random)}**/`],
  ['lines', (random) => `/*\n${prose(random)}\n-- ${prose(random)}\r\n*/`],
  [
    'unicode',
    (random) => `/*${random.pick(['é', '中', 'ß', '🙂', '\u200b', '－', 'Ω'])}${prose(random)}*/`,
  ],
  ['long', (random) => `/*${random.times(30, () => prose(random)).join('. ')}*/`],
  [
    'many',
    (random) => random.times(2 + random.below(5), () => '/**/').join(random.pick(['', ' '])),
  ],
  ['slash', (random) => `/*${random.pick(['/', '/*', ' /* ', '/*/*', '* /'])}*/`, unnested],
  ['odd', (random) => `/*${marks(random)}/*${marks(random)}*/`, unnested],
  [
    'nested',
    (random) => `/*${marks(random)}/*${prose(random)}*/${random.pick(["'", '', ' x'])}*/`,
    ['postgres'],
  ],
  [
    'exclaimed',
    (random) => `/*!${random.pick(['', '50000', '+R', '>', 'M', '00000 '])}${prose(random)}*/`,
    plain,
  ],
  [
    'future',
    (random) =>
      `/*!9999${random.below(10)}${random.below(10)} ${random.pick(commands)} ${random.pick(commands)}*/`,
    ['mariadb'],
  ],
  ['line', (random) => `-- ${random.chance(50) ? prose(random) : marks(random)}\n`],
  [
    'dashes',
    (random) => `--${random.pick(['', "'", 'x', '>', '-', ')', '/*'])}${prose(random)}\n`,
    plain,
  ],
  ['hash', (random) => `#${random.chance(50) ? prose(random) : marks(random)}\n`, ['mariadb']],
];

/** Comments in place of white space, or where there was none. */
export const comments: readonly SqlRewriter[] = [
  ...contents.map(([name, make, dialects]) =>
    rewriter(
      `comment/${name}`,
      (pieces, at, random) => (pieces[at]?.kind === 'space' ? make(random) : undefined),
      dialects,
    ),
  ),
  ...contents
    .filter(([name]) => ['empty', 'marks', 'slash', 'nested', 'future', 'line'].includes(name))
    .map(([name, make, dialects]) => rewriter(`comment/added-${name}`, between(make), dialects)),
  ...versioned(),
];

/** MariaDB runs what stands in some comments. */
function versioned(): SqlRewriter[] {
  const open = (random: Random) =>
    random.pick(['/*!', '/*!50000', '/*!00000', '/*!40101 ', '/*M!', '/*M!100000 ', '/*! ']);
  const isKey = isKeyword;
  return [
    rewriter(
      'version/keyword',
      (pieces, at, random) =>
        isKey(pieces[at]) ? ` ${open(random)}${pieces[at]?.text}*/ ` : undefined,
      ['mariadb'],
    ),
    rewriter(
      'version/name',
      (pieces, at, random) =>
        pieces[at]?.kind === 'word' && pieces[at + 1]?.text !== '('
          ? ` ${open(random)} ${pieces[at].text} */ `
          : undefined,
      ['mariadb'],
    ),
    rewriter(
      'version/pair',
      (pieces, at, random) =>
        isWord(pieces[at], 'union', 'order', 'group') && pieces[at + 2]?.kind === 'word'
          ? {
              from: at,
              to: at + 2,
              text: ` ${open(random)} ${pieces[at]?.text} ${pieces[at + 2]?.text}*/ `,
            }
          : undefined,
      ['mariadb'],
    ),
    rewriter(
      'version/space',
      (pieces, at, random) => (pieces[at]?.kind === 'space' ? ` ${open(random)}*/ ` : undefined),
      ['mariadb'],
    ),
    rewriter(
      'version/number',
      (pieces, at, random) =>
        pieces[at]?.kind === 'number' || pieces[at]?.kind === 'string'
          ? ` ${open(random)} ${pieces[at].text} */ `
          : undefined,
      ['mariadb'],
    ),
    rewriter(
      'version/mark',
      (pieces, at, random) =>
        ['=', '>', '<', ','].includes(pieces[at]?.text ?? '')
          ? `${open(random)}${pieces[at]?.text}*/`
          : undefined,
      ['mariadb'],
    ),
  ];
}
