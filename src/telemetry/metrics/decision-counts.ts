import type { ListAction } from '../../contract/address-list.ts';
import { type Category, categories } from '../../contract/category.ts';
import { type ErrorCode, errorCatalogue } from '../../contract/errors.ts';
import { type CoverageLimit, coverageLimits } from '../../contract/limits.ts';
import type { BadKeys } from '../../contract/live.ts';
import { DurationHistogram } from './duration-histogram.ts';
import { Tally } from './tally.ts';

/** What a block was for; `incomplete` where the request could not be screened completely. */
export type BlockCause = Category | 'incomplete';

const blockCauses: readonly BlockCause[] = [...categories, 'incomplete'];

/** Answers that should never occur: exported at zero, so that an alert sees the first one. */
const refusals: readonly ErrorCode[] = [
  'key-not-valid',
  'internal-error',
  'overloaded',
  'draining',
  'deadline-too-short',
  'worker-lost',
];

/** Counts decisions since the start. Nothing is looked up or allocated for an allowed request. */
export class DecisionCounts {
  /** From the head of a request to its answer. */
  readonly durations = new DurationHistogram({ fromUs: 50, toUs: 10_000_000 });
  readonly problems = new Tally<ErrorCode>(refusals);
  readonly blocks = new Tally<BlockCause>(blockCauses);
  readonly wouldBlock = new Tally<BlockCause>(blockCauses);
  /** The latest request whose key was not valid. */
  badKeys: BadKeys = { total: 0, lastAt: undefined, lastAddress: '' };
  /** Requests of clients that are listed, by what their entry does. */
  readonly listed = new Tally<ListAction>(['deny', 'allow']);
  readonly incomplete = new Tally<CoverageLimit>(coverageLimits);

  /** Counts an answer; `problem` when it is an error. */
  answered(durationMs: number, problem: ErrorCode | undefined): void {
    this.durations.add(durationMs);
    if (problem !== undefined) this.problems.add(problem);
  }

  /** Counts a block by its strongest finding. */
  blocked(category: Category | undefined, how: { readonly monitored: boolean }): void {
    (how.monitored ? this.wouldBlock : this.blocks).add(category ?? 'incomplete');
  }

  /** Counts a request whose key is not valid. */
  keyRefused(lastAddress: string, lastAt: number): void {
    this.badKeys = { total: this.badKeys.total + 1, lastAt, lastAddress };
  }

  /** Counts a request of which limits cut something off. */
  screenedInPart(reached: readonly CoverageLimit[]): void {
    for (const limit of reached) this.incomplete.add(limit);
  }
}

/** The status that goes with a problem. */
export function statusOf(problem: ErrorCode): string {
  return String(errorCatalogue[problem].status);
}
