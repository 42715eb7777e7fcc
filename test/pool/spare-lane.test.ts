import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ExplainInput } from '../../src/contract/explanation.ts';
import { type CustomRule, defaultPolicy, type Policy } from '../../src/contract/policy.ts';
import { noContext } from '../../src/contract/request.ts';
import {
  createPooledScanner,
  type PooledScanner,
  type PooledScannerOptions,
} from '../../src/pool/pooled-scanner.ts';
import { untilReady } from '../conformance/scanner.ts';
import { memoryLog, scanInput } from '../support/scan-input.ts';

const fixtureWorker = new URL('./fixture-worker.ts', import.meta.url);

async function withPool(
  options: Partial<PooledScannerOptions>,
  run: (scanner: PooledScanner) => Promise<void>,
): Promise<void> {
  const scanner = createPooledScanner({ threads: 1, log: memoryLog(), ...options });
  try {
    await untilReady(scanner);
    await run(scanner);
  } finally {
    await scanner.close();
  }
}

function explainInput(text: string, parts: Partial<ExplainInput> = {}): ExplainInput {
  const body = new TextEncoder().encode(text);
  return { body, context: noContext, policy: defaultPolicy, depth: 'findings', ...parts };
}

const customRule: CustomRule = {
  id: 'custom.word',
  category: 'other',
  cwe: 'CWE-20',
  severity: 'high',
  score: 80,
  message: 'holds a word',
  literals: ['xyzzy'],
  examples: ['a xyzzy'],
  lookalikes: ['a xyz'],
};

describe('the lane of what can wait', () => {
  it('explains in a thread what screening there decides', async () => {
    await withPool({ threads: 2 }, async (scanner) => {
      const text = JSON.stringify({ q: '%27%20OR%201=1%20--' });
      const screened = await scanner.scan(scanInput(text));
      const outcome = await scanner.explain(explainInput(text));
      assert.ok(screened.kind === 'verdict' && outcome.kind === 'explained');
      const { verdict } = outcome.explanation;
      assert.equal(verdict.decision, 'block');
      const findings = verdict.findings.map(({ steps, ...finding }) => {
        assert.equal(steps.length, finding.decoded.length + 1);
        return finding;
      });
      assert.deepEqual({ ...verdict, findings }, screened.verdict);
    });
  });

  it('describes a block without its secrets', async () => {
    await withPool({}, async (scanner) => {
      const text = JSON.stringify({ q: '%27%20OR%201=1%20--', password: "' OR 1=1 --" });
      const input = scanInput(text);
      const screened = await scanner.scan(input);
      assert.ok(screened.kind === 'verdict');
      const { body, context, policy } = input;
      const { verdict } = screened;
      const ids = { decisionId: 'd', requestId: 'r', keyId: 'k', policyId: 'p', policyVersion: 1 };
      const record = { ...ids, body, context, policy, verdict, monitored: false };
      const facts = { at: 0, keyName: 'shop' };
      const other = { ...record, decisionId: 'e' };
      const blocks = [record, other].map((one) => ({ record: one, facts }));
      const events = await scanner.describe({ blocks, depth: 'steps' });
      const [event] = events ?? [];
      assert.deepEqual(events?.[1], event && { ...event, id: 'e' });
      const [bare] = (await scanner.describe({ blocks, depth: 'bare' })) ?? [];
      assert.deepEqual([bare?.id, bare?.findings[0]?.steps], ['d', []]);
      assert.deepEqual([event?.id, event?.keyName, event?.score], ['d', 'shop', verdict.score]);
      assert.equal(event?.at, '1970-01-01T00:00:00.000Z');
      const texts = event?.findings.map(({ steps }) => steps.map((step) => step.text));
      assert.deepEqual(texts, [['%27%20OR%201=1%20--', "' OR 1=1 --"], []]);
    });
  });

  it('refuses a body as screening does, and one that is larger than any request', async () => {
    await withPool({}, async (scanner) => {
      const fault = await scanner.explain(explainInput('{"a":'));
      assert.deepEqual(fault, { kind: 'rejected', fault: 'body-not-json' });
      const large = await scanner.explain(explainInput(' '.repeat(1_048_577)));
      assert.deepEqual(large, { kind: 'refused', reason: 'body-too-large' });
    });
  });

  it('explains a view of a larger block and leaves it as it is', async () => {
    await withPool({}, async (scanner) => {
      const block = Buffer.from('xx{"q":"a"}yy');
      const body = block.subarray(2, block.length - 2);
      const outcome = await scanner.explain(explainInput('', { body, depth: 'fields' }));
      assert.ok(outcome.kind === 'explained');
      assert.equal(outcome.explanation.fields.length, 2);
      assert.equal(block.toString(), 'xx{"q":"a"}yy');
    });
  });

  it('says what is wrong with a policy', async () => {
    await withPool({}, async (scanner) => {
      const good: Policy = { ...defaultPolicy, customRules: [customRule] };
      assert.deepEqual(await scanner.checkPolicy(good), []);
      const bad = { ...good, customRules: [{ ...customRule, lookalikes: ['xyzzy too'] }] };
      const problems = await scanner.checkPolicy(bad);
      assert.deepEqual(
        problems?.map(({ pointer }) => pointer),
        ['/customRules/0/lookalikes/0'],
      );
    });
  });

  it('is bounded, and lets requests go first', async () => {
    const options = { workerFile: fixtureWorker, limits: { explainQueueMax: 3 } };
    await withPool(options, async (scanner) => {
      const done: string[] = [];
      const busy = scanner.scan(scanInput('{"a":"@pause50"}')).then(() => done.push('busy'));
      await new Promise((resolve) => setImmediate(resolve));
      const spare = Array.from({ length: 5 }, async () => {
        const { kind } = await scanner.explain(explainInput('{"a":"b"}'));
        done.push(kind);
      });
      const after = scanner.scan(scanInput('{"a":"c"}')).then(() => done.push('request'));
      await Promise.all([busy, ...spare, after]);
      assert.deepEqual(done.slice(0, 2), ['refused', 'refused']);
      assert.ok(done.indexOf('request') < done.indexOf('explained'), done.join());
      assert.equal(done.filter((one) => one === 'explained').length, 3);
    });
  });

  it('is served now and then though requests never stop', async () => {
    await withPool({ workerFile: fixtureWorker }, async (scanner) => {
      let isOver = false;
      const traffic = Array.from({ length: 4 }, async () => {
        while (!isOver) await scanner.scan(scanInput(`{"a":"@pause5 ${'x'.repeat(70_000)}"}`));
      });
      const { kind } = await scanner.explain(explainInput('{"a":"b"}'));
      isOver = true;
      await Promise.all(traffic);
      assert.equal(kind, 'explained');
    });
  });

  it('loses the job that kills or hangs its thread, and nothing else', async () => {
    await withPool({ workerFile: fixtureWorker, limits: { taskMsMax: 200 } }, async (scanner) => {
      for (const text of ['{"a":"@exit"}', '{"a":"@spin"}']) {
        const outcome = await scanner.explain(explainInput(text));
        assert.deepEqual(outcome, { kind: 'refused', reason: 'worker-lost' });
        assert.equal((await scanner.scan(scanInput('{"a":"b"}'))).kind, 'verdict');
        assert.equal((await scanner.explain(explainInput('{"a":"b"}'))).kind, 'explained');
      }
      const failed = await scanner.explain(explainInput('{"a":"@throw"}'));
      assert.ok(failed.kind === 'failed' && failed.detail.includes('thrown for one request'));
    });
  });

  it('refuses what waits when the scanner closes', async () => {
    const scanner = createPooledScanner({ threads: 1, log: memoryLog() });
    const waiting = Array.from({ length: 3 }, () => scanner.explain(explainInput('{}')));
    await scanner.close();
    for (const outcome of await Promise.all(waiting)) {
      assert.deepEqual(outcome, { kind: 'refused', reason: 'draining' });
    }
    assert.equal(await scanner.checkPolicy(defaultPolicy), undefined);
  });
});

describe('policies by number', () => {
  it('reach the thread, also a new one after the old one died', async () => {
    await withPool({ workerFile: fixtureWorker }, async (scanner) => {
      const policies = ([1, 2, 3, 4] as const).map((sensitivity) => ({
        ...defaultPolicy,
        sensitivity,
      }));
      const thresholds = async () => {
        const outcomes = await Promise.all(
          policies.map((policy) => scanner.scan(scanInput('{"a":"b"}', { policy }))),
        );
        return outcomes.map((one) => (one.kind === 'verdict' ? one.verdict.threshold : one.kind));
      };
      assert.deepEqual(await thresholds(), [10, 20, 30, 40]);
      policies.reverse();
      assert.deepEqual(await thresholds(), [40, 30, 20, 10]);
      await scanner.scan(scanInput('{"a":"@exit"}'));
      assert.deepEqual(await thresholds(), [40, 30, 20, 10]);
    });
  });

  it('are right when there have been very many', async () => {
    await withPool({}, async (scanner) => {
      for (let index = 0; index < 2_500; index++) {
        const customRules = [{ ...customRule, literals: [`word${index}x`] }];
        const policy: Policy = { ...defaultPolicy, customRules };
        const outcome = await scanner.scan(scanInput(`{"a":"word${index}x"}`, { policy }));
        assert.ok(outcome.kind === 'verdict');
        assert.equal(outcome.verdict.findings[0]?.evidence, `word${index}x`);
      }
    });
  });
});
