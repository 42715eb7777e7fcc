import type { Dialect } from '../../oracle/sql/shop.ts';
import type { Piece } from './fragment.ts';
import {
  all,
  isKeyword,
  isWord,
  mariadb,
  neighbour,
  postgres,
  rewriter,
  type SqlRewriter,
  sqlite,
} from './rewriter.ts';

const folding: readonly Dialect[] = ['sqlite', 'postgres'];

function isCall(pieces: readonly Piece[], at: number): boolean {
  return pieces[at]?.kind === 'word' && pieces[at + 1]?.text === '(' && !isKeyword(pieces[at]);
}

/** A word that names a table or a column, as far as that can be seen. */
function isName(pieces: readonly Piece[], at: number): boolean {
  const piece = pieces[at];
  if (piece?.kind !== 'word' || isKeyword(piece) || isCall(pieces, at)) return false;
  if (
    /^(?:true|false|int|text|numeric|integer|date|float|dec|current_date|[nex])$/i.test(piece.text)
  )
    return false;
  return pieces[at - 1]?.text !== '::';
}

function isTable(pieces: readonly Piece[], at: number): boolean {
  const before = pieces[neighbour(pieces, at, -1)];
  return isName(pieces, at) && isWord(before, 'from', 'update', 'into', 'table', 'join');
}

const cases: readonly (readonly [
  string,
  (text: string, chance: (percent: number) => boolean) => string,
])[] = [
  ['upper', (text) => text.toUpperCase()],
  ['lower', (text) => text.toLowerCase()],
  ['first', (text) => text.slice(0, 1).toUpperCase() + text.slice(1).toLowerCase()],
  [
    'mixed',
    (text, chance) =>
      [...text].map((one) => (chance(50) ? one.toUpperCase() : one.toLowerCase())).join(''),
  ],
];

const quotings: readonly (readonly [string, (text: string) => string, readonly Dialect[]])[] = [
  ['double-quotes', (text) => `"${text}"`, folding],
  ['backticks', (text) => `\`${text}\``, ['sqlite', 'mariadb']],
  ['brackets', (text) => `[${text}]`, sqlite],
  ['single-quotes', (text) => `'${text}'`, sqlite],
  [
    'unicode',
    (text) =>
      `U&"${[...text].map((one) => `\\${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`,
    postgres,
  ],
];

/** Letters of words, quoting of names, and the space before the parenthesis of a call. */
export const names: readonly SqlRewriter[] = [
  ...cases.map(([name, make]) =>
    rewriter(`case/${name}`, (pieces, at, random) =>
      isKeyword(pieces[at]) || isCall(pieces, at)
        ? make(pieces[at]?.text ?? '', (percent) => random.chance(percent))
        : undefined,
    ),
  ),
  rewriter(
    'case/names',
    (pieces, at, random) =>
      isName(pieces, at)
        ? [...(pieces[at]?.text ?? '')]
            .map((one) => (random.chance(50) ? one.toUpperCase() : one))
            .join('')
        : undefined,
    folding,
  ),
  ...quotings.map(([name, make, dialects]) =>
    rewriter(
      `name/${name}`,
      (pieces, at) => (isName(pieces, at) ? make(pieces[at]?.text ?? '') : undefined),
      dialects,
    ),
  ),
  ...(['main', 'public'] as const).map((schema) =>
    rewriter(
      `name/${schema}`,
      (pieces, at, random) => {
        if (!isTable(pieces, at)) return undefined;
        const dot = random.pick(['.', ' . ', '.', '/**/./**/']);
        return `${random.pick([schema, `"${schema}"`])}${dot}${pieces[at]?.text}`;
      },
      schema === 'main' ? sqlite : postgres,
    ),
  ),
  rewriter(
    'call/space',
    (pieces, at, random) =>
      isCall(pieces, at)
        ? `${pieces[at]?.text}${random.pick([' ', '\n', '\t', '  ', '/**/', ' /* */ ', '-- \n'])}`
        : undefined,
    all,
  ),
  rewriter(
    'call/quoted',
    (pieces, at) => (isCall(pieces, at) ? `"${pieces[at]?.text.toLowerCase()}"` : undefined),
    folding,
  ),
  rewriter(
    'call/schema',
    (pieces, at, random) =>
      isCall(pieces, at)
        ? `${random.pick(['pg_catalog', '"pg_catalog"', 'PG_CATALOG'])}.${pieces[at]?.text}`
        : undefined,
    postgres,
  ),
  rewriter(
    'call/synonym',
    (pieces, at, random) => {
      const piece = pieces[at];
      if (piece === undefined || !isCall(pieces, at)) return undefined;
      const others = synonyms[piece.text.toLowerCase()];
      return others === undefined ? undefined : random.pick(others);
    },
    all,
  ),
  rewriter(
    'call/mid',
    (pieces, at, random) =>
      isCall(pieces, at) && isWord(pieces[at], 'substr', 'substring')
        ? random.pick(['mid', 'MID'])
        : undefined,
    mariadb,
  ),
];

const synonyms: Readonly<Record<string, readonly string[]>> = {
  substr: ['substring', 'SUBSTRING'],
  substring: ['substr', 'SUBSTR'],
  ascii: ['ord', 'ASCII'],
  length: ['char_length', 'character_length', 'octet_length', 'bit_length'],
  max: ['min', 'MAX'],
  group_concat: ['string_agg', 'json_group_array', 'json_arrayagg'],
  string_agg: ['concat_ws', 'max'],
  char: ['CHAR', 'chr'],
  upper: ['ucase', 'trim'],
  unicode: ['length', 'hex'],
  concat: ['concat_ws', 'CONCAT'],
};
