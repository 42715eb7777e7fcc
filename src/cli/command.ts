import type { Source } from '../config/load.ts';
import type { Config, SettingName } from '../config/settings.ts';

/** An option of a command that is not a setting. */
export interface CommandOption {
  readonly name: string;
  /** What stands for the value in the help; an option without it is a switch. */
  readonly value?: string;
  readonly help: string;
}

/** What a command is given. */
export interface CommandInput {
  readonly text: (name: string) => string | undefined;
  readonly isOn: (name: string) => boolean;
  readonly positionals: readonly string[];
  readonly config: Config;
  readonly sources: Readonly<Partial<Record<SettingName, Source>>>;
}

/** Where a command writes to and reads from. `input` is standard input. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  readonly input: AsyncIterable<Buffer | string>;
  /** Whether a person reads what is written, and can type. */
  readonly isTerminal: boolean;
  /** Whether colours are wanted there (`NO_COLOR`, `FORCE_COLOR`). */
  readonly hasColours: boolean;
  /** Calls at each line that is typed, without keeping the process from ending. */
  onLine(typed: () => void): void;
}

/** 0: done, or allowed. 1: failed, or blocked. 2: the command line or the input is wrong. */
export type ExitCode = 0 | 1 | 2;

export interface Command {
  /** One or two words. */
  readonly name: string;
  readonly summary: string;
  /** The arguments that are no options, as the help shows them. */
  readonly operands?: string;
  readonly operandsMin?: number;
  readonly operandsMax?: number;
  readonly options?: readonly CommandOption[];
  /** The settings that can be given as flags. A command without any reads no configuration. */
  readonly settings: readonly SettingName[];
  /** Further lines of the help. */
  readonly notes?: string;
  run(input: CommandInput, terminal: Terminal): Promise<ExitCode>;
}

/** The command line or the input is wrong: exit code 2. The message says what to write instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** What was asked for cannot be done: exit code 1. The message says what to do next. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
