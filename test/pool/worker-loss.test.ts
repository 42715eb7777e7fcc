import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ScanOutcome } from '../../src/contract/ports.ts';
import { screenSafely } from '../../src/pool/codec.ts';
import {
  createPooledScanner,
  type PooledScanner,
  type PooledScannerOptions,
} from '../../src/pool/pooled-scanner.ts';
import { untilReady } from '../conformance/scanner.ts';
import { memoryLog, scanInput } from '../support/scan-input.ts';
import { fixtureScreen } from './fixture-screen.ts';

/** All that is asked for in one turn travels together, however slow the machine is. */
const oneBatch = { batchAgeMs: 60_000 };

const workerFile = new URL('./fixture-worker.ts', import.meta.url);

async function withPool(
  options: Partial<PooledScannerOptions>,
  run: (scanner: PooledScanner, lines: readonly string[]) => Promise<void>,
): Promise<void> {
  const log = memoryLog();
  const scanner = createPooledScanner({ threads: 2, log, workerFile, ...options });
  try {
    await untilReady(scanner);
    await run(scanner, log.lines);
  } finally {
    await scanner.close();
  }
}

/** Scans a poisonous body among honest ones: only the poisonous one may fail. */
async function checkIsolation(scanner: PooledScanner, poison: string): Promise<ScanOutcome> {
  const texts = Array.from({ length: 40 }, (_, index) => `{"a":"${'x'.repeat(index)}"}`);
  texts[17] = poison;
  const outcomes = await Promise.all(texts.map((text) => scanner.scan(scanInput(text))));
  const [failed] = outcomes.splice(17, 1);
  assert.ok(failed !== undefined);
  texts.splice(17, 1);
  assert.deepEqual(outcomes, texts.map(expected));
  assert.deepEqual(await scanner.scan(scanInput('{"after":1}')), expected('{"after":1}'));
  assert.equal(scanner.stats().requests, 0);
  return failed;
}

const lost: ScanOutcome = { kind: 'refused', reason: 'worker-lost' };

function expected(text: string): ScanOutcome {
  const { context, policy } = scanInput(text);
  return screenSafely(fixtureScreen, { body: text, context }, policy);
}

describe('pooled scanner: a poisonous request fails alone', () => {
  for (const threads of [1, 2]) {
    it(`that throws (${threads} threads)`, async () => {
      await withPool({ threads }, async (scanner) => {
        const outcome = await checkIsolation(scanner, '{"a":"@throw"}');
        assert.ok(outcome.kind === 'failed' && outcome.detail.includes('thrown for one request'));
        assert.equal(scanner.stats().batchesFailed, 0);
      });
    });

    it(`that ends its thread (${threads} threads)`, async () => {
      await withPool({ threads, limits: oneBatch }, async (scanner, lines) => {
        assert.deepEqual(await checkIsolation(scanner, '{"a":"@exit"}'), lost);
        assert.match(lines.join('\n'), /exited with code: 3/);
        assert.equal(scanner.stats().batchesFailed, 2);
        assert.match(lines.join('\n'), /warn screening thread lost a batch.*"requests":40/);
        assert.doesNotMatch(lines.join('\n'), /@exit/, 'the log must not hold a body');
      });
    });

    it(`that never ends (${threads} threads)`, async () => {
      await withPool({ threads, limits: { taskMsMax: 400 } }, async (scanner, lines) => {
        assert.deepEqual(await checkIsolation(scanner, '{"a":"@hang"}'), lost);
        assert.match(lines.join('\n'), /longer than 400 ms/);
      });
    });
  }

  for (const [poison, reason] of [
    ['@spin', /Used \d+ ms of processor time/],
    ['@hang', /Slept for 1000 ms/],
  ] as const) {
    it(`that hangs (${poison}), long before the bound of any task`, async () => {
      await withPool({ threads: 2, limits: { taskMsMax: 3_600_000 } }, async (scanner, lines) => {
        assert.deepEqual(await checkIsolation(scanner, `{"a":"${poison}"}`), lost);
        assert.match(lines.join('\n'), reason);
      });
    });
  }

  it('but not one that is slow: a long body may work for seconds', async () => {
    // 25 ms for each KiB, as of the slowest texts in code that is not compiled yet.
    const text = `{"a":"@work2500 ${'x'.repeat(100 * 1_024)}"}`;
    await withPool({ threads: 1 }, async (scanner, lines) => {
      assert.deepEqual(await scanner.scan(scanInput(text)), expected(text));
      assert.deepEqual(lines, []);
    });
  });

  it('and comes last when its batch is tried again', async () => {
    await withPool({ threads: 1, limits: oneBatch }, async (scanner) => {
      const done: number[] = [];
      const texts = Array.from({ length: 40 }, (_, index) => `{"a":${index}}`);
      texts[3] = '{"a":"@spin"}';
      await Promise.all(
        texts.map(async (text, index) => {
          await scanner.scan(scanInput(text));
          done.push(index);
        }),
      );
      assert.equal(done.at(-1), 3);
    });
  });

  it('that spins', async () => {
    await withPool({ threads: 1, limits: { taskMsMax: 300 } }, async (scanner, lines) => {
      assert.deepEqual(await checkIsolation(scanner, '{"a":"@spin"}'), lost);
      assert.match(lines.join('\n'), /longer than 300 ms/);
    });
  });

  it('that eats all memory', async () => {
    await withPool({ threads: 1 }, async (scanner, lines) => {
      // A long body may use the time that it takes to fill the memory.
      const poison = `{"a":"@memory ${'x'.repeat(1_000_000)}"}`;
      assert.deepEqual(await checkIsolation(scanner, poison), lost);
      assert.match(lines.join('\n'), /memory/);
    });
  });
});

describe('pooled scanner: worker loss under load', () => {
  it('answers every request while threads die again and again', async () => {
    await withPool({ threads: 2 }, async (scanner) => {
      const scans: Promise<ScanOutcome>[] = [];
      const texts: string[] = [];
      const poisonAt = new Set([150, 400, 401, 900, 1_500, 1_999]);
      for (let index = 0; index < 2_000; index++) {
        const text = poisonAt.has(index) ? '{"a":"@exit"}' : `{"n":"${'y'.repeat(index % 60)}"}`;
        texts.push(text);
        scans.push(scanner.scan(scanInput(text)));
        // Turns of the event loop in between, so that many batches are on their way at once.
        if (index % 37 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      const outcomes = await Promise.all(scans);
      for (const [index, outcome] of outcomes.entries()) {
        if (poisonAt.has(index)) assert.deepEqual(outcome, lost, `request ${index}`);
        else assert.deepEqual(outcome, expected(texts[index] ?? ''), `request ${index}`);
      }
      assert.equal(scanner.isReady(), true);
      assert.deepEqual([scanner.stats().requests, scanner.stats().bytes], [0, 0]);
    });
  });

  it('goes on when a thread ends while it has nothing to do', async () => {
    await withPool({ threads: 1 }, async (scanner) => {
      for (const text of ['{"a":"@leave"}', '{"b":1}', '{"c":"@leave"}', '{"d":1}', '{"e":1}']) {
        assert.deepEqual(await scanner.scan(scanInput(text)), expected(text));
        // Time to end; when it is not enough, the thread is lost with the next request instead.
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    });
  });

  it('answers large bodies that shared the pool with a dying one', async () => {
    await withPool({ threads: 2 }, async (scanner) => {
      const large = `{"a":"${'x'.repeat(200_000)}"}`;
      const outcomes = await Promise.all([
        scanner.scan(scanInput(large)),
        scanner.scan(scanInput(`@exit ${large}`)),
        scanner.scan(scanInput(large)),
      ]);
      assert.deepEqual(outcomes[0], expected(large));
      assert.deepEqual(outcomes[1], lost);
      assert.deepEqual(outcomes[2], expected(large));
    });
  });

  it('closes in the middle of it', async () => {
    await withPool({ threads: 2 }, async (scanner) => {
      const scans = Array.from({ length: 500 }, (_, index) =>
        scanner.scan(scanInput(index % 250 === 50 ? '{"a":"@exit"}' : '{"a":1}')),
      );
      await scanner.close();
      const kinds = (await Promise.all(scans)).map(({ kind }) => kind);
      assert.equal(kinds.filter((kind) => kind === 'refused').length, 2);
      assert.equal(kinds.filter((kind) => kind === 'verdict').length, 498);
    });
  });

  it('refuses a waiting request at its deadline while the only thread hangs', async () => {
    await withPool({ threads: 1, limits: { taskMsMax: 1_000 } }, async (scanner) => {
      const done: string[] = [];
      const hung = scanner.scan(scanInput('{"a":"@hang"}')).then(() => done.push('hung'));
      await new Promise((resolve) => setImmediate(resolve));
      const deadline = performance.now() + 50;
      const waiting = scanner.scan(scanInput('{}', { deadline })).then((outcome) => {
        done.push(JSON.stringify(outcome));
      });
      await Promise.all([hung, waiting]);
      assert.deepEqual(done, ['{"kind":"refused","reason":"deadline-too-short"}', 'hung']);
    });
  });
});
