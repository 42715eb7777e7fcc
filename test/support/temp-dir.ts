import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders: string[] = [];

/**
 * A separate directory for a test. It is removed when the process of the test file ends: a service
 * that still runs writes into it, and no hook may fail before the one that ends the service.
 */
export function tempDir(): string {
  if (folders.length === 0) process.once('exit', removeAll);
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-test-'));
  folders.push(folder);
  return folder;
}

function removeAll(): void {
  for (const folder of folders) {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }
}
