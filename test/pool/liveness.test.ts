import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLiveness } from '../../src/pool/liveness.ts';
import { createPooledScanner, type PooledScanner } from '../../src/pool/pooled-scanner.ts';
import { untilReady } from '../conformance/scanner.ts';
import { memoryLog, scanInput } from '../support/scan-input.ts';
import { until } from '../support/until.ts';

const workerFile = new URL('./fixture-worker.ts', import.meta.url);

async function withPool(
  limits: { readonly taskMsMax?: number; readonly queueRequestsMax?: number },
  run: (scanner: PooledScanner) => Promise<void>,
): Promise<void> {
  const scanner = createPooledScanner({ threads: 1, log: memoryLog(), workerFile, limits });
  try {
    await untilReady(scanner);
    await run(scanner);
  } finally {
    await scanner.close();
  }
}

describe('a pool is alive', () => {
  it('when it gives a verdict', async () => {
    await withPool({}, async (scanner) => {
      const isAlive = createLiveness(scanner);
      assert.equal(await isAlive(), true);
      assert.equal(await isAlive(), true);
    });
  });

  it('when it is full and gets on, and not when it is full and stuck', async () => {
    await withPool({ queueRequestsMax: 1, taskMsMax: 1_000 }, async (scanner) => {
      const isAlive = createLiveness(scanner);
      assert.equal(await isAlive(), true);
      for (let done = 0; done < 3; done += 1) await scanner.scan(scanInput('{"a":"b"}'));
      const held = scanner.scan(scanInput('{"a":"@pause300"}'));
      assert.equal(await isAlive(), true);
      assert.equal(await isAlive(), false);
      await held;
    });
  });

  it('only until it closes', async () => {
    await withPool({}, async (scanner) => {
      const isAlive = createLiveness(scanner);
      await scanner.close();
      assert.equal(await isAlive(), false);
    });
  });

  it('when its threads do not hang: nothing is said as long as they do', async () => {
    await withPool({ taskMsMax: 60_000 }, async (scanner) => {
      const isAlive = createLiveness(scanner);
      void scanner.scan(scanInput('{"a":"@pause500"}'));
      await until('the thread hangs', () => scanner.stats().threadsBusy === 1);
      let answer: boolean | undefined;
      const asked = isAlive().then((isSo) => {
        answer = isSo;
      });
      await new Promise((resolve) => setTimeout(resolve, 100));
      assert.equal(answer, undefined);
      await asked;
      assert.equal(answer, true);
    });
  });
});
