import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LearningBatch, LearningThread } from '../../src/contract/learnt-shape.ts';
import { limits } from '../../src/contract/limits.ts';
import { defaultPolicy } from '../../src/contract/policy.ts';
import { noContext } from '../../src/contract/request.ts';
import type { Verdict } from '../../src/contract/verdict.ts';
import { startLearning } from '../../src/policies/learning.ts';
import { keepLog } from '../access/key-fixture.ts';

const bounds = [
  {
    what: 'bytes',
    bodyBytes: 1_048_576,
    sent: 60,
    perSecond: limits.learntBytesPerSecondMax >> 20,
  },
  { what: 'requests', bodyBytes: 2, sent: 3_000, perSecond: limits.learntPerSecondMax },
];

for (const { what, bodyBytes, sent, perSecond } of bounds) {
  test(`a bounded number of ${what} is learnt from within a second, the rest is counted`, async (t) => {
    const batches: LearningBatch[] = [];
    const learning = startLearning({
      thread: collecting(batches),
      store: { find: async () => undefined, put: async () => true, remove: async () => undefined },
      events: { stream: () => assert.fail('nothing is reported') },
      policies: {
        inForce: (id) => ({ id, version: 1, policy: defaultPolicy }),
        onChange: () => undefined,
      },
      writeOpenApi: () => ({}),
      log: keepLog(),
      clock: () => 0,
    });
    t.after(() => learning.close());
    const body = new Uint8Array(bodyBytes);
    const verdict: Verdict = {
      ...{ decision: 'allow', score: 0, threshold: 75, findings: [] },
      coverage: { complete: true, bytes: body.length, reasons: [] },
    };
    for (let at = 0; at < sent; at += 1) {
      learning.screened({ policyId: 'default', body, context: noContext, verdict });
    }
    await learning.save();
    const learnt = batches.reduce((sum, { requests }) => sum + requests.length, 0);
    const leftOut = batches.reduce((sum, batch) => sum + batch.leftOut, 0);
    assert.equal(learnt + leftOut, sent);
    // A slow machine may take more than a second for it, and not ten.
    assert.ok(learnt >= perSecond && learnt <= perSecond * 10, `${learnt} of ${sent}`);
  });
}

/** Takes all batches, and has nothing to save. */
function collecting(batches: LearningBatch[]): LearningThread {
  return {
    learn: async (batch) => void batches.push(batch),
    declare: () => undefined,
    unsaved: async () => [],
    save: () => assert.fail('there is nothing to save'),
    saved: () => undefined,
    reset: () => undefined,
    report: () => assert.fail('nothing is reported'),
    close: async () => undefined,
  };
}
