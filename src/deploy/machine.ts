import { spawnSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { copyRelease, type Release } from './release.ts';

/** Changes a machine, or says only how it would be changed. */
export interface Machine {
  copy(release: Release): void;
  /** Writes a whole file; `shown` is printed instead of a secret text. */
  write(path: string, mode: number, text: string, shown?: string): void;
  /** Leads a link elsewhere, in one step. */
  link(path: string, target: string): void;
  remove(path: string): void;
  /** Runs a program and says whether it succeeded. */
  tried(...command: readonly string[]): boolean;
  /** Runs a program that must succeed. */
  run(...command: readonly string[]): void;
}

/** A program that must succeed has failed. */
export class StepError extends Error {
  override readonly name = 'StepError';
}

/** This machine. Each change is printed before it is made. */
export function thisMachine(tell: (line: string) => void): Machine {
  const tried = (...command: readonly string[]): boolean => {
    tell(command.join(' '));
    const [program = '', ...words] = command;
    // Standard output is ours; what the program says is for people.
    return spawnSync(program, words, { stdio: ['ignore', 2, 2] }).status === 0;
  };
  return {
    copy(release) {
      tell(`copy ${release.files.length} files to ${release.path}`);
      copyRelease(release);
    },
    write(path, mode, text) {
      tell(`write ${path}`);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(`${path}.new`, text, { mode });
      renameSync(`${path}.new`, path);
    },
    link(path, target) {
      tell(`link ${path} to ${target}`);
      rmSync(`${path}.new`, { force: true });
      symlinkSync(target, `${path}.new`);
      renameSync(`${path}.new`, path);
    },
    remove(path) {
      tell(`remove ${path}`);
      rmSync(path, { recursive: true, force: true });
    },
    tried,
    run(...command) {
      if (!tried(...command)) throw new StepError(`This failed: ${command.join(' ')}`);
    },
  };
}

/** Tells every change, with the text of files, and makes none. */
export function paperMachine(tell: (line: string) => void): Machine {
  const tried = (...command: readonly string[]): boolean => {
    tell(command.join(' '));
    return true;
  };
  return {
    copy: ({ files, path }) => tell(`copy ${files.length} files to ${path}`),
    write(path, mode, text, shown = text) {
      tell(`write ${path} (mode ${mode.toString(8)})`);
      for (const line of shown.trimEnd().split('\n')) tell(`    ${line}`);
    },
    link: (path, target) => tell(`link ${path} to ${target}`),
    remove: (path) => tell(`remove ${path}`),
    tried,
    run: (...command) => void tried(...command),
  };
}
