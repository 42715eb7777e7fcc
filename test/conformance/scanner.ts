import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { defaultPolicy } from '../../src/contract/policy.ts';
import type { ScanInput, Scanner, ScanOutcome } from '../../src/contract/ports.ts';
import { noContext } from '../../src/contract/request.ts';
import { scanInput } from '../support/scan-input.ts';

/**
 * What every implementation of the Scanner port must do. `create` gives a scanner with the real
 * core.
 */
export function describeScanner(name: string, create: () => Scanner): void {
  describe(`${name} as a Scanner`, () => {
    it('gives a verdict on a plain body', async () => {
      const scanner = create();
      const outcome = await scanner.scan(scanInput('{"username":"ada","password":"x"}'));
      assert.ok(outcome.kind === 'verdict', JSON.stringify(outcome));
      assert.equal(outcome.verdict.decision, 'allow');
      assert.equal(outcome.verdict.threshold, 70);
      assert.deepEqual(outcome.verdict.findings, []);
      assert.deepEqual(outcome.verdict.coverage, { complete: true, bytes: 33, reasons: [] });
      await scanner.close();
    });

    it('becomes ready, and is not ready once closed', async () => {
      const scanner = create();
      await scanner.scan(scanInput('{}'));
      await untilReady(scanner);
      const closing = scanner.close();
      assert.equal(scanner.isReady(), false);
      await closing;
    });

    it('rejects what is not an acceptable body with the name of its fault', async () => {
      const scanner = create();
      const faults: Readonly<Record<string, string>> = {
        '{"a":': 'body-not-json',
        '[1]': 'body-not-object',
        [`{"a":${'['.repeat(70)}${']'.repeat(70)}}`]: 'body-too-deep',
        [`{"a":[${'1,'.repeat(10_001)}1]}`]: 'body-too-many-members',
      };
      for (const [text, fault] of Object.entries(faults)) {
        assert.deepEqual(await scanner.scan(scanInput(text)), { kind: 'rejected', fault });
      }
      const body = Buffer.from('{"a":"\u00ff"}', 'latin1');
      const outcome = await scanner.scan(scanInput('', { body }));
      assert.deepEqual(outcome, { kind: 'rejected', fault: 'body-not-utf8' });
      await scanner.close();
    });

    it('answers many at once as it answers each alone, each to its own caller', async () => {
      const scanner = create();
      const inputs = mixedInputs();
      const alone: ScanOutcome[] = [];
      for (const input of inputs) alone.push(await scanner.scan(input));
      const together = await Promise.all(inputs.map((input) => scanner.scan(input)));
      assert.deepEqual(together, alone);
      const kinds = new Set(alone.map(({ kind }) => kind));
      assert.deepEqual([...kinds].sort(), ['rejected', 'verdict']);
      await scanner.close();
    });

    it('refuses a request whose deadline has passed', async () => {
      const scanner = create();
      const outcome = await scanner.scan(scanInput('{}', { deadline: performance.now() - 1 }));
      assert.deepEqual(outcome, { kind: 'refused', reason: 'deadline-too-short' });
      await scanner.close();
    });

    it('answers what it holds when it is closed, and refuses what still comes', async () => {
      const scanner = await untilReady(create());
      const held = Array.from({ length: 300 }, () => scanner.scan(scanInput('{"a":"b"}')));
      const closed = scanner.close();
      const late = scanner.scan(scanInput('{}'));
      for (const outcome of await Promise.all(held)) assert.equal(outcome.kind, 'verdict');
      assert.deepEqual(await late, { kind: 'refused', reason: 'draining' });
      await closed;
      await scanner.close();
    });
  });
}

/** Waits for the scanner, however long its threads take to start on a busy machine. */
export async function untilReady<One extends Scanner>(scanner: One): Promise<One> {
  while (!scanner.isReady()) await new Promise((resolve) => setTimeout(resolve, 2));
  return scanner;
}

function mixedInputs(): ScanInput[] {
  const texts = [
    '{"username":"ada","password":"x"}',
    '{"q":"naïve 日本語 😀"}',
    '{}',
    'not json',
    `{"long":"${'words and more words '.repeat(5_000)}"}`,
    '{"list":[1,true,null,{"deep":"value"}]}',
  ];
  const contexts = [
    noContext,
    { ...noContext, method: 'POST', host: 'a.example', uri: '/login', contentType: 'text/plain' },
    { ...noContext, method: 'POST', host: 'a.example', origin: 'https://b.example', cookie: 'é=1' },
  ];
  const policies = [defaultPolicy, { ...defaultPolicy, sensitivity: 4 as const }];
  return Array.from({ length: 180 }, (_, index) =>
    scanInput(pick(texts, index), {
      context: pick(contexts, Math.floor(index / 6)),
      policy: pick(policies, index),
    }),
  );
}

function pick<T>(list: readonly T[], index: number): T {
  const entry = list[index % list.length];
  if (entry === undefined) throw new RangeError('Pick from a list that is not empty.');
  return entry;
}
