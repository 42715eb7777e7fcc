import type { TestContext } from 'node:test';
import { requireTool } from './require-tool.ts';

/**
 * Words before a command whose process the modes of files bind, even where the tests run as root;
 * undefined when the test was skipped.
 */
export function boundByModes(t: TestContext): readonly string[] | undefined {
  if (process.geteuid?.() !== 0) return [];
  return requireTool(t, 'setpriv') ? ['setpriv', '--bounding-set=-dac_override'] : undefined;
}
