import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { defaultPolicy } from '../../src/contract/policy.ts';
import type { Log, ScanInput, Scanner } from '../../src/contract/ports.ts';
import { noContext } from '../../src/contract/request.ts';
import { createInlineScanner } from '../../src/pool/inline-scanner.ts';
import { createPooledScanner } from '../../src/pool/pooled-scanner.ts';

// How many requests a second the pool screens, by batch size and number of threads, with bodies of
// the shape of a log-in. Batch size 1 is one worker task for each request.

const { values } = parseArgs({ options: { smoke: { type: 'boolean', default: false } } });
const cellMs = values.smoke ? 20 : 1_500;
const requestsInFlight = values.smoke ? 16 : 256;
const batchSizes = [1, 8, 64];
const threadCounts = [1, 2];

const inputs: readonly ScanInput[] = Array.from({ length: 512 }, (_, index) => ({
  body: new TextEncoder().encode(
    JSON.stringify({ username: `ada.lovelace${index}`, password: `correct horse ${index * 7919}` }),
  ),
  context: noContext,
  policy: defaultPolicy,
  deadline: Number.POSITIVE_INFINITY,
}));

const log: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: (fields, message) => console.error(message, fields),
  error: (fields, message) => console.error(message, fields),
};

console.log(
  `${cpus()[0]?.model ?? 'unknown CPU'}, ${availableParallelism()} cores, ${process.version}`,
);
console.log(`${requestsInFlight} requests in flight, ${cellMs} ms for each cell`);
await report('inline (no thread)', createInlineScanner());
for (const threads of threadCounts) {
  for (const batchCountMax of batchSizes) {
    const scanner = createPooledScanner({ threads, log, limits: { batchCountMax } });
    await report(`threads ${threads}, batches of at most ${batchCountMax}`, scanner);
  }
}

async function report(name: string, scanner: Scanner): Promise<void> {
  while (!scanner.isReady()) await new Promise((resolve) => setTimeout(resolve, 5));
  await load(scanner, cellMs / 3);
  const { requests, ms } = await load(scanner, cellMs);
  await scanner.close();
  const perSecond = Math.round((requests / ms) * 1_000).toLocaleString('en');
  console.log(`${name.padEnd(36)} ${perSecond.padStart(10)} req/s`);
}

/** Keeps a number of requests in flight, as so many connections do, and checks each answer. */
async function load(
  scanner: Scanner,
  durationMs: number,
): Promise<{ requests: number; ms: number }> {
  const startedAt = performance.now();
  let requests = 0;
  async function connection(first: number): Promise<void> {
    for (let index = first; performance.now() - startedAt < durationMs; index += 17) {
      const input = inputs[index % inputs.length];
      if (input === undefined) throw new RangeError('There are no inputs: check the bench.');
      const outcome = await scanner.scan(input);
      if (outcome.kind !== 'verdict' || outcome.verdict.decision !== 'allow') {
        throw new Error(`A log-in must be allowed; this one was not: ${JSON.stringify(outcome)}`);
      }
      requests += 1;
    }
  }
  await Promise.all(Array.from({ length: requestsInFlight }, (_, index) => connection(index)));
  return { requests, ms: performance.now() - startedAt };
}
