import { type ParseArgsConfig, parseArgs } from 'node:util';
import { type FlagValues, settingFlags } from '../config/load.ts';
import { nearest } from '../config/nearest.ts';
import { flagOf, type SettingName } from '../config/settings.ts';
import type { Command } from './command.ts';

/** A command line, taken apart. `problems` names everything that is wrong with it. */
export interface Arguments {
  readonly values: ReadonlyMap<string, string | true>;
  readonly flags: FlagValues;
  readonly positionals: readonly string[];
  readonly problems: readonly string[];
  readonly isHelp: boolean;
}

type OptionTypes = NonNullable<ParseArgsConfig['options']>;
type Option = Extract<
  ReturnType<typeof parseTokens>['tokens'][number],
  { readonly kind: 'option' }
>;

/** Reads the arguments after the command's name. */
export function readArguments(command: Command, args: readonly string[]): Arguments {
  const types = optionTypes(command);
  const { tokens, positionals } = parseTokens(args, types);
  const values = new Map<string, string | true>();
  const flags: Partial<Record<SettingName, string[]>> = {};
  const problems: string[] = [];
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const problem = problemOf(token, types);
    if (problem !== undefined) {
      problems.push(problem);
      continue;
    }
    const setting = settingFlags.get(token.name);
    const isSetting = setting !== undefined && command.settings.includes(setting.name);
    if (isSetting) {
      flags[setting.name] ??= [];
      flags[setting.name]?.push(token.value ?? '');
    } else {
      const option = command.options?.find(({ name }) => name === token.name);
      const before = option?.isList === true ? values.get(token.name) : undefined;
      const value = token.value ?? true;
      values.set(token.name, typeof before === 'string' ? `${before},${value}` : value);
    }
  }
  problems.push(...operandProblems(command, positionals));
  return { values, flags, positionals, problems, isHelp: values.has('help') };
}

/** Not strict: Node stops at the first mistake, and we name them all. */
function parseTokens(args: readonly string[], options: OptionTypes) {
  return parseArgs({
    args: [...args],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
}

function optionTypes(command: Command): OptionTypes {
  const types: OptionTypes = { help: { type: 'boolean', short: 'h' } };
  for (const option of command.options ?? []) {
    types[option.name] = { type: option.value === undefined ? 'boolean' : 'string' };
  }
  for (const name of command.settings) types[flagOf(name)] = { type: 'string' };
  return types;
}

function problemOf(token: Option, types: OptionTypes): string | undefined {
  const known = Object.hasOwn(types, token.name) ? types[token.name] : undefined;
  if (known === undefined) {
    const near = nearest(token.name, Object.keys(types));
    const hint = near === undefined ? '' : `; did you mean --${near}?`;
    return `unknown option ${token.rawName}${hint}`;
  }
  if (known.type === 'boolean') {
    return token.value === undefined ? undefined : `--${token.name} takes no value`;
  }
  const isMissing = token.value === undefined || token.value === '';
  const isNextOption = token.inlineValue === false && /^-./.test(token.value ?? '');
  return isMissing || isNextOption ? `--${token.name} needs a value` : undefined;
}

function operandProblems(command: Command, positionals: readonly string[]): string[] {
  const { operandsMin = 0, operandsMax = 0, operands = '' } = command;
  if (positionals.length < operandsMin) return [`${operands} is missing`];
  return positionals.slice(operandsMax).map((extra) => `unexpected argument ${extra}`);
}
