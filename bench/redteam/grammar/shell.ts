import type { Random } from '../../lib/random.ts';
import type { Attack, Context, Grammar, Oracle } from '../contract.ts';
import type { Quoting, ShellContext } from '../oracle/shell/contexts.ts';
import { type Goal, goal, someName } from './shell-goals.ts';

/** A command, wrapped and put between what ends the command before it and what bears the rest. */
export const shellGrammar: Grammar = {
  language: 'shell',
  attack: (random: Random, oracle: Oracle, context: Context): Attack => {
    const { quoting, benign } = context as ShellContext;
    const isBash = oracle.name === 'bash';
    const hasArrays = isBash || oracle.name === 'zsh';
    const aim = goal(random, { isBash, isPlain: quoting.includes('>') || quoting === 'backticks' });
    const wrapped = random.chance(60) ? aim : wrap(random, aim, { hasArrays, quoting });
    const way = random.pick(waysIn[quoting]);
    const before = random.pick([benign[0] ?? '', benign[0] ?? '', '', someName(random), '1', '-']);
    const value = way(before, wrapped.text, random);
    return { kind: `${quoting}/${wrapped.kind}`, values: [value] };
  },
};

type Way = (before: string, command: string, random: Random) => string;

const separators = [';', '|', '&', '&&', '\n', ';\n', ' ; ', ' | ', ' & ', ' && ', '||', '|&'];
const gap = (random: Random): string => random.pick(['', '', ' ', '\t']);
const separator = (random: Random): string => {
  const text = random.pick(separators);
  return `${gap(random)}${text}${gap(random)}`;
};

/** The end of the command before, for each separator: only a failure starts what follows `||`. */
const joined = (before: string, command: string, random: Random): string => {
  const mark = separator(random);
  return mark.includes('||') ? `.${mark}${command}` : `${before}${mark}${command}`;
};

const wayOut = (random: Random): string =>
  random.pick(['', '', ';', ' #', ';#', ' &', '\n', '||', '|', ' ;:', ';true', '\n#']);

const substituted: Way = (before, command, random) =>
  `${random.pick([before, ''])}${/[`\\$]/.test(command) || random.chance(60) ? `$(${gap(random)}${command}${gap(random)})` : `\`${command}\``}`;

/** Closes a quote, runs the command, and opens the quote again or comments it out. */
const closing =
  (quote: string): Way =>
  (before, command, random) => {
    const rest = random.pick([
      ...[' #', ';#', `;${quote}`, ` ${quote}`, `;echo ${quote}`, `|${quote}`, `||${quote}`],
      ...[`&${quote}`, `;: ${quote}`, '\n#', `&& echo ${quote}x`],
    ]);
    const mark = separator(random);
    return mark.includes('||')
      ? `${quote} .${mark}${command}${rest}`
      : `${before}${quote}${mark}${command}${rest}`;
  };

const outOfQuotes =
  (quote: string): Way =>
  (before, command, random) =>
    `${before}${quote}${substituted('', command, random)}${quote}`;

const bare: Way = (before, command, random) => joined(before, command, random) + wayOut(random);

const endsDocument: Way = (before, command, random) =>
  `${before}\nEOF\n${command}\n${random.pick(['', '#', 'cat <<EOF\n', ': <<EOF\n', 'exit\n'])}`;

const endsArithmetic: Way = (_, command, random) =>
  `${random.below(50)}))${separator(random).replace('||', ';')}${command}${random.pick([';', '\n', '&', ' | '])}echo $((${random.below(9)}`;

const waysIn: Readonly<Record<Quoting, readonly Way[]>> = {
  none: [
    bare,
    bare,
    bare,
    substituted,
    (before, command, random) => `${before} "${substituted('', command, random)}"`,
    (before, command, random) => `${before} \${${someName(random)}:-$(${command})}`,
  ],
  single: [closing("'"), closing("'"), outOfQuotes("'"), outOfQuotes(`'"`)],
  double: [
    substituted,
    closing('"'),
    closing('"'),
    outOfQuotes('"'),
    (before, command, random) => `${before}\${${someName(random)}:-$(${command})}`,
    (before, command, random) => `${before}$(( $(${command}) + ${random.below(9)}))`,
  ],
  document: [substituted, substituted, endsDocument],
  'raw document': [endsDocument],
  substitution: [
    bare,
    substituted,
    (before, command, random) => `${joined(`${before})`, command, random)};(:`,
  ],
  backticks: [
    bare,
    (before, command, random) => `${joined(`${before}\``, command, random)};echo \``,
  ],
  arithmetic: [substituted, endsArithmetic, endsArithmetic],
  'double > substitution > double': [substituted, closing('"')],
  'double > none': [bare, bare, substituted, closing('"')],
  'double > single': [substituted, closing("'"), closing('"')],
  'double > single > none': [bare, substituted, closing("'"), closing('"')],
  'single > single': [bare, closing("'")],
};

type Wrap = (command: string, random: Random) => string;

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const wraps: Readonly<Record<string, Wrap>> = {
  eval: (c) => `eval ${quoted(c)}`,
  'sh -c': (c, r) => `${r.pick(['sh', '/bin/sh', '$0'])} -c ${quoted(c)}`,
  'echo | sh': (c) => `echo ${quoted(c)}|sh`,
  'base64 | sh': (c) => `echo ${Buffer.from(`${c}\n`).toString('base64')}|base64 -d|sh`,
  if: (c) => `if true;then ${c};fi`,
  for: (c, r) => `for ${someName(r)} in 1;do ${c};done`,
  while: (c) => `while ${c};do break;done`,
  case: (c, r) => `case ${r.below(9)} in *)${c};;esac`,
  function: (c, r) => {
    const name = someName(r);
    return `${name}(){ ${c}\n};${name}`;
  },
  trap: (c) => `trap ${quoted(c)} EXIT`,
  subshell: (c) => `(${c})`,
  group: (c) => `{ ${c};}`,
  'echo of a substitution': (c) => `echo $(${c})`,
  'here-document': (c, r) => {
    const word = someName(r);
    return `sh <<${word}\n${c}\n${word}\n`;
  },
  negation: (c) => `! ${c}`,
  'in the background': (c) => `${c}&`,
};

/** Those that hold of a command without quotes and operators. */
const plainWraps: Readonly<Record<string, Wrap>> = {
  variable: (c, r) => {
    const name = someName(r);
    return `${name}='${c}';$${name}`;
  },
  'positional parameters': (c) => `set -- ${c};"$@"`,
  xargs: (c) => `echo ${c}|xargs env`,
  exec: (c) => `exec ${c}`,
  prefix: (c, r) =>
    `${r.pick(['command', 'env', 'nohup', 'nice', 'time', 'timeout 5', 'setsid'])} ${c}`,
  assignment: (c, r) => `${someName(r)}=${r.below(99)} ${c}`,
  IFS: (c) => c.replaceAll(' ', '${IFS}'),
};

const bashWraps: Readonly<Record<string, Wrap>> = {
  'here-string': (c) => `sh<<<${quoted(c)}`,
  array: (c, r) => {
    const name = someName(r);
    return `${name}=(${c});"\${${name}[@]}"`;
  },
  braces: (c) => (c.includes(' ') ? `{${c.replace(/ +/g, ',')}}` : c),
  'process substitution': (c) => `: <(${c})`,
  'read of a here-string': (c, r) => {
    const name = someName(r);
    return `read -r ${name}<<<'${c}';eval "$${name}"`;
  },
};

function wrap(
  random: Random,
  { kind, text }: Goal,
  { hasArrays, quoting }: { readonly hasArrays: boolean; readonly quoting: Quoting },
): Goal {
  const isSimple = /^[\w ./~:=@-]+$/.test(text);
  const isNested = quoting.includes('>') || quoting === 'backticks';
  const table = Object.entries({
    ...wraps,
    ...(isSimple ? plainWraps : {}),
    ...(hasArrays && isSimple ? bashWraps : {}),
  });
  const [name, make] = random.pick(table);
  const wrapped = make(text, random);
  if (isNested && /['"`$]/.test(wrapped)) return { kind, text };
  return { kind: `${kind}, ${name}`, text: wrapped };
}
