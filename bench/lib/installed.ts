import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findTool } from '../../test/support/require-tool.ts';

/** Debian's own Python: its packages are not seen by others. */
export const python = '/usr/bin/python3';

/** Something that runs only where programs are installed beside Node. */
interface Needy {
  /** Names of programs, paths, modules of Python (`python3 -m flask`). */
  readonly tools: readonly string[];
}

/** Whether all that something needs beside Node is there. */
export function installed(needy: Needy): boolean {
  return missingTools(needy).length === 0;
}

/** The tools that are not installed. */
export function missingTools({ tools }: Needy): string[] {
  return tools.filter((tool) => {
    const module = /^python3 -m (\w+)$/.exec(tool)?.[1];
    if (module !== undefined) return !hasModule(module);
    return tool.startsWith('/') ? !existsSync(tool) : findTool(tool) === undefined;
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
