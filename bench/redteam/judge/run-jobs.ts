import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { endWithUs } from '../../lib/children.ts';
import type { Oracle } from '../contract.ts';
import type { CampaignReport } from './campaign.ts';
import type { SearchReport } from './search.ts';

/** A campaign, maybe a search, and how long both took with the start of the interpreter. */
export interface JobReport extends CampaignReport {
  readonly search?: SearchReport;
  readonly seconds: number;
}

const job = fileURLToPath(new URL('../job.ts', import.meta.url));

interface JobOptions {
  readonly attacks: number;
  readonly seed: number;
  readonly searchSeconds: number;
}

/**
 * Runs campaigns, each in a separate process, some at the same time; in the order of `oracles`. One
 * that fails does not end the others: it is reported as an error.
 */
export async function runJobs(
  oracles: readonly Oracle[],
  options: JobOptions & { readonly jobs: number },
  tell: (report: JobReport | Error) => void,
): Promise<readonly JobReport[]> {
  const reports = new Map<string, JobReport>();
  const waiting = [...oracles];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const report = await runJob(next.name, options).catch((error: Error) => error);
      if (!(report instanceof Error)) reports.set(next.name, report);
      tell(report);
    }
  };
  await Promise.all(Array.from({ length: options.jobs }, work));
  return oracles.flatMap(({ name }) => reports.get(name) ?? []);
}

async function runJob(
  oracle: string,
  { attacks, seed, searchSeconds }: JobOptions,
): Promise<JobReport> {
  const numbers = [attacks, seed, searchSeconds].map(String);
  const args = ['--import', 'tsx', job, oracle, ...numbers];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  endWithUs(child);
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${oracle}: its process ended with ${code}; see above.`);
  return JSON.parse(text) as JobReport;
}
