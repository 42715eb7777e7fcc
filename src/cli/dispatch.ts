import { defaultConfig } from '../config/defaults.ts';
import { type Environment, loadConfig, type Source } from '../config/load.ts';
import { nearest } from '../config/nearest.ts';
import type { Config, SettingName } from '../config/settings.ts';
import { type Arguments, readArguments } from './arguments.ts';
import {
  type Command,
  type CommandInput,
  type ExitCode,
  type Terminal,
  UsageError,
} from './command.ts';
import { commands } from './commands/list.ts';
import { commandHelp, programHelp } from './help.ts';

/** Runs the command that the arguments name. Every failure becomes a message and an exit code. */
export async function dispatch(
  args: readonly string[],
  environment: Environment,
  terminal: Terminal,
): Promise<ExitCode> {
  try {
    return await route(args, environment, terminal);
  } catch (error) {
    terminal.err(`sallyport: ${messageOf(error)}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

function route(
  args: readonly string[],
  environment: Environment,
  terminal: Terminal,
): Promise<ExitCode> | ExitCode {
  const [first = '', second = ''] = args;
  if (first === '--version' || first === '-V') return route(['version'], environment, terminal);
  if (first === 'help' && second !== '') {
    return route([...args.slice(1), '--help'], environment, terminal);
  }
  if (first === '--help' || first === '-h' || first === 'help') {
    terminal.out(programHelp(commands));
    return 0;
  }
  for (const command of commands) {
    const words = command.name.split(' ').length;
    if (args.slice(0, words).join(' ') !== command.name) continue;
    return runCommand({ command, args: args.slice(words), environment, terminal });
  }
  const group = commands.filter(({ name }) => name.startsWith(`${first} `));
  if (group.length > 0 && (second === '--help' || second === '-h')) {
    terminal.out(programHelp(group));
    return 0;
  }
  throw new UsageError(unknownCommand(args, group));
}

async function runCommand(call: {
  readonly command: Command;
  readonly args: readonly string[];
  readonly environment: Environment;
  readonly terminal: Terminal;
}): Promise<ExitCode> {
  const { command, args, environment, terminal } = call;
  const given = readArguments(command, args);
  if (given.isHelp) {
    terminal.out(commandHelp(command));
    return 0;
  }
  const settings = loadSettings(command, given, environment);
  const isTolerant = command.toleratesBadConfig === true;
  const problems = [...given.problems, ...(isTolerant ? [] : settings.problems)];
  const [first] = problems;
  if (first !== undefined) {
    const list = problems.map((problem) => `  - ${problem}`).join('\n');
    const stop = first.endsWith('?') ? '' : '.';
    throw new UsageError(
      problems.length === 1
        ? `${first}${stop} See sallyport ${command.name} --help.`
        : `${problems.length} things are wrong:\n${list}\nSee sallyport ${command.name} --help.`,
    );
  }
  return command.run(inputOf(given, settings), terminal);
}

interface Settings {
  readonly config: Config;
  readonly sources: Readonly<Partial<Record<SettingName, Source>>>;
  readonly problems: readonly string[];
}

function loadSettings(command: Command, given: Arguments, environment: Environment): Settings {
  const unset = { config: defaultConfig(), sources: {}, problems: [] };
  if (command.settings.length === 0) return unset;
  const outcome = loadConfig({ flags: given.flags, environment });
  return outcome.kind === 'invalid'
    ? { ...unset, problems: outcome.problems }
    : { ...outcome, problems: [] };
}

function inputOf(given: Arguments, settings: Settings): CommandInput {
  return {
    text(name) {
      const value = given.values.get(name);
      return typeof value === 'string' ? value : undefined;
    },
    isOn: (name) => given.values.has(name),
    positionals: given.positionals,
    config: settings.config,
    sources: settings.sources,
    commands,
    configProblems: settings.problems,
  };
}

function unknownCommand(args: readonly string[], group: readonly Command[]): string {
  const [first = ''] = args;
  if (first === '') return `a command is missing.\n\n${programHelp(commands)}`;
  if (first.startsWith('-')) {
    return `a command must come before ${first}. See sallyport --help.`;
  }
  if (group.length > 0 && args.length === 1) {
    const names = group.map(({ name }) => `sallyport ${name}`).join(', ');
    return `${first} needs one more word: ${names}.`;
  }
  const words = args.slice(0, 2).join(' ');
  const given = group.length > 0 ? words : first;
  const meant = suggestionFor(words, group);
  const inGroup = group.length > 0 ? ` ${first}` : '';
  const advice = meant === undefined ? `See sallyport${inGroup} --help` : `Did you mean ${meant}?`;
  return `unknown command ${given}. ${advice}`;
}

/** What the words most likely mean. A command that destroys is never guessed from its spelling. */
function suggestionFor(words: string, group: readonly Command[]): string | undefined {
  const [first = '', second = ''] = words.split(' ');
  const known = commands.find(
    ({ alsoCalled = [] }) => alsoCalled.includes(words) || alsoCalled.includes(first),
  );
  if (known !== undefined) return known.name;
  const candidates = commands.filter((one) => !one.isDestructive);
  if (group.length === 0) {
    const names = candidates.map(({ name }) => name);
    return nearest(first, names) ?? nearest(words, names);
  }
  // The first word is right: were it compared as well, `admins create` would be near to others.
  const verbs = candidates
    .filter((one) => group.includes(one))
    .map(({ name }) => name.slice(first.length + 1));
  const verb = nearest(second, verbs);
  return verb === undefined ? undefined : `${first} ${verb}`;
}

/** An error that was thrown on purpose says what to do; of a defect the stack is worth more. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isDefect =
    error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
  return isDefect ? (error.stack ?? error.message) : error.message;
}
