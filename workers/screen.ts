import { createEngine } from '../src/core/engine.ts';
import { type BatchMessage, type BatchReply, screenBatchWith } from '../src/pool/codec.ts';

const engine = createEngine();

/** What a thread does: screens one batch. The pool calls it by this name. */
export function screenBatch(message: BatchMessage): BatchReply {
  return screenBatchWith(engine.screen, message);
}
