import { answers } from '../contract/live.ts';
import type { Policy } from '../contract/policy.ts';
import type { ScanOutcome } from '../contract/ports.ts';
import type { Verdict } from '../contract/verdict.ts';
import { writeAnswer } from './answer.ts';
import { answerTexts, shownFindings } from './block-answer.ts';
import type { Exchange } from './exchange.ts';
import { problemMediaType, statusLine } from './problem.ts';

const ok = statusLine(200);
const forbidden = statusLine(403);
const jsonMediaType = 'application/json';

/** The outcome of a scan that came to a verdict. */
export type ScanVerdict = Extract<ScanOutcome, { kind: 'verdict' }>;

/** Step 5: answers with a verdict as the policy wants it. True when the verdict was to block. */
export function respondVerdict(exchange: Exchange, policy: Policy, outcome: ScanVerdict): boolean {
  const id = exchange.decisionId;
  if (outcome.written === undefined && outcome.verdict.decision === 'allow') {
    const body = allowBody(id, policy, outcome.verdict);
    writeAnswer(exchange, { status: ok, type: jsonMediaType, body, kind: answers.allow });
    return false;
  }
  const refuses = policy.mode === 'block';
  const { answerHead, answerTail } = outcome.written ?? answerTexts(policy, outcome.verdict);
  writeAnswer(exchange, {
    status: refuses ? forbidden : ok,
    type: refuses ? problemMediaType : jsonMediaType,
    body: `${answerHead}"id":"${id}",${answerTail}}`,
    kind: refuses ? answers.block : answers.wouldBlock,
  });
  return true;
}

/**
 * Answers a request of a key that is switched off: nothing was inspected, and the answer says so.
 */
export function respondUnscreened(exchange: Exchange): void {
  writeAnswer(exchange, {
    status: ok,
    type: jsonMediaType,
    body:
      `{"id":"${exchange.decisionId}","decision":"allow","score":0,"findings":[],` +
      '"coverage":{"complete":false,"bytes":0,"reasons":[]}}',
    kind: answers.allow,
  });
}

function allowBody(id: string, policy: Policy, verdict: Verdict): string {
  const { findings, coverage, score } = verdict;
  if (findings.length === 0 && coverage.complete && policy.mode === 'block') {
    // The answer of nearly every request: no object to build, nothing to escape.
    return (
      `{"id":"${id}","decision":"allow","score":${score},"findings":[],` +
      `"coverage":{"complete":true,"bytes":${coverage.bytes},"reasons":[]}}`
    );
  }
  const would = policy.mode === 'monitor' ? { would: verdict.decision } : {};
  return JSON.stringify({
    id,
    decision: 'allow',
    ...would,
    score,
    findings: shownFindings(policy.detail, findings),
    coverage,
  });
}
