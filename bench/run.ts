import { join, resolve } from 'node:path';
import { packageInfo } from '../src/config/package-info.ts';
import { runBlocks } from './blocks/run.ts';
import { runChaos } from './chaos/run.ts';
import { runCompare } from './compare/run.ts';
import { runEdges } from './edges/run.ts';
import { runEngine } from './engine/run.ts';
import { runEvents } from './events/run.ts';
import { runHttp } from './http/run.ts';
import { type PartName, type PartResult, partNames } from './lib/measure.ts';
import { type Options, readOptions, usage, wholeRunSeconds } from './lib/options.ts';
import { ownTarget, type Plan } from './lib/plan.ts';
import { type BenchRecord, readCircumstances } from './lib/record.ts';
import { tableOf } from './lib/table.ts';
import { writeRecord } from './lib/write-record.ts';
import { runMemory } from './memory/run.ts';
import { runMicro } from './micro/run.ts';
import { runOverload } from './overload/run.ts';
import { runPool } from './pool/run.ts';
import { runScaling } from './scaling/run.ts';
import { runShape } from './shape/run.ts';

const parts: Readonly<Record<PartName, (plan: Plan) => Promise<PartResult>>> = {
  micro: runMicro,
  engine: runEngine,
  pool: runPool,
  http: runHttp,
  scaling: runScaling,
  memory: runMemory,
  overload: runOverload,
  blocks: runBlocks,
  events: runEvents,
  edges: runEdges,
  shape: runShape,
  chaos: runChaos,
};

const args = process.argv.slice(2);
if (args.includes('--help') || args.includes('-h')) console.log(usage);
else await run(readOptions(args));

async function run(options: Options): Promise<void> {
  const own = ownTarget();
  const target = options.build === undefined ? own : { ...own, root: resolve(options.build) };
  const plan: Plan = {
    smoke: options.smoke,
    scale: options.seconds / wholeRunSeconds,
    chaos: options.chaos,
    peers: options.peers,
    target,
  };
  if (options.compare !== undefined) {
    console.log(await runCompare(plan, options.compare, packageInfo().root));
    return;
  }
  const { root } = packageInfo();
  const ran = target.ending === '.js' ? 'build' : 'sources';
  const circumstances = readCircumstances(root, ran, args);
  const { processor, cores, node, commit } = circumstances;
  console.log(`${processor}, ${cores} cores, Node ${node}, commit ${commit}, ${ran}`);
  const startedAt = performance.now();
  const results: Partial<Record<PartName, PartResult>> = {};
  for (const name of partNames) {
    if (!options.only.includes(name)) continue;
    const partStartedAt = performance.now();
    const result = await parts[name](plan);
    results[name] = result;
    const seconds = Math.round((performance.now() - partStartedAt) / 1_000);
    console.log(`\n${name} (${seconds} s)\n\n${tableOf(result.measures)}`);
    for (const note of result.notes) console.log(`\n${note}`);
  }
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  const record: BenchRecord = {
    version: 1,
    circumstances: { ...circumstances, seconds },
    parts: results,
  };
  // Records are of this tree, and a smoke run measures nothing worth keeping.
  const isRecord = !options.smoke && options.build === undefined;
  const folder = options.out ?? join(root, isRecord ? 'bench/record' : 'bench/out');
  console.log(`\n${seconds} s; wrote ${writeRecord(record, folder).join(' and ')}`);
}
