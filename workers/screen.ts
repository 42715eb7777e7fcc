import type { PolicyProblem } from '../src/contract/explanation.ts';
import type { Policy } from '../src/contract/policy.ts';
import { createEngine } from '../src/core/engine.ts';
import {
  type BatchMessage,
  type BatchReply,
  type Explained,
  type ExplainMessage,
  ThreadDesk,
} from '../src/pool/codec.ts';

const engine = createEngine();
const desk = new ThreadDesk();

// What a thread does. The pool calls each by its name.

/** Screens one batch. */
export function screenBatch(message: BatchMessage): BatchReply {
  return desk.screen(engine.screen, message);
}

/** Explains one request. */
export function explain(message: ExplainMessage): Explained {
  return desk.explain(engine.explain, message);
}

/** Says what is wrong with a policy. */
export function checkPolicy(policy: Policy): PolicyProblem[] {
  return engine.checkPolicy(policy);
}
