import {
  createReadStream,
  type Dirent,
  existsSync,
  globSync,
  readdirSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../command.ts';

/** Something to be read. */
export interface ScanInput {
  /** As the report names it. */
  readonly name: string;
  open(): AsyncIterable<Buffer | string>;
}

/** The files that operands stand for: files, folders with all below, patterns, `-`. */
export function inputsOf(
  operands: readonly string[],
  standardInput: AsyncIterable<Buffer | string>,
): readonly ScanInput[] {
  if (operands.length === 0) return inputsOf(['-'], standardInput);
  return operands.flatMap((operand): readonly ScanInput[] => {
    if (operand === '-') return [{ name: 'stdin', open: () => standardInput }];
    return pathsOf(operand).map((name) => ({ name, open: () => createReadStream(name) }));
  });
}

function pathsOf(operand: string): readonly string[] {
  if (!existsSync(operand) && /[*?{[]/.test(operand)) {
    const found = globSync(operand).filter((path) => statSync(path).isFile());
    // What nothing fits is named as a file that cannot be read.
    return found.length === 0 ? [operand] : found.sort();
  }
  return statSync(operand, { throwIfNoEntry: false })?.isDirectory()
    ? filesBelow(operand)
    : [operand];
}

/** All files of a folder, but those that are hidden. Links are not followed. */
function filesBelow(folder: string): readonly string[] {
  const entries = entriesOf(folder)
    .filter(({ name }) => !name.startsWith('.'))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(path);
    return entry.isFile() ? [path] : [];
  });
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error;
    throw new UsageError(`The folder ${folder} cannot be read (${code}).`);
  }
}
