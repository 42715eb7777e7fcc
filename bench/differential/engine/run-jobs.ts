import { inTurn, numbered } from '../../lib/in-turn.ts';
import { runJob } from '../../lib/job.ts';
import type { Found, FuzzReport } from './fuzz.ts';
import type { Options } from './options.ts';
import type { Reader } from './reader.ts';

/** What a job is asked for. */
export interface JobInput extends Pick<Options, 'requests' | 'seed' | 'onIncomplete'> {
  /** The name of the reader. */
  readonly reader: string;
}

/** What a process found over one reader. */
export interface JobReport extends FuzzReport {
  readonly seconds: number;
  /** Errors that nothing caught. They are faults of the application's parsers. */
  readonly crashes: number;
}

/** A reader and its report. */
export interface JobResult {
  readonly reader: string;
  readonly report: JobReport;
}

/** Runs the readers, each in a separate process, some at the same time. */
export async function runJobs(
  readers: readonly Reader[],
  { requests, seed, onIncomplete, jobs }: Omit<JobInput, 'reader'> & Pick<Options, 'jobs'>,
  tell: (line: string) => void,
): Promise<JobResult[]> {
  return await inTurn(readers, numbered(jobs), async ({ name: reader }) => {
    const input: JobInput = { reader, requests, seed, onIncomplete };
    const report = await runJob<JobInput, JobReport>('differential/job', input);
    tell([lineOf(reader, report), ...report.found.map(foundText)].join('\n'));
    return { reader, report };
  });
}

function lineOf(reader: string, report: JobReport): string {
  const { requests, reached, refused, unanswered, disagreeing, crashes, seconds } = report;
  const rate = Math.round(requests / Math.max(seconds, 0.001));
  const counts = `${reached} reached, ${refused} refused, ${unanswered} unanswered`;
  const crashed = crashes > 0 ? `, ${crashes} CRASHES` : '';
  const rest = `${disagreeing} disagree${crashed}, ${rate}/s`;
  return `${reader.padEnd(26)} ${requests} requests: ${counts}, ${rest}`;
}

/** At once, so that a run that is broken off has not been in vain. */
function foundText(found: Found): string {
  return `  ${found.count} times: ${found.class}\n    ${found.request}\n    ${found.text}`;
}
