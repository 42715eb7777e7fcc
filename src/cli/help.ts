import { defaultConfig } from '../config/defaults.ts';
import {
  flagOf,
  type Setting,
  type SettingName,
  settings,
  variableOf,
} from '../config/settings.ts';
import type { Command } from './command.ts';
import { settingGroups } from './setting-groups.ts';
import { wrapped } from './table.ts';

const lineCharsMax = 100;
const termCharsMax = 28;
/** From so many settings on they stand in groups. */
const groupedFrom = 12;

/** The help of the whole program. */
export function programHelp(commands: readonly Command[]): string {
  return `Sallyport screens the data of requests for threats.

Usage: sallyport <command> [options]

Commands:
${rowsOf(commands.map(({ name, summary }) => ({ term: name, text: summary })))}

sallyport <command> --help explains a command.
Settings come from flags, then SALLYPORT_* variables, then the JSON file that --config names.
Exit codes: 0 done or allowed, 1 failed or blocked, 2 wrong command line or input.
`;
}

/** The help of one command. No line is longer than 100 characters. */
export function commandHelp(command: Command): string {
  const operands = command.operands === undefined ? '' : ` ${command.operands}`;
  const options = (command.options ?? []).map(
    ({ name, value, help }): HelpRow => ({
      term: value === undefined ? `--${name}` : `--${name} ${value}`,
      text: help,
    }),
  );
  const parts = [
    `${command.summary}\n\nUsage: sallyport ${command.name}${operands} [options]`,
    options.length === 0 ? '' : `Options:\n${rowsOf(options)}`,
    settingsHelp(command.settings),
    command.notes ?? '',
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** A long list of settings stands in groups. */
function settingsHelp(names: readonly SettingName[]): string {
  if (names.length === 0) return '';
  const title = 'Settings, with (default) and [variable]:';
  const wanted = settings.filter(({ name }) => names.includes(name));
  if (wanted.length < groupedFrom) return `${title}\n${rowsOf(wanted.map(settingRow))}`;
  const groups = settingGroups.flatMap(({ title: group, names: members }) => {
    const rows = wanted.filter(({ name }) => members.includes(name)).map(settingRow);
    return rows.length === 0 ? [] : [`${group}:\n${rowsOf(rows)}`];
  });
  return [title, ...groups].join('\n\n');
}

function settingRow(setting: Setting): HelpRow {
  return {
    term: `--${flagOf(setting.name)} ${placeholderOf(setting)}`,
    text: `${setting.help}${defaultOf(setting)} [${variableOf(setting.name)}]`,
  };
}

interface HelpRow {
  readonly term: string;
  readonly text: string;
}

/** Terms with their texts beside them; a long term has a line of its own. */
function rowsOf(rows: readonly HelpRow[]): string {
  const longest = Math.max(...rows.map(({ term }) => term.length));
  const width = Math.min(longest, termCharsMax);
  const indent = ' '.repeat(width + 4);
  return rows
    .flatMap(({ term, text }) => {
      const lines = wrapped(text, lineCharsMax - indent.length).map((line) => indent + line);
      if (term.length > width) return [`  ${term}`, ...lines];
      const [first = '', ...rest] = lines;
      return [`  ${term.padEnd(width)}  ${first.trimStart()}`, ...rest];
    })
    .join('\n');
}

/** What stands for the value of a setting. */
function placeholderOf({ kind, schema, expected }: Setting): string {
  const { enum: values, format = '' } = schema;
  if (Array.isArray(values)) return `<${values.join('|')}>`;
  if (kind === 'integer') return '<n>';
  if (kind === 'list') return '<a,b>';
  if (String(format).endsWith('-url')) return '<url>';
  return expected.includes('path') ? '<path>' : '<text>';
}

/** The default, where there is one and the help does not tell it in words. */
function defaultOf({ name }: Setting): string {
  const value = defaultConfig()[name];
  const isTold = name === 'workers' || value === undefined || String(value) === '';
  return isTold ? '' : ` (${value})`;
}
