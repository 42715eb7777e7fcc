import { runJob } from '../lib/job.ts';
import { barsOf, type Measure, type PartResult } from '../lib/measure.ts';
import type { Plan } from '../lib/plan.ts';

/** Times each decoder, tokeniser and detector, the prefilter, the key check and the codec. */
export async function runMicro(plan: Plan): Promise<PartResult> {
  const measures = await runJob<Plan, Measure[]>('micro/job', plan);
  const slowest = measures
    .filter(({ input, mbPerSecond }) => input === 'adversarial' && mbPerSecond !== undefined)
    .toSorted((a, b) => (a.mbPerSecond ?? 0) - (b.mbPerSecond ?? 0))
    .slice(0, 12);
  return {
    measures,
    charts: [
      {
        kind: 'bar',
        title: 'Slowest small parts, each on the pattern that is hardest for it',
        unit: 'MB/s',
        bars: barsOf(slowest, ({ name, note }) => `${name} (${note ?? ''})`).map((bar, index) => {
          const value = slowest[index]?.mbPerSecond ?? 0;
          return { ...bar, value, low: value, high: value };
        }),
      },
    ],
    notes: [],
  };
}
