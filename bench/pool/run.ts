import { availableParallelism } from 'node:os';
import { runJob } from '../lib/job.ts';
import { barsOf, measure, type PartResult } from '../lib/measure.ts';
import { cellMs, type Plan, repeatsOf } from '../lib/plan.ts';
import type { PoolAnswer, PoolCell, PoolJob } from './job.ts';

/** 1 is one worker task for each request. */
const batchSizes = [1, 8, 64] as const;

/** Loads the pool without HTTP: batch sizes and numbers of threads. */
export async function runPool(plan: Plan): Promise<PartResult> {
  const threadCounts = [...new Set([1, 2, availableParallelism()])].sort((a, b) => a - b);
  const cells: PoolCell[] = [{ threads: 0, batchCountMax: 1 }];
  for (const threads of plan.smoke ? [1] : threadCounts) {
    for (const batchCountMax of batchSizes) cells.push({ threads, batchCountMax });
  }
  const answer = await runJob<PoolJob, PoolAnswer>('pool/job', {
    cells,
    rounds: repeatsOf(plan, 3),
    warmUpMs: cellMs(plan, 350),
    ms: cellMs(plan, 700),
    inFlight: plan.smoke ? 16 : 256,
  });
  const rates = cells.map((cell, index) =>
    measure(
      { part: 'pool', name: 'scan', input: nameOf(cell), unit: 'req/s' },
      answer[index] ?? [],
    ),
  );
  const gains = cells.flatMap((cell, index) => {
    const single = cells.findIndex(
      (one) => one.threads === cell.threads && one.batchCountMax === 1,
    );
    if (cell.threads === 0 || cell.batchCountMax === 1) return [];
    const ratios = (answer[index] ?? []).map(
      (rate, round) => rate / (answer[single]?.[round] ?? Number.NaN),
    );
    const label = { part: 'pool', name: 'batches/single', input: nameOf(cell) } as const;
    return [measure({ ...label, unit: 'ratio' }, ratios)];
  });
  return {
    measures: [...rates, ...gains],
    charts: [
      {
        kind: 'bar',
        title: 'Pool: log-ins screened in a second, without HTTP',
        unit: 'req/s',
        bars: barsOf(rates, ({ input }) => input),
      },
    ],
    notes: [],
  };
}

function nameOf({ threads, batchCountMax }: PoolCell): string {
  if (threads === 0) return 'inline, no thread';
  return `${threads} ${threads === 1 ? 'thread' : 'threads'}, batches of ${batchCountMax}`;
}
