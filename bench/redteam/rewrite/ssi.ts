import type { Random } from '../../lib/random.ts';
import type { Rewriter } from '../contract.ts';
import { aName } from '../grammar/words.ts';
import { rewriteMatches } from './matches.ts';

const ssiRewriter = (
  name: string,
  pattern: RegExp,
  change: (match: RegExpExecArray, random: Random) => string,
): Rewriter => ({
  name,
  language: 'ssi',
  rewrite: (value, random) => rewriteMatches(value, pattern, random, change),
});

const spaces = [' ', '\t', '\n', '\r\n', '   ', '\n\t'];
const withCase = (text: string, random: Random): string =>
  [...text].map((one) => (random.chance(50) ? one.toUpperCase() : one.toLowerCase())).join('');
const command = /<!--#(?:(?!-->).)*-->/gs;

/** Rewriters of server-side includes. */
export const ssiRewriters: readonly Rewriter[] = [
  ssiRewriter('space before a command', /(?<=<!--#)/g, (_, random) => random.pick(spaces)),
  ssiRewriter('space before parameters', /(?<=#\s*\w+) |(?<=["']) (?=\w+=)/g, (_, random) =>
    random.pick(spaces),
  ),
  ssiRewriter(
    'space around the equals sign',
    /(?<=(?:var|virtual|file|value|timefmt|stub))=/g,
    (_, random) => random.pick([' =', '= ', '\t=\t', ' = ', '=\n']),
  ),
  ssiRewriter('space before the end', / ?(?=-->)/g, (_, random) => random.pick(['', ...spaces])),
  ssiRewriter('quotes', /="([^"']*)"|='([^"']*)'/g, ([one = '']) =>
    one[1] === '"' ? `='${one.slice(2, -1)}'` : `="${one.slice(2, -1)}"`,
  ),
  ssiRewriter('case of a variable', /(?<=echo\b[^>]*var=["'])\w+/g, ([one = ''], random) =>
    withCase(one, random),
  ),
  ssiRewriter('path', /(?<=(?:virtual|file)=["'])\/?(?=\w)/g, (_, random) =>
    random.pick(['/', '//', '/./', `/${aName(random)}/../`]),
  ),
  ssiRewriter('variable in a path', /(?<=virtual=["']\/[^"']*)(?=["'])/g, (_, random) =>
    random.pick([
      `$arg_${aName(random)}`,
      `?$${random.pick(['pid', 'remote_addr'])}`,
      `\${cookie_${aName(random)}}`,
    ]),
  ),
  ssiRewriter(
    'percent signs in a path',
    /(?<=virtual=["']\/[^"'?]*)[a-z]/g,
    ([one = '']) => `%${one.charCodeAt(0).toString(16)}`,
  ),
  ssiRewriter('parameter more', /(?<=<!--#\s*echo) /g, (_, random) =>
    random.pick([' encoding="none" ', ` default="${aName(random)}" `]),
  ),
  ssiRewriter(
    'command before',
    command,
    ([one], random) =>
      `<!--#${random.pick([`set var="${aName(random)}" value="${aName(random)}"`, 'config timefmt="%Y"'])} -->${one}`,
  ),
  ssiRewriter('comment around', command, ([one], random) =>
    random.pick([`<!-- ${aName(random)} -->${one}`, `<!--${one}`, `<b>${one}</b>`, `<${one}`]),
  ),
  ssiRewriter(
    'in a condition',
    command,
    ([one], random) =>
      `<!--# if expr="${random.pick(['$pid', '$hostname'])}" -->${one}<!--# endif -->`,
  ),
];
