import type { Random } from '../../lib/random.ts';
import type { Rewriter } from '../contract.ts';
import { letter } from '../grammar/jndi.ts';
import { aName, aNumber } from '../grammar/words.ts';
import { rewriteMatches } from './matches.ts';

const jndiRewriter = (
  name: string,
  pattern: RegExp,
  change: (match: RegExpExecArray, random: Random) => string,
): Rewriter => ({
  name,
  language: 'jndi',
  rewrite: (value, random) => rewriteMatches(value, pattern, random, change),
});

const withCase = (text: string, random: Random): string =>
  [...text].map((one) => (random.chance(50) ? one.toUpperCase() : one.toLowerCase())).join('');

/** A letter of a name: not within a lookup of one letter, and not in the key of another. */
const ofName = /(?<=\{j?n?d?)[jnd](?=n?d?i?:)|(?<=jndi:l?d?)[ldaprmi](?=[a-z]*:\/\/)/g;

/** Rewriters of Log4j's lookups. */
export const jndiRewriters: readonly Rewriter[] = [
  jndiRewriter('letter as a lookup', ofName, ([one = ''], random) => letter(one, random)),
  jndiRewriter(
    'case of a prefix',
    /(?<=\$\{)(?:jndi|lower|upper|env|sys|date|base64)(?=:)/gi,
    ([one = ''], random) => withCase(one, random),
  ),
  jndiRewriter('name in lower case', /(?<=\$\{)jndi(?=:)/gi, ([one = ''], random) =>
    random.pick([`\${lower:${withCase(one, random)}}`, `\${upper:${one}}`]),
  ),
  jndiRewriter(
    'scheme in lower case',
    /(?<=:)(?:ldaps?|rmi|dns|iiop|corbaname)(?=:\/\/)/g,
    ([one = ''], random) => `\${lower:${withCase(one, random)}}`,
  ),
  jndiRewriter(
    'default of nothing',
    /(?<=\$\{)jndi(?=:)|(?<=:)(?:ldaps?|rmi|dns)(?=:\/\/)/gi,
    ([one = ''], random) =>
      random.pick([
        `\${${aName(random)}:-${one}}`,
        `\${env:${aName(random)}:-${one}}`,
        `\${::-${one}}`,
      ]),
  ),
  jndiRewriter('colon', /(?<=jndi):|:(?=\/\/)/gi, (_, random) =>
    random.pick(['${::-:}', '${sys:path.separator}', `\${${aName(random)}:-:}`, "${date:':'}"]),
  ),
  jndiRewriter('slash', /\/(?=[\w$])/g, (_, random) =>
    random.pick(['${::-/}', '${sys:file.separator}', "${date:'/'}", `\${${aName(random)}:-/}`]),
  ),
  jndiRewriter('empty lookup', /(?<=[:/a-z])(?=[a-z/]*:?\/\/)/g, (_, random) =>
    random.pick(['${:-}', '${::-}', `\${${aName(random)}:-}`, '${lower:}', '${date:}']),
  ),
  jndiRewriter(
    'base64',
    /\$\{jndi:[^{}]*\}/gi,
    ([lookup = '']) => `\${base64:${Buffer.from(lookup).toString('base64')}}`,
  ),
  jndiRewriter('in a default', /\$\{jndi:[^{}]*\}/gi, ([lookup], random) =>
    random.pick([
      `\${${aName(random)}:-${lookup}}`,
      `\${env:${aName(random)}:-${lookup}}`,
      `\${lower:${lookup}}`,
    ]),
  ),
  jndiRewriter('another default', /(?<=\$\{)(?:env|sys|ctx|map|main|sd)?:?\w*:-/g, (_, random) =>
    random.pick([
      `${aName(random)}:-`,
      `env:${aNumber(random)}:-`,
      `sd:${aName(random)}:-`,
      `:${aName(random)}:-`,
    ]),
  ),
  jndiRewriter(
    'kelvin sign and dotless i',
    /(?<=\$\{lower:)[kK]|(?<=\$\{upper:jnd)i/g,
    ([one = '']) => (one === 'i' ? '\u0131' : '\u212a'),
  ),
  jndiRewriter(
    'path',
    /(?<=test|\d)(?=\})/g,
    (_, random) => `/${aName(random)}\${env:${aName(random)}}`,
  ),
  jndiRewriter('percent signs', /[${}:/]/g, ([one = '']) => encodeURIComponent(one)),
];
