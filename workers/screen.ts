import type { PolicyProblem } from '../src/contract/explanation.ts';
import type { Policy } from '../src/contract/policy.ts';
import { createEngine } from '../src/core/engine.ts';
import {
  type BatchMessage,
  type BatchReply,
  type Explained,
  type ExplainMessage,
  explainWith,
  screenBatchWith,
} from '../src/pool/codec.ts';

const engine = createEngine();
/** The policies that the pool has sent to this thread, by number. */
const policies: Policy[] = [];

// What a thread does. The pool calls each by its name.

/** Screens one batch. */
export function screenBatch(message: BatchMessage): BatchReply {
  return screenBatchWith(engine.screen, message, policies);
}

/** Explains one request. */
export function explain(message: ExplainMessage): Explained {
  return explainWith(engine.explain, message, policies);
}

/** Says what is wrong with a policy. */
export function checkPolicy(policy: Policy): PolicyProblem[] {
  return engine.checkPolicy(policy);
}
