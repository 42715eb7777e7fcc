import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { TestContext } from 'node:test';

/**
 * Whether a program that the test needs is installed. Where it is not, the test is skipped, or
 * fails if SALLYPORT_TEST_ALL=1 says that nothing may be skipped.
 */
export function requireTool(t: TestContext, name: string): boolean {
  return requireInstalled(t, name, findTool(name) !== undefined);
}

/** The same for what is no program, such as a module of one. */
export function requireInstalled(t: TestContext, name: string, isInstalled: boolean): boolean {
  if (isInstalled) return true;
  if (process.env['SALLYPORT_TEST_ALL'] === '1') {
    throw new Error(`${name} is not installed, and SALLYPORT_TEST_ALL=1 forbids to skip.`);
  }
  t.skip(`${name} is not installed`);
  return false;
}

/** The path of a program that the PATH leads to. */
export function findTool(name: string): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
