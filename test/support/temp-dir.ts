import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** A directory of its own for a test, removed after it. */
export function tempDir(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-test-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
