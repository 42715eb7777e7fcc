import { inTurn, numbered } from '../../lib/in-turn.ts';
import { runJob } from '../../lib/job.ts';
import type { Oracle } from '../contract.ts';
import type { CampaignReport } from './campaign.ts';
import type { SearchBudget, SearchReport } from './search.ts';

/** What a job is asked for. */
export interface JobInput {
  /** The name of the oracle. */
  readonly oracle: string;
  readonly attacks: number;
  readonly seed: number;
  /** No search without it. */
  readonly search?: SearchBudget | undefined;
}

/**
 * A campaign, maybe a search, with the judgements of both and how long they took with the start of
 * the interpreter.
 */
export interface JobReport extends CampaignReport {
  readonly search?: SearchReport | undefined;
  readonly seconds: number;
}

/**
 * Runs campaigns, each in a separate process, some at the same time; in the order of `oracles`. One
 * that fails does not end the others: it is reported as an error.
 */
export async function runJobs(
  oracles: readonly Oracle[],
  { attacks, seed, search, jobs }: Omit<JobInput, 'oracle'> & { readonly jobs: number },
  report: (result: JobReport | Error) => void,
): Promise<readonly JobReport[]> {
  const results = await inTurn(oracles, numbered(jobs), async ({ name: oracle }) => {
    const input: JobInput = { oracle, attacks, seed, search };
    const result = await runJob<JobInput, JobReport>('redteam/job', input).catch(
      (error: Error) => new Error(`${oracle}: ${error.message}`),
    );
    report(result);
    return result;
  });
  return results.flatMap((result) => (result instanceof Error ? [] : [result]));
}
