import { readData } from '../lib/inputs.ts';
import { runJob } from '../lib/job.ts';
import { type Measure, measure, type PartResult } from '../lib/measure.ts';
import type { Plan } from '../lib/plan.ts';
import { Random } from '../lib/random.ts';
import { withAttack, workingAttacks } from './attacks.ts';
import type { RequestKind, ShapeAnswer, ShapeJob } from './job.ts';
import { prose } from './prose.ts';
import { requestFor, textsOf } from './requests.ts';
import { isBlocked, screeningWith, shapeOfDocument } from './screening.ts';
import { Values } from './values.ts';

const documents = ['shop', 'pets', 'tracker'];

/** What a declared shape stops that detectors alone let pass, and what it costs. */
export async function runShape(plan: Plan): Promise<PartResult> {
  const measures = await measureSpeed(plan);
  const working = await workingAttacks(new Random(1), plan.smoke ? 1 : 6);
  const attacks = plan.smoke ? working.slice(0, 4) : working;
  for (const name of documents) measures.push(...(await measureDocument(name, attacks, plan)));
  return { measures, charts: [], notes: [note] };
}

const note =
  'Attacks are made by the grammars of the red team and work in code that is vulnerable to them, as SQLite, the ' +
  'file system and a client of HTTP say; each stands in the place of each parameter and member in turn.';

const kinds: readonly RequestKind[] = ['json', 'form', 'context'];

async function measureSpeed(plan: Plan): Promise<Measure[]> {
  const measures: Measure[] = [];
  for (const kind of kinds) measures.push(...(await measureKind(kind, plan)));
  return measures;
}

async function measureKind(kind: RequestKind, plan: Plan): Promise<Measure[]> {
  const job = { kind, requests: plan.smoke ? 20 : 1_000, rounds: plan.smoke ? 1 : 21 };
  const answer = await runJob<ShapeJob, ShapeAnswer>('shape/job', job);
  const input = `${answer.operations} operations, ${kind}`;
  const rates = (times: readonly number[]) => times.map((us) => 1e6 / us);
  const ratios = answer.without.map((us, at) => us / (answer.withShape[at] ?? Number.NaN));
  const label = { part: 'shape', input } as const;
  return [
    measure({ ...label, name: 'screened without', unit: 'req/s' }, rates(answer.without)),
    measure({ ...label, name: 'screened with', unit: 'req/s' }, rates(answer.withShape)),
    measure(
      { ...label, name: 'with/without', unit: 'ratio', target: { kind: 'min', value: 0.9 } },
      ratios,
    ),
  ];
}

async function measureDocument(
  name: string,
  attacks: readonly string[],
  plan: Plan,
): Promise<Measure[]> {
  const shape = shapeOfDocument(readData(`shape-${name}.yaml`));
  const { engine, without, withShape } = screeningWith(shape);
  const random = new Random(2);
  const values = new Values(shape, random, prose);
  const routes = shape.routes ?? [];
  const counts = { placed: 0, missed: 0, missedWith: 0, benign: 0, wrong: 0, wrongWith: 0 };
  for (const attack of attacks) {
    for (const route of routes) {
      for (const request of withAttack(requestFor(route, values, random), attack)) {
        const texts = await textsOf(request);
        counts.placed += 1;
        if (!isBlocked(engine, texts, without)) counts.missed += 1;
        if (!isBlocked(engine, texts, withShape)) counts.missedWith += 1;
      }
      if (plan.smoke) break;
    }
  }
  for (let left = plan.smoke ? 50 : 5_000; left > 0; left--) {
    const texts = await textsOf(requestFor(random.pick(routes), values, random));
    counts.benign += 1;
    if (isBlocked(engine, texts, without)) counts.wrong += 1;
    if (isBlocked(engine, texts, withShape)) counts.wrongWith += 1;
  }
  const count = (what: string, value: number, of: number): Measure => {
    const said = `of ${of.toLocaleString('en')}`;
    const label = { part: 'shape', name: what, input: name, unit: 'requests', note: said } as const;
    return measure(label, [value]);
  };
  return [
    count('attacks missed by detectors', counts.missed, counts.placed),
    count('attacks missed with shape', counts.missedWith, counts.placed),
    count('benign blocked by detectors', counts.wrong, counts.benign),
    count('benign blocked with shape', counts.wrongWith, counts.benign),
  ];
}
