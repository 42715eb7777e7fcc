import type { Random } from '../../lib/random.ts';
import type { Rewriter } from '../contract.ts';
import { aName, aNumber } from '../grammar/words.ts';
import { rewriteMatches } from './matches.ts';

const inText = (
  name: string,
  pattern: RegExp,
  change: (match: RegExpExecArray, random: Random) => string,
): Rewriter => ({
  name,
  language: 'pollution',
  rewrite: (value, random) => rewriteMatches(value, pattern, random, change),
});

const spaces = ['\t', '\n', '\r\n', '  ', ' \n '];
const escape4 = (one: string, random: Random): string => {
  const digits = one.charCodeAt(0).toString(16).padStart(4, '0');
  return `\\u${random.chance(50) ? digits : digits.toUpperCase()}`;
};
const percentOf = (one: string): string => `%${one.charCodeAt(0).toString(16).padStart(2, '0')}`;

/** Rewriters of JSON, paths and names with brackets that lead to a prototype. */
export const pollutionRewriters: readonly Rewriter[] = [
  inText('white space in JSON', /(?<=[{,:[])(?=["{[\d])|(?<=["\d\]])(?=[}:])/g, (_, random) =>
    random.pick(spaces),
  ),
  inText('escaped name', /(?<="\w*)[\w](?=\w*"\s*:)/g, ([one = ''], random) =>
    escape4(one, random),
  ),
  inText('escaped underscore', /(?<="[^":]*)_(?=[^":]*"\s*:)/g, ([one = ''], random) =>
    escape4(one, random),
  ),
  inText('member more', /\{(?=\s*")/g, (_, random) => `{"${aName(random)}":${aNumber(random)},`),
  inText('member behind', /(?<=[\]\d"el])\}/g, (_, random) => `,"${aName(random)}_":null}`),
  inText(
    'member twice',
    /("[^"]+")\s*:(?=\s*\{)/g,
    ([, name], random) => `${name}:${random.pick(['{}', '{"a":1}', '{"__proto__":{}}'])},${name}:`,
  ),
  inText(
    'another way',
    /"__proto__"\s*:\s*(\{[^{}]*\})/g,
    ([, inner]) => `"constructor":{"prototype":${inner}}`,
  ),
  inText(
    'back to __proto__',
    /"constructor"\s*:\s*\{\s*"prototype"\s*:\s*(\{[^{}]*\})\s*\}/g,
    ([, inner]) => `"__proto__":${inner}`,
  ),
  inText(
    'a step before',
    /^\{.*\}$/gs,
    ([object], random) => `{"${random.pick(['settings', 'user', `${aName(random)}_`])}":${object}}`,
  ),
  inText(
    'steps of a path',
    /__proto__(?=[.[\]])|constructor([.[]["']?)prototype/g,
    ([one = ''], random) =>
      one === '__proto__' ? random.pick(['constructor.prototype', '__proto__']) : '__proto__',
  ),
  inText('path in brackets', /\.(__proto__|constructor|prototype|\w+)/g, ([, step], random) =>
    random.pick([`[${step}]`, `["${step}"]`, `['${step}']`]),
  ),
  inText('path with dots', /\[["']?(\w+)["']?\]/g, ([, step]) => `.${step}`),
  inText('longer path', /^(?=\w+[.[])/g, (_, random) =>
    random.pick(['settings.', 'user.', `${aName(random)}_.`]),
  ),
  inText('__proto__ of a function', /__proto__(?=[.[])/g, (_, random) =>
    random.pick(['constructor.__proto__.__proto__', '__proto__.constructor.prototype']),
  ),
  inText('percent signs', /[\w[\]](?=[^=&]*=)/g, ([one = '']) => percentOf(one)),
  inText(
    'pair more',
    /(?<=^|&)(?=[^&=]+=)/g,
    (_, random) => `${aName(random)}=${aNumber(random)}&`,
  ),
  inText('number', /(?<=:\s*)\d+(?=[,}])/g, ([one = ''], random) =>
    random.pick([`${one}.0`, `${one}e0`, `-${one}`, `[${one}]`]),
  ),
];
