import { categoryTitle } from '../contract/category.ts';
import { errorCatalogue, problemType } from '../contract/errors.ts';
import { answers } from '../contract/live.ts';
import type { DetailLevel, Policy } from '../contract/policy.ts';
import type { Finding, Verdict } from '../contract/verdict.ts';
import { type Answer, writeAnswer } from './answer.ts';
import type { Exchange } from './exchange.ts';
import { problemMediaType, statusLine } from './problem.ts';

const ok = statusLine(200);
const forbidden = statusLine(403);
const jsonMediaType = 'application/json';

/** Step 5: answers with a verdict as the policy wants it. True when the verdict was to block. */
export function respondVerdict(exchange: Exchange, policy: Policy, verdict: Verdict): boolean {
  const blocks = verdict.decision === 'block';
  const id = exchange.decisionId;
  if (blocks && policy.mode === 'block') {
    writeAnswer(exchange, blockAnswer(id, policy.detail, verdict));
  } else {
    writeAnswer(exchange, {
      status: ok,
      type: jsonMediaType,
      body: allowBody(id, policy, verdict),
      kind: blocks ? answers.wouldBlock : answers.allow,
    });
  }
  return blocks;
}

/**
 * Answers a request of a key that is switched off: nothing was looked at, and the answer says so.
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

function blockAnswer(id: string, level: DetailLevel, verdict: Verdict): Answer {
  const { status, title, advice } = errorCatalogue['threat-detected'];
  const minimal = level === 'minimal';
  const members = {
    type: problemType('threat-detected'),
    title,
    status,
    detail: minimal ? advice : blockDetail(verdict),
    id,
    decision: 'block',
    score: verdict.score,
  };
  const explained = {
    threshold: verdict.threshold,
    findings: shownFindings(level, verdict.findings),
    coverage: verdict.coverage,
  };
  return {
    status: forbidden,
    type: problemMediaType,
    body: JSON.stringify(minimal ? members : { ...members, ...explained }),
    kind: answers.block,
  };
}

/** One sentence: what was found, and where. */
export function blockDetail(verdict: Verdict): string {
  const strongest = verdict.findings[0];
  if (strongest === undefined) {
    const reasons = verdict.coverage.reasons.join(', ');
    return `Not screened completely (${reasons}), and this key blocks such requests.`;
  }
  const place = strongest.pointer === '' ? 'the request' : strongest.pointer;
  const part = strongest.where === 'name' ? 'the field name of ' : '';
  return `${categoryTitle[strongest.category]} in ${part}${place}`;
}

function shownFindings(level: DetailLevel, findings: readonly Finding[]): readonly object[] {
  if (level === 'full') return findings;
  if (level === 'minimal') return [];
  return findings.map(({ evidence: _evidence, span: _span, ...shown }) => shown);
}
