/**
 * Sends hostile requests, and checks each answer:
 *
 *   npm run bench:fuzz -- [--only raw,content,shape] [--requests N] [--seed S]
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { runCommand, wholeNumber } from '../lib/command.ts';
import { ownTarget } from '../lib/plan.ts';
import { residentMb } from '../lib/process-usage.ts';
import { startService } from '../lib/server.ts';
import { fuzzContent } from './content.ts';
import { fuzzRaw } from './raw.ts';
import type { FuzzRun, Report } from './report.ts';
import { fuzzShape } from './shape.ts';

const fuzzers = { raw: fuzzRaw, content: fuzzContent, shape: fuzzShape };
type Name = keyof typeof fuzzers;

const usage = `usage: npm run bench:fuzz -- [options]

  --only A,B       raw: changed bytes over sockets; content: bodies to /control (both);
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
  console.log(`seed ${seed}, ${requests} requests for each fuzzer`);
  if (names.includes('shape')) await timed(() => fuzzShape({ requests, seed }));
  if (names.some((name) => name !== 'shape')) await fuzzService(names, { requests, seed });
}

/** The fuzzers that need a service. */
async function fuzzService(
  names: readonly Name[],
  how: Pick<FuzzRun, 'requests' | 'seed'>,
): Promise<void> {
  const service = await startService(ownTarget(), ['--workers', '2']);
  const [pid = 0] = service.pids;
  const { port, key } = service;
  try {
    for (const name of names) {
      if (name === 'shape') continue;
      const before = residentMb(pid);
      await timed(() => fuzzers[name]({ port, key, ...how }));
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

function nameOf(text: string): Name {
  const name = (Object.keys(fuzzers) as Name[]).find((one) => one === text.trim());
  if (name === undefined) {
    throw new Error(`--only ${text}: choose from ${Object.keys(fuzzers).join(', ')}.`);
  }
  return name;
}

runCommand(main);
