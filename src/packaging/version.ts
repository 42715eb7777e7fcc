import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What is released: a version of the built package at `root`, dated by the changelog. */
export interface Version {
  readonly root: string;
  readonly version: string;
  /** Seconds since 1970; all files have this time, so that the same input gives the same bytes. */
  readonly epoch: number;
}

/** Reads which version the folder holds. Throws where the changelog does not know it. */
export function versionOf(root: string): Version {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  const heading = changelog.split('\n').find((line) => line.startsWith(`## [${version}] - `));
  const date = heading?.split(' - ')[1] ?? '';
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) {
    throw new Error(`CHANGELOG.md has no heading like "## [${version}] - 2030-12-31": add it.`);
  }
  return { root, version, epoch: Date.parse(date) / 1_000 };
}
