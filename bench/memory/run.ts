import { type MixItem, runLoad } from '../http/load.ts';
import { measure, type PartResult, type Target } from '../lib/measure.ts';
import { cellMs, type Plan, repeatsOf } from '../lib/plan.ts';
import { residentMb } from '../lib/process-usage.ts';
import { type Started, startService } from '../lib/server.ts';

const startTarget: Target = { kind: 'max', value: 1_000 };
const memoryTarget: Target = { kind: 'max', value: 250 };
/** What counts as flat: the last reading over the one after a tenth of the requests. */
const flatTarget: Target = { kind: 'max', value: 1.1 };

const mix: readonly MixItem[] = [
  { body: 'login', share: 0.92 },
  { body: 'form-1k', share: 0.06 },
  { body: 'article-16k', share: 0.01 },
  { body: 'attacks', share: 0.01 },
];
const requestsWanted = 1_000_000;
/** On a slow machine the time ends before the requests do; the note says how many there were. */
const segments = 30;
const segmentMs = 1_200;

/** Start-to-ready time, and resident memory in the course of many requests. */
export async function runMemory(plan: Plan): Promise<PartResult> {
  const start = () => startService(plan.target, ['--workers', '2']);
  const starts: number[] = [];
  for (let i = 1; i < repeatsOf(plan, 5); i += 1) {
    const service = await start();
    starts.push(service.readyMs);
    await service.stop();
  }
  const service = await start();
  starts.push(service.readyMs);
  try {
    const resident = await measureResident(plan, service);
    const label = {
      part: 'memory',
      name: 'start to ready',
      input: '2 threads',
      unit: 'ms',
    } as const;
    const started = measure({ ...label, target: startTarget }, starts);
    return { ...resident, measures: [started, ...resident.measures] };
  } finally {
    await service.stop();
  }
}

async function measureResident(plan: Plan, service: Started): Promise<PartResult> {
  const [pid = 0] = service.pids;
  const points: (readonly [requests: number, mb: number])[] = [];
  let requests = 0;
  const read = () => {
    const mb = residentMb(pid);
    if (mb !== undefined) points.push([requests, mb]);
  };
  read();
  for (let i = 0; i < (plan.smoke ? 2 : segments) && requests < requestsWanted; i += 1) {
    const answer = await runLoad(service, {
      mix,
      connections: plan.smoke ? 4 : 64,
      warmUpMs: 0,
      ms: plan.smoke ? 200 : cellMs(plan, segmentMs),
    });
    requests += answer.answers;
    read();
  }
  const last = points.at(-1);
  if (last === undefined) {
    const note = 'Memory was not measured: this system has no /proc.';
    return { measures: [], charts: [], notes: [note] };
  }
  return summariseMemory(points, last);
}

function summariseMemory(
  points: readonly (readonly [requests: number, mb: number])[],
  [requests, mb]: readonly [requests: number, mb: number],
): PartResult {
  const early = points.find(([count]) => count >= requests / 10)?.[1] ?? mb;
  const input = `after ${requests.toLocaleString('en')} requests`;
  const part = 'memory' as const;
  return {
    measures: [
      measure({ part, name: 'resident', input, unit: 'MB', target: memoryTarget }, [mb]),
      measure(
        { part, name: 'resident, end/first tenth', input, unit: 'ratio', target: flatTarget },
        [mb / early],
      ),
    ],
    charts: [
      {
        kind: 'line',
        title: 'Resident memory, two threads',
        xLabel: 'requests',
        yLabel: 'MB',
        xScale: 'linear',
        yScale: 'linear',
        series: [{ name: 'resident', points }],
      },
    ],
    notes: [],
  };
}
