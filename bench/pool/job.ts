import { setTimeout as delay } from 'node:timers/promises';
import { defaultPolicy } from '../../src/contract/policy.ts';
import type { ScanInput, Scanner } from '../../src/contract/ports.ts';
import { noContext } from '../../src/contract/request.ts';
import { createInlineScanner } from '../../src/pool/inline-scanner.ts';
import { createPooledScanner } from '../../src/pool/pooled-scanner.ts';
import { answerJob } from '../lib/job.ts';
import { quietLog } from '../lib/log.ts';

/** A scanner that is loaded. `threads` 0 screens in the thread that asks. */
export interface PoolCell {
  readonly threads: number;
  readonly batchCountMax: number;
}

/** What is to be measured, and for how long. */
export interface PoolJob {
  readonly cells: readonly PoolCell[];
  readonly rounds: number;
  readonly warmUpMs: number;
  readonly ms: number;
  readonly inFlight: number;
}

/** Requests a second, for each cell one sample a round. */
export type PoolAnswer = readonly (readonly number[])[];

answerJob(async (job: PoolJob): Promise<PoolAnswer> => {
  const rates: number[][] = job.cells.map(() => []);
  for (let round = 0; round < job.rounds; round += 1) {
    const order = job.cells.map((cell, index) => ({ cell, index }));
    for (const { cell, index } of round % 2 === 0 ? order : order.toReversed()) {
      rates[index]?.push(await loadCell(cell, job));
    }
  }
  return rates;
});

async function loadCell({ threads, batchCountMax }: PoolCell, job: PoolJob): Promise<number> {
  const scanner =
    threads === 0
      ? createInlineScanner()
      : createPooledScanner({ threads, log: quietLog, limits: { batchCountMax } });
  while (!scanner.isReady()) await delay(5);
  await load(scanner, job.inFlight, job.warmUpMs);
  const rate = await load(scanner, job.inFlight, job.ms);
  await scanner.close();
  return rate;
}

const encoder = new TextEncoder();

/** Log-ins that differ, so that no answer could come from a memory of the one before. */
const inputs: readonly ScanInput[] = Array.from({ length: 512 }, (_, index) => ({
  body: encoder.encode(
    JSON.stringify({ username: `ada.lovelace${index}`, password: `correct horse ${index * 7919}` }),
  ),
  context: noContext,
  policy: defaultPolicy,
  deadline: Number.POSITIVE_INFINITY,
}));

/** Keeps a number of requests in flight, as so many connections do, and checks each answer. */
async function load(scanner: Scanner, inFlight: number, ms: number): Promise<number> {
  const startedAt = performance.now();
  let requests = 0;
  async function connection(first: number): Promise<void> {
    for (let index = first; performance.now() - startedAt < ms; index += 17) {
      const input = inputs[index % inputs.length];
      if (input === undefined) throw new RangeError('There are no inputs: check the bench.');
      const outcome = await scanner.scan(input);
      if (outcome.kind !== 'verdict' || outcome.verdict.decision !== 'allow') {
        throw new Error(`A log-in must be allowed; this one was not: ${JSON.stringify(outcome)}`);
      }
      requests += 1;
    }
  }
  await Promise.all(Array.from({ length: inFlight }, (_, index) => connection(index)));
  return (requests / (performance.now() - startedAt)) * 1_000;
}
