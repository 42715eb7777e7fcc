import type { Random } from '../../../lib/random.ts';
import type { Rewriter } from '../../contract.ts';
import { readFragment, replaced } from './lex.ts';
import { cut, ofNames, ofPlain, ofWholes, quoted, variable } from './make.ts';

const harmless = (random: Random): string =>
  random.pick([
    ':',
    'true',
    `: ${variable(random)}`,
    `${variable(random)}=${random.below(99)}`,
    '[ 1 ]',
    `test ${random.below(9)}`,
    'true&&:',
  ]);

const encoded = (text: string): string => Buffer.from(`${text}\n`).toString('base64');

/** A command by way of another statement. */
export const commandRewriters: readonly Rewriter[] = [
  ofWholes('eval', ({ text }) => `eval ${quoted(text)}`),
  ofPlain('eval of words', (words) => `eval ${words.join(' ')}`),
  ofWholes(
    'sh -c',
    ({ text }, r) => `${r.pick(['sh', 'bash', '/bin/sh', 'sh -e', 'sh -u'])} -c ${quoted(text)}`,
  ),
  ofWholes('$0 -c', ({ text }) => `$0 -c ${quoted(text)}`),
  ofWholes(
    'echo into a shell',
    ({ text }, r) => `echo ${quoted(text)}|${r.pick(['sh', '$0', '/bin/sh', 'sh -s', 'env sh'])}`,
  ),
  ofWholes('printf into a shell', ({ text }) => `printf %s ${quoted(text)}|sh`),
  ofWholes(
    'base64 into a shell',
    ({ text }, r) => `echo ${encoded(text)}|base64 ${r.pick(['-d', '-d', '--decode'])}|sh`,
  ),
  ofWholes('base64 into eval', ({ text }) => `eval "$(echo ${encoded(text)}|base64 -d)"`),
  ofWholes(
    'reversed into a shell',
    ({ text }) => `echo ${quoted([...text].reverse().join(''))}|rev|sh`,
  ),
  ofWholes(
    'hexadecimal into a shell',
    ({ text }) => `echo ${Buffer.from(`${text}\n`).toString('hex')}|xxd -r -p|sh`,
  ),
  ofWholes(
    'octal into a shell',
    ({ text }) =>
      `printf '${[...Buffer.from(text)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')}'|sh`,
  ),
  ofWholes('here-string', ({ text }, r) => `${r.pick(['sh', 'bash', '$0'])}<<<${quoted(text)}`),
  ofWholes('here-document', ({ text }, r) => {
    const word = variable(r);
    return `sh <<${r.pick([word, `'${word}'`, `\\${word}`])}\n${text}\n${word}\n`;
  }),
  ofWholes('function', ({ text }, r) => {
    const name = variable(r);
    return `${name}() { ${text};};${name}`;
  }),
  ofWholes('function with a subshell', ({ text }, r) => {
    const name = variable(r);
    return `${name}()(${text});${name}`;
  }),
  ofPlain('alias', ([first = '', ...rest], r) => {
    const name = variable(r);
    return `alias ${name}=${first}\neval ${name} ${rest.join(' ')}`;
  }),
  ofWholes('trap', ({ text }, r) => `trap ${quoted(text)} ${r.pick(['EXIT', '0'])}`),
  ofPlain('variable', (words, r) => {
    const name = variable(r);
    return `${name}='${words.join(' ')}';${r.pick([`$${name}`, `\${${name}}`, `eval "$${name}"`, `eval $${name}`])}`;
  }),
  ofNames('name in a variable', (text, r) => {
    const name = variable(r);
    return `${name}=${text};$${name}`;
  }),
  ofNames('name in pieces', (text, r) => {
    const [before, after] = cut(text, r);
    const [one, two] = [`${variable(r)}a`, `${variable(r)}b`];
    return `${one}=${before};${two}=${after};$${one}$${two}`;
  }),
  ofNames('name with a prefix cut off', (text, r) => {
    const [name, junk] = [variable(r), variable(r)];
    return `${name}=${junk}${text};\${${name}#${junk}}`;
  }),
  ofNames('name by slice', (text, r) => {
    const [name, junk] = [variable(r), variable(r)];
    return `${name}=${junk}${text};\${${name}:${junk.length}}`;
  }),
  ofNames('name with a mark replaced', (text, r) => {
    const [before, after] = cut(text, r);
    const [name, junk] = [variable(r), variable(r)];
    return `${name}=${before}${junk}${after};\${${name}/${junk}/}`;
  }),
  ofNames('name in upper case', (text, r) => {
    const name = variable(r);
    return /^[a-z]+$/.test(text) ? `${name}=${text.toUpperCase()};\${${name},,}` : undefined;
  }),
  ofNames('indirect variable', (text, r) => {
    const [one, two] = [`${variable(r)}a`, `${variable(r)}b`];
    return `${one}=${text};${two}=${one};\${!${two}}`;
  }),
  ofPlain('array', (words, r) => {
    const name = variable(r);
    return `${name}=(${words.join(' ')});${r.pick([`"\${${name}[@]}"`, `\${${name}[*]}`, `\${${name}[@]}`])}`;
  }),
  ofPlain('array, put together', ([first = '', ...rest], r) => {
    const name = variable(r);
    const [before, after] = cut(first, r);
    return `${name}=(${before} ${after});\${${name}[0]}\${${name}[1]} ${rest.join(' ')}`.trimEnd();
  }),
  ofPlain(
    'positional parameters',
    (words, r) => `set -- ${words.join(' ')};${r.pick(['"$@"', '$@', '$*'])}`,
  ),
  ofPlain('positional parameters, in another order', ([first = '', ...rest]) =>
    rest.length > 0 && rest.length < 8
      ? `set -- ${rest.join(' ')} ${first};$${rest.length + 1} ${rest.map((_, index) => `$${index + 1}`).join(' ')}`
      : undefined,
  ),
  ofPlain('read', (words, r) => {
    const name = variable(r);
    return `echo ${words.join(' ')}|while read ${name};do $${name};done`;
  }),
  ofPlain('xargs', ([first = '', ...rest], r) =>
    rest.length > 0
      ? `echo ${rest.join(' ')}|xargs ${first}`
      : `${r.pick(['echo|xargs', ':|xargs'])} ${first}`,
  ),
  ofPlain(
    'xargs of all',
    (words) => `echo ${words.join(' ')}|xargs ${['env', 'nice', 'nohup'][words.length % 3]}`,
  ),
  ofPlain(
    'find -exec',
    (words, r) =>
      `find ${r.pick(['.', '/etc', '/'])} -maxdepth 0 -exec ${words.join(' ')} ${r.pick(['\\;', "';'", '\\;'])}`,
  ),
  ofPlain('awk system', (words) => `awk 'BEGIN{system("${words.join(' ')}")}'`),
  ofWholes(
    'prefix',
    ({ text }, r) =>
      `${r.pick(['command', 'env', 'nohup', 'nice', 'time', 'setsid', 'busybox env'])} ${text}`,
  ),
  ofWholes(
    'prefix with arguments',
    ({ text }, r) =>
      `${r.pick(['timeout 9', 'nice -n 5', `env ${variable(r)}=1`, 'env -i', 'command --', 'env --', 'nohup --'])} ${text}`,
  ),
  ofWholes('exec', ({ text }) => `exec ${text}`),
  ofWholes('exec in a subshell', ({ text }) => `(exec ${text})`),
  ofWholes('builtin', ({ text }) => `builtin eval ${quoted(text)}`),
  ofWholes(
    'assignment in front',
    ({ text }, r) => `${variable(r)}=${r.pick(['', '1', "''", variable(r)])} ${text}`,
  ),
  ofWholes(
    'redirection in front',
    ({ text }, r) => `${r.pick(['</dev/null', '2>&1', '2>/dev/null', '<&0', '3>&2'])} ${text}`,
  ),
  ofWholes('subshell', ({ text }, r) => r.pick([`(${text})`, `( ${text} )`, `((:);${text})`])),
  ofWholes('braces', ({ text }, r) => r.pick([`{ ${text};}`, `{ ${text}\n}`, `{ { ${text};};}`])),
  ofWholes('if', ({ text }, r) =>
    r.pick([`if ${text};then :;fi`, `if :;then ${text};fi`, `if ! :;then :;else ${text};fi`]),
  ),
  ofWholes(
    'for',
    ({ text }, r) => `for ${variable(r)} in ${r.pick(['1', variable(r), '.'])};do ${text};done`,
  ),
  ofWholes('while', ({ text }, r) =>
    r.pick([`while ${text};do break;done`, `while :;do ${text};break;done`]),
  ),
  ofWholes('until', ({ text }, r) =>
    r.pick([`until ${text};do :;break;done`, `until ${text};! :;do break;done`]),
  ),
  ofWholes('case', ({ text }, r) => {
    const word = variable(r);
    return `case ${word} in ${r.pick([word, '*', `${word[0]}*`])})${text};;esac`;
  }),
  ofWholes('negation', ({ text }) => `! ${text}`),
  ofWholes('substitution', ({ text }, r) =>
    r.pick([`: $(${text})`, `: "$(${text})"`, `echo $(${text})`]),
  ),
  ofWholes('substitution in an assignment', ({ text }, r) => `${variable(r)}=$(${text})`),
  ofWholes('substitution in arithmetic', ({ text }) => `: $((0+0$(${text})))`),
  ofWholes('substitution in a default value', ({ text }, r) => `: \${${variable(r)}:-$(${text})}`),
  ofWholes('process substitution', ({ text }, r) => `: ${r.pick(['<', '>'])}(${text})`),
  ofWholes('output of echo, run', ({ text }, r) =>
    /^[\w ./~-]+$/.test(text)
      ? r.pick([`$(echo ${text})`, `\`echo ${text}\``, `$(printf %s '${text}')`])
      : undefined,
  ),
  ofWholes(
    'dead command before',
    ({ text }, r) => `${harmless(r)}${r.pick([';', '\n', '&&', ' ; '])}${text}`,
  ),
  ofWholes('skipped command before', ({ text }, r) => `false&&${variable(r)}||${text}`),
  ofWholes(
    'comment before',
    ({ text }, r) => `#${r.pick(['', ' ', ' the '])}${variable(r)} ${variable(r)}\n${text}`,
  ),
  ofWholes(
    'into a pipe',
    ({ text }, r) => `${text}|${r.pick(['tee', 'sort', 'head', 'tail', 'rev', 'tr a b'])}`,
  ),
  ofWholes('test', ({ text }, r) =>
    `${r.pick(['[ ', 'test '])}-n "$(${text})" ]`.replace(/^(test .*) \]$/, '$1'),
  ),
  ofWholes('coproc', ({ text }) => `coproc ${text}`),
  ofWholes('local IFS', ({ text }) =>
    /^[\w ./~-]+$/.test(text) ? `IFS=,;$(echo ${text.replace(/ +/g, ',')})` : undefined,
  ),
];

/** A separator or a substitution in another form. */
export const markRewriters: readonly Rewriter[] = [
  {
    name: 'other separator',
    language: 'shell',
    rewrite: (value, random) => {
      const marks = readFragment(value, random)?.separators ?? [];
      if (marks.length === 0) return undefined;
      const mark = random.pick(marks);
      const other = [';', '\n', '&', '|', '&&', '&&:;', ';:;', '||:;', '\n\n'];
      return replaced(value, mark, random.pick(other.filter((text) => text !== mark.text)));
    },
  },
  {
    name: 'blanks around a separator',
    language: 'shell',
    rewrite: (value, random) => {
      const marks = readFragment(value, random)?.separators ?? [];
      if (marks.length === 0) return undefined;
      const mark = random.pick(marks);
      const blank = (): string => random.pick([' ', '\t', '  ', '\\\n', ' \t']);
      return replaced(value, mark, `${blank()}${mark.text}${mark.text === '\n' ? '' : blank()}`);
    },
  },
  {
    name: 'other substitution',
    language: 'shell',
    rewrite: (value, random) => {
      const parts = readFragment(value, random)?.substitutions ?? [];
      const part = random.shuffled(parts)[0];
      if (part === undefined) return undefined;
      const text = value.slice(part.start, part.end);
      if (text.startsWith('`')) return replaced(value, part, `$(${text.slice(1, -1)})`);
      const inner = text.slice(2, -1);
      return text.startsWith('$(') && !/[`\\$]/.test(inner)
        ? replaced(value, part, `\`${inner}\``)
        : undefined;
    },
  },
  {
    name: 'substitution in a default value of the value',
    language: 'shell',
    rewrite: (value, random) => {
      const part = random.shuffled(readFragment(value, random)?.substitutions ?? [])[0];
      if (part === undefined) return undefined;
      const text = value.slice(part.start, part.end);
      return replaced(value, part, `\${${variable(random)}:-${text}}`);
    },
  },
];
