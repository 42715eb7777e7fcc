import type { Random } from '../../lib/random.ts';
import type { Rewriter } from '../contract.ts';
import { anyHeader } from '../grammar/mail.ts';
import { aName } from '../grammar/words.ts';
import { rewriteMatches } from './matches.ts';

const mailRewriter = (
  name: string,
  pattern: RegExp,
  change: (match: RegExpExecArray, random: Random) => string,
): Rewriter => ({
  name,
  language: 'mail',
  rewrite: (value, random) => rewriteMatches(value, pattern, random, change),
});

const withCase = (text: string, random: Random): string =>
  [...text].map((one) => (random.chance(50) ? one.toUpperCase() : one.toLowerCase())).join('');

const address = /[a-z]+@[a-z]+\.test/g;

/** Rewriters of mail headers and of SMTP. */
export const mailRewriters: readonly Rewriter[] = [
  mailRewriter('case of names', /(?<=\n)[A-Za-z][\w-]*(?=:)/g, ([one = ''], random) =>
    withCase(one, random),
  ),
  mailRewriter(
    'case of commands',
    /(?<=\n)(?:MAIL FROM|RCPT TO|DATA|RSET)/gi,
    ([one = ''], random) => withCase(one, random),
  ),
  mailRewriter('line feed alone', /\r\n/g, () => '\n'),
  mailRewriter('carriage return alone', /\r\n|\n/g, () => '\r'),
  mailRewriter('carriage return as well', /(?<!\r)\n/g, () => '\r\n'),
  mailRewriter(
    'header more',
    /\r?\n(?=[A-Za-z-]+: )/g,
    ([one = ''], random) => `${one}${anyHeader(random)}${one}`,
  ),
  mailRewriter('folded value', /(?<=\n[A-Za-z-]+:) (?=\S)/g, (_, random) =>
    random.pick(['\r\n ', '\n\t', '\r\n\t ', '\n  ']),
  ),
  mailRewriter('space around a value', /(?<=\n[A-Za-z-]+:) (?=\S)/g, (_, random) =>
    random.pick(['', '\t', '   ', ' \t']),
  ),
  mailRewriter('name before an address', address, ([one], random) =>
    random.pick([`${aName(random)} <${one}>`, `"${aName(random)}" <${one}>`, `<${one}>`]),
  ),
  mailRewriter('comment in an address', address, ([one = ''], random) =>
    random.pick([`${one} (${aName(random)})`, `(${aName(random)}) ${one}`]),
  ),
  mailRewriter(
    'address more',
    /(?<=\n(?:Bcc|Cc|To): )/gi,
    (_, random) => `${aName(random)}@${aName(random)}.test, `,
  ),
  mailRewriter(
    'quoted name of an address',
    /(?<![\w"])[a-z]+(?=@[a-z]+\.test)/g,
    ([one]) => `"${one}"`,
  ),
  mailRewriter('space in a command', /(?<=\n(?:MAIL FROM|RCPT TO):)/gi, (_, random) =>
    random.pick([' ', '  ', '\t']),
  ),
  mailRewriter(
    'space around a command',
    /(?<=\n)(?=(?:MAIL|RCPT|DATA|RSET))|(?<=\n(?:DATA|RSET))/gi,
    (_, random) => random.pick([' ', '\t', '  ']),
  ),
  mailRewriter('no angle brackets', /<([a-z]+@[a-z]+\.test)>/g, ([, one = '']) => one),
  mailRewriter('text before', /^/g, (_, random) =>
    random.pick([aName(random), `${aName(random)}.`]),
  ),
];
