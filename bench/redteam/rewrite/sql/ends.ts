import type { Random } from '../../../lib/random.ts';
import type { Dialect } from '../../oracle/sql/shop.ts';
import { all, rewriter, type SqlRewriter } from './rewriter.ts';
import { alias } from './structure.ts';

const terminators: readonly (readonly [
  string,
  (random: Random) => string,
  (readonly Dialect[])?,
])[] = [
  ['dashes', (random) => random.pick(['-- ', '-- -', '--\t', '-- \n', '--\n'])],
  [
    'text',
    (random) =>
      `-- ${random.pick(['see you', 'thanks, Ruth', "it's fine", 'x"y', '(note 3)', 'a=b', ')'])}`,
  ],
  ['semicolon', (random) => random.pick([';-- ', '; -- -', ' ;;-- ', ';\n-- '])],
  [
    'dash-only',
    (random) => random.pick(['--', '--x', '--+', "--'", '--)', '--/*']),
    ['sqlite', 'postgres'],
  ],
  ['hash', (random) => random.pick(['#', '# ', '#x', "#'", ';#']), ['mariadb']],
  ['open-comment', (random) => random.pick(['/*', '/* see', "/*'", '/**', ';/*']), ['sqlite']],
  ['null-byte', (random) => random.pick([';\0', '\0', ' \0x', '--\0', ';\0-- ']), ['sqlite']],
];

/** The end of a value, and the text that it begins with. */
export const ends: readonly SqlRewriter[] = [
  ...terminators.map(([name, make, dialects = all]) =>
    rewriter(
      `end/${name}`,
      (pieces, at, random) =>
        pieces[at]?.kind === 'end' ? ` ${make(random)}`.replace(/^ (?=;)/, '') : undefined,
      dialects,
    ),
  ),
  rewriter('end/balanced', (pieces, at, random) => {
    const quote = pieces[0]?.kind === 'head' ? pieces[0].text.at(-1) : undefined;
    if (pieces[at]?.kind !== 'end' || (quote !== "'" && quote !== '"')) return undefined;
    const word = alias(random);
    const join = random.pick(['AND', 'OR', 'and', 'WHERE']);
    return random.pick([
      ` ${join} ${quote}${word}${quote}=${quote}${word}`,
      ` ${join} ${quote}${word}${quote} LIKE ${quote}${word}`,
      ` ${join} ${quote}a${quote}<${quote}${word}`,
      ` ${join} ${quote}${quote}<>${quote}${word}`,
    ]);
  }),
  rewriter('head/other', (pieces, at, random) => {
    const { kind, text = '' } = pieces[at] ?? {};
    if (kind !== 'head' || text.endsWith('*/')) return undefined;
    const data = [
      '',
      '0',
      'tea',
      'a b c',
      'Ruth & co',
      'x@y.zz',
      '50%',
      'why?',
      '日本',
      'a.b',
      '-1',
      'O’Neill',
    ];
    return `${random.pick(data)}${text.slice(-1)}`;
  }),
  rewriter('head/long', (pieces, at, random) => {
    const { kind, text = '' } = pieces[at] ?? {};
    if (kind !== 'head' || text.endsWith('*/')) return undefined;
    const words = ['the', 'tea', 'was', 'good', 'and', 'we', 'like', 'it', 'very', 'much', 'here'];
    return `${random.times(5 + random.below(40), () => random.pick(words)).join(' ')}${text.slice(-1)}`;
  }),
];
