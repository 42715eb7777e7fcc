import type { Rewriter } from '../contract.ts';
import { aName } from '../grammar/words.ts';
import { between, type Change, type Syntax, tokenRewriter } from './fragment.ts';

const syntax: Syntax = {
  language: 'xpath',
  quotes: '\'"',
  // Axes, two-character operators and calls are one word each.
  word: /\/\/|\.\.|!=|<=|>=|[A-Za-z_][\w-]*(?:::|\(\))?/y,
};

const inXpath = (name: string, change: Change): Rewriter => tokenRewriter(syntax, name, change);

const elements = /^(?:user|users|password|product|title|shop|role|name)$/;
const steps: Readonly<Record<string, readonly string[]>> = {
  '//': ['/descendant-or-self::node()/', '//./', '/descendant::node()/../'],
  '..': ['parent::node()', 'parent::*', './..'],
  '@': ['attribute::'],
  '*': ['child::*', '*[true()]', 'node()'],
};

const booleans: Readonly<Record<string, readonly string[]>> = {
  'true()': ['not(false())', 'boolean(1)', '1=1', 'not(0)', '(true())', 'boolean("a")'],
  'false()': ['not(true())', 'boolean(0)', '1=2', '(1>2)'],
};

/** Rewriters of XPath 1.0, which has no comments. */
export const xpathRewriters: readonly Rewriter[] = [
  inXpath(
    'white space',
    between((random) => random.pick(['\t', '\n', '\r', '  ', ' \n'])),
  ),
  inXpath('no white space', ({ kind }, _random, tokens, index) => {
    const besides = [tokens[index - 1]?.kind, tokens[index + 1]?.kind];
    return kind === 'space' && besides.some((one) => one !== 'word' && one !== 'number')
      ? ''
      : undefined;
  }),
  inXpath('quotes', ({ kind, text }) => {
    const mark = text.startsWith('"') ? "'" : '"';
    return kind === 'string' && !text.includes(mark)
      ? `${mark}${text.slice(1, -1)}${mark}`
      : undefined;
  }),
  inXpath('concat', ({ kind, text }, random) => {
    if (kind !== 'string') return undefined;
    const at = 1 + random.below(text.length - 1);
    return `concat(${text.slice(0, at)}${text[0]},${text[0]}${text.slice(at)})`;
  }),
  inXpath('function of a text', ({ kind, text }, random) => {
    if (kind !== 'string') return undefined;
    return random.pick([
      `string(${text})`,
      `translate(${text},"~","")`,
      `substring(${text},1)`,
      `substring-before(concat(${text},"~"),"~")`,
      `normalize-space(${text})`,
    ]);
  }),
  inXpath('number', ({ kind, text }, random) =>
    kind === 'number'
      ? random.pick([
          `0${text}`,
          `${text}.0`,
          `(${text})`,
          `--${text}`,
          `(${text}+0)`,
          `number(${text})`,
        ])
      : undefined,
  ),
  inXpath('text to number', ({ kind, text }, random) =>
    kind === 'number' && !text.includes('.')
      ? random.pick([
          `number("${text}")`,
          `floor(${text}.5)`,
          `round(${text}.1)`,
          `(${text} div 1)`,
        ])
      : undefined,
  ),
  inXpath('axis', ({ text }, random) =>
    steps[text] === undefined ? undefined : random.pick(steps[text]),
  ),
  inXpath('name', ({ kind, text }, random) =>
    kind === 'word' && elements.test(text)
      ? random.pick([
          `*[name()="${text}"]`,
          `*[local-name()='${text}']`,
          `child::${text}`,
          `*[self::${text}]`,
          `*[name()=concat("${text.slice(0, 2)}","${text.slice(2)}")]`,
        ])
      : undefined,
  ),
  inXpath('truth', ({ text }, random) =>
    booleans[text] === undefined ? undefined : random.pick(booleans[text]),
  ),
  inXpath('or', ({ kind, text }, random) =>
    kind === 'word' && text === 'or'
      ? random.pick([
          `or ${aName(random)} or`,
          `or "" or`,
          `or 0 or`,
          `or ${random.below(99)}>${100 + random.below(99)} or`,
        ])
      : undefined,
  ),
  inXpath('double negation', ({ kind, text }) => {
    if (kind !== 'word' || !/\(\)$/.test(text)) return undefined;
    return /^(?:true|last|position)/.test(text) ? `not(not(${text}))` : undefined;
  }),
  inXpath('more predicates', ({ kind, text }, random) =>
    kind === 'word' && elements.test(text)
      ? `${text}[${random.pick(['1=1', 'true()', 'self::*', '.', 'position()>0', 'node()'])}]`
      : undefined,
  ),
  inXpath('operator', ({ text }, random) =>
    text === '=' ? random.pick(['>=', '<=']) : text === '>' ? random.pick(['>=', '!=']) : undefined,
  ),
  inXpath('brackets', ({ kind, text }) =>
    kind === 'string' || /^(?:true|last|position)\(\)$/.test(text) ? `(${text})` : undefined,
  ),
];
