/**
 * Sends hostile requests, and checks each answer:
 *
 *   npm run bench:fuzz -- [--only raw,content] [--requests N] [--seed S]
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { runCommand, wholeNumber } from '../lib/command.ts';
import { ownTarget } from '../lib/plan.ts';
import { residentMb } from '../lib/process-usage.ts';
import { startService } from '../lib/server.ts';
import { fuzzContent } from './content.ts';
import { fuzzRaw } from './raw.ts';

const fuzzers = { raw: fuzzRaw, content: fuzzContent };
type Name = keyof typeof fuzzers;

const usage = `usage: npm run bench:fuzz -- [options]

  --only A,B       raw: changed bytes over sockets; content: bodies to /control (both)
  --requests N     of each (20000)
  --seed S         a number; the same seed sends the same requests (a fresh one)
`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', default: Object.keys(fuzzers).join(',') },
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
  const service = await startService(ownTarget(), ['--workers', '2']);
  const [pid = 0] = service.pids;
  try {
    console.log(`seed ${seed}, ${requests} requests for each fuzzer`);
    for (const name of names) {
      const before = residentMb(pid);
      const startedAt = performance.now();
      const report = await fuzzers[name]({ port: service.port, key: service.key, requests, seed });
      const seconds = Math.round((performance.now() - startedAt) / 1_000);
      console.log(report.text);
      console.log(
        `  ${seconds} s; resident ${Math.round(before ?? 0)} MB before, ` +
          `${Math.round(residentMb(pid) ?? 0)} MB after`,
      );
      if (report.failures.length > 0) process.exitCode = 1;
      if (residentMb(pid) === undefined) throw new Error(`${name}: the service died.`);
    }
  } finally {
    await service.stop();
  }
}

function nameOf(text: string): Name {
  const name = (Object.keys(fuzzers) as Name[]).find((one) => one === text.trim());
  if (name === undefined) {
    throw new Error(`--only ${text}: choose from ${Object.keys(fuzzers).join(', ')}.`);
  }
  return name;
}

runCommand(main);
