import { flagOf, type Setting, settings } from '../config/settings.ts';
import type { Command } from './command.ts';

/** The shells that a script is written for. */
export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** What follows an option, or stands as an operand. */
type Values = 'none' | 'text' | 'files' | readonly string[];

interface Completed {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly {
    readonly flag: string;
    readonly help: string;
    readonly values: Values;
  }[];
  readonly operands: Values;
}

/** The completion script of a shell, made from the table of commands. */
export function completionScript(shell: Shell, commands: readonly Command[]): string {
  const completed = commands.map(completionOf);
  switch (shell) {
    case 'bash':
      return bashScript(completed);
    case 'zsh':
      return zshScript(completed);
    case 'fish':
      return fishScript(completed);
  }
}

function completionOf(command: Command): Completed {
  const own = (command.options ?? []).map(({ name, value, help, values }) => ({
    flag: `--${name}`,
    help,
    values: value === undefined ? ('none' as const) : (values ?? valuesFor(value)),
  }));
  const set = settings
    .filter(({ name }) => command.settings.includes(name))
    .map((setting) => ({
      flag: `--${flagOf(setting.name)}`,
      help: setting.help,
      values: valuesOf(setting),
    }));
  return {
    name: command.name,
    summary: command.summary,
    options: [...own, ...set, { flag: '--help', help: 'explain the command', values: 'none' }],
    operands: command.operandValues ?? 'none',
  };
}

function valuesFor(placeholder: string): Values {
  return placeholder === '<file>' ? 'files' : 'text';
}

function valuesOf({ schema, expected }: Setting): Values {
  const { items } = schema as { readonly items?: { readonly enum?: readonly string[] } };
  const values = Array.isArray(schema['enum']) ? schema['enum'] : items?.enum;
  if (values !== undefined) return values.map(String);
  return expected.includes('path') ? 'files' : 'text';
}

/** The words that may stand first, and the second words of each that has some. */
function wordsOf(completed: readonly Completed[]) {
  const groups = new Map<string, string[]>();
  for (const { name } of completed) {
    const [first = '', second] = name.split(' ');
    const seconds = groups.get(first) ?? [];
    groups.set(first, second === undefined ? seconds : [...seconds, second]);
  }
  return groups;
}

function bashScript(completed: readonly Completed[]): string {
  const groups = wordsOf(completed);
  const seconds = [...groups]
    .filter(([, words]) => words.length > 0)
    .map(([first, words]) => `    ${first}) words=${quoted(words.join(' '))} ;;`);
  const values = completed.flatMap(({ name, options }) =>
    options
      .filter((option) => option.values !== 'none')
      .map(
        ({ flag, values: after }) => `    ${quoted(`${name} ${flag}`)}) ${bashValues(after)} ;;`,
      ),
  );
  const options = completed.map(({ name, options: all, operands }) => {
    const flags = all.map(({ flag }) => flag).join(' ');
    return `    ${quoted(name)}) flags=${quoted(flags)}; ${bashValues(operands)} ;;`;
  });
  return `# Completion of sallyport for bash: eval "$(sallyport completion bash)"
_sallyport() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}"
  local first="\${COMP_WORDS[1]}" command words="" flags="" files="" match
  # Bash cuts --option=value at the sign.
  if [[ $cur == "=" ]]; then cur=""; elif [[ $prev == "=" ]]; then prev="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  command=$first
  case "$first" in
${seconds.join('\n')}
  esac
  if [[ -n $words ]]; then command="$first \${COMP_WORDS[2]}"; fi
  if (( COMP_CWORD == 1 )); then
    words=${quoted([...groups.keys()].join(' '))}
  elif [[ -z $words ]] || (( COMP_CWORD > 2 )); then
    words=""
    case "$command $prev" in
${values.join('\n')}
    *)
      case "$command" in
${options.join('\n')}
      esac
      if [[ $cur == -* || -z $words$files ]]; then words=$flags files=""; fi ;;
    esac
  fi
  COMPREPLY=()
  while IFS= read -r match; do COMPREPLY+=("$match"); done < <(
    if [[ -n $files ]]; then compgen -f -- "$cur"; else compgen -W "$words" -- "$cur"; fi
  )
  if [[ -n $files ]]; then compopt -o filenames 2>/dev/null; fi
  return 0
}
complete -F _sallyport sallyport
`;
}

function bashValues(values: Values): string {
  if (values === 'files') return 'files=1';
  return typeof values === 'string' ? ':' : `words=${quoted(values.join(' '))}`;
}

function zshScript(completed: readonly Completed[]): string {
  const groups = wordsOf(completed);
  const summaryOf = (name: string) =>
    completed.find((one) => one.name === name)?.summary ?? `commands about ${name}`;
  const described = (names: readonly string[], prefix = '') =>
    names
      .map((name) => quoted(`${name}:${summaryOf(`${prefix}${name}`).replaceAll(':', '\\:')}`))
      .join(' ');
  const seconds = [...groups]
    .filter(([, words]) => words.length > 0)
    .map(([first, words]) => `    ${first}) names=(${described(words, `${first} `)}); depth=3 ;;`);
  const specs = completed.map(({ name, options, operands }) => {
    const all = [...options.map(zshOption), ...zshOperands(operands)];
    return `    ${quoted(name)}) _arguments ${all.join(' ')} ;;`;
  });
  return `#compdef sallyport
# Completion of sallyport for zsh: source <(sallyport completion zsh)
_sallyport() {
  local -a names
  local depth=2 command
  case "$words[2]" in
${seconds.join('\n')}
  esac
  if (( CURRENT == 2 )); then
    names=(${described([...groups.keys()])})
    _describe command names
    return
  elif (( CURRENT == 3 && depth == 3 )); then
    _describe command names
    return
  fi
  command="\${words[2,depth]}"
  shift $(( depth - 1 )) words
  (( CURRENT -= depth - 1 ))
  case "$command" in
${specs.join('\n')}
  esac
}
compdef _sallyport sallyport
`;
}

function zshOption({ flag, help, values }: Completed['options'][number]): string {
  const text = help.replace(/[[\]:\\]/g, '\\$&');
  return quoted(`*${flag}[${text}]${values === 'none' ? '' : `:value:${zshValues(values)}`}`);
}

function zshOperands(values: Values): string[] {
  return values === 'none' ? [] : [quoted(`*:operand:${zshValues(values)}`)];
}

function zshValues(values: Values): string {
  if (values === 'files') return '_files';
  return typeof values === 'string' ? ' ' : `(${values.join(' ')})`;
}

function fishScript(completed: readonly Completed[]): string {
  const groups = wordsOf(completed);
  const lines = [...groups].flatMap(([first, words]) => {
    const summary = completed.find(({ name }) => name === first)?.summary;
    const text = summary ?? `commands about ${first}`;
    return [
      `complete -c sallyport -n '__sallyport_after ""' -a ${first} -d ${fishQuoted(text)}`,
      ...words.map((second) => {
        const told = completed.find(({ name }) => name === `${first} ${second}`)?.summary ?? '';
        return `complete -c sallyport -n '__sallyport_after "${first}"' -a ${second} -d ${fishQuoted(told)}`;
      }),
    ];
  });
  const options = completed.flatMap(({ name, options: all, operands }) => {
    const when = `complete -c sallyport -n '__sallyport_in ${name}'`;
    return [
      ...all.map(({ flag, help, values }) => {
        return `${when} -l ${flag.slice(2)}${fishValues(values)} -d ${fishQuoted(help)}`;
      }),
      ...(operands === 'none' ? [] : [`${when}${fishValues(operands).replace(' -x', '')}`]),
    ];
  });
  return `# Completion of sallyport for fish: sallyport completion fish | source
function __sallyport_after
  set -l tokens (commandline -opc)
  test "$tokens[2..-1]" = "$argv[1]"
end
function __sallyport_in
  set -l tokens (commandline -opc)
  test (count $tokens) -gt (count $argv); or return 1
  test "$tokens[2.."(math (count $argv) + 1)"]" = "$argv"
end
complete -c sallyport -f
${lines.join('\n')}
${options.join('\n')}
`;
}

function fishValues(values: Values): string {
  if (values === 'none') return '';
  if (values === 'files') return ' -r -F';
  return typeof values === 'string' ? ' -x' : ` -x -a ${fishQuoted(values.join(' '))}`;
}

/** A word for bash and zsh. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function fishQuoted(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`;
}
