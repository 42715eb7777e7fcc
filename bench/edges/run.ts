import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { wireOf } from '../http/exchange.ts';
import { runJob } from '../lib/job.ts';
import type { LivezJob } from '../lib/livez-job.ts';
import { type Label, type Measure, measure, type PartResult } from '../lib/measure.ts';
import type { Plan, Target } from '../lib/plan.ts';
import { residentMb } from '../lib/process-usage.ts';
import { type Started, startService } from '../lib/server.ts';
import type { HungAnswer } from './hung-job.ts';

const stalledBodies = 800;
const bodyBytes = 1_048_576;
const unreadConnections = 20;
const unreadRequests = [
  ['GET /openapi.json', 500],
  ['GET /dashboard', 500],
  // As many as no buffer of the system holds.
  ['HEAD /livez', 30_000],
] as const;
const watchedMs = 5_000;

type Flood = (service: Started, onAnswer: (status: string) => void) => Promise<Socket[]>;

async function open(service: Started): Promise<Socket> {
  const socket = connect(service.port, service.host);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Bodies of one key, each complete but for its last byte. */
function stall(times: number): Flood {
  return async (service, onAnswer) => {
    const wire = wireOf('x'.repeat(bodyBytes), service.key).subarray(0, -1);
    return Promise.all(
      Array.from({ length: times }, async () => {
        const socket = await open(service);
        socket.on('data', (data) => onAnswer(data.toString('latin1').slice(9, 12)));
        socket.write(wire);
        return socket;
      }),
    );
  };
}

/** Answers that are asked for and never read. */
function unread(request: string, times: number): Flood {
  return (service) =>
    Promise.all(
      Array.from({ length: unreadConnections }, async () => {
        const socket = await open(service);
        socket.pause();
        socket.write(`${request} HTTP/1.1\r\nhost: a\r\n\r\n`.repeat(times));
        return socket;
      }),
    );
}

/** What clients that stall, and requests that hang their threads, cost the others. */
export async function runEdges(plan: Plan): Promise<PartResult> {
  const share = plan.smoke ? 1 / 50 : 1;
  const stalled = stalledBodies * share;
  const results = [await flooded(plan, `${stalled} stalled bodies of 1 MiB`, stall(stalled))];
  for (const [request, times] of unreadRequests) {
    const what = `${unreadConnections} × ${times * share} unread ${request}`;
    results.push(await flooded(plan, what, unread(request, times * share)));
  }
  return {
    measures: [...results.flatMap(({ measures }) => measures), ...(await hung(plan.target))],
    charts: [],
    notes: results.map(({ note }) => note),
  };
}

function line(label: Omit<Label, 'part'>, value: number): Measure {
  return measure({ part: 'edges', ...label }, [value]);
}

async function flooded(
  plan: Plan,
  input: string,
  flood: Flood,
): Promise<{ readonly measures: readonly Measure[]; readonly note: string }> {
  const service = await startService(plan.target, ['--workers', '1']);
  try {
    const { host, port, pids } = service;
    const ms = plan.smoke ? 300 : watchedMs;
    const [pid = 0] = pids;
    const resident = () => residentMb(pid) ?? Number.NaN;
    const before = resident();
    const seen = new Map<string, number>();
    const probing = runJob<LivezJob, number>('lib/livez-job', { host, port, ms });
    const flooding = flood(service, (status) => seen.set(status, (seen.get(status) ?? 0) + 1));
    let highest = before;
    const watching = setInterval(() => {
      highest = Math.max(highest, resident());
    }, 50);
    const slowest = await probing;
    clearInterval(watching);
    for (const socket of await flooding) socket.destroy();
    await delay(ms);
    const answers = [...seen].map(([status, count]) => `${count} × ${status}`).join(', ');
    return {
      // Memory is not known without `/proc`.
      measures: [
        line({ name: 'resident, before', input, unit: 'MB' }, before),
        line({ name: 'resident, highest', input, unit: 'MB' }, highest),
        line({ name: 'resident, after', input, unit: 'MB' }, resident()),
        line({ name: '/livez, longest', input, unit: 'ms' }, slowest),
      ].filter(({ median }) => Number.isFinite(median)),
      note: `${input}: answers that were read: ${answers === '' ? 'none' : answers}.`,
    };
  } finally {
    await service.stop();
  }
}

async function hung(target: Target): Promise<Measure[]> {
  const answer = await runJob<Target, HungAnswer>('edges/hung-job', target);
  const label = { input: 'two threads hang at once', unit: 'ms' } as const;
  return [
    line({ ...label, name: 'small request, slowest' }, answer.smallMaxMs),
    line({ ...label, name: 'request that hangs, slowest' }, answer.poisonMaxMs),
  ];
}
