import { defaultConfig, flagOf, type Setting, settings, variableOf } from '../config/settings.ts';
import type { Command } from './command.ts';

/** The help of the whole program. */
export function programHelp(commands: readonly Command[]): string {
  return `Sallyport screens the data of requests for threats.

Usage: sallyport <command> [options]

Commands:
${table(commands.map(({ name, summary }) => [name, summary]))}

sallyport <command> --help explains a command, sallyport --version prints the version.
Settings come from flags, then SALLYPORT_* variables, then the JSON file that --config names.
Exit codes: 0 done or allowed, 1 failed or blocked, 2 wrong command line or input.
`;
}

/** The help of one command. */
export function commandHelp(command: Command): string {
  const operands = command.operands === undefined ? '' : ` ${command.operands}`;
  const options = (command.options ?? []).map(({ name, value, help }) => [
    value === undefined ? `--${name}` : `--${name} ${value}`,
    help,
  ]);
  const flags = settings
    .filter(({ name }) => command.settings.includes(name))
    .map((setting) => [
      `--${flagOf(setting.name)} ${placeholderOf(setting)}`,
      `${setting.help}${defaultOf(setting)} [${variableOf(setting.name)}]`,
    ]);
  const parts = [
    `${command.summary}\n\nUsage: sallyport ${command.name}${operands} [options]`,
    options.length === 0 ? '' : `Options:\n${table(options)}`,
    flags.length === 0 ? '' : `Settings, with (default) and [variable]:\n${table(flags)}`,
    command.notes ?? '',
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
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

/** Rows of texts in aligned columns, indented by two spaces. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, cell.length);
    });
  }
  const line = (row: readonly string[]) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return rows.map((row) => `  ${line(row)}`.trimEnd()).join('\n');
}
