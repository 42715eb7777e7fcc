import { Bench } from 'tinybench';
import { adversarialText, bodyNamed, proseOf, readAdversaries, readBodies } from '../lib/inputs.ts';
import { answerJob } from '../lib/job.ts';
import type { Measure } from '../lib/measure.ts';
import { cellMs, type Plan } from '../lib/plan.ts';
import type { MicroCase, MicroTexts } from './case.ts';
import { decoderCases } from './decoders.ts';
import { detectorCases } from './detectors.ts';
import { codecCases, keyCases, prefilterCases } from './others.ts';
import { tokeniserCases } from './tokenisers.ts';

// One process times all small parts: a call site that has seen many texts is what runs in service.

answerJob(async (plan: Plan): Promise<Measure[]> => {
  const texts = microTexts(plan);
  const cases = [
    ...prefilterCases(texts),
    ...decoderCases(texts),
    ...(await tokeniserCases(texts)),
    ...detectorCases(texts),
    ...codecCases(),
  ];
  const keys = await keyCases();
  try {
    return [...cases, ...keys.cases].map((one) => timeCase(one, plan));
  } finally {
    await keys.close();
  }
});

const textChars = 1_024;

function microTexts(plan: Plan): MicroTexts {
  const length = plan.smoke ? 128 : textChars;
  const adversaries = readAdversaries().slice(0, plan.smoke ? 3 : undefined);
  return {
    benign: proseOf(length),
    attack: bodyNamed(readBodies(), 'attacks').texts.join('\n'),
    adversarial: new Map(
      adversaries.map(({ name, repeat }) => [name, adversarialText(repeat, length)]),
    ),
  };
}

/** Long enough for the clock: a call can take less than its resolution. */
const sampleMs = 0.02;

function timeCase(one: MicroCase, plan: Plan): Measure {
  const what = `${one.name} on ${one.input} input`;
  const result = one.run();
  if (!one.isRight(result)) throw new Error(`${what} gives a wrong result: ${result}`);
  const calls = callsOf(one);
  const bench = new Bench({
    time: plan.smoke ? 1 : cellMs(plan, 80),
    warmupTime: plan.smoke ? 1 : cellMs(plan, 30),
    iterations: 4,
    warmupIterations: 2,
    retainSamples: true,
    throws: true,
  });
  let sum = 0;
  let timed = 0;
  bench.add(what, () => {
    const startedAt = bench.now();
    for (let call = 0; call < calls; call += 1) sum += one.run();
    const took = bench.now() - startedAt;
    timed += calls;
    return { overriddenDuration: took / calls, overriddenIterationCost: took };
  });
  const [task] = bench.runSync();
  if (sum !== result * timed || !one.isRight(one.run())) {
    throw new Error(`${what} gives different results for the same text.`);
  }
  if (task?.result.state !== 'completed') throw new Error(`${what} was not timed to its end.`);
  return measureOf(one, task.result.latency.samples ?? []);
}

/** How many calls make one sample. */
function callsOf({ run }: MicroCase): number {
  for (let calls = 1; ; calls *= 4) {
    const startedAt = performance.now();
    for (let call = 0; call < calls; call += 1) run();
    if (performance.now() - startedAt >= sampleMs) return calls;
  }
}

function measureOf(one: MicroCase, latenciesMs: readonly number[]): Measure {
  // tinybench gives ascending samples.
  const at = (share: number) =>
    1e6 * (latenciesMs[Math.floor((latenciesMs.length - 1) * share)] ?? 0);
  const median = at(0.5);
  return {
    part: 'micro',
    name: one.name,
    input: one.input,
    unit: 'ns/op',
    median,
    low: at(0.25),
    high: at(0.75),
    repeats: latenciesMs.length,
    ...(one.bytes > 0 && median > 0 ? { mbPerSecond: (one.bytes * 1_000) / median } : {}),
    ...(one.note === undefined ? {} : { note: one.note }),
  };
}
