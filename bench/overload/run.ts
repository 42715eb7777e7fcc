import {
  type LoadAnswer,
  latencyOf,
  type MixItem,
  rateOf,
  runAnyLoad,
  runLoad,
} from '../http/load.ts';
import { ask } from '../lib/ask.ts';
import { adversarialBody, bodyNamed, readAdversaries, readBodies } from '../lib/inputs.ts';
import { type Measure, measure, type PartResult, type Target } from '../lib/measure.ts';
import { cellMs, type Plan } from '../lib/plan.ts';
import { type StartedService, startService } from '../lib/server.ts';
import { type FloodAnswer, runFlood } from './flood.ts';

/** As the middleware waits. */
const deadlineMs = 150;
const connections = 512;
/** A request alone is waited for this long. */
const answerMsMax = 20_000;
const factors = [2, 5, 10] as const;

const atMost = (value: number): Target => ({ kind: 'max', value });
const atLeast = (value: number): Target => ({ kind: 'min', value });

interface Input {
  readonly name: string;
  readonly bodies: readonly string[];
}

/** What is left of the service when more comes than it can do, and when one key wants it all. */
export async function runOverload(plan: Plan): Promise<PartResult> {
  const measures: Measure[] = [];
  const notes: string[] = [];
  for (const input of inputs()) {
    const service = await startService(plan.target, ['--workers', '1']);
    try {
      const saturation = await saturationOf(plan, service, input);
      for (const factor of plan.smoke ? factors.slice(0, 1) : factors) {
        const rate = plan.smoke ? Math.min(500, saturation) : saturation * factor;
        const answer = await runFlood({ ...floodOf(plan, service, input), rate });
        if (answer.wrong > 0) throw new Error(`${answer.wrong} wrong answers in the flood.`);
        const name = `${input.name}, ${factor} times saturation`;
        measures.push(...measuresOf(name, answer, saturation));
        notes.push(...noteOf(name, answer, rate));
      }
    } finally {
      await service.stop();
    }
  }
  for (const workers of plan.smoke ? [1] : [1, 2]) {
    measures.push(...(await fairness(plan, workers)));
  }
  // Where nothing was accepted, or nothing refused, there is no latency.
  return { measures: measures.filter(({ median }) => Number.isFinite(median)), charts: [], notes };
}

function inputs(): Input[] {
  const bodies = readBodies();
  const texts = (name: string) => bodyNamed(bodies, name).texts;
  const hardest = readAdversaries().find(({ name }) => name === 'mixed');
  if (hardest === undefined) throw new Error('bench/data/adversarial.json has no "mixed".');
  const heavy = adversarialBody(hardest, 24_000);
  const small = texts('login');
  const mixed = [...Array(90).fill(small).flat(), ...Array(9).fill(texts('form-1k')).flat(), heavy];
  return [
    { name: '24 kB adversarial', bodies: [heavy] },
    { name: 'mixed', bodies: mixed },
    { name: '1 KiB', bodies: texts('form-1k') },
    { name: '70 B', bodies: small },
  ];
}

function floodOf(plan: Plan, service: StartedService, { bodies }: Input) {
  const { host, port, key, pids } = service;
  const ms = plan.smoke ? 300 : cellMs(plan, 4_000);
  const warmUpMs = plan.smoke ? 100 : 1_000;
  return { host, port, key, pids, bodies, warmUpMs, ms, deadlineMs, connections };
}

/** Verdicts a second of a closed loop: the best of some numbers of connections. */
async function saturationOf(plan: Plan, service: StartedService, input: Input): Promise<number> {
  let best = 0;
  const texts = await withStatuses(service, input.bodies);
  for (const count of plan.smoke ? [8] : [16, 64]) {
    const answer = await runAnyLoad(service, {
      texts,
      mix: [],
      connections: count,
      warmUpMs: plan.smoke ? 50 : cellMs(plan, 1_000),
      ms: plan.smoke ? 150 : cellMs(plan, 2_500),
    });
    best = Math.max(best, rateOf(answer) * (1 - refusedShare(answer)));
  }
  return best;
}

/** The status that each text gets when nothing else is going on. */
async function withStatuses({ port, key }: StartedService, texts: readonly string[]) {
  const statuses = new Map<string, number>();
  for (const text of new Set(texts)) {
    const { status } = await ask({ port, key, body: text, msMax: answerMsMax });
    if (status !== 200 && status !== 403) {
      throw new Error(`A request alone was answered ${status}.`);
    }
    statuses.set(text, status);
  }
  return texts.map((text) => ({ text, status: statuses.get(text) ?? 0 }));
}

function measuresOf(input: string, answer: FloodAnswer, saturation: number): Measure[] {
  const label = (name: string, unit: string) => ({ part: 'overload' as const, name, input, unit });
  const line = (name: string, unit: string, value: number, target: Target) =>
    measure({ ...label(name, unit), target }, [value]);
  const { memoryMb } = answer;
  return [
    line(
      'goodput',
      'of saturation',
      (answer.good / answer.ms) * (1_000 / saturation),
      atLeast(0.85),
    ),
    line('refused p99', 'ms', answer.refusedP99Ms, atMost(5)),
    line('accepted p99', 'ms', answer.goodP99Ms, atMost(deadlineMs)),
    line('no answer in time', 'of sent', answer.late / answer.sent, atMost(0.01)),
    line('/livez, longest', 'ms', answer.livezMsMax, atMost(50)),
    line('recovery', 'ms', answer.recoveryMs, atMost(1_000)),
    measure(label('generator late, p99', 'ms'), [answer.generatorP99Ms]),
    line('memory', 'MB more', memoryMb.most - memoryMb.before, atMost(50)),
  ];
}

/** What the machine could not do is said: then the rate was lower than the line claims. */
function noteOf(name: string, { sent, unsent, ms }: FloodAnswer, rate: number): string[] {
  const sentRate = (sent / ms) * 1_000;
  if (sentRate > rate * 0.95) return [];
  const figures = `${Math.round(sentRate)} of ${Math.round(rate)} requests a second were sent`;
  return [`${name}: ${figures}; ${unsent} found no connection.`];
}

const one: readonly MixItem[] = [{ body: 'login', share: 1 }];

/** A small request at a time: alone, beside a key that floods, and beside its own large bodies. */
async function fairness(plan: Plan, workers: number): Promise<Measure[]> {
  const service = await startService(plan.target, ['--workers', String(workers)]);
  try {
    const other = { ...service, key: service.newKey() };
    const [heavy] = inputs();
    if (heavy === undefined) throw new RangeError('no input');
    const ms = plan.smoke ? 200 : cellMs(plan, 4_000);
    const probe = { mix: one, connections: 1, warmUpMs: plan.smoke ? 20 : 300, ms: ms * 0.8 };
    const aloneMs = latencyOf(await runLoad(other, probe), 'login', 99);
    const saturation = await saturationOf(plan, service, heavy);
    const rate = plan.smoke ? 200 : saturation * 10;
    const [besideFlood] = await Promise.all([
      runAnyLoad(other, { ...probe, warmUpMs: 500 }),
      runFlood({ ...floodOf(plan, service, heavy), rate }),
    ]);
    const input = `${workers} ${workers === 1 ? 'thread' : 'threads'}`;
    const line = (name: string, unit: string, value: number, target: Target) =>
      measure({ part: 'overload', name, input, unit, target }, [value]);
    const most = atMost(workers === 1 ? 60 : 25);
    const measures = [
      line(
        'small p99 beside a key at 10 times saturation',
        'times alone',
        latencyOf(besideFlood, 'login', 99) / aloneMs,
        atMost(3),
      ),
      line('small refused beside it', 'of sent', refusedShare(besideFlood), atMost(0)),
    ];
    for (const [name, body] of [
      ['64 of 24 kB', { texts: await withStatuses(service, heavy.bodies), mix: [] }],
      ['64 of 1 MiB', { mix: [{ body: 'document-1m', share: 1 }] }],
    ] as const) {
      const load = { ...body, connections: plan.smoke ? 4 : 64, warmUpMs: 300, ms: ms + 500 };
      const [small] = await Promise.all([
        runAnyLoad(service, { ...probe, warmUpMs: 500 }),
        runAnyLoad(service, load),
      ]);
      measures.push(
        line(`small p99 beside ${name}`, 'ms', latencyOf(small, 'login', 99), most),
        line(`small refused beside ${name}`, 'of sent', refusedShare(small), atMost(0)),
      );
    }
    return measures;
  } finally {
    await service.stop();
  }
}

function refusedShare({ wrongAnswers, answers }: LoadAnswer): number {
  return answers === 0 ? 1 : wrongAnswers / answers;
}
