import { pathToFileURL } from 'node:url';
import { defaultPolicy } from '../../src/contract/policy.ts';
import type { ScanInput } from '../../src/contract/ports.ts';
import { noContext } from '../../src/contract/request.ts';
import { answerJob } from '../lib/job.ts';
import { silentLog } from '../lib/log.ts';
import type { Target } from '../lib/plan.ts';

/** What requests wait for when as many hang as there are threads. */
export interface HungAnswer {
  readonly smallMaxMs: number;
  readonly poisonMaxMs: number;
}

const threads = 2;
const clients = 16;
/** For so long small requests are sent after the last that hangs has been given up. */
const afterMs = 1_000;

function inputOf(text: string): ScanInput {
  const body = Buffer.from(text);
  return { body, context: noContext, policy: defaultPolicy, deadline: Number.POSITIVE_INFINITY };
}

/** Threads that spin for ever on one text, with small requests beside. */
answerJob<Target, HungAnswer>(async ({ root, ending }) => {
  const path = pathToFileURL(`${root}/src/pool/pooled-scanner${ending}`).href;
  const { createPooledScanner }: typeof import('../../src/pool/pooled-scanner.ts') = await import(
    path
  );
  const workerFile = pathToFileURL(`${root}/test/pool/fixture-worker${ending}`);
  const scanner = createPooledScanner({ threads, log: silentLog, workerFile });
  const turn = () => new Promise((resolve) => setTimeout(resolve, 1));
  while (!scanner.isReady()) await turn();
  let isOver = false;
  let smallMaxMs = 0;
  const ask = async (text: string): Promise<number> => {
    const askedAt = performance.now();
    await scanner.scan(inputOf(text));
    return performance.now() - askedAt;
  };
  const asking = Array.from({ length: clients }, async () => {
    while (!isOver) {
      smallMaxMs = Math.max(smallMaxMs, await ask('{"a":"b"}'));
      await turn();
    }
  });
  const poisons: Promise<number>[] = [];
  for (let index = 0; index < threads; index += 1) {
    poisons.push(ask('{"a":"@spin"}'));
    // The next one travels with another batch.
    for (let turns = 0; turns < 5; turns += 1) await turn();
  }
  const poisonMaxMs = Math.max(...(await Promise.all(poisons)));
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  isOver = true;
  await Promise.all(asking);
  await scanner.close();
  return { smallMaxMs, poisonMaxMs };
});
