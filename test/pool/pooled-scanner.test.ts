import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ScanOutcome } from '../../src/contract/ports.ts';
import { noContext } from '../../src/contract/request.ts';
import { screenSafely } from '../../src/pool/codec.ts';
import {
  createPooledScanner,
  type PooledScanner,
  type PooledScannerOptions,
} from '../../src/pool/pooled-scanner.ts';
import { describeScanner, untilReady } from '../conformance/scanner.ts';
import { memoryLog, scanInput } from '../support/scan-input.ts';
import { fixtureScreen } from './fixture-screen.ts';

describeScanner('pooled scanner', () => createPooledScanner({ threads: 2, log: memoryLog() }));
describeScanner('pooled scanner of one thread', () =>
  createPooledScanner({ threads: 1, log: memoryLog() }),
);

const fixtureWorker = new URL('./fixture-worker.ts', import.meta.url);

/** Runs a test with a started pool of fixture workers, and closes it whatever happens. */
async function withPool(
  options: Partial<PooledScannerOptions>,
  run: (scanner: PooledScanner, lines: readonly string[]) => Promise<void>,
): Promise<void> {
  const log = memoryLog();
  const scanner = createPooledScanner({ threads: 2, log, workerFile: fixtureWorker, ...options });
  try {
    await untilReady(scanner);
    await run(scanner, log.lines);
  } finally {
    await scanner.close();
  }
}

/** The answer that the fixture gives to this text, worked out on this thread. */
function expected(text: string): ScanOutcome {
  const { context, policy } = scanInput(text);
  return screenSafely(fixtureScreen, { body: text, context }, policy);
}

function kindsOf(outcomes: readonly ScanOutcome[]): string[] {
  return [...new Set(outcomes.map(({ kind }) => kind))].sort();
}

function text(index: number): string {
  return `{"a":"${'x'.repeat(index % 90)}${index % 7 === 0 ? ' attack' : ''}"}`;
}

describe('pooled scanner: batches', () => {
  it('counts from none', async () => {
    const scanner = createPooledScanner({
      threads: 1,
      log: memoryLog(),
      workerFile: fixtureWorker,
    });
    const { batches, batchedRequests, batchesFailed, threadsReplaced } = scanner.stats();
    await scanner.close();
    assert.deepEqual([batches, batchedRequests, batchesFailed, threadsReplaced], [0, 0, 0, 0]);
  });

  it('sends the requests of one turn in one batch', async () => {
    await withPool({ threads: 1 }, async (scanner) => {
      const before = scanner.stats();
      await Promise.all(Array.from({ length: 50 }, (_, i) => scanner.scan(scanInput(text(i)))));
      const after = scanner.stats();
      assert.equal(after.batches - before.batches, 1);
      assert.equal(after.batchedRequests - before.batchedRequests, 50);
      assert.deepEqual([after.requests, after.bytes, after.threadsBusy], [0, 0, 0]);
    });
  });

  it('gives each of many requests its own answer', async () => {
    await withPool({}, async (scanner) => {
      const texts = Array.from({ length: 3_000 }, (_, index) => text(index));
      const outcomes = await Promise.all(texts.map((body) => scanner.scan(scanInput(body))));
      assert.deepEqual(outcomes, texts.map(expected));
    });
  });

  it('answers small requests while a large body is in work', async () => {
    await withPool({ threads: 2 }, async (scanner) => {
      const large = `{"a":"@pause600 ${'x'.repeat(1_000_000)}"}`;
      const done: string[] = [];
      const scans = [
        scanner.scan(scanInput(large)).then(() => done.push('large')),
        scanner.scan(scanInput(large)).then(() => done.push('large')),
      ];
      await new Promise((resolve) => setImmediate(resolve));
      for (let index = 0; index < 5; index++) {
        await scanner.scan(scanInput('{}'));
        done.push('small');
      }
      await Promise.all(scans);
      assert.deepEqual(done, ['small', 'small', 'small', 'small', 'small', 'large', 'large']);
    });
  });

  it('answers small requests while one that looked like them takes its time', async () => {
    await withPool({ threads: 2 }, async (scanner) => {
      const done: string[] = [];
      const slow = scanner.scan(scanInput('{"a":"@pause600"}')).then(() => done.push('slow'));
      await new Promise((resolve) => setImmediate(resolve));
      for (let index = 0; index < 3; index++) {
        await scanner.scan(scanInput('{}'));
        done.push('small');
      }
      await slow;
      assert.deepEqual(done, ['small', 'small', 'small', 'slow']);
    });
  });

  it('leaves the event loop of the caller free', async () => {
    await withPool({ threads: 1 }, async (scanner) => {
      let turns = 0;
      let isDone = false;
      const scan = scanner.scan(scanInput('{"a":"@pause200"}')).then(() => {
        isDone = true;
      });
      while (!isDone) {
        turns += 1;
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      await scan;
      assert.ok(turns > 2, `the loop turned ${turns} times only`);
    });
  });
});

/** Enough requests for the scanner to know what they cost. */
async function teach(scanner: PooledScanner, slow: string): Promise<void> {
  for (let index = 0; index < 50; index += 1) await scanner.scan(scanInput(slow));
}

describe('pooled scanner: bounds', () => {
  it('refuses the newest requests at once when the queue is full', async () => {
    await withPool({ threads: 1, limits: { queueRequestsMax: 16 } }, async (scanner) => {
      const slow = '{"a":"@pause50"}';
      const held = Array.from({ length: 15 }, () => scanner.scan(scanInput(slow)));
      const refused = { kind: 'refused', reason: 'overloaded' };
      assert.deepEqual(await scanner.scan(scanInput('{}')), refused, 'one owner has its share');
      held.push(scanner.scan(scanInput(slow, { owner: 'another' })));
      assert.equal(scanner.stats().requests, 16);
      assert.deepEqual(await scanner.scan(scanInput('{}', { owner: 'a third' })), refused);
      assert.deepEqual(kindsOf(await Promise.all(held)), ['verdict']);
      assert.equal((await scanner.scan(scanInput('{}'))).kind, 'verdict');
    });
  });

  it('refuses the newest requests when their bodies are too much to hold', async () => {
    await withPool({ threads: 1, limits: { queueBytesMax: 1_000 } }, async (scanner) => {
      const held = scanner.scan(scanInput('x'.repeat(900)));
      const [refused, taken] = await Promise.all(
        [101, 100].map((bytes) => scanner.scan(scanInput('x'.repeat(bytes), { owner: 'another' }))),
      );
      assert.deepEqual(refused, { kind: 'refused', reason: 'overloaded' });
      assert.equal(taken?.kind, 'verdict');
      assert.equal((await held).kind, 'verdict');
    });
  });

  it('refuses a waiting request when its deadline passes, and holds it no longer', async () => {
    await withPool({ threads: 1 }, async (scanner) => {
      const busy = scanner.scan(scanInput('{"a":"@pause400"}'));
      await new Promise((resolve) => setImmediate(resolve));
      const done: string[] = [];
      const late = scanner.scan(scanInput('{}', { deadline: performance.now() + 30 }));
      const outcomes = await Promise.all([
        late.finally(() => done.push(`late, holding ${scanner.stats().requests}`)),
        busy.finally(() => done.push('busy')),
      ]);
      assert.deepEqual(outcomes[0], { kind: 'refused', reason: 'deadline-too-short' });
      assert.equal(outcomes[1].kind, 'verdict');
      assert.deepEqual(done, ['late, holding 1', 'busy']);
    });
  });

  it('does not keep a caller past its deadline for a request in work', async () => {
    await withPool({ threads: 1 }, async (scanner) => {
      const deadline = performance.now() + 60;
      const outcome = await scanner.scan(scanInput('{"a":"@pause400"}', { deadline }));
      assert.deepEqual(outcome, { kind: 'refused', reason: 'deadline-too-short' });
      assert.equal(scanner.stats().threadsBusy, 1);
    });
  });

  it('refuses at once when the wait would be longer than the deadline', async () => {
    const limits = { batchCountMax: 1 };
    await withPool({ threads: 1, limits }, async (scanner) => {
      const slow = '{"a":"@pause20"}';
      await teach(scanner, slow);
      const held = Array.from({ length: 20 }, () => scanner.scan(scanInput(slow)));
      await new Promise((resolve) => setImmediate(resolve));
      const before = scanner.stats().requests;
      const hurried = scanner.scan(scanInput(slow, { deadline: performance.now() + 60 }));
      assert.equal(scanner.stats().requests, before, 'it must not enter the queue');
      assert.deepEqual(await hurried, { kind: 'refused', reason: 'deadline-too-short' });
      assert.deepEqual(kindsOf(await Promise.all(held)), ['verdict']);
      const relaxed = scanInput('{}', { deadline: performance.now() + 10_000 });
      assert.equal((await scanner.scan(relaxed)).kind, 'verdict');
    });
  });

  it('foresees by its length that a request would be refused', async () => {
    const limits = { batchCountMax: 1 };
    await withPool({ threads: 1, limits }, async (scanner) => {
      const slow = '{"a":"@pause20"}';
      await teach(scanner, slow);
      const headOf = (ms: number) => scanInput('', { deadline: performance.now() + ms });
      assert.equal(scanner.refusalOf(headOf(-1), slow.length), undefined, 'nothing is before it');
      const held = Array.from({ length: 20 }, () => scanner.scan(scanInput(slow)));
      await new Promise((resolve) => setImmediate(resolve));
      assert.equal(scanner.refusalOf(headOf(60), slow.length), 'deadline-too-short');
      assert.equal(scanner.refusalOf(headOf(60_000), slow.length), undefined);
      assert.equal(scanner.refusalOf(headOf(60_000), 2 ** 30), 'overloaded');
      assert.deepEqual(kindsOf(await Promise.all(held)), ['verdict']);
      const closing = scanner.close();
      assert.equal(scanner.refusalOf(headOf(60_000), slow.length), 'draining');
      await closing;
    });
  });

  it('counts the bytes that wait, not only the requests', async () => {
    const limits = { batchBytesMax: 20_000 };
    await withPool({ threads: 1, limits }, async (scanner) => {
      const slow = `{"a":"@pause20","b":"${'x'.repeat(15_000)}"}`;
      await teach(scanner, slow);
      // Each fills a batch: they are few requests, and a long wait.
      const held = Array.from({ length: 20 }, () => scanner.scan(scanInput(slow)));
      await new Promise((resolve) => setImmediate(resolve));
      const before = scanner.stats().requests;
      const deadline = performance.now() + 150;
      const hurried = scanner.scan(scanInput(slow, { deadline }));
      assert.equal(scanner.stats().requests, before, 'it must not enter the queue');
      assert.deepEqual(await hurried, { kind: 'refused', reason: 'deadline-too-short' });
      assert.deepEqual(kindsOf(await Promise.all(held)), ['verdict']);
    });
  });

  it('lets an owner that asks seldom pass one that floods', async () => {
    const limits = { batchCountMax: 1 };
    await withPool({ threads: 1, limits }, async (scanner) => {
      const done: string[] = [];
      const scan = (owner: string) =>
        scanner.scan(scanInput('{"a":"@pause5"}', { owner })).then(() => done.push(owner));
      const flood = Array.from({ length: 40 }, () => scan('flood'));
      await flood[2];
      const seldom = scan('seldom');
      await seldom;
      assert.ok(done.length < 20, `after ${done.length} others`);
      await Promise.all(flood);
    });
  });

  it('keeps a thread free of heavy requests while light ones come', async () => {
    await withPool({ threads: 2 }, async (scanner) => {
      await teach(scanner, '{"a":"@pause005"}');
      await scanner.scan(scanInput('{}'));
      const done: string[] = [];
      const heavy = Array.from({ length: 3 }, () =>
        scanner.scan(scanInput('{"a":"@pause400"}')).then(() => done.push('heavy')),
      );
      await new Promise((resolve) => setImmediate(resolve));
      assert.equal(scanner.stats().threadsBusy, 1);
      for (let index = 0; index < 3; index++) {
        await scanner.scan(scanInput('{}', { owner: 'another' }));
        done.push('light');
      }
      await Promise.all(heavy);
      assert.deepEqual(done, ['light', 'light', 'light', 'heavy', 'heavy', 'heavy']);
    });
  });

  it('gives all threads to heavy requests where no light ones come', async () => {
    await withPool({ threads: 2 }, async (scanner) => {
      const slow = '{"a":"@pause100"}';
      await teach(scanner, '{"a":"@pause005"}');
      const heavy = Array.from({ length: 4 }, () => scanner.scan(scanInput(slow)));
      await new Promise((resolve) => setTimeout(resolve, 0));
      await heavy[0];
      assert.equal(scanner.stats().threadsBusy, 2);
      await Promise.all(heavy);
    });
  });

  it('has one heavy request before a light one at most', async () => {
    await withPool({ threads: 1 }, async (scanner) => {
      const slow = '{"a":"@pause005"}';
      await teach(scanner, slow);
      let done = 0;
      const scan = () => scanner.scan(scanInput(slow, { owner: 'flood' })).then(() => done++);
      const flood = Array.from({ length: 40 }, scan);
      const before: number[] = [];
      for (let index = 0; index < 10; index += 1) {
        const from = done;
        await scanner.scan(scanInput('{}', { owner: 'seldom' }));
        before.push(done - from);
      }
      assert.ok(Math.max(...before) <= 1, `${before} heavy ones before each`);
      assert.ok(done < 40);
      await Promise.all(flood);
    });
  });

  it('gives no thread what no caller waits for any more', async () => {
    const limits = { batchCountMax: 1 };
    await withPool({ threads: 1, limits }, async (scanner) => {
      const busy = scanner.scan(scanInput('{"a":"@pause200"}'));
      await new Promise((resolve) => setImmediate(resolve));
      const before = scanner.stats().batches;
      const caller = { phase: 'open' };
      const gone = Array.from({ length: 20 }, () =>
        scanner.scan({ ...scanInput('{"a":"@pause400"}'), caller }),
      );
      const kept = scanner.scan({ ...scanInput('{}'), caller: { phase: 'open' } });
      caller.phase = 'over';
      assert.equal((await busy).kind, 'verdict');
      assert.equal((await kept).kind, 'verdict');
      assert.deepEqual(kindsOf(await Promise.all(gone)), ['refused']);
      assert.equal(scanner.stats().batches - before, 1);
      assert.equal(scanner.stats().requests, 0);
    });
  });

  it('needs at least one thread', () => {
    assert.throws(() => createPooledScanner({ threads: 0, log: memoryLog() }), RangeError);
  });
});

describe('pooled scanner: closing', () => {
  it('answers a full queue before it ends the threads', async () => {
    await withPool({}, async (scanner) => {
      const texts = Array.from({ length: 2_000 }, (_, index) => text(index));
      const scans = texts.map((body) => scanner.scan(scanInput(body)));
      await scanner.close();
      assert.deepEqual(await Promise.all(scans), texts.map(expected));
    });
  });

  it('waits for the last of what was sent one by one', async () => {
    await withPool({ threads: 1, limits: { batchCountMax: 1 } }, async (scanner) => {
      const texts = [1, 2, 3].map((index) => `{"a":"@pause20","b":${index}}`);
      const scans = texts.map((body) => scanner.scan(scanInput(body)));
      await scanner.close();
      assert.deepEqual(await Promise.all(scans), texts.map(expected));
    });
  });

  it('refuses what is still held when the time to drain is over', async () => {
    const limits = { drainMsMax: 60 };
    await withPool({ threads: 1, limits }, async (scanner) => {
      const scans = [
        scanner.scan(scanInput('{"a":"@hang"}')),
        scanner.scan(scanInput(`${'x'.repeat(70_000)}`)),
      ];
      await new Promise((resolve) => setImmediate(resolve));
      await scanner.close();
      const refused = { kind: 'refused', reason: 'draining' };
      assert.deepEqual(await Promise.all(scans), [refused, refused]);
    });
  });

  it('ends though its threads never started, and says what is wrong', async () => {
    const log = memoryLog();
    const workerFile = new URL('./no-such-worker.ts', import.meta.url);
    const limits = { drainMsMax: 300 };
    const scanner = createPooledScanner({ threads: 1, log, workerFile, limits });
    const scan = scanner.scan(scanInput('{}'));
    while (log.lines.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.match(log.lines.join('\n'), /did not start; check the installation.*no-such-worker/);
    assert.equal(scanner.isReady(), false);
    await scanner.close();
    assert.deepEqual(await scan, { kind: 'refused', reason: 'draining' });
  });

  it('hands contexts to the workers', async () => {
    await withPool({}, async (scanner) => {
      const context = { ...noContext, uri: '/twelve-chars' };
      const [plain, withUri] = await Promise.all([
        scanner.scan(scanInput('{}')),
        scanner.scan(scanInput('{}', { context })),
      ]);
      assert.ok(plain.kind === 'verdict' && withUri.kind === 'verdict');
      assert.equal(withUri.verdict.score - plain.verdict.score, context.uri.length);
    });
  });
});
