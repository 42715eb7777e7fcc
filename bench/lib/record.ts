import { execFileSync } from 'node:child_process';
import { availableParallelism, cpus, loadavg, platform, release, totalmem } from 'node:os';
import type { PartName, PartResult } from './measure.ts';

/** Where and on what a run was made. */
export interface Circumstances {
  /** When the run began, ISO 8601. */
  readonly startedAt: string;
  readonly seconds: number;
  /** Short hash; `unknown` outside a git checkout. */
  readonly commit: string;
  /** Whether files differed from the commit. */
  readonly isDirty: boolean;
  /** `build` for compiled files, `sources` for files compiled while they run. */
  readonly ran: 'build' | 'sources';
  readonly node: string;
  readonly system: string;
  readonly processor: string;
  readonly cores: number;
  readonly memoryGb: number;
  /** Load average of one minute before the run: what else the machine was doing. */
  readonly loadBefore: number;
  /** The command-line arguments of the run. */
  readonly options: readonly string[];
}

/** One run of the suite, as it is kept. */
export interface BenchRecord {
  readonly version: 1;
  readonly circumstances: Circumstances;
  readonly parts: Readonly<Partial<Record<PartName, PartResult>>>;
}

/** What is known before the run. */
export function readCircumstances(
  root: string,
  ran: Circumstances['ran'],
  options: readonly string[],
): Omit<Circumstances, 'seconds'> {
  return {
    startedAt: new Date().toISOString(),
    commit: git(root, ['rev-parse', '--short', 'HEAD']) ?? 'unknown',
    isDirty: git(root, ['status', '--porcelain', '--untracked-files=no']) !== '',
    ran,
    node: process.version,
    system: `${platform()} ${release()}`,
    processor: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memoryGb: Number((totalmem() / 1e9).toFixed(1)),
    loadBefore: Number((loadavg()[0] ?? 0).toFixed(2)),
    options,
  };
}

function git(root: string, args: readonly string[]): string | undefined {
  try {
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return undefined;
  }
}
