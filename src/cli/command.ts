import type { Source } from '../config/load.ts';
import type { Config, SettingName } from '../config/settings.ts';
import type { Paint } from './paint.ts';

/** An option of a command that is not a setting. */
export interface CommandOption {
  readonly name: string;
  /** What stands for the value in the help; an option without it is a switch. */
  readonly value?: string;
  readonly help: string;
  /** The values that it takes, where they are few. */
  readonly values?: readonly string[];
  /** Takes several values, with commas or given more than once. */
  readonly isList?: true;
}

/** What a command is given. */
export interface CommandInput {
  readonly text: (name: string) => string | undefined;
  readonly isOn: (name: string) => boolean;
  readonly positionals: readonly string[];
  readonly config: Config;
  readonly sources: Readonly<Partial<Record<SettingName, Source>>>;
  /** All commands of the program. */
  readonly commands: readonly Command[];
  /** What is wrong with the settings; `config` then holds the defaults. */
  readonly configProblems: readonly string[];
}

/** Where a command writes to and reads from. `input` is standard input. */
export interface Terminal {
  out(text: string): void;
  /** Writes to standard output and resolves when its reader keeps up. */
  flow(text: string): Promise<void>;
  err(text: string): void;
  readonly input: AsyncIterable<Buffer | string>;
  /** Which of the three streams are a screen or a keyboard, not a file or a pipe. */
  readonly isInteractive: { readonly in: boolean; readonly out: boolean; readonly err: boolean };
  /** Colours for standard output: none unless it is a terminal, and none with `NO_COLOR`. */
  readonly paint: Paint;
  /** False when the reader of standard output has gone. */
  isRead(): boolean;
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
  /** What the operands are, for the completion of a shell. */
  readonly operandValues?: 'files' | readonly string[];
  readonly options?: readonly CommandOption[];
  /** The settings that can be given as flags. A command without any reads no configuration. */
  readonly settings: readonly SettingName[];
  /** Further lines of the help. */
  readonly notes?: string;
  /** Runs with wrong settings as well, and tells of them itself. */
  readonly toleratesBadConfig?: true;
  /** Removes or stops something for good: never suggested for a misspelt word. */
  readonly isDestructive?: true;
  /** Names of other programs for the same, such as `keys delete`; answered with the right one. */
  readonly alsoCalled?: readonly string[];
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
