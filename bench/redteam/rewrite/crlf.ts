import type { Random } from '../../lib/random.ts';
import type { Rewriter } from '../contract.ts';
import { aName, aNumber } from '../grammar/words.ts';
import { rewriteMatches } from './matches.ts';

const crlfRewriter = (
  name: string,
  pattern: RegExp,
  change: (match: RegExpExecArray, random: Random) => string,
): Rewriter => ({
  name,
  language: 'crlf',
  rewrite: (value, random) => rewriteMatches(value, pattern, random, change),
});

/** A line break in one of its forms. */
const lineBreak = /\r\n|\n|%0d%0a|%0a|%250d%250a|%250a/gi;
const nameOfHeader = /(?<=\n|%0a)[a-z][\w-]*(?=:|%3a)/gi;

const withCase = (text: string, random: Random): string =>
  [...text].map((one) => (random.chance(50) ? one.toUpperCase() : one.toLowerCase())).join('');

const percentOf = (one: string): string => `%${one.charCodeAt(0).toString(16).padStart(2, '0')}`;

const sameForm = (found: string, plain: string): string =>
  found.startsWith('%') ? plain.replace(/[\r\n :]/g, percentOf) : plain;

/** Rewriters of line breaks and of what stands behind them. */
export const crlfRewriters: readonly Rewriter[] = [
  crlfRewriter('case of names', nameOfHeader, ([one = ''], random) => withCase(one, random)),
  crlfRewriter('line feed alone', /\r\n|%0d%0a/gi, ([one = '']) =>
    one.startsWith('%') ? '%0a' : '\n',
  ),
  crlfRewriter('carriage return as well', /(?<!\r)\n|(?<!%0d)%0a/gi, ([one = '']) =>
    one.startsWith('%') ? '%0d%0a' : '\r\n',
  ),
  crlfRewriter(
    'header more',
    lineBreak,
    ([one = ''], random) => `${one}${sameForm(one, `X-${aName(random)}: ${aNumber(random)}\r\n`)}`,
  ),
  crlfRewriter('idle name', nameOfHeader, (_, random) =>
    random.pick([`X-${aName(random)}`, aName(random), `${aName(random)}-${aName(random)}`]),
  ),
  crlfRewriter('folded value', /(?<=(?:\n|%0a)[\w-]+:)\s?(?=\w)/gi, (_, random) =>
    random.pick(['\r\n ', '\n\t', '\r\n\t ']),
  ),
  crlfRewriter('space around a value', /(?<=[\w-]:) ?(?=[\w*/])/g, (_, random) =>
    random.pick(['', '\t', '   ', ' \t']),
  ),
  crlfRewriter('percent signs', /[A-Za-z:=](?=[^%]*$)/g, ([one = '']) => percentOf(one)),
  crlfRewriter('case of percent signs', /%[\da-f]{2}/gi, ([one = ''], random) =>
    withCase(one, random),
  ),
  crlfRewriter('percent signs twice', /%(?=[\da-f]{2})/gi, () => '%25'),
  crlfRewriter('carriage return alone', /\r\n|\n|%0d%0a|%0a/gi, ([one = '']) =>
    one.startsWith('%') ? '%0d' : '\r',
  ),
  crlfRewriter('wide line breaks', /[\r\n]/g, ([one = ''], random) =>
    String.fromCharCode((1 + random.below(0xd7)) * 256 + one.charCodeAt(0)),
  ),
  crlfRewriter('other wide characters', /[\u0100-\ud7ff]/g, ([one = ''], random) =>
    String.fromCharCode((1 + random.below(0xd7)) * 256 + (one.charCodeAt(0) & 0xff)),
  ),
  crlfRewriter('wide letters', /[A-Za-z](?=[\w-]*:)/g, ([one = ''], random) =>
    String.fromCharCode((1 + random.below(0xd7)) * 256 + one.charCodeAt(0)),
  ),
  crlfRewriter('text before', /^/g, (_, random) =>
    random.pick([
      `${aName(random)}`,
      `${aName(random)}; `,
      `${aNumber(random)} `,
      'https://shop.test/',
    ]),
  ),
];
