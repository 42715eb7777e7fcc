import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { endWithUs } from '../../lib/children.ts';
import type { Found, FuzzReport } from './fuzz.ts';
import type { Options } from './options.ts';
import type { Reader } from './reader.ts';

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

const job = fileURLToPath(new URL('../job.ts', import.meta.url));

/** Runs the readers, each in a process of its own, some at the same time. */
export async function runJobs(
  readers: readonly Reader[],
  options: Pick<Options, 'requests' | 'seed' | 'jobs' | 'onIncomplete'>,
  tell: (line: string) => void,
): Promise<JobResult[]> {
  const results: JobResult[] = [];
  const waiting = [...readers];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const report = await runJob(next.name, options);
      results.push({ reader: next.name, report });
      tell([lineOf(next.name, report), ...report.found.map(foundText)].join('\n'));
    }
  };
  await Promise.all(Array.from({ length: options.jobs }, work));
  return results;
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

async function runJob(
  reader: string,
  { requests, seed, onIncomplete }: Pick<Options, 'requests' | 'seed' | 'onIncomplete'>,
): Promise<JobReport> {
  const args = ['--import', 'tsx', job, reader, String(requests), String(seed)];
  if (onIncomplete !== undefined) args.push(onIncomplete);
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  endWithUs(child);
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${reader}: its process ended with ${code}; see above.`);
  return JSON.parse(text) as JobReport;
}
