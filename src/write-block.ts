import type { Policy } from './contract/policy.ts';
import type { ScreeningRequest } from './contract/request.ts';
import { limitsReached, type Verdict } from './contract/verdict.ts';
import type { WrittenBlock } from './contract/written-block.ts';
import { clientOf } from './events/client-of.ts';
import { answerTexts } from './http/block-answer.ts';
import { lineTexts } from './telemetry/log/block-line.ts';

/** Writes a block down for its answer and its log line. Screening threads do it, where they can. */
export function writeBlock(
  { body, context }: ScreeningRequest,
  policy: Policy,
  verdict: Verdict,
): WrittenBlock {
  const { forwardedFor, ...request } = clientOf(body, context);
  return {
    category: verdict.findings[0]?.category,
    isComplete: limitsReached(verdict.coverage).length === 0,
    ...answerTexts(policy, verdict),
    ...lineTexts(verdict, { monitored: policy.mode === 'monitor' }, request),
    forwardedFor,
  };
}
