import { availableParallelism } from 'node:os';
import { bodyNamed, readBodies } from '../lib/inputs.ts';
import {
  barsOf,
  type Chart,
  type Measure,
  measure,
  type PartResult,
  type Target,
} from '../lib/measure.ts';
import { cellMs, type Plan, repeatsOf } from '../lib/plan.ts';
import { type Started, startService } from '../lib/server.ts';
import { startBare } from './bare.ts';
import { blend, costAt, lineThrough, predictRate, type RequestCost } from './capacity.ts';
import { measureLatency } from './latency.ts';
import { type LoadPlan, type MixItem, runLoad } from './load.ts';
import { measurePeers } from './peers.ts';
import {
  type Cell,
  type CellResult,
  cpuPerRequest,
  ratiosOf,
  resultOf,
  runRounds,
} from './rounds.ts';

/** As many clients as the target of design.md, section 8, names. */
export const connections = 64;

/** Bodies that are sent to both servers. */
const bothBodies = ['login', 'form-1k', 'article-16k'] as const;

const onlyAttacks: readonly MixItem[] = [{ body: 'attacks', share: 1 }];
const halfAttacks: readonly MixItem[] = [
  { body: 'login', share: 0.5 },
  { body: 'attacks', share: 0.5 },
];

/** Loads a real server over TCP, beside a route that screens nothing and, when asked, a peer. */
export async function runHttp(plan: Plan): Promise<PartResult> {
  const threads = Math.max(1, availableParallelism() - 1);
  const service = await startService(plan.target, ['--workers', String(threads)]);
  try {
    const bare = await startBare();
    try {
      return await measureBoth({ plan, service, bare, threads });
    } finally {
      await bare.stop();
    }
  } finally {
    await service.stop();
  }
}

async function measureBoth(parts: {
  readonly plan: Plan;
  readonly service: Started;
  readonly bare: Started;
  readonly threads: number;
}): Promise<PartResult> {
  const { plan, service, bare, threads } = parts;
  const saturation = await saturate(plan, service, bare);
  const capacity = checkCapacity(saturation.results, threads);
  const loginRate = saturation.measures.find(({ name }) => name === 'screened')?.median ?? 0;
  const latency = await measureLatency({ plan, service, bare, loginRate });
  const peers = await measurePeers(plan, service);
  const results = [saturation, capacity, latency, peers];
  return {
    measures: results.flatMap(({ measures }) => measures),
    charts: results.flatMap(({ charts }) => charts),
    notes: results.flatMap(({ notes }) => notes),
  };
}

/** A closed loop that runs long enough to be counted. */
export function closedLoop(plan: Plan, mix: readonly MixItem[]): LoadPlan {
  return {
    mix,
    connections: plan.smoke ? 4 : connections,
    warmUpMs: cellMs(plan, 400),
    ms: plan.smoke ? 150 : cellMs(plan, 1_500),
  };
}

const ratioTargets: Readonly<Record<string, Target>> = {
  login: { kind: 'min', value: 0.85 },
  'form-1k': { kind: 'min', value: 0.6 },
};

async function saturate(
  plan: Plan,
  service: Started,
  bare: Started,
): Promise<PartResult & { readonly results: ReadonlyMap<string, CellResult> }> {
  const cells: Cell[] = bothBodies.flatMap((body) => {
    const load = closedLoop(plan, [{ body, share: 1 }]);
    return [
      { name: `screened ${body}`, server: service, plan: load },
      { name: `bare ${body}`, server: bare, plan: load },
    ];
  });
  const attacks = { server: service, plan: closedLoop(plan, onlyAttacks) };
  const half = { server: service, plan: closedLoop(plan, halfAttacks) };
  cells.push({ name: 'screened attacks', ...attacks }, { name: 'screened half attacks', ...half });
  if (!plan.smoke) {
    const long = { ...closedLoop(plan, [{ body: 'login', share: 1 }]), ms: cellMs(plan, 2_000) };
    for (const server of [service, bare]) await runLoad(server, long);
  }
  const results = await runRounds(cells, repeatsOf(plan, 3));
  const measures = [
    ...cells.map(({ name }) => rateMeasure(name, resultOf(results, name))),
    ...bothBodies.map((body) => {
      const screened = resultOf(results, `screened ${body}`).rates;
      const ratios = ratiosOf(screened, resultOf(results, `bare ${body}`).rates);
      const target = ratioTargets[body];
      const label = { part: 'http', name: 'screened/bare', input: body, unit: 'ratio' } as const;
      return measure({ ...label, ...(target === undefined ? {} : { target }) }, ratios);
    }),
    ...cells.flatMap(({ name }) => cpuMeasures(name, resultOf(results, name))),
  ];
  const rates = measures.filter(({ unit }) => unit === 'req/s');
  const charts: readonly Chart[] = [
    {
      kind: 'bar',
      title: `HTTP: requests a second, ${connections} connections, closed loop`,
      unit: 'req/s',
      bars: barsOf(rates, ({ name, input }) => `${name}, ${input}`),
    },
  ];
  return { measures, charts, notes: [], results };
}

function rateMeasure(cell: string, { rates }: CellResult): Measure {
  const [name = '', input] = splitName(cell);
  return measure({ part: 'http', name, input, unit: 'req/s' }, rates);
}

function splitName(cell: string): readonly [name: string, input: string] {
  const space = cell.indexOf(' ');
  return [cell.slice(0, space), cell.slice(space + 1)];
}

function cpuMeasures(cell: string, { answers }: CellResult): Measure[] {
  const [name, input] = splitName(cell);
  const label = { part: 'http', input, unit: 'µs/req' } as const;
  const samples = answers.flatMap((answer) => cpuPerRequest([answer]) ?? []);
  if (samples.length === 0) return [];
  const front = samples.map(({ mainMs }) => mainMs);
  const screen = samples.map(({ otherMs }) => otherMs);
  const measures = [measure({ ...label, name: `${name}, CPU of front end` }, front)];
  if (name === 'screened') {
    measures.push(measure({ ...label, name: `${name}, CPU of threads` }, screen));
  }
  return measures;
}

/**
 * Predicts the runs that the model was not fitted to from those that it was: the 1 KiB body from
 * the smaller and the larger one, the half of attacks from none and all.
 */
function checkCapacity(results: ReadonlyMap<string, CellResult>, threads: number): PartResult {
  const costs = new Map<string, RequestCost>();
  for (const [name, { answers }] of results) {
    const cpu = cpuPerRequest(answers);
    if (cpu !== undefined) {
      costs.set(name, { front: cpu.mainMs, screen: cpu.otherMs, load: cpu.generatorMs });
    }
  }
  const login = costs.get('screened login');
  const article = costs.get('screened article-16k');
  const attack = costs.get('screened attacks');
  if (login === undefined || article === undefined || attack === undefined) {
    const note = 'The capacity model was not checked: this system has no /proc to read costs from.';
    return { measures: [], charts: [], notes: [note] };
  }
  const bytes = (body: string) => bodyNamed(readBodies(), body).bytes;
  const line = lineThrough(
    { bytes: bytes('login'), cost: login },
    { bytes: bytes('article-16k'), cost: article },
  );
  const predicted: readonly (readonly [cell: string, cost: RequestCost])[] = [
    ['screened login', login],
    ['screened form-1k', costAt(line, bytes('form-1k'))],
    ['screened article-16k', article],
    ['screened half attacks', blend(login, attack, 0.5)],
  ];
  const on = { cores: availableParallelism(), fronts: 1, threads };
  const measures = predicted.map(([cell, cost]) => {
    const rate = predictRate(cost, on);
    const [, input] = splitName(cell);
    const label = { part: 'http', name: 'capacity model/measured', input, unit: 'ratio' } as const;
    const note = `predicts ${Math.round(rate).toLocaleString('en')} req/s`;
    return measure(
      { ...label, note },
      resultOf(results, cell).rates.map((one) => rate / one),
    );
  });
  const { fixed, perByte } = line;
  const show = ({ front, screen, load }: RequestCost, digits: number) =>
    `front ${front.toFixed(digits)}, screen ${screen.toFixed(digits)}, load ${load.toFixed(digits)}`;
  const note =
    `Cost of a request in µs: ${show(fixed, 2)}; for each byte of body: ${show(perByte, 5)}; ` +
    `of an attack: ${show(attack, 2)}.`;
  return { measures, charts: [], notes: [note] };
}
