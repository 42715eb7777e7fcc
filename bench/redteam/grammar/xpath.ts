import type { Random } from '../../lib/random.ts';
import type { Grammar } from '../contract.ts';
import { aName, aNumber, aText, type Maker, oneOf } from './words.ts';

/** Attacks on XPath expressions that are put together. */
export const xpath: Grammar = {
  language: 'xpath',
  attack(random, _oracle, context) {
    const ways = waysIn[context.name] ?? waysIn['number'] ?? [];
    const [kind, make] = random.pick(ways);
    const isLogIn = context.name.startsWith('log-in');
    const quote = context.name.includes('double') || /last|starts/.test(context.name) ? '"' : "'";
    const value = make(random, quote);
    const values = !isLogIn
      ? [value]
      : random.chance(50)
        ? [random.pick(['admin', 'alice', aName(random)]), value]
        : [value, aText(random)];
    return { kind: `${kind}/${context.name}`, values };
  },
};

type Way = readonly [kind: string, make: (random: Random, quote: string) => string];

const other = (quote: string): string => (quote === '"' ? "'" : '"');

/** What is true of each node; quoted as the literal around is not, or as it is. */
const truth = (random: Random, quote: string): string => {
  const mark = random.pick([quote, other(quote)]);
  const text = `${mark}${aName(random)}${mark}`;
  const number = aNumber(random);
  return random.pick([
    `${text}=${text}`,
    `${number}=${number}`,
    `${text} = ${text}`,
    'true()',
    'not(false())',
    `not(${text}=${number})`,
    `${random.below(99)}<${100 + random.below(99)}`,
    `string-length(//password)>${random.below(20)}`,
    `string-length(.)>=${random.below(4)}`,
    `count(//${random.pick(['user', 'password', 'node()', '*', 'text()'])})>${random.below(3)}`,
    `count(/*)=1`,
    'boolean(/*)',
    `${1 + random.below(999)}`,
    'position()>0',
    'last()',
    '//user',
    '/*',
    `starts-with(//password,${mark}c${mark})`,
    `contains(//user[1]/password,${mark}-${mark})`,
    `substring(//user[${1 + random.below(3)}]/password,1,1)=${mark}c${mark}`,
    `name(/*)=${mark}shop${mark}`,
    `local-name(/*[1])!=${text}`,
    'self::*',
    '@*|node()',
    'ancestor::*',
  ]);
};

/** A way to what is hidden. */
const secret: Maker = oneOf(
  () => '//password',
  () => '//user',
  () => '//user/password/text()',
  () => '//users/*',
  () => '/shop/users/user',
  () => '/*',
  () => '/descendant::password',
  () => '//*',
  () => '//text()',
  () => '//node()',
  () => '//product[@public="0"]',
  (random) => `//user[${1 + random.below(3)}]/*`,
  (random) => `//*[local-name()="${random.pick(['password', 'user'])}"]`,
  (random) => `/*/*[${1 + random.below(2)}]/*/*`,
);

const orTrue = (random: Random, quote: string): string => {
  const text = aText(random).replaceAll(/["']/g, '');
  const end = random.pick([
    ` or ${quote}${aName(random)}${quote}=${quote}`,
    ` or ${quote}`,
    ` or ${aNumber(random)}=${quote}`,
  ]);
  return `${text}${quote} or ${truth(random, quote)}${end}`;
};

const orText = (random: Random, quote: string): string => {
  const text = aName(random);
  return `${aText(random)}${quote} or ${quote}${text}${quote}=${quote}${text}`;
};

const union = (random: Random, quote: string, last = ''): string => {
  const space = random.pick(['', ' ']);
  const end = `//${aName(random)}[${quote}${aName(random)}${quote}=${quote}`;
  return `${aText(random)}${quote}${last}]${space}|${space}${secret(random)}${space}|${space}${end}`;
};

const textWays: readonly Way[] = [
  ['or', orTrue],
  ['or, equal texts', orText],
  ['union', union],
  [
    'predicate',
    (random, quote) =>
      `${aText(random)}${quote} or ${truth(random, quote)}][${truth(random, quote)} or ${quote}`,
  ],
];

const callWays = (argument: string): readonly Way[] => [
  [
    'or',
    (random, quote) =>
      `${aText(random)}${quote}) or ${truth(random, quote)} or contains(${argument},${quote}${aName(random)}`,
  ],
  [
    'union',
    (random, quote) =>
      `${aName(random)}${quote})]|${secret(random)}|//${aName(random)}[contains(${argument},${quote}`,
  ],
];

/** The ways in and out, by context. */
const waysIn: Readonly<Record<string, readonly Way[]>> = {
  'log-in, single quotes': textWays,
  'log-in, double quotes': textWays,
  'text, single quotes': textWays,
  'text, double quotes': textWays,
  attribute: textWays,
  'attribute, last': textWays,
  'string function': textWays.filter(([kind]) => kind !== 'predicate'),
  contains: callWays('title'),
  'starts-with': [
    [
      'or',
      (random, quote) =>
        `${aName(random)}${quote}) or ${truth(random, quote)} or starts-with(title,${quote}${aName(random)}`,
    ],
    ...callWays('.').slice(1),
  ],
  'nested function': [
    [
      'or',
      (random, quote) =>
        `${aName(random)}${quote},${quote}a${quote},${quote}b${quote})) or ${truth(random, quote)} or contains(title,translate(${quote}a`,
    ],
    [
      'union',
      (random, quote) =>
        `${aName(random)}${quote},${quote}a${quote},${quote}b${quote}))]|${secret(random)}|//*[contains(title,translate(${quote}a`,
    ],
  ],
  number: [
    ['or', (random) => `${aNumber(random)} or ${truth(random, '"')}`],
    ['union', (random) => `${aNumber(random)}]|${secret(random)}|//*[0`],
    [
      'path',
      (random) => `${aNumber(random)}]/..${random.pick(['/product', '', '//title', '/*'])}[1`,
    ],
    ['or, node', (random) => `-1 or @public=${random.pick(['"0"', '0', '1-1'])}`],
  ],
  position: [
    [
      'path',
      (random) => `1]/${random.pick(['..', '../*', 'following::*', '../..', 'ancestor::*'])}[1`,
    ],
    ['union', (random) => `${aNumber(random)}]|${secret(random)}|//*[0`],
    [
      'axis',
      (random) =>
        `last()]/following-sibling::${random.pick(['*', 'product'])}[${truth(random, '"')}`,
    ],
  ],
  step: [
    ['parent', (random) => `..${random.pick(['', '/..', '/../users', '/../..//password', '//*'])}`],
    ['union', (random) => `title|${secret(random)}`],
    [
      'axis',
      (random) =>
        `${random.pick(['ancestor', 'following', 'ancestor-or-self', 'following-sibling', 'parent'])}::${random.pick(['*', 'node()'])}`,
    ],
    ['predicate', (random) => `title[${truth(random, '"')}]/ancestor::*`],
  ],
  'name of an element': [
    ['or', (random) => `${truth(random, '"')} or title`],
    ['union', (random) => `title]|${secret(random)}|//*[${aName(random)}`],
    ['number', (random) => `${aName(random)} or ${truth(random, '"')} or ${aName(random)}`],
  ],
};
