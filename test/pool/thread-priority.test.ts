import assert from 'node:assert/strict';
import { once } from 'node:events';
import { getPriority } from 'node:os';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';

/** What a thread that has loaded the module says of its own niceness. */
async function nicenessBehind(module: string): Promise<number> {
  const worker = new Worker(
    `const { getPriority } = require('node:os');
     const { parentPort, workerData } = require('node:worker_threads');
     import(workerData).then(() => parentPort.postMessage(getPriority(0)));`,
    { eval: true, workerData: module },
  );
  const [niceness] = await once(worker, 'message');
  await worker.terminate();
  return niceness;
}

test('a screening thread lets the front end go first', {
  skip: process.platform === 'linux' ? false : 'only Linux has a niceness for each thread',
}, async () => {
  const before = getPriority(0);
  const screening = await nicenessBehind(import.meta.resolve('../../workers/screen.ts'));
  assert.equal(screening, Math.min(19, before + 5));
  assert.equal(getPriority(0), before, 'the front end keeps its own');
});
