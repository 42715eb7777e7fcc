import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fillDisk, mountSmallDisk, unmountSmallDisk } from '../../bench/lib/small-disk.ts';
import { requireInstalled } from './require-tool.ts';

/** A separate file system, which can be filled to its last byte. */
export interface SmallDisk {
  readonly folder: string;
  fill(): void;
  free(): void;
}

/** Mounts one of 16 MiB; undefined when the test was skipped because nothing may be mounted. */
export function smallDisk(t: TestContext, filesMax?: number): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-disk-'));
  const isMounted = mountSmallDisk(folder, 16, filesMax);
  if (!requireInstalled(t, 'The right to mount a tmpfs', isMounted)) return undefined;
  t.after(() => {
    unmountSmallDisk(folder);
    rmSync(folder, { recursive: true, force: true });
  });
  const filler = join(folder, 'filler');
  return { folder, fill: () => fillDisk(filler), free: () => rmSync(filler) };
}
