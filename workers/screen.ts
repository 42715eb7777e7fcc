import type { StoredEvent } from '../src/contract/event.ts';
import type { PolicyProblem } from '../src/contract/explanation.ts';
import type { Policy } from '../src/contract/policy.ts';
import { createEngine } from '../src/core/engine.ts';
import { detectors } from '../src/core/rules/registry.ts';
import { eventOf } from '../src/events/event-of.ts';
import {
  type BatchMessage,
  type BatchReply,
  type DescribeMessage,
  type Explained,
  type ExplainMessage,
  ThreadDesk,
} from '../src/pool/codec.ts';
import { shapeFault } from '../src/pool/shape.ts';
import { yieldToFrontEnd } from '../src/pool/thread-priority.ts';
import { compileShape } from '../src/shape/compile.ts';
import { writeBlock } from '../src/write-block.ts';

yieldToFrontEnd();
const engine = createEngine(detectors, compileShape);
const desk = new ThreadDesk(shapeFault, writeBlock);

// What a thread does. The pool calls each by its name.

/** Screens one batch. */
export function screenBatch(message: BatchMessage): BatchReply {
  return desk.screen(engine.screen, message);
}

/** Explains one request. */
export function explain(message: ExplainMessage): Explained {
  return desk.explain(engine.explain, message);
}

/** The events of blocks. */
export function describe(message: DescribeMessage): StoredEvent[] {
  const outcomes = desk.explainBlocks(engine.explain, message);
  return message.blocks.map(({ record, body, context, facts }, index) => {
    const outcome = outcomes[index];
    const explained = outcome?.kind === 'explained' ? outcome.explanation.verdict.findings : [];
    return eventOf({ ...record, body, context }, facts, explained);
  });
}

/** Says what is wrong with a policy. */
export function checkPolicy(policy: Policy): PolicyProblem[] {
  return engine.checkPolicy(policy);
}
