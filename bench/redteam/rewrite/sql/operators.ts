import type { Random } from '../../../lib/random.ts';
import type { Dialect } from '../../oracle/sql/shop.ts';
import type { Piece } from './fragment.ts';
import {
  all,
  isWord,
  mariadb,
  neighbour,
  operandEnd,
  operandStart,
  type Patch,
  postgres,
  rewriter,
  type SqlRewriter,
  sqlite,
  textOf,
} from './rewriter.ts';

/** A comparison of two simple operands. */
interface Comparison {
  readonly from: number;
  readonly to: number;
  readonly left: string;
  readonly right: string;
}

/** The comparison whose operator stands at a place, if nothing that binds closer is beside it. */
function comparisonAt(pieces: readonly Piece[], at: number): Comparison | undefined {
  const leftEnd = neighbour(pieces, at, -1);
  const rightStart = neighbour(pieces, at, 1);
  const from = operandStart(pieces, leftEnd);
  const to = operandEnd(pieces, rightStart);
  if (from === undefined || to === undefined) return undefined;
  const before = pieces[neighbour(pieces, from, -1)];
  const behind = pieces[neighbour(pieces, to, 1)];
  const binding = /^(?:[-+*/%|^&.~]|\|\||<<|>>|::)$/;
  if (binding.test(before?.text ?? '') || binding.test(behind?.text ?? '')) return undefined;
  return { from, to, left: textOf(pieces, from, leftEnd), right: textOf(pieces, rightStart, to) };
}

type Form = readonly [
  name: string,
  operator: string,
  make: (comparison: Comparison, random: Random) => string,
  dialects?: readonly Dialect[],
];

const forms: readonly Form[] = [
  ['equals/like', '=', ({ left, right }) => `${left} LIKE ${right}`],
  [
    'equals/in',
    '=',
    ({ left, right }, random) => `${left} IN (${right}${random.chance(50) ? `,${right}` : ''})`,
  ],
  ['equals/between', '=', ({ left, right }) => `${left} BETWEEN ${right} AND ${right}`],
  [
    'equals/not-unequal',
    '=',
    ({ left, right }, random) => `NOT ${left} ${random.pick(['<>', '!='])} ${right}`,
  ],
  ['equals/turned', '=', ({ left, right }) => `${right}=${left}`],
  ['equals/bounds', '=', ({ left, right }) => `(${left}>=${right} AND ${left}<=${right})`],
  ['equals/nullif', '=', ({ left, right }) => `nullif(${left},${right}) IS NULL`],
  ['equals/case', '=', ({ left, right }) => `CASE ${left} WHEN ${right} THEN 1 ELSE 0 END>0`],
  [
    'equals/select',
    '=',
    ({ left, right }, random) => `${left}=${random.pick(['ANY', 'SOME', 'ALL'])}(SELECT ${right})`,
    ['postgres', 'mariadb'],
  ],
  ['equals/in-select', '=', ({ left, right }) => `${left} IN (SELECT ${right})`],
  ['equals/exists', '=', ({ left, right }) => `EXISTS(SELECT 1 WHERE ${left}=${right})`],
  ['equals/row', '=', ({ left, right }) => `(${left},1)=(${right},1)`],
  [
    'equals/distinct',
    '=',
    ({ left, right }) => `${left} IS NOT DISTINCT FROM ${right}`,
    ['sqlite', 'postgres'],
  ],
  ['equals/is', '=', ({ left, right }) => `${left} IS ${right}`, sqlite],
  ['equals/double', '=', ({ left, right }) => `${left}==${right}`, sqlite],
  ['equals/glob', '=', ({ left, right }) => `${left} GLOB ${right}`, sqlite],
  ['equals/null-safe', '=', ({ left, right }) => `${left}<=>${right}`, mariadb],
  [
    'equals/regexp',
    '=',
    ({ left, right }, random) => `${left} ${random.pick(['REGEXP', 'RLIKE'])} ${right}`,
    mariadb,
  ],
  ['equals/strcmp', '=', ({ left, right }) => `strcmp(${left},${right})=0`, mariadb],
  [
    'equals/similar',
    '=',
    ({ left, right }) =>
      `${left}::text ${['SIMILAR TO', 'ILIKE', '~~', '~'][right.length % 4]} ${right}::text`,
    postgres,
  ],
  ['greater/turned', '>', ({ left, right }) => `${right}<${left}`],
  ['greater/not', '>', ({ left, right }) => `NOT ${left}<=${right}`],
  ['greater/between', '>', ({ left, right }) => `${left} NOT BETWEEN 0 AND ${right}`],
  ['greater/sign', '>', ({ left, right }) => `sign(${left}-${right})=1`],
  [
    'greater/least',
    '>',
    ({ left, right }) => `least(${left},${right}+1)=${right}+1`,
    ['postgres', 'mariadb'],
  ],
  ['greater/max', '>', ({ left, right }) => `max(${left},${right}+1)=${left}`, sqlite],
  [
    'unequal/not',
    '<>',
    ({ left, right }, random) => `NOT ${left}${random.pick(['=', ' = '])}${right}`,
  ],
  ['unequal/mark', '<>', ({ left, right }) => `${left}!=${right}`],
  ['unequal/not-in', '<>', ({ left, right }) => `${left} NOT IN (${right})`],
];

/** The condition that follows a connective: one comparison. */
function conditionBehind(pieces: readonly Piece[], at: number): Patch | undefined {
  const start = neighbour(pieces, at, 1);
  const leftEnd = operandEnd(pieces, start);
  if (leftEnd === undefined) return undefined;
  const operator = neighbour(pieces, leftEnd, 1);
  if (!/^(?:=|<>|!=|<|>|<=|>=|<=>)$/.test(pieces[operator]?.text ?? '')) return undefined;
  const to = operandEnd(pieces, neighbour(pieces, operator, 1));
  return to === undefined ? undefined : { from: start, to, text: textOf(pieces, start, to) };
}

type Wrap = readonly [
  name: string,
  make: (text: string, random: Random) => string,
  dialects?: readonly Dialect[],
];

/** What may stand in place of a condition. */
const wraps: readonly Wrap[] = [
  ['parentheses', (text, random) => random.pick([`(${text})`, `((${text}))`, `( ${text} )`])],
  ['not-not', (text) => `NOT NOT (${text})`],
  ['case', (text) => `CASE WHEN ${text} THEN 1 ELSE 0 END=1`],
  ['case-not', (text) => `1=CASE WHEN NOT ${text} THEN 2 ELSE 1 END`],
  ['exists', (text) => `EXISTS(SELECT 1 WHERE ${text})`],
  [
    'in',
    (text, random) =>
      random.pick([`(${text}) IN (1=1)`, `(${text})=(2=2)`, `(1=1) IN ((${text}))`]),
  ],
  ['select', (text) => `(SELECT ${text})`],
  ['and-true', (text, random) => `(${text} AND ${random.below(99)}<${100 + random.below(99)})`],
  ['or-false', (text, random) => `(${text} OR ${random.below(99)}>${100 + random.below(99)})`],
  ['is-true', (text) => `(${text}) IS TRUE`],
  ['coalesce', (text) => `coalesce(${text},1=2)`],
  ['if', (text) => `if(${text},1,0)`, mariadb],
  ['iif', (text) => `iif(${text},1,0)`, sqlite],
  [
    'plus',
    (text, random) =>
      random.pick([`(${text})+0`, `-(${text})`, `(${text})*${1 + random.below(9)}`]),
    ['sqlite', 'mariadb'],
  ],
  ['bang', (text) => `!(!(${text}))`, mariadb],
  ['cast', (text) => `(${text})::text='true'`, postgres],
];

/** Operators and connectives, and conditions as a whole. */
export const operators: readonly SqlRewriter[] = [
  ...forms.map(([name, operator, make, dialects = all]) =>
    rewriter(
      name,
      (pieces, at, random) => {
        if (pieces[at]?.kind !== 'mark' || pieces[at].text !== operator) return undefined;
        const comparison = comparisonAt(pieces, at);
        if (comparison === undefined) return undefined;
        const { from, to } = comparison;
        return { from, to, text: make(comparison, random) };
      },
      dialects,
    ),
  ),
  ...wraps.map(([name, make, dialects = all]) =>
    rewriter(
      `condition/${name}`,
      (pieces, at, random) => {
        if (!isWord(pieces[at], 'or', 'and', 'where', 'when')) return undefined;
        const found = conditionBehind(pieces, at);
        return found === undefined ? undefined : { ...found, text: make(found.text, random) };
      },
      dialects,
    ),
  ),
  ...connectives(),
  rewriter('tautology/other', (pieces, at, random) => {
    if (pieces[at]?.text !== '=') return undefined;
    const comparison = comparisonAt(pieces, at);
    if (comparison === undefined || comparison.left !== comparison.right) return undefined;
    return { from: comparison.from, to: comparison.to, text: tautology(random) };
  }),
];

function connectives(): SqlRewriter[] {
  const replace = (name: string, word: string, texts: readonly string[], dialects = all) =>
    rewriter(
      name,
      (pieces, at, random) => (isWord(pieces[at], word) ? random.pick(texts) : undefined),
      dialects,
    );
  return [
    replace('or/pipes', 'or', ['||', ' || '], mariadb),
    replace('or/xor', 'or', ['XOR', 'xor'], mariadb),
    replace('and/ampersands', 'and', ['&&', ' && '], mariadb),
    replace('or/not-not', 'or', ['OR NOT NOT', 'or not not', 'OR NOT FALSE AND']),
    replace('or/false', 'or', [
      'OR 2=3 OR',
      "or 'a'='b' or",
      'OR false OR',
      'OR 1 IS NULL OR',
      'OR 1>2 OR',
    ]),
    replace('and/true', 'and', [
      'AND 2=2 AND',
      "and 'a'<'b' and",
      'AND true AND',
      'AND 1 IS NOT NULL AND',
    ]),
    replace('or/like', 'or', ["OR 'a' LIKE 'b' OR", 'or 3 in (4,5) or', 'OR 3 BETWEEN 4 AND 5 OR']),
    rewriter('like/negated', (pieces, at) => {
      if (!isWord(pieces[at], 'like')) return undefined;
      const comparison = comparisonAt(pieces, at);
      if (comparison === undefined) return undefined;
      const { from, to, left, right } = comparison;
      return { from, to, text: `NOT ${left} NOT LIKE ${right}` };
    }),
    rewriter('like/escape', (pieces, at) => {
      if (!isWord(pieces[at], 'like')) return undefined;
      const comparison = comparisonAt(pieces, at);
      if (comparison === undefined) return undefined;
      const { from, to, left, right } = comparison;
      return { from, to, text: `${left} LIKE ${right} ESCAPE '|'` };
    }),
  ];
}

function tautology(random: Random): string {
  const n = random.below(9_999);
  const word = random.pick(['tea', 'x', 'lamp', 'zz']);
  return random.pick([
    `${n}<${n + 1 + random.below(50)}`,
    `'${word}'<>'${word}s'`,
    `'${word}' LIKE '${word.slice(0, 1)}%'`,
    `${n} IS NOT NULL`,
    `NULL IS NULL`,
    `EXISTS(SELECT NULL)`,
    `length('${word}')=${word.length}`,
    `${n} NOT IN (${n + 1},${n + 7})`,
    `${n} BETWEEN ${n - 4} AND ${n + 2}`,
    `NOT ${n}>${n + 1}`,
    `(SELECT count(*) FROM users)>=0`,
    `coalesce(NULL,${n})=${n}`,
    `abs(-${n})>=0`,
    `'${word}'||'s'>'${word}'`,
    `CASE WHEN ${n}>0 THEN 1 ELSE 1 END=1`,
    `upper('${word}')='${word.toUpperCase()}'`,
    `current_date IS NOT NULL`,
  ]);
}
