import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { requireInstalled } from './require-tool.ts';

/** A file system of its own, which can be filled to its last byte. */
export interface SmallDisk {
  readonly folder: string;
  fill(): void;
  free(): void;
}

/** Mounts one of 16 MiB; undefined when the test was skipped because nothing may be mounted. */
export function smallDisk(t: TestContext): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-disk-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', folder]);
  if (!requireInstalled(t, 'The right to mount a tmpfs', mounted.status === 0)) return undefined;
  t.after(() => {
    spawnSync('umount', ['--lazy', folder]);
    rmSync(folder, { recursive: true, force: true });
  });
  const filler = join(folder, 'filler');
  return { folder, fill: () => fill(filler), free: () => rmSync(filler) };
}

function fill(path: string): void {
  const file = openSync(path, 'a');
  try {
    for (const bytes of [65_536, 4_096, 1]) fillWith(file, Buffer.alloc(bytes, 'full'));
  } finally {
    closeSync(file);
  }
}

function fillWith(file: number, chunk: Buffer): void {
  try {
    while (writeSync(file, chunk) > 0);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  }
}
