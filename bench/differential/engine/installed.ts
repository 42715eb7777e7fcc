import { execFileSync } from 'node:child_process';
import { findTool } from '../../../test/support/require-tool.ts';
import type { Reader } from './reader.ts';

/** Debian's own Python: its packages are not seen by others. */
export const python = '/usr/bin/python3';

/** Whether all that a reader needs beside Node is there. */
export function installed(reader: Reader): boolean {
  return missingTools(reader).length === 0;
}

/** The programs, and modules of Python (`python3 -m flask`), that a reader lacks. */
export function missingTools({ tools }: Reader): string[] {
  return tools.filter((tool) => {
    const module = /^python3 -m (\w+)$/.exec(tool)?.[1];
    return module === undefined ? findTool(tool) === undefined : !hasModule(module);
  });
}

function hasModule(module: string): boolean {
  try {
    execFileSync(python, ['-c', `import ${module}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
