import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { defaultPolicy, type Policy } from '../src/contract/policy.ts';
import { noContext } from '../src/contract/request.ts';
import { createInlineScanner } from '../src/pool/inline-scanner.ts';
import { createPooledScanner } from '../src/pool/pooled-scanner.ts';
import { writeBlock } from '../src/write-block.ts';
import { keepLog } from './access/key-fixture.ts';
import { scanInput } from './support/scan-input.ts';

const attacks: readonly { readonly body: object }[] = JSON.parse(
  readFileSync(new URL('../bench/data/attacks.json', import.meta.url), 'utf8'),
);
const bodies = attacks.map(({ body }) => JSON.stringify({ 'header.host': 'shop.test', ...body }));
const context = { ...noContext, method: 'POST', for: '203.0.113.7' };

/** The members of an answer in their order, by the detail of the policy. */
const refusal = 'type title status detail id decision score'.split(' ');
const membersBy = {
  minimal: refusal,
  standard: [...refusal, 'threshold', 'findings', 'coverage'],
  full: [...refusal, 'threshold', 'findings', 'coverage'],
} as const;

for (const detail of ['minimal', 'standard', 'full'] as const) {
  for (const mode of ['block', 'monitor'] as const) {
    test(`a thread writes blocks as they would be written here: ${mode}, ${detail}`, async (t) => {
      const policy: Policy = { ...defaultPolicy, mode, detail };
      const pooled = createPooledScanner({ threads: 1, log: keepLog() });
      const inline = createInlineScanner();
      t.after(() => Promise.all([pooled.close(), inline.close()]));
      const inputs = bodies.map((body) => scanInput(body, { policy, context }));
      const outcomes = await Promise.all(inputs.map((input) => pooled.scan(input)));
      for (const [index, outcome] of outcomes.entries()) {
        const input = inputs[index];
        assert.ok(outcome.kind === 'verdict' && input !== undefined);
        const { verdict } = outcome;
        assert.deepEqual(await inline.scan(input), { kind: 'verdict', verdict });
        const body = bodies[index] ?? '';
        assert.deepEqual(outcome.written, writeBlock({ body, context }, policy, outcome.verdict));
        const { answerHead, answerTail, category } = outcome.written ?? {};
        const answer = JSON.parse(`${answerHead}"id":"1",${answerTail}}`);
        const { findings, score, coverage } = outcome.verdict;
        assert.equal(category, findings[0]?.category);
        const shown = findings.map(({ evidence, span, ...rest }) =>
          detail === 'full' ? { ...rest, evidence, span } : rest,
        );
        if (mode === 'monitor') {
          const common = { id: '1', decision: 'allow', would: 'block', score, coverage };
          assert.deepEqual(answer, { ...common, findings: detail === 'minimal' ? [] : shown });
        } else {
          assert.deepEqual(Object.keys(answer), membersBy[detail]);
          assert.deepEqual([answer.decision, answer.score], ['block', score]);
          if (detail !== 'minimal') assert.deepEqual(answer.findings, shown);
        }
      }
    });
  }
}
