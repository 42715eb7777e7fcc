/**
 * Sends hostile requests, and checks each answer:
 *
 *   npm run bench:fuzz -- [--only raw,content,repeats,shape] [--requests N] [--seed S]
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { runCommand, wholeNumber } from '../lib/command.ts';
import { ownTarget } from '../lib/plan.ts';
import { residentMb } from '../lib/process-usage.ts';
import { startService } from '../lib/server.ts';
import { fuzzContent } from './content.ts';
import { fuzzRaw } from './raw.ts';
import { fuzzRepeats } from './repeats.ts';
import type { FuzzRun, Report } from './report.ts';
import { fuzzShape } from './shape.ts';

/** Those that need a service, and those that run in this process. */
const outside = { raw: fuzzRaw, content: fuzzContent };
const inside = {
  repeats: (how: Pick<FuzzRun, 'requests' | 'seed'>) => fuzzRepeats({ ...how, cpuMsMax: 2_000 }),
  shape: fuzzShape,
};
const known: readonly string[] = [...Object.keys(outside), ...Object.keys(inside)];

const usage = `usage: npm run bench:fuzz -- [options]

  --only A,B       raw: changed bytes over sockets; content: bodies to /control (both);
                   repeats: tokens of the grammars over and over, in this process;
                   shape: as many schemas, OpenAPI documents and requests checked against them
  --requests N     of each (20000)
  --seed S         a number; the same seed sends the same requests (a fresh one)
`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', default: 'raw,content' },
      requests: { type: 'string', default: '20000' },
      seed: { type: 'string', default: String(randomInt(2 ** 31)) },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return;
  }
  const requests = wholeNumber('--requests', values.requests);
  const seed = wholeNumber('--seed', values.seed);
  const names = values.only.split(',').map(nameOf);
  const has = (name: string) => names.includes(name);
  console.log(`seed ${seed}, ${requests} requests for each fuzzer`);
  for (const [name, fuzz] of Object.entries(inside)) {
    if (has(name)) await timed(() => fuzz({ requests, seed }));
  }
  if (Object.keys(outside).some(has)) await fuzzService(has, { requests, seed });
}

/** The fuzzers that need a service. */
async function fuzzService(
  has: (name: string) => boolean,
  how: Pick<FuzzRun, 'requests' | 'seed'>,
): Promise<void> {
  const service = await startService(ownTarget(), ['--workers', '2']);
  const [pid = 0] = service.pids;
  const { port, key } = service;
  try {
    for (const [name, fuzz] of Object.entries(outside)) {
      if (!has(name)) continue;
      const before = residentMb(pid);
      await timed(() => fuzz({ port, key, ...how }));
      const after = residentMb(pid);
      console.log(
        `  resident ${Math.round(before ?? 0)} MB before, ${Math.round(after ?? 0)} MB after`,
      );
      if (after === undefined) throw new Error(`${name}: the service died.`);
    }
  } finally {
    await service.stop();
  }
}

async function timed(fuzz: () => Promise<Report>): Promise<void> {
  const startedAt = performance.now();
  const report = await fuzz();
  console.log(report.text);
  console.log(`  ${Math.round((performance.now() - startedAt) / 1_000)} s`);
  if (report.failures.length > 0) process.exitCode = 1;
}

function nameOf(text: string): string {
  const name = text.trim();
  if (known.includes(name)) return name;
  throw new Error(`--only ${text}: choose from ${known.join(', ')}.`);
}

runCommand(main);
