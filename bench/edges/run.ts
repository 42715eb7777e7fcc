import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { loadavg } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { runJob } from '../lib/job.ts';
import { ownTarget, type Target } from '../lib/plan.ts';
import { residentMb } from '../lib/process-usage.ts';
import { type Started, startService } from '../lib/server.ts';
import type { HungAnswer } from './hung-job.ts';
import type { ProbeJob } from './probe-job.ts';

// What clients that stall, and requests that hang their threads, cost the others.
// `node dist/bench/edges/run.js [<other build>/dist …]` compares builds with one another.

const stalledBodies = 800;
const bodyBytes = 1_048_576;
const unreadConnections = 20;
const floods = [
  ['GET /openapi.json', 500],
  ['GET /dashboard', 500],
  // As many as no buffer of the system holds.
  ['HEAD /livez', 30_000],
] as const;
const watchedMs = 5_000;

interface Row {
  readonly build: string;
  readonly what: string;
  readonly 'before, MB': number;
  readonly 'highest, MB': number;
  readonly '5 s after, MB': number;
  readonly 'slowest /livez, ms': number;
  readonly answers: string;
}

type Flood = (service: Started, onAnswer: (status: string) => void) => Promise<Socket[]>;

async function open(service: Started): Promise<Socket> {
  const socket = connect(service.port, service.host);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Bodies of one key, each complete but for its last byte. */
const stall: Flood = async (service, onAnswer) => {
  const head =
    `POST /control HTTP/1.1\r\nhost: a\r\nx-api-key: ${service.key}\r\n` +
    `content-type: application/json\r\ncontent-length: ${bodyBytes}\r\n\r\n`;
  const body = Buffer.alloc(bodyBytes - 1, 'x');
  return Promise.all(
    Array.from({ length: stalledBodies }, async () => {
      const socket = await open(service);
      socket.on('data', (data) => onAnswer(data.toString('latin1').slice(9, 12)));
      socket.write(head);
      socket.write(body);
      return socket;
    }),
  );
};

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

async function measure(target: Target, what: string, flood: Flood): Promise<Row> {
  const service = await startService(target, ['--workers', '1']);
  try {
    const [pid = 0] = service.pids;
    const resident = () => Math.round(residentMb(pid) ?? 0);
    const before = resident();
    const seen = new Map<string, number>();
    const url = `http://${service.host}:${service.port}/livez`;
    const probing = runJob<ProbeJob, number>('edges/probe-job', { url, ms: watchedMs });
    const flooding = flood(service, (status) => seen.set(status, (seen.get(status) ?? 0) + 1));
    let highest = before;
    const look = setInterval(() => {
      highest = Math.max(highest, resident());
    }, 50);
    const slowest = await probing;
    clearInterval(look);
    const answers = [...seen].map(([status, count]) => `${count} x ${status}`).join(', ');
    for (const socket of await flooding) socket.destroy();
    await delay(watchedMs);
    return {
      build: target.root,
      what,
      'before, MB': before,
      'highest, MB': highest,
      '5 s after, MB': resident(),
      'slowest /livez, ms': Math.round(slowest),
      answers,
    };
  } finally {
    await service.stop();
  }
}

const own = ownTarget();
const targets = [own, ...process.argv.slice(2).map((root) => ({ ...own, root: resolve(root) }))];
const rows: Row[] = [];
for (const target of targets) {
  rows.push(await measure(target, `${stalledBodies} stalled bodies of 1 MiB`, stall));
  for (const [request, times] of floods) {
    const what = `${unreadConnections} x ${times} unread ${request}`;
    rows.push(await measure(target, what, unread(request, times)));
  }
}
console.table(rows);
const hung = [];
for (const target of targets) {
  const { smallMaxMs, poisonMaxMs, small } = await runJob<Target, HungAnswer>(
    'edges/hung-job',
    target,
  );
  hung.push({
    build: target.root,
    what: 'two threads hang at once',
    'small requests': small,
    'slowest small, ms': Math.round(smallMaxMs),
    'slowest that hangs, ms': Math.round(poisonMaxMs),
  });
}
console.table(hung);
console.log(`load of the machine: ${loadavg()[0]?.toFixed(1)}`);
