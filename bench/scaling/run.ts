import { availableParallelism } from 'node:os';
import { type Cell, ratiosOf, resultOf, runRounds } from '../http/rounds.ts';
import { type Chart, type Measure, measure, type PartResult } from '../lib/measure.ts';
import { cellMs, type Plan, repeatsOf } from '../lib/plan.ts';
import { type Started, startService } from '../lib/server.ts';
import { startFronts } from './fronts.ts';

const allBodies = ['login', 'article-16k'] as const;

/** A number of threads or processes, and the server that has it. */
interface Step {
  readonly count: number;
  readonly server: Started;
}

/** Throughput against worker threads, and against front ends that share a port. */
export async function runScaling(plan: Plan): Promise<PartResult> {
  const cores = availableParallelism();
  const counts = [...new Set([1, 2, cores])].sort((x, y) => x - y);
  const started: Started[] = [];
  const keep = async (starting: Promise<Started>): Promise<Started> => {
    const server = await starting;
    started.push(server);
    return server;
  };
  try {
    const threads: Step[] = [];
    const fronts: Step[] = [];
    for (const count of plan.smoke ? [2] : counts) {
      const workers = ['--workers', String(count)];
      threads.push({ count, server: await keep(startService(plan.target, workers)) });
      fronts.push({ count, server: await keep(startFronts(count, 1)) });
    }
    const results = [
      await sweep(plan, 'worker threads, one front end', threads),
      await sweep(plan, 'front ends with one thread each', fronts),
    ];
    return {
      measures: results.flatMap(({ measures }) => measures),
      charts: results.flatMap(({ charts }) => charts),
      notes: [
        `This machine has ${cores} cores, and the load generator uses them too: ` +
          'read the curves with that in mind.',
      ],
    };
  } finally {
    for (const server of started) await server.stop();
  }
}

async function sweep(
  plan: Plan,
  name: string,
  steps: readonly Step[],
): Promise<Pick<PartResult, 'measures' | 'charts'>> {
  const bodies = plan.smoke ? allBodies.slice(0, 1) : allBodies;
  const cells: Cell[] = steps.flatMap(({ count, server }) =>
    bodies.map((body) => ({
      name: `${count} ${body}`,
      server,
      plan: {
        mix: [{ body, share: 1 }],
        connections: plan.smoke ? 4 : 64,
        warmUpMs: cellMs(plan, 400),
        ms: plan.smoke ? 150 : cellMs(plan, 1_200),
      },
    })),
  );
  const results = await runRounds(cells, repeatsOf(plan, 2));
  const ratesOf = (count: number, body: string) => resultOf(results, `${count} ${body}`).rates;
  const measures: Measure[] = steps.flatMap(({ count }) =>
    bodies.map((body) => {
      const ratio = measure(
        { part: 'scaling', name, input: '', unit: 'ratio' },
        ratiosOf(ratesOf(count, body), ratesOf(steps[0]?.count ?? 1, body)),
      );
      const note = `${ratio.median.toFixed(2)} times the first`;
      const label = {
        part: 'scaling',
        name: `${name}: ${count}`,
        input: body,
        unit: 'req/s',
      } as const;
      return measure({ ...label, note }, ratesOf(count, body));
    }),
  );
  const chart: Chart = {
    kind: 'line',
    title: `Scaling: requests a second by ${name}`,
    xLabel: name,
    yLabel: 'req/s',
    xScale: 'linear',
    yScale: 'linear',
    series: bodies.map((body) => ({
      name: body,
      points: steps.map(({ count }) => {
        const rates = ratesOf(count, body);
        return [count, rates.reduce((sum, rate) => sum + rate, 0) / rates.length] as const;
      }),
    })),
  };
  return { measures, charts: [chart] };
}
