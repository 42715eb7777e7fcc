import type { Random } from '../../../lib/random.ts';
import type { Rewriter } from '../../contract.ts';
import { cut, ofNames, ofWords, variable } from './make.ts';

/** Puts something that comes to nothing into a word. */
const inserted = (name: string, make: (random: Random) => string): Rewriter =>
  ofWords(name, (text, random) => {
    const [before, after] = cut(text, random);
    return before + make(random) + after;
  });

const octal = (text: string, width = 3): string =>
  [...Buffer.from(text)].map((byte) => `\\${byte.toString(8).padStart(width, '0')}`).join('');
const hex = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `\\x${byte.toString(16)}`).join('');

/** Some of the characters in another form. */
const some = (text: string, random: Random, form: (char: string) => string): string => {
  const must = random.below(text.length);
  return [...text]
    .map((char, index) => (index === must || random.chance(40) ? form(char) : char))
    .join('');
};

/** The alphabet, turned by some letters, as `tr` takes it. */
function turned(text: string, random: Random): string | undefined {
  if (!/^[a-z]+$/.test(text)) return undefined;
  const by = 1 + random.below(25);
  const letters = 'abcdefghijklmnopqrstuvwxyz';
  const other = letters.slice(by) + letters.slice(0, by);
  const hidden = [...text].map((char) => other[letters.indexOf(char)]).join('');
  return `$(echo ${hidden}|tr ${other} ${letters})`;
}

/** Other ways to write a word. */
export const wordRewriters: readonly Rewriter[] = [
  inserted('empty single quotes', () => "''"),
  inserted('empty double quotes', () => '""'),
  inserted('$@ in a word', () => '$@'),
  inserted('$* in a word', () => '$*'),
  inserted('unset positional parameter', (r) => `$${1 + r.below(9)}`),
  inserted('unset variable', (r) => `\${${variable(r)}}`),
  inserted(
    'unset variable, cut',
    (r) => `\${${variable(r)}${r.pick(['#', '##', '%', '%%'])}${variable(r)}}`,
  ),
  inserted(
    'unset variable, alternative',
    (r) => `\${${variable(r)}${r.pick([':+', '+'])}${variable(r)}}`,
  ),
  inserted('empty substitution', (r) => r.pick(['$()', '$( )', '$(:)', '$(true)'])),
  inserted('empty backticks', (r) => r.pick(['``', '`:`', '` `'])),
  inserted('backslash and line feed', () => '\\\n'),
  inserted('quoted empty expansion', (r) =>
    r.pick(['"$@"', '"$*"', `"$${1 + r.below(9)}"`, `"\${${variable(r)}}"`]),
  ),
  inserted('variable slice of nothing', (r) => `\${${r.pick(['PATH', 'HOME', 'PWD'])}:0:0}`),
  ofWords('piece in single quotes', (text, random) => {
    const [before, after] = cut(text, random);
    return random.chance(50) ? `'${before}'${after}` : `${before}'${after}'`;
  }),
  ofWords('piece in double quotes', (text, random) => {
    const [before, after] = cut(text, random);
    return random.chance(50) ? `"${before}"${after}` : `${before}"${after}"`;
  }),
  ofWords('word in quotes', (text, random) => random.pick([`'${text}'`, `"${text}"`])),
  ofWords('backslashes', (text, random) => some(text, random, (char) => `\\${char}`)),
  ofWords('each character in quotes', (text, random) =>
    [...text].map((char) => random.pick([`'${char}'`, `"${char}"`, `\\${char}`])).join(''),
  ),
  ofWords(
    'default value',
    (text, random) => `\${${variable(random)}${random.pick([':-', '-'])}${text}}`,
  ),
  ofWords('default value, assigned', (text, random) => `\${${variable(random)}:=${text}}`),
  ofWords('piece as default value', (text, random) => {
    const [before, after] = cut(text, random);
    return `${before}\${${variable(random)}:-${after}}`;
  }),
  ofWords(
    'nested default values',
    (text, random) => `\${${variable(random)}:-\${${variable(random)}:-${text}}}`,
  ),
  ofWords("$'' with hexadecimal", (text, random) => `$'${some(text, random, hex)}'`),
  ofWords("$'' with octal", (text, random) => `$'${some(text, random, octal)}'`),
  ofWords("$'' as it is", (text) => `$'${text}'`),
  ofWords('$"" of translations', (text) => `$"${text}"`),
  ofWords('printf with octal', (text, random) => `$(printf '${some(text, random, octal)}')`),
  ofWords('printf with %b', (text) => `$(printf %b '${octal(text, 4)}')`),
  ofWords('printf with pieces', (text, random) => {
    const [before, after] = cut(text, random);
    return `$(printf %s%s ${before} ${after})`;
  }),
  ofWords('echo -e with hexadecimal', (text, random) => `$(echo -e '${some(text, random, hex)}')`),
  ofWords('echo of the word', (text) => `$(echo ${text})`),
  ofWords('reversed', (text) => `$(echo ${[...text].reverse().join('')}|rev)`),
  ofWords('tr of letters', turned),
  ofWords('upper case through tr', (text) =>
    /^[a-z/.-]+$/.test(text) ? `$(echo ${text.toUpperCase()}|tr A-Z a-z)` : undefined,
  ),
  ofWords('base64', (text) => `$(echo ${Buffer.from(text).toString('base64')}|base64 -d)`),
  ofWords(
    'hexadecimal through xxd',
    (text) => `$(echo ${Buffer.from(text).toString('hex')}|xxd -r -p)`,
  ),
  ofWords('sed of a mark', (text, random) => {
    const [before, after] = cut(text, random);
    const mark = variable(random);
    return `$(echo ${before}${mark}${after}|sed s/${mark}//)`;
  }),
  ofWords(
    'cut of a longer word',
    (text, random) => `$(echo ${variable(random)}:${text}|cut -d: -f2-)`,
  ),
  ofNames('full path', (text, random) =>
    /^\w+$/.test(text)
      ? `${random.pick(['/bin/', '/usr/bin/', '/bin/../bin/', '/usr/./bin/'])}${text}`
      : undefined,
  ),
  ofNames('full path with patterns', (text, random) => {
    if (!/^\w{2,}$/.test(text)) return undefined;
    const [first = '', ...rest] = text;
    const hidden = some(rest.join(''), random, (char) => random.pick(['?', `[${char}]`]));
    return random.pick(['/bin/', '/usr/bin/', '/b?n/', '/*/bin/', '/[b]in/']) + first + hidden;
  }),
  ofNames('path from which', (text) => `$(which ${text})`),
];
